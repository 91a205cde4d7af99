package shell

import (
	"path"
	"slices"
	"strings"
)

// Commands in the words of other programs: what a program without a row may be told to run, and what a container runs on
// folders of the project.

// Behind these words a program takes a command: behind a word of handsOver perhaps after a name of its own (`exec 18 rm`),
// behind an option of handsText at once, as words or as one text.
const (
	handsOver = " -- exec run "
	handsText = " -c -x --exec --command --cmd --run --call --args "
)

// subcommandNames are programs whose names are subcommands of many others: `pkg install curl wget` runs no install.
const subcommandNames = " install link patch rename split strip convert test time watch format script import unlink "

// handed judges what a program without a row may run here: the command behind a word that hands one over, or its first
// operand on where that is a program of the tables (`prlimit -n 9 rm x`). args begin with the program or its subcommand.
func (c *cmd) handed(args []arg) {
	words := args
	if c.row.parent == "" {
		words = args[1:]
		if c.projectsOwn(args[0]) {
			return
		}
		first := skipValues(words)
		if n := len(words) - len(first); n > 0 && len(first) > 1 && len(words[n-1].s) == 2 && !c.w.knows(first[0].s) {
			first = skipValues(first[1:]) // the value of an option
		}
		if len(first) > 1 && !strings.Contains(subcommandNames, " "+base(first[0].s)+" ") {
			c.handOver(first)
		}
	}
	for i, a := range words {
		mark, text, glued := strings.Cut(a.s, "=")
		switch {
		case !isKnown(mark):
		case strings.Contains(handsText, " "+mark+" ") && glued:
			c.handOver([]arg{{s: text}})
		case strings.Contains(handsText, " "+mark+" "):
			c.handOver(words[i+1:])
		case strings.Contains(handsOver, " "+mark+" "):
			rest := skipValues(words[i+1:])
			if len(rest) == 0 || c.projectsOwn(rest[0]) {
				return // what follows are the arguments of that program
			}
			if mark == "run" && isKnown(rest[0].s) && writesByName(rest[0].s) {
				c.generatesTask(rest[0])
			}
			if !c.handOver(rest) && mark != "--" {
				c.handOver(skipValues(rest[1:]))
			}
		}
	}
}

// skipValues drops options, variables, numbers and versions (node@20) from the front of words.
func skipValues(words []arg) []arg {
	for len(words) > 0 {
		if s := words[0].s; s != "" && !strings.ContainsAny(s[:1], "-+0123456789") && !strings.Contains(s, "@") && !isAssignment(s) {
			break
		}
		words = words[1:]
	}
	return words
}

// projectsOwn reports whether a word is the path of a program in the project: its arguments are its own.
func (c *cmd) projectsOwn(a arg) bool {
	return strings.Contains(a.s, "/") && !strings.Contains(a.s, " ") && !strings.Contains(a.s, "node_modules/") &&
		c.st.cwd != "" && c.w.env.Files.Locate(c.st.cwd, a.s).Inside()
}

// handOver judges words as a command that may be run, if the first of them is a program that the tables know or a text that
// runs one.
func (c *cmd) handOver(words []arg) bool {
	if len(words) == 0 {
		return false
	}
	text := strings.Contains(words[0].s, " ")
	if !text && (len(words) < 2 || !c.w.knows(words[0].s)) ||
		text && !slices.ContainsFunc(strings.FieldsFunc(words[0].s, func(r rune) bool { return strings.ContainsRune(";&|(\n", r) }), c.w.runsKnown) {
		return false
	}
	w, st := c.w, c.st.fork()
	st.fds = st.fds.with(fd{n: 0, in: &content{text: anyText}})
	w.doubt++
	w.perhaps(true, func() {
		if text {
			w.evalSub(st, words[0].s, nil)
		} else {
			w.runProgram(st, words)
		}
	})
	w.doubt--
	return true
}

// knows reports whether the tables have a row for a program.
func (w *walker) knows(name string) bool {
	return isKnown(name) && w.row(base(name)) != nil && !strings.Contains(" unknown nothing create-* ", " "+name+" ")
}

