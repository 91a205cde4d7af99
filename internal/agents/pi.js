// mbgate's extension for pi: it tells mbgate what happens and does what mbgate answers. All judgement is in the program;
// see https://github.com/mbgate/mbgate. `mbgate install pi` writes this file, `mbgate uninstall pi` removes it.
//
// A throw in tool_call refuses the call, so there is none. Observed with 0.87.1.
import { homedir } from "node:os"
//#include shim.js
const AGENT = "pi"
// Tools that write and cannot read: with fail = "closed" these alone are refused when mbgate cannot answer.
const WRITERS = ["write", "edit"]

// understood is a path as pi's own tools take it: without a leading @, and with ~ for the home folder.
const understood = (path) => path.replace(/^@/, "").replace(/^~(?=$|[\\/])/, () => homedir())

export default (pi) => {
  const reminders = new Map() // call → what the model is told with its result
  let warned = false
  let continued = false // the model was already kept from stopping since the last prompt

  const say = (ctx, text, level) => {
    if (text && ctx.hasUI) ctx.ui.notify(text, level)
  }

  // tell gives the model a text: at once while it works, else with the next prompt, and keeps it in the conversation.
  const tell = (text) => {
    if (text) pi.sendMessage({ customType: "mbgate", content: text, display: false }, { deliverAs: "steer" })
  }

  const send = async (ctx, hook, more) => {
    const answer = await run({ client: AGENT, hook, session_id: ctx.sessionManager.getSessionId(), directory: ctx.cwd, ...more }, ctx.cwd)
    if (answer.code === 0 || answer.code === 2) {
      warned = false
    } else if (!warned) {
      warned = true
      say(ctx, `mbgate could not do its work, ${CLOSED ? "writes are refused" : "calls go on unchecked"}: ${answer.stderr}`, "warning")
    }
    return answer
  }

  // on hears of an event and never throws.
  const on = (event, hook) =>
    pi.on(event, async (e, ctx) => {
      try {
        return await hook(e, ctx)
      } catch (problem) {
        say(ctx, `mbgate: a hook failed: ${problem?.message ?? problem}`, "warning")
      }
    })

  // inform sends an event whose answer is for the model.
  const inform = async (ctx, hook, more) => {
    const answer = await send(ctx, hook, more)
    if (answer.code === 0) {
      say(ctx, answer.stderr, "info")
      tell(answer.stdout)
    }
  }

  const call = (e) => {
    const args = { ...e.input }
    if (typeof args.path === "string") args.path = understood(args.path)
    return { call_id: e.toolCallId, tool: e.toolName, args }
  }

  on("session_start", async (e, ctx) => {
    // A session that is opened or forked from the command line is said to start up.
    const opened = e.reason === "startup" && ctx.sessionManager.getEntries().some((entry) => entry.type === "message")
    await inform(ctx, e.type, { source: opened ? "resume" : e.reason })
  })
  on("session_compact", (e, ctx) => inform(ctx, e.type, { source: e.reason }))
  on("session_tree", (e, ctx) => inform(ctx, e.type)) // another branch of the conversation is in the context now
  on("session_shutdown", async (e, ctx) => {
    if (e.reason !== "reload") await send(ctx, e.type)
  })

  on("input", async (e, ctx) => {
    if (e.source === "extension") return
    continued = false
    const answer = await send(ctx, e.type, { prompt: e.text })
    if (answer.code === 2) {
      say(ctx, answer.stderr, "info")
      return { action: "handled" }
    }
    if (answer.code === 0) tell(answer.stdout)
  })

  on("tool_call", async (e, ctx) => {
    const answer = await send(ctx, e.type, call(e))
    if (answer.code === 2) {
      return { block: true, reason: answer.stderr || "refused by mbgate; run `mbgate status` to see why" }
    }
    if (answer.code !== 0 && CLOSED && WRITERS.includes(e.toolName)) {
      return { block: true, reason: `mbgate could not judge this call, and fail = "closed" refuses it then: ${answer.stderr}` }
    }
    if (answer.code === 0 && answer.stdout) reminders.set(e.toolCallId, answer.stdout)
  })

  on("tool_result", async (e, ctx) => {
    // What a script calls is seen by the script; what it shows of that is the result of the script's own call.
    const content = e.parentToolCallId ? [] : e.content
    const answer = await send(ctx, e.type, { ...call(e), result: { content, failed: e.isError } })
    const texts = [reminders.get(e.toolCallId), answer.code === 0 ? answer.stdout : ""].filter(Boolean)
    reminders.delete(e.toolCallId)
    if (texts.length) return { content: [...e.content, { type: "text", text: texts.join("\n\n") }] }
  })

  on("agent_before_settle", async (e, ctx) => {
    if (e.outcome !== "completed") return
    const answer = await send(ctx, e.type, { source: continued ? "continued" : "" })
    if (answer.code !== 0 || !answer.stdout || continued) return
    continued = true
    return { continue: true, entries: [{ type: "custom_message", customType: "mbgate", content: answer.stdout, display: false }] }
  })
}
