package main

import (
	"bytes"
	"os"
	"strconv"
)

// maxAncestors bounds the walk: a chain is rarely longer than ten.
const maxAncestors = 64

// ancestors are the processes above this one, the nearest first, read from /proc.
func ancestors() []process {
	var list []process
	pid := os.Getppid()
	for range maxAncestors {
		if pid <= 0 {
			break
		}
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			break
		}
		name, parent, ok := parseStat(stat)
		if !ok {
			break
		}
		p := process{name: name}
		if line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline"); err == nil {
			for arg := range bytes.SplitSeq(bytes.TrimRight(line, "\x00"), []byte{0}) {
				p.args = append(p.args, string(arg))
			}
		}
		list = append(list, p)
		pid = parent
	}
	return list
}

// parseStat reads the name and the parent from /proc/PID/stat: "12 (a name (with) brackets) S 1 …".
func parseStat(stat []byte) (name string, parent int, ok bool) {
	from, to := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if from < 0 || to < from {
		return "", 0, false
	}
	fields := bytes.Fields(stat[to+1:])
	if len(fields) < 2 {
		return "", 0, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return string(stat[from+1 : to]), parent, err == nil
}
