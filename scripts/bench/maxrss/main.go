//go:build unix

// Command maxrss runs a program on its own streams, writes the most memory it ever held, in kB, and the number of its page
// faults into a file, and ends with its status: maxrss FILE PROGRAM [ARGUMENT…].
//
// It exists because a process starts with its parent's memory for the blink between vfork and exec, and the kernel
// counts that: measured from the benchmark itself every program would need as much as the benchmark. This one is small.
package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
)

func main() {
	if len(os.Args) < 3 {
		fail("usage: maxrss FILE PROGRAM [ARGUMENT…]")
	}
	pid, err := syscall.ForkExec(os.Args[2], os.Args[2:], &syscall.ProcAttr{Env: os.Environ(), Files: []uintptr{0, 1, 2}})
	if err != nil {
		fail(err.Error())
	}
	var status syscall.WaitStatus
	var usage syscall.Rusage
	for {
		if _, err = syscall.Wait4(pid, &status, 0, &usage); err != syscall.EINTR {
			break
		}
	}
	if err != nil || !status.Exited() {
		fail(fmt.Sprintf("%s did not end by itself: %v", os.Args[2], err))
	}
	kB := int64(usage.Maxrss)
	if runtime.GOOS == "darwin" { // counts in bytes
		kB /= 1024
	}
	if err := os.WriteFile(os.Args[1], fmt.Appendln(nil, kB, usage.Minflt), 0o600); err != nil {
		fail(err.Error())
	}
	os.Exit(status.ExitStatus())
}

func fail(text string) {
	fmt.Fprintln(os.Stderr, "maxrss: "+text)
	os.Exit(99)
}
