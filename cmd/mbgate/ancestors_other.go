//go:build !linux && !darwin && !windows

package main

// processes knows no process: how to ask is not written down for this system, and only the environment reveals an agent.
func processes() func(pid int) (p process, parent int, ok bool) {
	return func(int) (process, int, bool) { return process{}, 0, false }
}