// runsKnown reports whether a command as text begins with a program that the tables know.
func (w *walker) runsKnown(command string) bool {
	words := strings.Fields(command)
	return len(words) > 1 && w.knows(words[0])
}

// A mount is a folder of this machine that a container may write, and the name that it has there.
type mount struct{ host, inside string }

// composeFolders are where the services of a compose file have the project, by custom.
const composeFolders = "/app /code /src /workspace /usr/src/app /var/www/html /srv/app /opt/app"

// mounts are the folders of this machine that the command gives to a container for writing.
func (c *cmd) mounts(role string) (list []mount) {
	if role == "service" {
		for inside := range strings.FieldsSeq(composeFolders) {
			list = append(list, mount{c.w.env.Root, inside})
		}
		return list
	}
	for _, v := range c.vals {
		if v.role != "mount" {
			continue
		}
		host, inside, _ := strings.Cut(v.s, ":")
		inside, how, _ := strings.Cut(inside, ":")
		if strings.Contains(v.s, "type=") {
			host, inside, how = "", "", ""
			for part := range strings.SplitSeq(v.s, ",") {
				switch key, value, _ := strings.Cut(part, "="); key {
				case "source", "src":
					host = value
				case "target", "dst", "destination":
					inside = value
				case "readonly", "ro":
					how = "ro"
				}
			}
		}
		if inside != "" && strings.ContainsAny(host, "/."+anyText) && !strings.Contains(","+how+",", ",ro,") {
			list = append(list, mount{host, strings.TrimSuffix(inside, "/")})
		}
	}
	return list
}

// contained judges the command of a container that has folders of this machine as if it ran here: in the folder that its
// working folder stands for, with the names that its paths have here. Of an image that is named like a program and is
// given none the arguments are that program's.
func (c *cmd) contained(rest []arg, mounts []mount) {
	if len(rest) == 0 || len(mounts) == 0 {
		return
	}
	command := rest[1:]
	image, _, _ := strings.Cut(path.Base(rest[0].s), ":")
	if entry, ok := c.value("entrypoint"); ok {
		command = append([]arg{entry}, command...)
	} else if image != "" && (len(command) == 0 || !c.w.knows(command[0].s)) {
		command = append([]arg{{s: image}}, command...)
	}
	st := c.st.fork()
	if !c.has("i", "interactive") {
		st.fds = st.fds.with(fd{n: 0, in: &content{}})
	}
	here := func(s string) string {
		for _, m := range mounts {
			s = replacePath(s, m.inside, strings.TrimSuffix(c.w.env.Files.Locate(c.st.cwd, m.host).Abs, "/"))
		}
		return s
	}
	st.cwd, st.alt = here(mounts[0].inside), ""
	if dir, ok := c.value("w", "workdir"); ok {
		st.cwd = here(dir.s)
	}
	words := make([]arg, len(command))
	for i, a := range command {
		words[i] = arg{s: here(a.s), reads: a.reads, quoted: a.quoted}
	}
	if len(words) > 0 {
		c.w.within(c.name, func() { c.w.runProgram(st, words) })
	}
}

// replacePath replaces a path, and it as the beginning of longer ones, wherever a text names it.
func replacePath(text, from, to string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, from)
		if i < 0 || from == "" {
			return b.String() + text
		}
		end := i + len(from)
		b.WriteString(text[:i])
		if (i == 0 || strings.IndexByte(" \t\n'\"=:;(<>", text[i-1]) >= 0) && (end == len(text) || strings.IndexByte("/ \t\n'\";)", text[end]) >= 0) {
			b.WriteString(to)
		} else {
			b.WriteString(from)
		}
		text = text[end:]
	}
}

// commandsOfCrontab drops the times from the lines of a crontab.
func commandsOfCrontab(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		times := 5
		if line = strings.TrimLeft(line, " \t"+anyText); strings.HasPrefix(line, "@") {
			times = 1
		}
		for ; times > 0 && line != "" && strings.ContainsAny(line[:1], "@*0123456789"); times-- {
			_, line, _ = strings.Cut(line, " ")
			line = strings.TrimLeft(line, " \t")
		}
		b.WriteString(line)
	}
	return b.String()
}
