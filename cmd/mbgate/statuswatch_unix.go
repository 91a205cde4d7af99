//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// watchSignals are the signals that end a watch, and those after which the screen has to be redrawn.
func watchSignals() []os.Signal {
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGWINCH, syscall.SIGCONT}
}

func ends(sig os.Signal) bool { return sig != syscall.SIGWINCH && sig != syscall.SIGCONT }

// die kills the process with the signal that ended the watch, so that its parent sees the cause. A SIGQUIT would make Go
// print its stacks and exit with 2, so that one leaves status 1.
func die(sig os.Signal) {
	if s, ok := sig.(syscall.Signal); ok && s != syscall.SIGQUIT {
		signal.Reset(s)
		_ = syscall.Kill(os.Getpid(), s)
		time.Sleep(time.Second) // the signal comes while this waits
	}
}

// suspend stops the job as a terminal that is not raw would at Ctrl-Z, and comes back when it is continued.
func suspend() {
	_ = syscall.Kill(0, syscall.SIGTSTP)
	time.Sleep(50 * time.Millisecond) // not before the stop has come
}
