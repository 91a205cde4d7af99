package main

import (
	"slices"
	"testing"
)

// TestParseHookArgs: what is read without the command tree means the same with it.
func TestParseHookArgs(t *testing.T) {
	words := []string{
		"tool-before", "hook", "read", "status", "nonsense", "--agent", "--agent=", "--agent=qwen", "--root", "--root=/r", "--root=/a=b", "-x", "--", "-", "",
		"claude-code", "--fail=open", "--recovery", "--help", "-h", "--agent=--root", "--rootx", "--", "--shape=claude",
	}
	read := 0
	var try func(args []string)
	try = func(args []string) {
		if name, o, ok := parseHookArgs(args); ok {
			read++
			compareHookArgs(t, args, name, o)
		}
		if len(args) < 4 {
			for _, w := range words {
				try(append(slices.Clone(args), w))
			}
		}
	}
	for _, h := range hookCommands() {
		if name, _, ok := parseHookArgs([]string{h.name}); !ok || name != h.name {
			t.Errorf("%s alone is not read", h.name)
		}
	}
	for _, w := range words {
		try([]string{w})
	}
	try(nil)
	if read < 100 {
		t.Errorf("only %d command lines were read", read)
	}
	for _, args := range [][]string{
		{"tool-before", "--agent", "qwen"}, {"tool-before", "--agent=qwen", "--root", "/r"}, {"hook", "gemini-cli"}, {"hook", "gemini-cli", "--root=/r"},
	} {
		if _, _, ok := parseHookArgs(args); !ok {
			t.Errorf("%q is not read", args)
		}
	}
}

func compareHookArgs(t *testing.T, args []string, name string, o hookOptions) {
	t.Helper()
	root := newRoot(newApp(), args[0])
	cmd, rest, err := root.Find(args)
	if err != nil || cmd.Name() != name {
		t.Fatalf("%q: %s, the command tree says %v %v", args, name, cmd.Name(), err)
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	agent, _ := cmd.Flags().GetString("agent")
	if rest := cmd.Flags().Args(); len(rest) == 1 {
		agent = rest[0]
	}
	at := flagText(cmd, "root")
	if agent != o.agent || at != o.root || len(o.flags) > 0 {
		t.Fatalf("%q: %+v, the command tree says agent %q, root %q", args, o, agent, at)
	}
}
