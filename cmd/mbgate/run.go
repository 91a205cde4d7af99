package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/agents"
)

// run is the whole program. It never panics, and only a refusal ends it with status 2: Go ends a panic with 2, which an
// agent would take for a refusal with the stack trace as its reason. Faults that no program can recover from (no memory, no
// threads, no stack) end with 2 as well, unless the runtime is told to abort.
func run(a *app, args []string) (code status) {
	debug.SetTraceback("crash")
	defer func() {
		if p := recover(); p != nil {
			code = conclude(a.stderr, a.hookFault(args, &panicError{p}))
			if a.getenv("MBGATE_DEBUG") != "" {
				a.stderr.Write(debug.Stack())
			}
		}
	}()
	growStack(0)
	if name, options, ok := parseHookArgs(args); ok {
		return conclude(a.stderr, a.hook(name, options))
	}
	if len(args) == 1 && args[0] == "statusline" {
		return conclude(a.stderr, a.statusline(false)) // as often as a hook, and as quick
	}
	if len(args) == 1 && among(args[0], "--version|-v|-V") {
		args = []string{"version"}
	}
	root := newRoot(a, first(args))
	name := args
	if first(args) == "help" {
		name = args[1:] // cobra answers help for an unknown command with its usage and status 0
	}
	if word := first(name); word != "" && !strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "__") {
		if cmd, _, err := root.Find(name); err != nil || cmd == root {
			return conclude(a.stderr, unknownCommand(root, word))
		}
	}
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	cmd, err := root.ExecuteC()
	var usage *usageError
	if err != nil && !a.ran && !errors.As(err, &usage) {
		usage = &usageError{problem: flagProblem(err.Error())}
		err = usage
	}
	if errors.As(err, &usage) {
		_, usage.command, _ = strings.Cut(cmd.CommandPath(), " ")
	}
	return conclude(a.stderr, err)
}

// growStack makes the stack as large as a hook needs it, while it is nearly empty. A stack that grows by itself is copied
// at every doubling, which costs a hook 0.1 ms and 16 pages of memory: the copy looks up every frame in tables that nothing
// else reads. The frame is only reserved, never touched.
//
//go:noinline
func growStack(n int) byte {
	if n == 0 {
		return 0
	}
	var frame [48 << 10]byte
	frame[n] = 1
	return frame[n/2]
}

// hookFault reports a fault of mbgate itself. In a hook whose command line names the agent, it uses the status that lets the
// call go on there. Gemini CLI 0.61.0 and Copilot CLI 1.0.102 take a 1 for a refusal.
func (a *app) hookFault(args []string, fault error) error {
	if _, options, ok := parseHookArgs(args); ok {
		if c, ok := agents.Facts(options.agent); ok {
			return a.failed(&c, fault, false)
		}
	}
	return fault
}

// panicError is a fault of mbgate itself.
type panicError struct{ value any }

func (e *panicError) Error() string {
	return fmt.Sprintf("internal fault: %v; please report it, with MBGATE_DEBUG=1 for the place", e.value)
}

func first(args []string) string {
	if len(args) > 0 {
		return args[0]
	}
	return ""
}

// newRoot builds the command tree. A hook command is on the path of every tool call, so only that one is built when it
// is called.
func newRoot(a *app, called string) *cobra.Command {
	root := &cobra.Command{
		Use:           "mbgate",
		Short:         "Keep a coding agent in the frame of its task",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpFunc(a.help)
	if h, ok := hookNamed(called); ok {
		root.AddCommand(newHookCmd(a, h))
		return root
	}
	return peopleCommands(a, root)
}

// work wraps a command's work: from then on an error is the work's own, not the command line's.
func (a *app) work(f func(args []string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		a.ran = true
		return f(args)
	}
}
