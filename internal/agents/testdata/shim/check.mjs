// Runs OpenCode's plugin under node (20 or newer) with a stub of OpenCode around it, and a stub of mbgate below it:
//
//   node internal/agents/testdata/shim/check.mjs
//
// and with the program itself below it, for the whole loop of compaction, refusal, reading and release:
//
//   go build -o /tmp/mbgate ./cmd/mbgate && node internal/agents/testdata/shim/check.mjs /tmp/mbgate
//
// It needs node, so it is not part of `go test` but of scripts/check.sh; it ends with 1 if anything is not as it should be.
import assert from "node:assert/strict"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const here = path.dirname(fileURLToPath(import.meta.url))
const text = (name) => fs.readFileSync(path.join(here, "../..", name), "utf8")
const source = text("opencode.js").replace("//#include shim.js\n", () => text("shim.js"))
const temp = fs.mkdtempSync(path.join(os.tmpdir(), "mbgate-shim-"))
process.on("exit", () => fs.rmSync(temp, { recursive: true, force: true }))

let copies = 0
async function load(binary, { closed = false, timeout } = {}) {
  let text = source.replace('const BINARY = "mbgate"', `const BINARY = ${JSON.stringify(binary)}`)
  if (closed) text = text.replace("const CLOSED = false", "const CLOSED = true")
  if (timeout) text = text.replace(/const TIMEOUT = \d+/, `const TIMEOUT = ${timeout}`)
  const file = path.join(temp, `plugin-${copies++}.mjs`)
  fs.writeFileSync(file, text)
  const module = await import(pathToFileURL(file))
  assert.deepEqual(Object.keys(module), ["default"], "one default export")
  const { id, server, setup } = module.default
  assert.equal(id, "mbgate")
  return Object.assign(server, { setup })
}

// A stub of mbgate: it notes what it is told, and answers by hook with what stands in files.
function stub() {
  const dir = fs.mkdtempSync(path.join(temp, "stub-"))
  const binary = path.join(dir, "mb gate's")
  fs.writeFileSync(
    binary,
    `#!/bin/sh
dir='${dir}'
in=$(cat)
printf '%s\\n' "$in" >>"$dir/log"
hook=$(printf '%s' "$in" | sed 's/.*"hook":"\\([^"]*\\)".*/\\1/')
[ -f "$dir/$hook.sleep" ] && sleep "$(cat "$dir/$hook.sleep")"
[ -f "$dir/$hook.out" ] && cat "$dir/$hook.out"
[ -f "$dir/$hook.err" ] && cat "$dir/$hook.err" >&2
[ -f "$dir/$hook.code" ] && exit "$(cat "$dir/$hook.code")"
exit 0
`,
    { mode: 0o755 },
  )
  return {
    binary,
    answer(hook, { out, err, code, sleep }) {
      for (const [end, value] of Object.entries({ out, err, code, sleep })) {
        const file = path.join(dir, `${hook}.${end}`)
        if (value === undefined) fs.rmSync(file, { force: true })
        else fs.writeFileSync(file, String(value))
      }
    },
    log() {
      const file = path.join(dir, "log")
      if (!fs.existsSync(file)) return []
      return fs.readFileSync(file, "utf8").trim().split("\n").map((l) => JSON.parse(l))
    },
  }
}

// A stub of OpenCode's client: it knows sessions and remembers what it was asked to show.
function opencode(sessions = {}) {
  const said = []
  return {
    said,
    asked: 0,
    app: { log: async ({ body }) => void said.push(body.message) },
    tui: {
      showToast: async () => {
        throw new Error("no screen")
      },
    },
    session: {
      async get({ path: { id } }) {
        this.asked++
        if (!sessions[id]) throw new Error("not found")
        return { data: { id, ...sessions[id] } }
      },
    },
  }
}

