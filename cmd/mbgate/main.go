// A process lives about 2 ms: the runtime need not look again at the processors that it may use. (It reads the limits of
// the control group at the start whatever containermaxprocs says; switched off, it only closes the files again.)
//
//go:debug updatemaxprocs=0

// Command mbgate keeps coding agents in the frame of their task: it runs in their hooks, follows which framing
// documents they read, and refuses risky writes after a compaction until those have been read again.
//
// main.go, run.go, exit.go and app.go start the program, hook.go handles an agent's event, and every other command has a
// file of its own name.
package main

import "os"

func main() { os.Exit(int(run(newApp(), os.Args[1:]))) }
