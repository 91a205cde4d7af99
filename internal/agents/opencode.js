// mbgate's plugin for OpenCode: it tells mbgate what happens and does what mbgate answers. All judgement is in the
// program; see https://github.com/mbgate/mbgate. `mbgate install opencode` writes this file, `mbgate uninstall opencode`
// removes it.
//
// OpenCode calls every export as a plugin, so there is one, and a throw anywhere but in tool.execute.before breaks a
// turn or the whole session, so there is none. OpenCode 1 calls its server (observed with 1.18.33), OpenCode 2 its setup
// (documented: opencode.ai/v2/docs/build/plugins).
//#include shim.js
const AGENT = "opencode"
// How long a question to OpenCode itself may take.
const ASK = 2000
// A compaction part that no compaction hook follows within this belongs to the history that a fork repeats.
const FORK = 1000
// How many sessions, calls and parts are remembered.
const KEPT = 2000
// Tools that write and cannot read: with fail = "closed" these alone are refused when mbgate cannot answer.
const WRITERS = ["write", "edit", "multiedit", "patch", "apply_patch"]

// A Map that forgets its oldest entries.
function memory() {
  const map = new Map()
  return {
    get: (key) => map.get(key),
    has: (key) => map.has(key),
    delete: (key) => map.delete(key),
    set(key, value) {
      map.delete(key)
      map.set(key, value)
      if (map.size > KEPT) map.delete(map.keys().next().value)
    },
  }
}

// within gives a promise's value, or undefined if it rejects or takes too long.
function within(promise, ms) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    const finish = (value) => {
      clearTimeout(timer)
      resolve(value)
    }
    Promise.resolve(promise).then(finish, () => finish(undefined))
  })
}

// Two copies (the user's and the project's) are both loaded; the one that was loaded last works, for each directory.
function owners() {
  const key = Symbol.for("mbgate.opencode.owners")
  globalThis[key] ??= new Map()
  return globalThis[key]
}

