package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"mvdan.cc/sh/v3/syntax"

	"github.com/mbgate/mbgate/internal/render"
)

// Nobody's terminal is narrower than 80 columns by choice, and what breaks there cannot be copied.
func TestHelpIsNarrow(t *testing.T) {
	for _, c := range tree() {
		for _, width := range []string{"80", "200"} {
			var out bytes.Buffer
			screen := render.NewScreen(&out, func(k string) string { return map[string]string{"COLUMNS": width}[k] })
			for l := range strings.Lines(helpOf(c).Text(screen)) {
				if n := len([]rune(strings.TrimRight(l, "\n"))); n > 80 {
					t.Errorf("%s: %d columns in %s", c.CommandPath(), n, l)
				}
			}
		}
	}
}

func TestEveryFlagAndArgumentIsDocumented(t *testing.T) {
	argument := regexp.MustCompile(`\b[A-Z]{2,}\b`)
	for _, c := range tree() {
		help := helpOf(c).Text(render.NewScreen(&bytes.Buffer{}, func(string) string { return "" }))
		page := strings.ReplaceAll(manPage(c), `\-`, "-")
		check := func(f *pflag.Flag) {
			if f.Hidden {
				return
			}
			if strings.TrimSpace(f.Usage) == "" {
				t.Errorf("%s --%s is not explained", c.CommandPath(), f.Name)
			}
			for name, text := range map[string]string{"help": help, "man page": page} {
				if !regexp.MustCompile(`(?m)--` + regexp.QuoteMeta(f.Name) + `( |$)`).MatchString(text) {
					t.Errorf("%s --%s is not in its %s", c.CommandPath(), f.Name, name)
				}
			}
		}
		c.LocalFlags().VisitAll(check)
		c.InheritedFlags().VisitAll(check)
		for _, arg := range argument.FindAllString(c.Use, -1) {
			for name, text := range map[string]string{"help": help, "man page": page} {
				if !regexp.MustCompile(`(?m)^(\.B |    )` + arg + `(\n|  )`).MatchString(text) {
					t.Errorf("%s: what %s is stands nowhere in its %s", c.CommandPath(), arg, name)
				}
			}
		}
		for _, sub := range c.Commands() {
			if documented(sub) && !strings.Contains(page, ".B "+sub.Name()+"\n") {
				t.Errorf("%s is not in the man page of %s", sub.Name(), c.CommandPath())
			}
		}
	}
}

// commandsPage is docs/commands.md: every command and flag, so that neither can be left out.
func commandsPage() string {
	var b strings.Builder
	b.WriteString("# Commands\n\n`mbgate COMMAND --help` says more, and so do the man pages. " +
		"This page is written by `UPDATE=1 go test ./cmd/mbgate -run TestCommandsPage`.\n")
	for _, g := range newRoot(newApp(), "").Groups() {
		b.WriteString("\n## " + strings.TrimSuffix(g.Title, ":") + "\n\n| command | does | flags |\n|---|---|---|\n")
		for _, c := range tree() {
			top := c
			for top.Parent() != nil && top.Parent().Parent() != nil {
				top = top.Parent()
			}
			if top.GroupID != g.ID || !documented(top) {
				continue
			}
			var flags []string
			keys := ""
			c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
				if isConfigFlag(f) {
					keys = "the keys of the [configuration](configuration.md)"
				} else if f.Name != "help" && !f.Hidden {
					flags = append(flags, "`"+strings.TrimSpace(flagName(f))+"`")
				}
			})
			if c.HasPersistentFlags() {
				c.PersistentFlags().VisitAll(func(f *pflag.Flag) { flags = append(flags, "`"+strings.TrimSpace(flagName(f))+"`") })
			}
			if keys != "" {
				flags = append(flags, keys)
			}
			use := strings.TrimSuffix(strings.Replace(c.UseLine(), " [flags]", "", 1), " ")
			b.WriteString("| `" + strings.ReplaceAll(use, "|", "\\|") + "` | " + c.Short + " | " + strings.Join(flags, " ") + " |\n")
		}
	}
	return b.String()
}

