// Command empty does nothing: what any Go program costs, which the ratios of the benchmark are to.
package main

func main() {}
