import { spawn } from "node:child_process"

const BINARY = "mbgate"
const CLOSED = false

// A binary without a path, as a team's committed plugin and the npm package name it, is looked for in the project, too, and
// beside the package.
const environment = (cwd) => {
  if (BINARY !== "mbgate") return process.env
  const dirs = [process.env.PATH ?? "", `${cwd}/node_modules/.bin`]
  const own = decodeURIComponent(new URL("../.bin", import.meta.url).pathname)
  if (own.endsWith("/node_modules/.bin")) dirs.push(own)
  return { ...process.env, PATH: dirs.join(":") }
}

// In milliseconds. mbgate gives up by itself after 8 s at most, an arming after 13 s; what takes longer hangs and is killed.
const TIMEOUT = 15000

// run calls mbgate with an event on standard input. It never rejects: {code, stdout, stderr}, with a code of -1 and the
// reason in stderr where mbgate could not be run or did not end.
function run(event, cwd) {
  return new Promise((resolve) => {
    let child
    let timer
    let done = false
    const out = []
    const err = []
    const finish = (code, problem) => {
      if (done) return
      done = true
      clearTimeout(timer)
      const stderr = problem ?? Buffer.concat(err).toString("utf8")
      resolve({ code, stdout: Buffer.concat(out).toString("utf8").trim(), stderr: stderr.trim() })
    }
    try {
      const input = JSON.stringify(event)
      child = spawn(BINARY, ["hook", AGENT], { cwd, env: environment(cwd), stdio: ["pipe", "pipe", "pipe"], windowsHide: true })
      timer = setTimeout(() => {
        child.kill("SIGKILL")
        finish(-1, `it did not answer within ${TIMEOUT / 1000} s`)
      }, TIMEOUT)
      child.on("error", (e) => finish(-1, String(e?.message ?? e)))
      child.on("close", (code, signal) => finish(code ?? -1, code === null ? `it was ended by ${signal}` : undefined))
      child.stdout.on("data", (chunk) => out.push(chunk))
      child.stderr.on("data", (chunk) => err.push(chunk))
      // A child that does not read its input closes the pipe; that is no fault.
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {})
      child.stdin.end(input)
    } catch (e) {
      finish(-1, String(e?.message ?? e))
    }
  })
}

