package main

import (
	"bytes"
	"os"

	"golang.org/x/sys/unix"
)

const maxAncestors = 64

// ancestors are the processes above this one, the nearest first. macOS tells their names (16 bytes of them) and
// parents; the command line of an interpreter is not looked at, so an agent that runs under node is found only if it
// gave its process a name of its own, as Claude Code, Codex and Gemini do.
func ancestors() []process {
	var list []process
	pid := os.Getppid()
	for range maxAncestors {
		if pid <= 0 {
			break
		}
		info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
		if err != nil {
			break
		}
		name := info.Proc.P_comm[:]
		if i := bytes.IndexByte(name, 0); i >= 0 {
			name = name[:i]
		}
		list = append(list, process{name: string(name)})
		pid = int(info.Eproc.Ppid)
	}
	return list
}