const directory = fs.mkdtempSync(path.join(temp, "project-"))
const start = async (plugin, client, dir = directory) => plugin({ client, directory: dir, worktree: dir, project: {}, $: undefined })
const pause = (ms) => new Promise((r) => setTimeout(r, ms))

const tests = {
  async "an allowed call passes, and is told as it is"() {
    const s = stub()
    const hooks = await start(await load(s.binary), opencode({ s1: {} }))
    const args = { filePath: "a.go", content: "ü\u2028 '\"" }
    await hooks["tool.execute.before"]({ tool: "write", sessionID: "s1", callID: "c1" }, { args })
    assert.deepEqual(s.log(), [
      {
        client: "opencode", hook: "tool.execute.before", session_id: "s1", directory, worktree: directory,
        call_id: "c1", tool: "write", args,
      },
    ])
  },
  async "a refusal is thrown, and nothing else is"() {
    const s = stub()
    s.answer("tool.execute.before", { code: 2, err: "read REQ-005 first\nthen again\n" })
    const hooks = await start(await load(s.binary), opencode({ s1: {} }))
    await assert.rejects(hooks["tool.execute.before"]({ tool: "write", sessionID: "s1", callID: "c1" }, { args: {} }), {
      message: "read REQ-005 first\nthen again",
    })
    for (const hook of ["tool.execute.after", "experimental.session.compacting", "experimental.chat.system.transform", "chat.message", "shell.env"]) {
      s.answer(hook, { code: 2, err: "no" })
      await hooks[hook]({ tool: "write", sessionID: "s1", callID: "c1" }, { context: [], system: [], env: {} })
      await hooks[hook](undefined, undefined)
    }
    for (const event of [undefined, {}, { type: "session.created" }, { type: "message.part.updated", properties: {} }]) {
      await hooks.event({ event })
    }
  },
  async "a reminder reaches the model with the result"() {
    const s = stub()
    s.answer("tool.execute.before", { out: "remember the patterns\n" })
    const hooks = await start(await load(s.binary), opencode({ s1: {} }))
    await hooks["tool.execute.before"]({ tool: "edit", sessionID: "s1", callID: "c1" }, { args: { filePath: "a" } })
    const output = { title: "a", output: "done", metadata: {} }
    await hooks["tool.execute.after"]({ tool: "edit", sessionID: "s1", callID: "c1" }, output) // an old client: no args
    assert.equal(output.output, "done\n\nremember the patterns")
    assert.deepEqual(s.log()[1].args, { filePath: "a" })
    assert.equal(s.log()[1].result.output, "done")
    await hooks["tool.execute.before"]({ tool: "x_write", sessionID: "s1", callID: "c2" }, { args: {} })
    const mcp = { content: [{ type: "text", text: "done" }] }
    await hooks["tool.execute.after"]({ tool: "x_write", sessionID: "s1", callID: "c2", args: {} }, mcp)
    assert.equal(mcp.content[1].text, "remember the patterns")
  },
  async "context goes where it belongs"() {
    const s = stub()
    s.answer("experimental.session.compacting", { out: "the block" })
    s.answer("experimental.chat.system.transform", { out: "the notice" })
    s.answer("chat.message", { out: "for this turn" })
    const hooks = await start(await load(s.binary), opencode({ s1: {} }))
    const compacting = { context: [] }
    await hooks["experimental.session.compacting"]({ sessionID: "s1" }, compacting)
    assert.deepEqual(compacting, { context: ["the block"] })
    const parts = [
      { type: "text", text: "do" }, { type: "text", text: "Called the Read tool", synthetic: true }, { type: "text", text: "it" },
    ]
    await hooks["chat.message"]({ sessionID: "s1" }, { message: { agent: "build" }, parts })
    const last = s.log().at(-1)
    assert.equal(last.prompt, "do\nit")
    assert.equal(last.agent, "build")
    // The first request after the compaction is that for the summary; the next may be the title's: the text stays until the
    // model has made a call.
    for (const want of [["the notice"], ["the notice", "for this turn"], ["the notice", "for this turn"]]) {
      const system = ["prompt"]
      await hooks["experimental.chat.system.transform"]({ sessionID: "s1" }, { system })
      assert.deepEqual(system.slice(1), want)
    }
    await hooks["tool.execute.before"]({ tool: "read", sessionID: "s1", callID: "c1" }, { args: {} })
    const system = []
    await hooks["experimental.chat.system.transform"]({ sessionID: "s1" }, { system })
    assert.deepEqual(system, ["the notice"])
    await hooks["experimental.chat.system.transform"]({ model: {} }, { system })
    assert.deepEqual(system, ["the notice"])
  },
  async "an answer to a prompt is shown to the person, and told to the model"() {
    const s = stub()
    s.answer("chat.message", { out: "say that the recovery is ended", err: "the recovery is ended" })
    const client = opencode({ s1: {} })
    const hooks = await start(await load(s.binary), client)
    await hooks["chat.message"]({ sessionID: "s1" }, { parts: [{ type: "text", text: "mb:clear" }] })
    assert.deepEqual(client.said, ["the recovery is ended"])
    const system = []
    await hooks["experimental.chat.system.transform"]({ sessionID: "s1" }, { system })
    assert.deepEqual(system, ["say that the recovery is ended"])
  },
  async "a child names its topmost parent"() {
    const s = stub()
    const client = opencode({ root: {}, mid: { parentID: "root" }, leaf: { parentID: "mid", agent: "general" }, loop: { parentID: "loop" } })
    const hooks = await start(await load(s.binary), client)
    await hooks.event({ event: { type: "session.created", properties: { info: { id: "mid", parentID: "root", agent: "general" } } } })
    for (const id of ["leaf", "leaf", "loop", "unknown"]) {
      await hooks["tool.execute.before"]({ tool: "read", sessionID: id, callID: id }, { args: {} })
    }
    const before = s.log().filter((e) => e.hook === "tool.execute.before")
    assert.deepEqual(before.map((e) => e.parent_session_id), ["root", "root", undefined, undefined])
    assert.equal(before[0].agent, "general")
    const output = { env: { A: "1" } }
    await hooks["shell.env"]({ sessionID: "leaf", cwd: "/" }, output)
    assert.deepEqual(output.env, { A: "1", MBGATE_SESSION_ID: "root" })
  },
  async "a fork arms before its first call"() {
    const s = stub()
    s.answer("session.created", { sleep: 0.3 })
    const hooks = await start(await load(s.binary), opencode({ f1: {}, f2: {}, s1: {} }))
    await hooks.event({ event: { type: "session.created", properties: { info: { id: "f1", title: "main (fork #1)" } } } })
    await hooks.event({ event: { type: "message.part.updated", properties: { part: { type: "compaction", sessionID: "f1", id: "p1" } } } })
    await hooks["tool.execute.before"]({ tool: "write", sessionID: "f1", callID: "c1" }, { args: {} })
    assert.deepEqual(s.log().map((e) => [e.hook, e.source]), [["session.created", "fork"], ["tool.execute.before", undefined]])
    // Only the repeated part tells.
    await hooks.event({ event: { type: "message.part.updated", properties: { part: { type: "compaction", sessionID: "f2", id: "p2" } } } })
    await hooks["tool.execute.before"]({ tool: "write", sessionID: "f2", callID: "c2" }, { args: {} })
    assert.deepEqual(s.log().slice(2).map((e) => [e.hook, e.source]), [["message.part.updated", "fork"], ["tool.execute.before", undefined]])
    // A compaction that happens now is no fork.
    await hooks.event({ event: { type: "message.part.updated", properties: { part: { type: "compaction", sessionID: "s1", id: "p3" } } } })
    await hooks["experimental.session.compacting"]({ sessionID: "s1" }, { context: [] })
    await pause(1200)
    assert.deepEqual(s.log().slice(4).map((e) => [e.hook, e.source]), [["experimental.session.compacting", undefined]])
  },
  async "a result that was pruned is unread, once"() {
    const s = stub()
    const hooks = await start(await load(s.binary), opencode({ s1: {} }))
    const part = {
      type: "tool", tool: "read", id: "p1", callID: "c1", sessionID: "s1",
      state: { input: { filePath: "memory-bank/MEMORY.md" }, output: "x", title: "t", metadata: { display: { type: "file" } }, time: { compacted: 1 } },
    }
    for (let i = 0; i < 3; i++) await hooks.event({ event: { type: "message.part.updated", properties: { part } } })
    await hooks["tool.execute.before"]({ tool: "read", sessionID: "s1", callID: "c2" }, { args: {} })
    assert.deepEqual(s.log().map((e) => [e.hook, e.source, e.tool]), [
      ["message.part.updated", "pruned", "read"], ["tool.execute.before", undefined, "read"],
    ])
    assert.deepEqual(s.log()[0].args, { filePath: "memory-bank/MEMORY.md" })
  },
  async "what /undo took back is unread once it leaves the conversation"() {
    const s = stub()
    const call = (messageID, id, tool, input) => ({
      type: "tool", id, messageID, sessionID: "s1", callID: `c-${id}`, tool, state: { status: "completed", input, output: "x", title: "t", metadata: {} },
    })
    const hooks = await start(await load(s.binary), opencode({ s1: {} }))
    const event = (type, properties) => hooks.event({ event: { type, properties } })
    for (const part of [
      call("m1", "p1", "read", { filePath: "kept.md" }), call("m3", "p3", "read", { filePath: "a.md" }), call("m3", "p3", "read", { filePath: "a.md" }),
      call("m3", "p4", "bash", { command: "cat b.md" }), call("m4", "p5", "read", { filePath: "c.md" }), call("m4", "p6", "read", { filePath: "kept too.md" }),
    ]) {
      await event("message.part.updated", { part })
    }
    for (const messageID of ["m2", "m3"]) await event("message.removed", { sessionID: "s1", messageID })
    await event("message.part.removed", { sessionID: "s1", messageID: "m4", partID: "p5" })
    await hooks["chat.message"]({ sessionID: "s1" }, { parts: [{ type: "text", text: "hi" }] })
    assert.deepEqual(s.log().map((e) => [e.hook, e.source, e.args?.filePath ?? e.args?.command]), [
      ["message.part.updated", "pruned", "a.md"], ["message.part.updated", "pruned", "cat b.md"], ["message.part.updated", "pruned", "c.md"], ["chat.message", undefined, undefined],
    ])
  },
  async "without the binary calls go on, and it is said once"() {
    for (const binary of ["/nonexistent/mbgate", here]) {
      const client = opencode({ s1: {} })
      const hooks = await start(await load(binary), client)
      for (const tool of ["write", "read", "bash"]) await hooks["tool.execute.before"]({ tool, sessionID: "s1", callID: tool }, { args: {} })
      await hooks["experimental.session.compacting"]({ sessionID: "s1" }, { context: [] })
      assert.equal(client.said.length, 1, client.said.join("\n"))
      assert.match(client.said[0], /calls go on unchecked/)
    }
  },
  async "closed, what cannot be judged is refused, but never a tool that can read"() {
    const hooks = await start(await load("/nonexistent/mbgate", { closed: true }), opencode({ s1: {} }))
    for (const tool of ["write", "edit", "apply_patch"]) {
      await assert.rejects(hooks["tool.execute.before"]({ tool, sessionID: "s1", callID: tool }, { args: {} }), /could not judge/)
    }
    for (const tool of ["read", "bash", "grep", "x_write"]) await hooks["tool.execute.before"]({ tool, sessionID: "s1", callID: tool }, { args: {} })
  },
  async "a failure is no refusal"() {
    const s = stub()
    s.answer("tool.execute.before", { code: 1, err: "the state is newer" })
    const client = opencode({ s1: {} })
    const hooks = await start(await load(s.binary), client)
    await hooks["tool.execute.before"]({ tool: "write", sessionID: "s1", callID: "c1" }, { args: {} })
    assert.match(client.said[0], /the state is newer/)
  },
  async "a hook that hangs is killed"() {
    const s = stub()
    s.answer("tool.execute.before", { sleep: 30 })
    const client = opencode({ s1: {} })
    const hooks = await start(await load(s.binary, { timeout: 300 }), client)
    const began = Date.now()
    await hooks["tool.execute.before"]({ tool: "write", sessionID: "s1", callID: "c1" }, { args: {} })
    assert.ok(Date.now() - began < 5000)
    assert.match(client.said[0], /did not answer/)
  },
  async "a program that reads no input is no trouble"() {
    const hooks = await start(await load("/bin/true"), opencode({ s1: {} }))
    await hooks["tool.execute.before"]({ tool: "write", sessionID: "s1", callID: "c1" }, { args: { content: "x".repeat(4 << 20) } })
  },
  async "of two copies one works"() {
    const s = stub()
    const client = opencode({ s1: {} })
    const one = await start(await load(s.binary), client)
    const two = await start(await load(s.binary), client)
    for (const hooks of [one, two]) await hooks["tool.execute.before"]({ tool: "write", sessionID: "s1", callID: "c1" }, { args: {} })
    assert.equal(s.log().length, 1)
    await two.dispose()
    for (const hooks of [one, two]) await hooks["tool.execute.before"]({ tool: "write", sessionID: "s1", callID: "c2" }, { args: {} })
    assert.equal(s.log().length, 2)
  },
}

