#!/usr/bin/env node
// Runs the mbgate of this platform, which is a package of its own, with the same streams and the same exit status.
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"

const name = `@mbgate/${process.platform}-${process.arch}`
let program
try {
  program = createRequire(import.meta.url).resolve(`${name}/bin/mbgate${process.platform === "win32" ? ".exe" : ""}`)
} catch {
  console.error(`mbgate: the package ${name} is not installed; install mbgate again, with optional dependencies, or take a release's archive`)
  process.exit(1)
}
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" })
if (error) console.error(`mbgate: ${program} cannot be run: ${error.message}`)
if (signal) process.kill(process.pid, signal)
process.exit(status ?? 1)
