package main

import (
	"os"
	"syscall"
)

// watchSignals are those that end a watch: Ctrl-C, and a window or session that is closed. Another size is seen at the
// next look.
func watchSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

func ends(os.Signal) bool { return true }

// die leaves it at the status.
func die(os.Signal) {}

// suspend does nothing: there are no jobs to stop.
func suspend() {}
