package shell

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// wrapped runs the rest of a command as a command: sudo, timeout, nohup.
func (c *cmd) wrapped(rest []arg) {
	for c.row.assigns && len(rest) > 0 && isAssignment(rest[0].s) {
		k, v, _ := strings.Cut(rest[0].s, "=")
		sub := c.st.fork()
		sub.set(k, &value{s: v, exported: true})
		c.st = sub
		rest = rest[1:]
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

// env runs a command in a changed environment: env [-i] [-u NAME] [-C DIR] [NAME=VALUE]… [COMMAND].
func (c *cmd) env() bool {
	st := c.st.fork()
	if v, ok := c.value("S", "split-string"); ok {
		c.w.evalSub(st, v.s+" "+quoteAll(c.rest), nil)
		return true
	}
	if v, ok := c.value("C", "chdir"); ok {
		c.w.goTo(st, v)
	}
	if o, ok := c.value("o", "output"); ok && c.row.name == "time" {
		c.touch(st, o, change{op: opWrite})
	}
	rest := c.rest
	for len(rest) > 0 && (isAssignment(rest[0].s) || rest[0].s == "-") {
		k, v, _ := strings.Cut(rest[0].s, "=")
		st.set(k, &value{s: v, exported: true})
		c.w.runsCommand(k, st)
		rest = rest[1:]
	}
	if len(rest) > 0 && rest[0].s == "--" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		c.w.emit(c.st, 1, anyText, nil)
		return true
	}
	if c.w.enter() {
		c.w.runProgram(st, rest)
		c.w.leave()
	}
	return true
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

// parallel runs a command for each word behind `:::` or line of standard input.
func (c *cmd) parallel() bool {
	w, st := c.w, c.st.fork()
	var command, words []arg
	at := &command
	lists := false
	for _, a := range c.rest {
		switch a.s {
		case ":::", ":::+":
			at, lists = &words, true
			continue
		case "::::":
			at, lists = &words, true
			words = append(words, arg{s: anyText})
			continue
		}
		if at == &words && len(words) > 0 && words[len(words)-1].s == anyText && lists && len(c.rest) > 0 && isFileArg(c.rest, a) {
			continue
		}
		*at = append(*at, a)
	}
	if !lists {
		if f, ok := c.value("a", "arg-file"); ok {
			words = append(words, arg{s: w.textOf(w.file(st, f))})
		} else {
			in := st.stdin()
			for _, line := range strings.Split(strings.TrimSuffix(in.rest(), "\n"), "\n") {
				if line != "" && len(words) < maxRounds {
					words = append(words, arg{s: line})
				}
			}
			in.pos = len(in.text)
		}
	}
	st.fds = st.fds.with(fd{n: 0, in: &content{}})
	for i, word := range words {
		if i >= maxRounds {
			w.unbounded(reason.Reason{Kind: reason.TooManyWords, By: c.name})
			break
		}
		text := joined(command)
		if len(command) == 0 {
			text = word.s
		} else if strings.Contains(text, "{") {
			b := path.Base(word.s)
			noext := strings.TrimSuffix(word.s, path.Ext(word.s))
			text = strings.NewReplacer("{}", word.s, "{.}", noext, "{/}", b, "{//}", path.Dir(word.s),
				"{/.}", strings.TrimSuffix(b, path.Ext(b)), "{#}", anyName, "{%}", anyName,
				"{1}", word.s, "{2}", anyText, "{3}", anyText).Replace(text)
			if strings.Contains(joined(command), "{2}") {
				for _, second := range words {
					w.evalSub(st, strings.ReplaceAll(text, anyText, second.s), nil)
				}
				continue
			}
		} else {
			text += " " + word.s
		}
		w.evalSub(st, text, nil)
	}
	return true
}

func isFileArg(rest []arg, a arg) bool {
	for i := range rest {
		if rest[i].s == "::::" && i+1 < len(rest) && rest[i+1].s == a.s {
			return true
		}
	}
	return false
}
