package settings

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Form is how a client is told to start mbgate.
type Form int

const (
	// ShellForm is one command line for a shell: 'P' hook codex.
	ShellForm Form = iota
	// GuardedForm is for clients that take a hook which cannot start for a refusal: with the binary gone, its user would
	// be locked out of every tool (SPEC §15, §18). POSIX shells and fish read it alike.
	GuardedForm
	// ExecForm is a program and its arguments, without a shell between: nothing to quote, and about 1 ms less a call
	// (Claude Code 2.1.328: 6 ms against 7).
	ExecForm
)

// line is the command line of a form.
func (f Form) line(o Options, words string) string {
	p := quote(o.Binary, o.Windows)
	if f == GuardedForm && !o.Windows {
		return "[ -x " + p + " ] || exit 0; exec " + p + " " + words
	}
	return p + " " + words
}

// quote writes a path for a shell. Windows has three shells that agree on nothing but double quotes, and no path there
// can hold one.
func quote(path string, windows bool) string {
	if windows {
		return `"` + path + `"`
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// check says what makes a path unfit to stand in a command line.
func (o Options) check() error {
	absolute := strings.HasPrefix(o.Binary, "/") || o.Windows && len(o.Binary) > 2 && o.Binary[1] == ':' ||
		o.Windows && strings.HasPrefix(o.Binary, `\\`)
	if !absolute {
		return fmt.Errorf("the path of the binary is not absolute: %q; hooks run in any folder, so name it from the root", o.Binary)
	}
	for _, r := range o.Binary {
		if r < ' ' || r == 0x7f {
			return fmt.Errorf("the path of the binary has a control character: %q; move it", o.Binary)
		}
	}
	return nil
}

// hookWords are the subcommands that agents run (SPEC §2).
const hookWords = " hook compact tool-before tool-after read prompt session-start session-end stop notice unread "

// ours reports whether a command line starts mbgate for a hook: some command in it has a word that names mbgate's
// binary, followed by the name of a hook command.
func (c Client) ours(line string, o Options) bool {
	return anyCommand(line, o, func(words []string) bool { return c.oursWords(words, o) })
}

// anyCommand reports whether is holds for one of the commands in a command line. The line is read as a shell reads it,
// so no way of quoting a path hides it, nor what stands around it (env, exec, a guard). A line that is no shell is read by
// its words.
func anyCommand(line string, o Options, is func(words []string) bool) bool {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil || o.Windows {
		if is(plainWords(line)) {
			return true
		}
	}
	if err != nil {
		return false
	}
	found := false
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && !found {
			var words []string
			for _, w := range call.Args {
				words = append(words, literal(w.Parts))
			}
			found = is(words)
		}
		return !found
	})
	return found
}

// oursArgs is ours for a program with its arguments.
func (c Client) oursArgs(program string, args []string, o Options) bool {
	return c.oursWords(append([]string{program}, args...), o)
}

func (c Client) oursWords(words []string, o Options) bool {
	for i := range len(words) - 1 {
		if words[i+1] == "" || !strings.Contains(hookWords, " "+words[i+1]+" ") {
			continue
		}
		if b := base(words[i]); b == "mbgate" || mayBeOurs(b, o) && c.wrote(words[i+1:]) {
			return true
		}
	}
	return false
}

// mayBeOurs reports whether a name could be mbgate's: that of a released file (mbgate_linux_amd64, mbgate-1.2), or that of the
// binary which is installed now. Somebody's mbgate-notify.sh could be, too.
func mayBeOurs(name string, o Options) bool {
	return strings.HasPrefix(name, "mbgate-") || strings.HasPrefix(name, "mbgate_") || o.Binary != "" && name == base(o.Binary)
}

// wrote reports whether install writes these arguments for the client.
func (c Client) wrote(words []string) bool {
	if len(words) == 3 && words[1] == "--agent" {
		words = words[1:]
	}
	return len(words) == 2 && (words[0] == "hook" || words[0] == "--agent") && words[1] == c.Name
}

func base(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i >= 0 {
		path = path[i+1:]
	}
	if len(path) > 4 && strings.EqualFold(path[len(path)-4:], ".exe") {
		path = path[:len(path)-4]
	}
	return path
}

// literal is a word as the shell sees it, with what only the shell can know (variables, substitutions) left out.
func literal(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unescaped(p.Value))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(literal(p.Parts))
		}
	}
	return b.String()
}

// unescaped takes the backslashes of a shell word away.
func unescaped(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// plainWords splits a line at white space outside of double quotes, as Windows does.
func plainWords(line string) []string {
	var words []string
	var b strings.Builder
	inside, any := false, false
	flush := func() {
		if any {
			words = append(words, b.String())
		}
		b.Reset()
		any = false
	}
	for _, r := range line {
		switch {
		case r == '"':
			inside, any = !inside, true
		case !inside && (r == ' ' || r == '\t'):
			flush()
		default:
			b.WriteRune(r)
			any = true
		}
	}
	flush()
	return words
}