// A stub of OpenCode 2's plugin context, by its documentation: what is hooked is called as OpenCode 2 does.
function openCode2(sessions, events = []) {
  const hooked = {}
  const hook = (domain) => async (name, callback) => void (hooked[`${domain}.${name}`] = callback)
  return {
    hooked,
    location: { directory },
    tool: { hook: hook("tool") },
    shell: { hook: hook("shell") },
    session: { hook: hook("session"), get: async ({ sessionID }) => ({ id: sessionID, ...sessions[sessionID] }) },
    event: { async *subscribe() { yield* events } },
  }
}

tests["OpenCode 2 is refused, reminded and told by its own hooks"] = async () => {
  const s = stub()
  s.answer("tool.execute.before", { out: "remember the patterns" })
  s.answer("experimental.session.compacting", { out: "the block" })
  s.answer("experimental.chat.system.transform", { out: "the notice" })
  const ctx = openCode2({ s1: {}, sub: { parentID: "s1", agent: "general" } }, [
    { type: "session.created", data: { sessionID: "sub" } },
    { type: "session.execution.succeeded", data: { sessionID: "s1" } },
    { type: "session.step.started", data: { sessionID: "s1" } },
  ])
  const plugin = await load(s.binary)
  await plugin.setup({ options: {} }) // as OpenCode 1 calls it
  assert.equal((globalThis[Symbol.for("mbgate.opencode.owners")] ?? new Map()).has(process.cwd()), false)
  const cleanup = await plugin.setup(ctx)
  await pause(500)
  const told = s.log().map((e) => [e.hook, e.session_id, e.parent_session_id])
  assert.deepEqual(told.sort(), [["session.created", "sub", "s1"], ["session.idle", "s1", undefined]])
  const call = { tool: "write", sessionID: "s1", agent: "build", messageID: "m1", id: "c1", input: { path: "a.go", content: "x" } }
  await ctx.hooked["tool.execute.before"](call)
  const before = s.log().at(-1)
  assert.deepEqual([before.api, before.tool, before.call_id, before.args], [2, "write", "c1", call.input])
  for (const result of [{ content: "done" }, { content: [{ type: "text", text: "done" }] }]) {
    await ctx.hooked["tool.execute.before"](call)
    await ctx.hooked["tool.execute.after"]({ ...call, status: "completed", result })
    assert.match(JSON.stringify(result), /done.*remember the patterns/)
  }
  await ctx.hooked["tool.execute.after"]({ ...call, status: "error", error: new Error("no") })
  const compaction = { sessionID: "s1", kind: "compaction", system: [], messages: [] }
  await ctx.hooked["session.compaction"](compaction)
  assert.deepEqual(compaction.system, [{ type: "text", text: "the block" }])
  await ctx.hooked["session.prompt"]({ sessionID: "s1", prompt: { text: "go on" } })
  assert.equal(s.log().at(-1).prompt, "go on")
  const request = { sessionID: "s1", kind: "primary", system: [{ type: "text", text: "prompt" }] }
  await ctx.hooked["session.context"](request)
  assert.deepEqual(request.system.map((p) => p.text), ["prompt", "the notice"])
  const shell = { sessionID: "sub", env: {} }
  await ctx.hooked["shell.create.before"](shell)
  assert.deepEqual(shell.env, { MBGATE_SESSION_ID: "s1" })
  s.answer("tool.execute.before", { code: 2, err: "read REQ-005 first" })
  await assert.rejects(ctx.hooked["tool.execute.before"](call), { message: "read REQ-005 first" })
  await cleanup()
}

