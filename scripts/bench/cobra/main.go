// Command cobra does nothing with a command line parser: what a program with subcommands costs before it works.
package main

import (
	"os"

	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{Use: "cobra"}
	root.AddCommand(&cobra.Command{Use: "nothing", Run: func(*cobra.Command, []string) {}})
	root.SetArgs([]string{"nothing"})
	if root.Execute() != nil {
		os.Exit(1)
	}
}
