package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// wrapped runs the rest of a command as a command: sudo, timeout, nohup.
func (c *cmd) wrapped(rest []arg) {
	for c.row.assigns && len(rest) > 0 && (isAssignment(rest[0].s) || rest[0].s == "-" || rest[0].s == "--") {
		k, v, ok := strings.Cut(rest[0].s, "=")
		if rest = rest[1:]; ok {
			c.st = c.st.fork()
			c.st.set(k, &value{s: v, exported: true})
			c.w.runsCommand(k, c.st)
		}
	}
	if len(rest) == 0 || !c.w.enter() {
		return
	}
	defer c.w.leave()
	if rest[0].s == "-c" && len(rest) > 1 { // flock FILE -c 'text'
		c.w.evalSub(c.st, rest[1].s, nil)
		return
	}
	if rest[0].unset { // not looked at as the first word of a line
		rest = append([]arg(nil), rest...)
		rest[0].unset = false
	}
	c.w.runProgram(c.st, rest)
}

// xargs runs a command with words from standard input behind it, or in place of a mark.
func (c *cmd) xargs() bool {
	w, st := c.w, c.st.fork()
	command := c.rest
	if len(command) == 0 {
		command = []arg{{s: "echo"}}
	}
	in := c.st.stdin()
	text := w.textOf(in)
	in.pos = len(in.text)
	st.fds = st.fds.with(fd{n: 0, in: &content{}})
	mark, replaces := c.value("I", "i", "replace", "J")
	if replaces && mark.s == "" {
		mark.s = "{}"
	}
	if f, ok := c.value("a", "arg-file"); ok {
		text = w.textOf(w.file(st, f))
	}
	sep := " \t\n"
	if _, ok := c.value("d", "delimiter"); ok || c.has("0", "null") || replaces {
		sep = "\n"
	}
	var words []arg
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(sep, r) }) {
		word = strings.TrimSpace(word)
		if sep != "\n" {
			word = strings.Trim(word, `'"`)
		}
		if len(words) < maxFields {
			words = append(words, arg{s: word, reads: in.reads, quoted: true})
		}
	}
	if len(words) == 0 && c.has("r", "no-run-if-empty") {
		return true
	}
	if len(words) == 0 && replaces {
		return true
	}
	if !replaces { // without any word the command is run once, as it stands
		w.runProgram(st, append(append([]arg(nil), command...), words...))
		return true
	}
	for i, word := range words {
		if i >= maxRounds {
			w.unbounded(reason.Reason{Kind: reason.TooManyWords, By: c.name})
			return true
		}
		args := make([]arg, len(command))
		for j, a := range command {
			args[j] = arg{s: strings.ReplaceAll(a.s, mark.s, word.s), reads: a.reads, quoted: true}
		}
		w.runProgram(st, args)
	}
	return true
}

// parallel runs a command for each word behind `:::` or line of standard input. Of several lists, and of files that hold
// words (`::::`), the words are not followed.
func (c *cmd) parallel() bool {
	w, st := c.w, c.st.fork()
	command, words := c.rest, []arg(nil)
	_, file := c.value("a", "arg-file")
	if i := slices.IndexFunc(c.rest, func(a arg) bool { return strings.HasPrefix(a.s, ":::") }); i >= 0 {
		command, words = c.rest[:i], c.rest[i+1:]
		file = c.rest[i].s != ":::" || slices.ContainsFunc(words, func(a arg) bool { return strings.HasPrefix(a.s, ":::") })
	} else if !file {
		in := st.stdin()
		for _, line := range strings.Split(strings.TrimSuffix(in.rest(), "\n"), "\n") {
			words = append(words, arg{s: line})
		}
		in.pos = len(in.text)
	}
	if file || len(words) > maxRounds {
		words = []arg{{s: anyText + " " + anyText}}
	}
	if c.quiet() {
		words = nil
	}
	st.fds = st.fds.with(fd{n: 0, in: &content{}})
	for _, word := range words {
		text := joined(command)
		switch {
		case word.s == "":
			continue
		case len(command) == 0:
			text = word.s
		case strings.Contains(text, "{"):
			text = strings.NewReplacer("{}", word.s, "{1}", word.s, "{.}", strings.TrimSuffix(word.s, path.Ext(word.s)),
				"{/}", path.Base(word.s), "{//}", path.Dir(word.s), "{/.}", anyName, "{#}", anyName, "{%}", anyName,
				"{2}", anyText, "{3}", anyText).Replace(text)
		default:
			text += " " + word.s
		}
		w.evalSub(st, text, nil)
	}
	return true
}