// The loop, against the program itself.
async function loop(binary) {
  const project = fs.mkdtempSync(path.join(temp, "loop-"))
  const home = fs.mkdtempSync(path.join(temp, "home-"))
  Object.assign(process.env, { HOME: home, XDG_STATE_HOME: path.join(home, "state"), XDG_CONFIG_HOME: path.join(home, "config") })
  fs.mkdirSync(path.join(project, "memory-bank/details"), { recursive: true })
  const files = ["memory-bank/MEMORY.md", "memory-bank/details/patterns.md"]
  for (const f of files) fs.writeFileSync(path.join(project, f), "# one\ntwo\nthree\n")
  const client = opencode({ s1: {} })
  const hooks = await start(await load(binary), client, project)
  let n = 0
  const write = () => hooks["tool.execute.before"]({ tool: "write", sessionID: "s1", callID: `w${n++}` }, { args: { filePath: "a.go", content: "x" } })
  const read = async (file, lineStart, lineEnd) => {
    const call = { tool: "read", sessionID: "s1", callID: `r${n++}` }
    const args = { filePath: file }
    await hooks["tool.execute.before"](call, { args })
    const text = ["# one", "two", "three"].slice(lineStart - 1, lineEnd).join("\n")
    const display = { type: "file", path: path.join(project, file), text, lineStart, lineEnd, totalLines: 3, truncated: false }
    const output = { title: file, output: text, metadata: { display } }
    await hooks["tool.execute.after"]({ ...call, args }, output)
  }
  await write()
  const compacting = { context: [] }
  await hooks["experimental.session.compacting"]({ sessionID: "s1" }, compacting)
  assert.match(compacting.context.join(), /MEMORY\.md/)
  await assert.rejects(write(), /MEMORY\.md/)
  const system = []
  await hooks["experimental.chat.system.transform"]({ sessionID: "s1" }, { system })
  assert.match(system.join(), /memory-bank-anchors/)
  await read(files[0], 1, 1)
  await assert.rejects(write(), /patterns\.md/)
  await read(files[0], 1, 3)
  await read(files[1], 1, 3)
  await write()
  assert.deepEqual(client.said, [])
}
if (process.argv[2]) tests["the whole loop, with the program itself"] = () => loop(path.resolve(process.argv[2]))

let failed = 0
process.on("unhandledRejection", (e) => {
  failed++
  console.error("unhandled:", e)
})
for (const [name, test] of Object.entries(tests)) {
  try {
    await test()
    console.log(`ok    ${name}`)
  } catch (e) {
    failed++
    console.log(`FAIL  ${name}\n${e.stack}`)
  }
}
process.exit(failed ? 1 : 0)