func TestCommandsPage(t *testing.T) {
	const page = "../../docs/commands.md"
	want := commandsPage()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != want {
		t.Errorf("docs/commands.md is not what the commands are; run UPDATE=1 go test ./cmd/mbgate -run TestCommandsPage (%v)", err)
	}
	for _, c := range tree() {
		if documented(c) && c.Parent() != nil && !strings.Contains(want, "| `"+c.CommandPath()) {
			t.Errorf("%s is not in docs/commands.md", c.CommandPath())
		}
	}
}

// An example is something that the program takes: its commands, flags and arguments are parsed as it would, and what a
// command checks before its work is checked.
func TestExamplesAreRight(t *testing.T) {
	for _, c := range tree() {
		n := 0
		for line := range strings.Lines(c.Example) {
			if !strings.HasPrefix(line, "  mbgate ") {
				continue
			}
			line, _, _ = strings.Cut(strings.TrimSpace(line), "    ") // what the example is, beside it
			for _, args := range calls(t, line) {
				n++
				if problem := wouldTake(args); problem != nil {
					t.Errorf("%s: %s: %v", c.CommandPath(), line, problem)
				}
			}
		}
		if n == 0 {
			t.Errorf("%s: no example runs mbgate", c.CommandPath())
		}
	}
	for _, wrong := range [][]string{{"log", "--nope"}, {"log", "x"}, {"nope"}, {"clear", "--session", "x", "--all"}, {"log", "--since", "soon"}, {"capsule", "create"}} {
		if wouldTake(wrong) == nil {
			t.Errorf("%v was taken", wrong)
		}
	}
}

// wouldTake says what is wrong with a command line.
func wouldTake(args []string) error {
	cmd, rest, err := newRoot(newApp(), "").Find(args)
	for _, check := range []func() error{
		func() error { return cmd.ParseFlags(rest) },
		func() error { return cmd.ValidateArgs(cmd.Flags().Args()) },
		func() error { return cmd.ValidateRequiredFlags() },
		func() error { return cmd.ValidateFlagGroups() },
		func() error {
			if cmd.PreRunE == nil {
				return nil
			}
			return cmd.PreRunE(cmd, cmd.Flags().Args())
		},
	} {
		if err == nil {
			err = check()
		}
	}
	return err
}

// calls are the command lines of mbgate in a line of a shell, without the program's name.
func calls(t *testing.T, line string) (list [][]string) {
	t.Helper()
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		var args []string
		for _, w := range call.Args {
			args = append(args, unquoted(w.Parts))
		}
		if args[0] == "mbgate" {
			list = append(list, args[1:])
		}
		return true
	})
	return list
}

func unquoted(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(unquoted(p.Parts))
		}
	}
	return b.String()
}

// What is completed exists: a name that no flag or command has would be completed nowhere.
func TestCompletionsAreRegistered(t *testing.T) {
	for _, c := range tree() {
		for _, name := range []string{"session", "agent", "preset", "root", "recovery", "decision", "rule", "since"} {
			if f := c.Flags().Lookup(name); f != nil {
				if _, ok := c.GetFlagCompletionFunc(name); !ok {
					t.Errorf("%s --%s is not completed", c.CommandPath(), name)
				}
			}
		}
	}
}

// The log's words are those that are written.
func TestLogWordsAreAll(t *testing.T) {
	words := map[string]bool{}
	for _, w := range render.LogDecisions() {
		words[w.Word] = true
	}
	rules := map[string]bool{"": true}
	for _, w := range render.LogRules() {
		rules[w.Word] = true
	}
	n := 0
	for _, glob := range []string{"../../internal/event/*.go", "../../internal/gate/*.go", "*.go"} {
		files, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			for _, m := range regexp.MustCompile(`(?:Decision: |a\.change\(o, |\tVerdict\w* = |(?:Verdict|What) += )"([a-z ]+)"`).FindAllStringSubmatch(string(text), -1) {
				if n++; !words[m[1]] {
					t.Errorf("%s: the decision %q is not among the log's words", f, m[1])
				}
			}
			for _, m := range regexp.MustCompile(`\tRule\w+ +Rule = "([^"]*)"`).FindAllStringSubmatch(string(text), -1) {
				if n++; !rules[m[1]] {
					t.Errorf("%s: the rule %q is not among the log's rules", f, m[1])
				}
			}
		}
	}
	if n < 30 {
		t.Errorf("only %d words were found", n)
	}
}
