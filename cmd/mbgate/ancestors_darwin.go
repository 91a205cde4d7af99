package main

import (
	"bytes"

	"golang.org/x/sys/unix"
)

// processes looks up a process and its parent. macOS tells the name (16 bytes of it); the command line of an interpreter is
// not looked at, so an agent that runs under node is found only if it gave its process a name of its own, as Claude Code,
// Codex and Gemini do.
func processes() func(pid int) (p process, parent int, ok bool) {
	return func(pid int) (process, int, bool) {
		info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
		if err != nil {
			return process{}, 0, false
		}
		name, _, _ := bytes.Cut(info.Proc.P_comm[:], []byte{0})
		return process{name: string(name), terminal: int(info.Eproc.Tdev)}, int(info.Eproc.Ppid), true
	}
}
