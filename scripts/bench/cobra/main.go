// Command cobra parses a command line with subcommands and does nothing else. scripts/bench measures it, to show what the
// parser alone costs a program: mbgate's hooks do without it, and only people's commands pay.
// It imports nothing of mbgate.
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
