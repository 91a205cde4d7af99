// Command empty does nothing. It is the yardstick of scripts/bench: what any Go program costs.
// All ratios of the benchmark are to it.
// It imports nothing.
package main

func main() {}
