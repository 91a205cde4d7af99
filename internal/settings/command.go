package settings

import (
	"fmt"
	"slices"
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
	if o.Shared {
		return nil
	}
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

// program finds the program of mbgate in a command line, or with args in a program and its arguments: a word that names
// mbgate's binary, followed by the name of a hook command. Where the shell makes a part of the path, a NUL stands for it.
func (c Client) program(line string, args []string, o Options) (program string, ours bool) {
	list := [][]string{append([]string{line}, args...)}
	if args == nil {
		list = commands(line, o)
	}
	for _, words := range list {
		for i := range len(words) - 1 {
			if words[i+1] == "" || !strings.Contains(hookWords, " "+words[i+1]+" ") {
				continue
			}
			if b := base(words[i]); b == "mbgate" || mayBeOurs(b, o) && c.wrote(words[i+1:]) {
				return words[i], true
			}
		}
	}
	return "", false
}

// commands are the commands in a command line, each as its words. The line is read as a shell reads it, so no way of
// quoting a path hides it, nor what stands around it (env, exec, a guard). A line that is no shell is read by its words.
func commands(line string, o Options) (list [][]string) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil || o.Windows {
		list = append(list, plainWords(line))
	}
	if err != nil {
		return list
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			var words []string
			for _, w := range call.Args {
				words = append(words, literal(w.Parts))
			}
			list = append(list, words)
			if len(words) == 3 && words[0] == "sh" && words[1] == "-c" {
				list = append(list, commands(words[2], o)...)
			}
		}
		return true
	})
	return list
}

// mayBeOurs reports whether a name could be mbgate's: that of a released file (mbgate_linux_amd64, mbgate-1.2), or that of the
// binary which is installed now. Somebody's mbgate-notify.sh could be, too.
func mayBeOurs(name string, o Options) bool {
	return strings.HasPrefix(name, "mbgate-") || strings.HasPrefix(name, "mbgate_") || o.Binary != "" && name == base(o.Binary)
}

// wrote reports whether install writes these arguments for the client.
func (c Client) wrote(words []string) bool {
	if slices.ContainsFunc(c.Events, func(h Hook) bool { return h.Words != "" && h.Words == strings.Join(words, " ") }) {
		return true // of a file that two clients share, the words name the other one
	}
	if len(words) == 3 && words[1] == "--agent" {
		words = words[1:]
	}
	return len(words) == 2 && (words[0] == "hook" || words[0] == "--agent") && words[1] == c.Name
}

func base(path string) string {
	if i := strings.LastIndexAny(path, "/\\\x00"); i >= 0 {
		path = path[i+1:]
	}
	if len(path) > 4 && strings.EqualFold(path[len(path)-4:], ".exe") {
		path = path[:len(path)-4]
	}
	return path
}

// literal is a word as the shell sees it, with a NUL for what only the shell can know (variables, substitutions).
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
		default:
			b.WriteByte(0)
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
