package main

import "os"

// maxAncestors bounds the walk: a chain is rarely longer than ten.
const maxAncestors = 64

// ancestors are the processes above this one, the nearest first.
func ancestors() []process {
	var list []process
	lookUp := processes()
	below, _, _ := lookUp(os.Getpid())
	for pid := os.Getppid(); pid > 0 && len(list) < maxAncestors; {
		p, parent, ok := lookUp(pid)
		if !ok {
			break
		}
		p.opened = below.terminal != p.terminal
		list, pid, below = append(list, p), parent, p
	}
	return list
}