const server = async ({ client, directory, worktree, api }) => {
  const me = {}
  owners().set(directory, me)
  const idle = () => {
    if (!owners().has(directory)) owners().set(directory, me)
    return owners().get(directory) !== me
  }

  const sessions = memory() // id → {parent, agent}
  const calls = memory() // call → {args, reminder}
  const waiting = memory() // session → texts for the model: {text, told}
  const queues = memory() // session → promise of what must be done before its next call
  const replayed = memory() // session → timer of a compaction part that no hook has followed yet
  const forked = memory() // sessions of which mbgate knows that they are forks
  const summed = memory() // sessions of which the next request is that for a summary
  const dropped = memory() // ids of parts whose result was taken out of the context
  const results = memory() // message → its finished calls, which leave the conversation with it
  let warned = false

  // say tells the person something: in the log, and on the screen where there is one.
  const say = (message, level) => {
    const quietly = (call) => {
      try {
        Promise.resolve(call()).catch(() => {})
      } catch {}
    }
    quietly(() => client.app.log({ body: { service: "mbgate", level, message } }))
    quietly(() => client.tui.showToast({ body: { title: "mbgate", message, variant: level === "info" ? "info" : "warning" } }))
  }

  const known = (id) => {
    if (!sessions.has(id)) sessions.set(id, {})
    return sessions.get(id)
  }

  // family is the topmost ancestor of a session. What is not known is asked of OpenCode; what it does not answer is
  // asked again the next time.
  const family = async (id) => {
    let top = id
    for (let depth = 0; depth < 20; depth++) {
      const s = known(top)
      if (s.parent === undefined) {
        const answer = await within((async () => client.session.get({ path: { id: top } }))(), ASK)
        const info = answer?.data ?? answer
        if (info?.id === top) note(info)
      }
      if (!s.parent || s.parent === id) return top
      top = s.parent
    }
    return top
  }

  const note = (info) => {
    const s = known(info.id)
    s.parent = info.parentID ?? null
    if (info.agent) s.agent = info.agent
  }

  // send gives mbgate an event of a session.
  const send = async (hook, id, more) => {
    const event = { client: AGENT, api, hook, session_id: id, directory, worktree, ...more }
    const top = await family(id)
    if (top !== id) event.parent_session_id = top
    const agent = known(id).agent
    if (agent) event.agent = agent
    const answer = await run(event, directory)
    if (answer.code !== 0 && answer.code !== 2 && !warned) {
      warned = true
      const rest = CLOSED ? "writes are refused" : "calls go on unchecked"
      say(`mbgate could not do its work, ${rest}: ${answer.stderr || `status ${answer.code}`}`, "warn")
    }
    if (answer.code === 0) {
      warned = false
      if (answer.stderr) say(answer.stderr, "info")
    }
    return answer
  }

  // later keeps a text for the requests of a session, until the model has answered one: a request for a title or a
  // summary looks the same, so the first one that carries the text may not be the model's.
  const later = (id, text) => {
    if (text) waiting.set(id, [...(waiting.get(id) ?? []), { text, told: false }])
  }
  const answered = (id) => {
    if (waiting.has(id)) waiting.set(id, waiting.get(id).filter((w) => !w.told))
  }

  // enqueue lets something be done in its turn, before the session's next call.
  const enqueue = (id, work) => {
    const next = (queues.get(id) ?? Promise.resolve()).then(work).catch(() => {})
    queues.set(id, next)
    return next
  }

  // A fork starts on a context that was read by another session.
  const fork = (hook, id) => {
    if (forked.has(id)) return
    forked.set(id, true)
    enqueue(id, async () => {
      const answer = await send(hook, id, { source: "fork" })
      if (answer.code === 0) later(id, answer.stdout)
    })
  }

  // settle ends the doubt whether a compaction part was a repeated one, and waits for the session's queue.
  const settle = async (id) => {
    const timer = replayed.get(id)
    if (timer) {
      clearTimeout(timer)
      replayed.delete(id)
      fork("message.part.updated", id)
    }
    await queues.get(id)
  }

  // append adds a text to what a tool gave to the model.
  const append = (output, text) => {
    if (!text || !output) return false
    if (typeof output.output === "string") output.output = output.output ? `${output.output}\n\n${text}` : text
    else if (typeof output.content === "string") output.content = `${output.content}\n\n${text}`
    else if (Array.isArray(output.content)) output.content.push({ type: "text", text })
    else return false
    return true
  }

  // safely makes a hook that never throws.
  const safely = (hook) => async (input, output) => {
    try {
      if (!idle()) await hook(input ?? {}, output ?? {})
    } catch (e) {
      say(`a hook failed: ${e?.message ?? e}`, "warn")
    }
  }

  // gone tells that the result of a call left the conversation.
  const gone = (id, { callID, tool, state: { input, output, title, metadata } }) =>
    send("message.part.updated", id, { source: "pruned", call_id: callID, tool, args: input ?? {}, result: { title, output, metadata } })
  const unread = (id, message, only) => {
    for (const part of results.get(message) ?? []) if (!only || only === part.id) enqueue(id, () => gone(id, part))
  }

  const events = {
    "session.created": ({ info }) => {
      if (!info?.id) return
      note(info)
      if (!info.parentID && /\(fork #\d+\)$/.test(info.title ?? "")) return fork("session.created", info.id)
      enqueue(info.id, () => send("session.created", info.id))
    },
    "session.updated": ({ info }) => {
      if (info?.id) note(info)
    },
    // /undo takes messages out of the conversation with the next prompt (played).
    "message.removed": ({ sessionID, messageID }) => unread(sessionID, messageID),
    "message.part.removed": ({ sessionID, messageID, partID }) => unread(sessionID, messageID, partID),
    "session.deleted": ({ info }) => {
      if (info?.id) enqueue(info.id, () => send("session.deleted", info.id))
    },
    "session.idle": ({ sessionID }) => {
      if (!sessionID) return
      answered(sessionID)
      enqueue(sessionID, async () => {
        const answer = await send("session.idle", sessionID)
        if (answer.code === 0) later(sessionID, answer.stdout)
      })
    },
    "message.part.updated": ({ part }) => {
      const id = part?.sessionID
      if (!id) return
      if (part.type === "compaction" && !forked.has(id) && !replayed.has(id)) {
        const timer = setTimeout(() => {
          replayed.delete(id)
          fork("message.part.updated", id)
        }, FORK)
        timer.unref?.()
        replayed.set(id, timer)
      }
      if (part.type === "tool" && part.tool === "read" && part.state?.time?.compacted && !dropped.has(part.id)) {
        dropped.set(part.id, true)
        enqueue(id, () => gone(id, part))
      }
      if (part.type === "tool" && part.state?.status === "completed") {
        const { input, title, metadata } = part.state // not the output, which may be large
        const others = (results.get(part.messageID) ?? []).filter((p) => p.id !== part.id)
        results.set(part.messageID, [...others, { ...part, state: { input, title, metadata } }])
      }
    },
  }

  return {
    event: safely(async ({ event }) => {
      events[event?.type]?.(event.properties ?? {})
    }),

    "chat.message": safely(async (input, output) => {
      const id = input.sessionID
      if (!id) return
      const agent = input.agent ?? output.message?.agent
      if (agent) known(id).agent = agent
      const texts = (output.parts ?? []).filter((p) => p.type === "text" && !p.synthetic && !p.ignored)
      await settle(id)
      const answer = await send("chat.message", id, { prompt: texts.map((p) => p.text).join("\n") })
      if (answer.code === 0) later(id, answer.stdout)
    }),

    "tool.execute.before": async (input, output) => {
      if (idle()) return
      let refusal
      try {
        const id = input.sessionID
        const args = output?.args ?? {}
        answered(id)
        await settle(id)
        const answer = await send("tool.execute.before", id, { call_id: input.callID, tool: input.tool, args })
        if (answer.code === 2) {
          refusal = answer.stderr || "refused by mbgate; run `mbgate status` to see why"
        } else if (answer.code !== 0 && CLOSED && WRITERS.includes(input.tool)) {
          refusal = `mbgate could not judge this call, and fail = "closed" refuses it then: ${answer.stderr}`
        } else {
          calls.set(input.callID, { args, reminder: answer.code === 0 ? answer.stdout : "" })
        }
      } catch (e) {
        say(`a hook failed: ${e?.message ?? e}`, "warn")
      }
      if (refusal) throw new Error(refusal)
    },

    "tool.execute.after": safely(async (input, output) => {
      const call = calls.get(input.callID)
      calls.delete(input.callID)
      // Clients before 1.2 do not repeat the arguments.
      const args = input.args ?? call?.args ?? {}
      const answer = await send("tool.execute.after", input.sessionID, {
        call_id: input.callID,
        tool: input.tool,
        args,
        result: output,
      })
      const texts = [call?.reminder, answer.code === 0 ? answer.stdout : ""].filter(Boolean)
      if (texts.length && !append(output, texts.join("\n\n"))) later(input.sessionID, texts.join("\n\n"))
    }),

    "experimental.session.compacting": safely(async (input, output) => {
      const id = input.sessionID
      const timer = replayed.get(id)
      clearTimeout(timer)
      replayed.delete(id)
      if (api !== 2) summed.set(id, true) // OpenCode 2 asks for the summary without the hook of other requests
      await queues.get(id)
      const answer = await send("experimental.session.compacting", id)
      if (answer.code === 0 && answer.stdout) output.context.push(answer.stdout)
    }),

    "experimental.chat.system.transform": safely(async (input, output) => {
      const id = input.sessionID
      if (!id) return
      await settle(id)
      const answer = await send("experimental.chat.system.transform", id)
      if (answer.code === 0 && answer.stdout) output.system.push(answer.stdout)
      if (summed.has(id)) return summed.delete(id) // whoever writes the summary cannot act on what waits
      for (const w of waiting.get(id) ?? []) {
        output.system.push(w.text)
        w.told = true
      }
    }),

    "shell.env": safely(async (input, output) => {
      if (input.sessionID && output.env) output.env.MBGATE_SESSION_ID = await family(input.sessionID)
    }),

    dispose: async () => {
      if (owners().get(directory) === me) owners().delete(directory)
    },
  }
}

// setup gives OpenCode 2 the same hooks. A refusal is an error that execute.before ends with, as in OpenCode 1.
const setup = async (ctx) => {
  // OpenCode 1.18 calls setup besides server, with a context that has no hooks yet (played).
  if (!ctx?.tool?.hook || !ctx.session?.hook) return
  const directory = ctx.location?.directory ?? process.cwd()
  const get = async ({ path }) => ctx.session.get({ sessionID: path.id })
  const client = { session: { get }, app: { log: async ({ body }) => console.error(`mbgate: ${body.message}`) }, tui: { showToast: () => {} } }
  const hooks = await server({ client, directory, worktree: directory, api: 2 })
  const call = ({ tool, sessionID, id, input }) => ({ tool, sessionID, callID: id, args: input })
  const inform = async (event, hook, key) => {
    const output = { system: [], context: [] }
    await hooks[hook](event, output)
    event.system?.push(...output[key].map((text) => ({ type: "text", text })))
  }
  await ctx.tool.hook("execute.before", (event) => hooks["tool.execute.before"](call(event), { args: event.input }))
  await ctx.tool.hook("execute.after", async (event) => {
    if (event.status !== "error") await hooks["tool.execute.after"](call(event), event.result)
  })
  await ctx.session.hook("context", (event) => inform(event, "experimental.chat.system.transform", "system"))
  await ctx.session.hook("compaction", (event) => inform(event, "experimental.session.compacting", "context"))
  await ctx.session.hook("prompt", ({ sessionID, prompt }) =>
    hooks["chat.message"]({ sessionID }, { parts: [{ type: "text", text: prompt?.text ?? "" }] }),
  )
  await ctx.shell?.hook?.("create.before", (event) => hooks["shell.env"](event, event))

  const names = { "session.execution.succeeded": "session.idle", "session.created": "session.created", "session.deleted": "session.deleted" }
  const stop = new AbortController()
  const listen = async () => {
    for await (const { type, data, properties } of ctx.event.subscribe({ signal: stop.signal })) {
      const id = (data ?? properties)?.sessionID
      if (!names[type] || !id) continue
      // What the event leaves out of a session, its parent above all, OpenCode is asked for.
      const answer = type === "session.created" ? await within(get({ path: { id } }), ASK) : { id }
      const info = answer?.data ?? answer
      if (info) await hooks.event({ event: { type: names[type], properties: { sessionID: id, info } } })
    }
  }
  listen().catch(() => {})
  return async () => {
    stop.abort()
    await hooks.dispose()
  }
}

export default { id: "mbgate", server, setup }
