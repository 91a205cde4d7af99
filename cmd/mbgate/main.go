// Command mbgate keeps coding agents in the frame of their task: it runs in their hooks, follows which framing
// documents they read, and refuses risky writes after a compaction until those have been read again.
package main

import "os"

func main() { os.Exit(int(run(newApp(), os.Args[1:]))) }
