package main

import (
	"bytes"
	"os"
	"strconv"
)

// processes looks up a process and its parent in /proc.
func processes() func(pid int) (p process, parent int, ok bool) {
	return func(pid int) (process, int, bool) {
		folder := "/proc/" + strconv.Itoa(pid)
		stat, err := os.ReadFile(folder + "/stat")
		if err != nil {
			return process{}, 0, false
		}
		p, parent, ok := parseStat(stat)
		if line, err := os.ReadFile(folder + "/cmdline"); err == nil {
			for arg := range bytes.SplitSeq(bytes.TrimRight(line, "\x00"), []byte{0}) {
				p.args = append(p.args, string(arg))
			}
		}
		return p, parent, ok
	}
}

// parseStat reads the name, the terminal and the parent from /proc/PID/stat: "12 (a name (with) brackets) S PARENT GROUP SESSION
// TERMINAL …".
func parseStat(stat []byte) (p process, parent int, ok bool) {
	from, to := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if from < 0 || to < from {
		return process{}, 0, false
	}
	fields := bytes.Fields(stat[to+1:])
	if len(fields) < 5 {
		return process{}, 0, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	terminal, bad := strconv.Atoi(string(fields[4]))
	return process{name: string(stat[from+1 : to]), terminal: terminal}, parent, err == nil && bad == nil
}
