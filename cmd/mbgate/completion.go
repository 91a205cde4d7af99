package main

import (
	"github.com/spf13/cobra"
)

func newCompletionCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the script that completes mbgate's commands in a shell",
		Long: `Prints a completion script to standard output. Packages install it; by hand, put it where your shell looks.

EXIT STATUS
  0 · 1 mbgate's own failure · 64 wrong usage`,
		Example: `  mbgate completion bash > ~/.local/share/bash-completion/completions/mbgate
  mbgate completion zsh > "${fpath[1]}/_mbgate"
  mbgate completion fish > ~/.config/fish/completions/mbgate.fish
  mbgate completion powershell >> $PROFILE`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			a.ran = true
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.stdout)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			}
			return root.GenPowerShellCompletionWithDesc(a.stdout)
		},
	}
}
