package shell

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// handleSmall runs the handlers of programs that do one small thing that fields cannot say.
func (c *cmd) handleSmall() bool {
	switch c.row.do {
	case "words": // the first operand decides: row.arg lists those that change the working tree
		return c.words(true)
	case "unless": // the same, but row.arg lists those that do not
		return c.words(false)
	case "last": // the last operand is written
		if n := len(c.rest); n > 1 {
			c.role("write", c.rest[n-1], true)
		}
	case "ffmpeg": // what no option takes is an output
		for _, a := range c.ffmpegOutputs() {
			c.role("write", a, true)
		}
	case "chmod":
		return c.chmod()
	case "split":
		return c.split()
	case "unix":
		return c.dos2unix()
	case "jq", "yq":
		return c.jq()
	case "fd":
		return c.fd()
	case "pwsh":
		c.powershell()
	case "fish":
		return c.fish()
	case "opaque":
		if len(c.vals) > 0 || c.st.stdin().rest() != "" {
			c.unknown(reason.Script, "")
		} else if len(c.rest) > 0 {
			c.foreignScript(c.rest[0])
		} else if len(c.args) == 0 && c.st.stdin() == c.w.tty {
			c.w.special(Interactive, []arg{{s: c.name}})
		}
		c.w.dirty = true
		c.w.emit(c.st, 1, anyText, nil)
	case "emacs":
		if c.has("batch", "eval", "f", "l") {
			c.unknown(reason.Script, "")
			return true
		}
		c.editor()
	case "download-here": // without -d the files land where it runs
		if !c.has("d", "dest", "w", "wheel-dir") {
			c.role("create", arg{s: "./" + anyName}, true)
			return true
		}
		return false
	case "7z":
		if o, ok := c.value("o"); ok {
			c.role("tree", o, true)
		} else if len(c.rest) > 0 {
			c.ifThere(c.rest[0], func() { c.role("tree", arg{s: "."}, true) })
		}
	case "later": // commands on standard input, run some time
		for _, v := range c.vals {
			c.role(v.role, v.arg, true)
		}
		if len(c.vals) == 0 { // at now: what shall run is typed
			c.takesOrders()
		}
		if text := c.w.textOf(c.st.stdin()); text != "" {
			c.w.perhaps(true, func() { c.w.evalSub(c.st, text, nil) })
		}
	case "pdftk":
		for i, a := range c.args {
			if a.s == "output" && i+1 < len(c.args) {
				c.role("write", c.args[i+1], true)
			}
		}
	case "seq":
		c.seq()
	case "tmux":
		for _, a := range c.args {
			switch a.s {
			case "send-keys", "send", "new", "new-session", "neww", "new-window", "split-window", "splitw", "respawn-pane", "run-shell", "run", "-dm", "-dmS", "-X":
				c.unknown(reason.Terminal, "")
			}
		}
		c.w.emit(c.st, 1, anyText, nil)
	case "base64":
		return c.base64()
	case "which":
		for _, a := range c.rest {
			c.w.emit(c.st, 1, c.w.located(a.s)+"\n", nil)
		}
	case "ssh-keygen":
		if f, ok := c.value("f"); ok && !c.has("l", "y", "F", "B", "Y", "L") {
			c.role("write", f, true)
			if !c.has("R") {
				c.role("write", arg{s: f.s + ".pub"}, true)
			}
		}
	case "gpg":
		return c.gpg()
	default:
		return c.handleBuild()
	}
	return true
}

// handleBuild runs the handlers of compilers and build tools.
func (c *cmd) handleBuild() bool {
	switch c.row.do {
	case "cc":
		return c.compile()
	case "dot":
		return c.dot()
	case "tsc":
		return c.tsc()
	case "mvn":
		c.w.dirty = true
		for _, a := range c.rest {
			switch a.s {
			case "archetype:generate", "spotless:apply", "spotlessApply", "init", "wrapper", "versions:set", "release:prepare", "ktlintFormat", "formatter:format", "idea:project", "idea:idea", "eclipse:eclipse":
				c.generates()
			}
		}
		c.w.emit(c.st, 1, anyText, nil)
	case "jar":
		if len(c.rest) > 1 && strings.ContainsAny(c.rest[0].s, "cu") && !strings.Contains(c.rest[0].s, "/") {
			c.role("write", c.rest[1], true)
		} else if len(c.rest) > 0 && strings.Contains(c.rest[0].s, "x") || c.has("x") {
			c.generates()
		} else if c.has("c", "u") && len(c.rest) > 0 {
			c.role("write", c.rest[0], true)
		}
	case "protoc":
		for _, v := range c.vals {
			if strings.HasSuffix(v.name, "_out") || v.name == "descriptor_set_out" || v.name == "o" {
				p := v.s
				if i := strings.LastIndexByte(p, ':'); i >= 0 {
					p = p[i+1:]
				}
				c.role("tree", arg{s: p}, true)
			}
		}
	case "pip-compile":
		if !c.has("o", "output-file", "n", "dry-run") {
			out := "requirements.txt"
			if len(c.rest) > 0 {
				out = strings.TrimSuffix(c.rest[0].s, path.Ext(c.rest[0].s)) + ".txt"
			}
			c.role("write", arg{s: out}, true)
		}
		return false
	case "gorun":
		if len(c.rest) > 0 && isMbgate(strings.SplitN(c.rest[0].s, "@", 2)[0]) {
			c.w.special(Mbgate, c.rest)
		}
		return false
	default:
		return c.handleGit()
	}
	return true
}

