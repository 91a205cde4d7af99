package shell

import (
	"encoding/base64"
	"path"
	"strconv"
	"strings"
)

// handleOdd runs the handlers of programs that do one small thing that fields cannot say.
func (c *cmd) handleOdd() bool {
	switch c.row.do {
	case "words": // the first operand decides: row.arg lists those that change the working tree
		return c.words(true)
	case "unless": // the same, but row.arg lists those that do not
		return c.words(false)
	case "each": // every operand is a command line
		for _, a := range c.rest {
			c.w.evalSub(c.st, a.s, nil)
		}
		return false
	case "last": // the last operand is written
		if n := len(c.rest); n > 1 {
			c.role("write", c.rest[n-1], true)
		}
	case "ffmpeg": // what no option takes is an output
		for _, a := range c.ffmpegOutputs() {
			c.role("write", a, true)
		}
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
			c.w.unknown(c.name + " runs a script in a language that is not judged")
		} else if len(c.rest) > 0 {
			c.foreignScript(c.rest[0])
		}
		c.w.dirty = true
		c.w.emit(c.st, 1, anyText, nil)
	case "emacs":
		if c.has("batch", "eval", "f", "l") {
			c.w.unknown("emacs runs a script that is not judged")
			return true
		}
		c.editor()
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
				c.worktree("")
			}
		}
		c.w.emit(c.st, 1, anyText, nil)
	case "jar":
		if len(c.rest) > 1 && strings.ContainsAny(c.rest[0].s, "cu") && !strings.Contains(c.rest[0].s, "/") {
			c.role("write", c.rest[1], true)
		} else if len(c.rest) > 0 && strings.Contains(c.rest[0].s, "x") || c.has("x") {
			c.worktree("")
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
	case "download-here": // without -d the files land where it runs
		if !c.has("d", "dest", "w", "wheel-dir") {
			c.role("create", arg{s: "./" + anyName}, true)
			return true
		}
		return false
	case "7z":
		if o, ok := c.value("o"); ok {
			c.role("tree", o, true)
		} else if len(c.rest) > 0 && c.exists(c.rest[0]) {
			c.role("tree", arg{s: "."}, true)
		}
	case "later": // commands on standard input, run some time
		for _, v := range c.vals {
			c.role(v.role, v.arg, true)
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
				c.w.unknown(c.name + " runs commands in a terminal of its own")
			}
		}
		c.w.emit(c.st, 1, anyText, nil)
	case "base64":
		return c.base64()
	case "which":
		for _, a := range c.rest {
			c.w.emit(c.st, 1, "/usr/bin/"+base(a.s)+"\n", nil)
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
		return c.handleGit()
	}
	return true
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
	if hit == listed {
		c.worktree("")
	}
	for _, v := range c.vals {
		if v.role != "" {
			c.role(v.role, v.arg, true)
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

// split writes files whose names begin with a prefix: x, or xx for csplit.
func (c *cmd) split() bool {
	if c.has("n") && strings.HasPrefix(c.nth("n"), "l/") && strings.Count(c.nth("n"), "/") == 2 {
		return true // -n l/K/N prints a part
	}
	if f, ok := c.value("filter"); ok {
		sub := c.st.fork()
		sub.set("FILE", &value{s: c.prefix(1, "x") + anyName})
		c.w.evalSub(sub, f.s, nil)
		return true
	}
	if len(c.rest) > 0 && c.rest[0].s != "-" && !c.exists(c.rest[0]) {
		return true
	}
	p := ""
	if c.row.name == "csplit" {
		p = "xx"
		if v, ok := c.value("f", "prefix"); ok {
			p = v.s
		}
	} else {
		p = c.prefix(1, "x")
	}
	c.role("create", arg{s: p + anyName}, true)
	return true
}

func (c *cmd) nth(name string) string {
	v, _ := c.value(name)
	return v.s
}

func (c *cmd) prefix(i int, other string) string {
	if len(c.rest) > i {
		return c.rest[i].s
	}
	return other
}

func (c *cmd) dos2unix() bool {
	newFile := c.has("n", "newfile")
	for i, a := range c.rest {
		if newFile {
			if i%2 == 1 {
				c.role("write", a, true)
			}
			continue
		}
		if !c.has("O", "to-stdout", "i", "info") {
			c.role("edit", a, true)
		}
	}
	return true
}

// jq prints what its filter selects; `.` is everything.
func (c *cmd) jq() bool {
	rest := c.rest
	filter := "."
	if len(rest) > 0 && !c.has("f", "from-file") {
		if c.row.do == "yq" && (rest[0].s == "eval" || rest[0].s == "e") {
			rest = rest[1:]
		}
		if len(rest) > 0 {
			filter, rest = rest[0].s, rest[1:]
		}
	}
	if c.has("i", "inplace", "in-place") && c.row.do == "yq" {
		for _, a := range rest {
			c.role("edit", a, true)
		}
		return true
	}
	if c.has("n", "null-input") {
		c.w.emit(c.st, 1, anyText, nil)
		return true
	}
	var reads []Read
	for _, in := range c.inputs(rest) {
		reads = append(reads, in.reads...)
	}
	if filter == "." {
		reads = changed(reads)
	} else if strings.HasSuffix(filter, "length") || strings.HasSuffix(filter, "keys") {
		reads = nil
	} else {
		reads = filtered(reads)
	}
	c.w.emit(c.st, 1, anyText, shown(reads, "printed by "+c.name))
	return true
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

// powershell is judged as text: by the words that change something.
func (c *cmd) powershell() {
	text := strings.ToLower(joined(c.args))
	for _, word := range []string{
		"set-", "out-file", "new-item", "remove-", "move-", "copy-", "add-content", "rename-", "clear-", "export-",
		">", "del ", "rm ", "ri ", "sc ", "ni ", "mv ", "cp ", "erase ", "rd ", "md ", "mkdir", "encodedcommand", "iex", "invoke-expression", "writealltext", "tee",
	} {
		if strings.Contains(text, word) {
			c.w.unknown(c.name + " runs commands that are not judged")
			c.w.byWords(c.st, joined(c.args))
			return
		}
	}
	if len(c.args) == 0 {
		c.w.special("interactive", []arg{{s: c.name}}, c.name+" is started without a script")
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
		c.w.unknown(c.name + " runs a script that cannot be judged: " + show(a.s))
	}
}

// compile is a compiler: -o FILE, else what the language makes of the names of the sources.
func (c *cmd) compile() bool {
	for _, v := range c.vals {
		if v.role != "" {
			c.role(v.role, v.arg, true)
		}
	}
	c.w.dirty = true
	if c.has("o", "out-dir", "E", "M", "MM", "fsyntax-only", "emit", "d") || len(c.rest) == 0 {
		c.w.emit(c.st, 1, anyText, nil)
		return true
	}
	for _, f := range c.flags {
		if strings.HasPrefix(f, "fsyntax") {
			return true
		}
	}
	if strings.Contains(joined(c.args), "-fsyntax-only") {
		return true
	}
	stem := func(a arg) string { return strings.TrimSuffix(a.s, path.Ext(a.s)) }
	switch {
	case c.row.arg == "base":
		c.role("write", arg{s: path.Base(stem(c.rest[0]))}, true)
	case c.row.arg != "":
		for _, a := range c.rest {
			if c.exists(a) {
				c.role("write", arg{s: stem(a) + c.row.arg}, true)
			}
		}
	case c.has("c", "S"):
		for _, a := range c.rest {
			ext := ".o"
			if c.has("S") {
				ext = ".s"
			}
			c.role("write", arg{s: path.Base(stem(a)) + ext}, true)
		}
	default:
		c.role("write", arg{s: "a.out"}, true)
	}
	return true
}

// dot writes -o FILE, or with -O the name of each input with the format behind it.
func (c *cmd) dot() bool {
	if c.has("O") {
		for _, a := range c.rest {
			c.role("write", arg{s: a.s + "." + c.nth("T")}, true)
		}
		return true
	}
	return false
}

// tsc writes .js files beside the sources, or where its configuration says.
func (c *cmd) tsc() bool {
	switch {
	case c.has("noEmit", "version", "v", "h", "showConfig", "listFilesOnly"):
	case c.has("init"):
		c.role("write", arg{s: "tsconfig.json"}, true)
	case c.has("outDir", "outFile"):
		return false
	case len(c.rest) > 0:
		for _, a := range c.rest {
			if c.exists(a) {
				c.role("write", arg{s: strings.TrimSuffix(a.s, path.Ext(a.s)) + ".js"}, true)
			}
		}
	default:
		c.worktree("tsc writes what its configuration says")
	}
	return true
}

// seq prints numbers: up to a bound each, beyond it one that stands for all.
func (c *cmd) seq() {
	n := []int{1, 1, 0} // first, step, last
	for i, a := range c.args {
		v, err := strconv.Atoi(a.s)
		if err != nil || len(c.args) > 3 {
			c.w.emit(c.st, 1, anyName+"\n", nil)
			return
		}
		switch {
		case i == len(c.args)-1:
			n[2] = v
		case i == 0:
			n[0] = v
		default:
			n[1] = v
		}
	}
	if n[1] <= 0 || (n[2]-n[0])/n[1] > maxRounds {
		c.w.emit(c.st, 1, anyName+"\n", nil)
		return
	}
	var b strings.Builder
	for i := n[0]; i <= n[2]; i += n[1] {
		b.WriteString(strconv.Itoa(i) + "\n")
	}
	c.w.emit(c.st, 1, b.String(), nil)
}

// base64 decodes text that is known: what is hidden in it is run often enough.
func (c *cmd) base64() bool {
	if !c.has("d", "D", "decode") {
		return false
	}
	text := anyText
	if in := c.inputs(c.rest); len(in) == 1 && isKnown(in[0].text) {
		clean := strings.Map(func(r rune) rune {
			if r == '\n' || r == ' ' || r == '\r' || r == '=' {
				return -1
			}
			return r
		}, in[0].text)
		if b, err := base64.RawStdEncoding.DecodeString(clean); err == nil {
			text = string(b)
		}
	}
	c.w.emit(c.st, 1, text, nil)
	return true
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
			if c.exists(a) && c.has("c", "symmetric", "e", "encrypt", "s", "sign", "b", "detach-sign", "clearsign") {
				c.role("write", arg{s: a.s + ext}, true)
			}
		}
	}
	return true
}

// handleGit runs the handlers of git's subcommands.
func (c *cmd) handleGit() bool {
	switch c.row.do {
	case "git-restore":
		if c.has("S", "staged") && !c.has("W", "worktree") {
			return true
		}
		for _, a := range c.rest {
			c.pathspec(a, "git restore restores ")
		}
		if c.has("pathspec-from-file") {
			c.worktree("")
		}
	case "git-clean":
		if c.has("n", "dry-run") || !c.has("f", "force", "i") {
			c.w.emit(c.st, 1, anyText, nil)
			return true
		}
		if len(c.rest) == 0 {
			c.worktree("git clean deletes files that are not tracked")
		}
		for _, a := range c.rest {
			c.w.touch(c.st, a, change{op: opDelete, must: true, tree: c.isFolder(a), why: "git clean deletes " + show(a.s)})
		}
	case "git-config":
		read := c.has("l", "list", "get", "get-all", "get-regexp", "get-urlmatch", "name-only", "get-color", "get-colorbool", "show-origin")
		words := len(c.rest)
		if words > 0 && (c.rest[0].s == "get" || c.rest[0].s == "list") {
			read = true
		}
		if read || words < 2 && !c.has("unset", "unset-all", "remove-section", "e", "edit", "add", "replace-all") {
			c.w.emit(c.st, 1, anyText, nil)
			return true
		}
		switch f, named := c.value("f", "file"); {
		case named:
			c.role("write", f, true)
		case c.has("global"):
			c.w.touch(c.st, arg{s: c.w.home(c.st) + "/.gitconfig"}, change{op: opWrite, why: "git config writes the user's configuration"})
		case c.has("system"):
		default:
			c.w.touch(c.st, arg{s: c.w.env.Root + "/.git/config"}, change{op: opWrite, why: "git config writes .git/config"})
		}
	case "git-format-patch":
		if c.has("stdout") {
			c.w.emit(c.st, 1, anyText, nil)
			return true
		}
		if !c.has("o", "output-directory", "output") {
			c.role("create", arg{s: "./" + anyName}, true)
		}
		return false
	case "git-checkout-index":
		if len(c.rest) == 0 || c.has("a", "all") {
			if p, ok := c.value("prefix"); ok {
				c.role("tree", p, true)
			} else {
				c.worktree("")
			}
			return true
		}
		return false
	case "git-grep":
		c.args = append([]arg(nil), c.args...)
		return c.gitGrep()
	default:
		c.w.unknown("the tables name a handler that does not exist: " + c.row.do)
	}
	return true
}

func (c *cmd) gitGrep() bool {
	c.st.status = unsure
	rest := c.rest
	pat, given := c.value("e")
	if !given && len(rest) > 0 {
		pat, rest = rest[0], rest[1:]
	}
	if c.dashes >= 0 && c.dashes > 0 && !given {
		rest = c.rest[c.dashes:]
	}
	if c.has("l", "c", "L", "q", "files-with-matches", "count", "name-only") {
		c.w.emit(c.st, 1, anyText, nil)
		return true
	}
	var reads []Read
	for _, a := range rest {
		f := c.w.file(c.st, a)
		if pat.s == "" {
			reads = append(reads, f.reads...)
		} else {
			reads = append(reads, filtered(f.reads)...)
		}
	}
	c.w.emit(c.st, 1, anyText, shown(reads, "searched by git grep"))
	return true
}