// chmod takes a mode that begins with a dash, as in `chmod -x FILE`, for its first operand and not for options.
func (c *cmd) chmod() bool {
	args := append([]arg(nil), c.args...)
	for i, a := range args {
		if len(a.s) > 1 && a.s[0] == '-' && strings.Trim(a.s[1:], "rwxXstugo") == "" {
			args[i].s = "a" + a.s
			break
		}
	}
	c.parsedOptions = parseOptions(c.row, args)
	return false
}

func (c *cmd) words(listed bool) bool {
	word := ""
	if len(c.rest) > 0 {
		word = c.rest[0].s
	}
	hit := false
	for _, one := range strings.Split(c.row.arg, "+") {
		hit = hit || one == word && one != ""
	}
	named := false // where the files go
	for _, v := range c.vals {
		if v.role != "" {
			named = true
			c.role(v.role, v.arg, true)
		}
	}
	if hit == listed && !named {
		if c.row.generates {
			c.generates()
		} else {
			c.worktree()
		}
	}
	c.w.emit(c.st, 1, anyText, nil)
	return true
}

func (c *cmd) ffmpegOutputs() []arg {
	var out []arg
	for i, a := range c.args {
		if strings.HasPrefix(a.s, "-") || a.s == "" {
			continue
		}
		if i > 0 && strings.HasPrefix(c.args[i-1].s, "-") {
			name, _, _ := strings.Cut(strings.TrimLeft(c.args[i-1].s, "-"), ":")
			if name != "y" && name != "n" && name != "an" && name != "vn" && name != "sn" && name != "hide_banner" && name != "shortest" && name != "nostdin" {
				continue
			}
		}
		if !strings.Contains(a.s, "://") {
			out = append(out, a)
		}
	}
	return out
}

// fd runs -x for what it finds.
func (c *cmd) fd() bool {
	found := arg{s: "./" + anyText, quoted: true}
	if len(c.rest) > 1 {
		found.s = strings.TrimSuffix(c.rest[1].s, "/") + "/" + anyText
	} else if len(c.rest) == 1 && c.isFolder(c.rest[0]) {
		found.s = strings.TrimSuffix(c.rest[0].s, "/") + "/" + anyText
	}
	ran := false
	for i, a := range c.args {
		switch a.s {
		case "-x", "--exec", "-X", "--exec-batch":
			ran = true
			var words []arg
			mark := false
			for _, b := range c.args[i+1:] {
				mark = mark || strings.Contains(b.s, "{")
				words = append(words, arg{s: strings.NewReplacer("{}", found.s, "{/}", anyName, "{//}", path.Dir(found.s), "{.}", found.s, "{/.}", anyName).Replace(b.s), quoted: true})
			}
			if !mark {
				words = append(words, found)
			}
			if len(words) > 1 {
				c.w.run(c.st.fork(), words)
			}
			return true
		}
	}
	if !ran {
		c.w.emit(c.st, 1, found.s+"\n", nil)
	}
	return true
}

// takesOrders reports a program that goes on with what is typed: none of the flags in row.arg is there, and its standard input
// is the terminal. Such a program has commands of its own that run others (`\!` in psql, `shell` in gdb).
func (c *cmd) takesOrders() {
	if c.st.stdin() == c.w.tty && !c.has(strings.Split(c.row.arg, "+")...) {
		c.w.special(Interactive, append([]arg{{s: c.name}}, c.args...))
	}
}

// powershell is judged as text: by the words that change something.
func (c *cmd) powershell() {
	text := strings.ToLower(joined(c.args))
	for _, word := range []string{
		"set-", "out-file", "new-item", "remove-", "move-", "copy-", "add-content", "rename-", "clear-", "export-",
		">", "del ", "rm ", "ri ", "sc ", "ni ", "mv ", "cp ", "erase ", "rd ", "md ", "mkdir", "encodedcommand", "iex", "invoke-expression", "writealltext", "tee",
	} {
		if strings.Contains(text, word) {
			c.unknown(reason.Script, "")
			c.w.byWords(c.st, joined(c.args))
			return
		}
	}
	if len(c.args) == 0 {
		c.w.special(Interactive, []arg{{s: c.name}})
	}
	c.w.emit(c.st, 1, anyText, nil)
}

// fish is close enough to sh for plain commands and redirections.
func (c *cmd) fish() bool {
	for _, v := range c.vals {
		if v.role == "shell" {
			c.w.evalSub(c.st, v.s, nil)
		}
	}
	if len(c.vals) == 0 && len(c.rest) > 0 {
		c.foreignScript(c.rest[0])
	}
	return true
}

// foreignScript is a script file in a language that is not judged.
func (c *cmd) foreignScript(a arg) {
	if o := c.w.scriptFile(c.st, a); o.foreign {
		c.unknown(reason.Script, show(a.s))
	}
}

func (c *cmd) gpg() bool {
	for _, v := range c.vals {
		if v.role == "write" {
			c.role("write", v.arg, true)
			return true
		}
	}
	if c.has("a", "armor") || c.has("c", "symmetric", "e", "encrypt", "s", "sign", "b", "detach-sign", "clearsign") {
		ext := ".gpg"
		switch {
		case c.has("b", "detach-sign") && !c.has("a", "armor"):
			ext = ".sig"
		case c.has("a", "armor", "clearsign"):
			ext = ".asc"
		}
		for _, a := range c.rest {
			if c.has("c", "symmetric", "e", "encrypt", "s", "sign", "b", "detach-sign", "clearsign") {
				c.ifThere(a, func() { c.role("write", arg{s: a.s + ext}, true) })
			}
		}
	}
	return true
}
