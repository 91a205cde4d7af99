package shell

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// wrapped runs the rest of a command as a command: sudo, timeout, nohup.
func (c *cmd) wrapped(rest []arg) {
	for c.row.assigns && len(rest) > 0 && isAssignment(rest[0].s) {
		k, v, _ := strings.Cut(rest[0].s, "=")
		sub := c.st.fork()
		sub.set(k, &value{s: v})
		c.st = sub
		rest = rest[1:]
	}
	if len(rest) == 0 || !c.w.enter("commands that run commands are too deep to be followed") {
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
		c.w.chdir(st, v)
	}
	if o, ok := c.value("o", "output"); ok && c.row.name == "time" {
		c.w.touch(st, o, change{op: opWrite, why: "time writes " + show(o.s)})
	}
	rest := c.rest
	for len(rest) > 0 && (isAssignment(rest[0].s) || rest[0].s == "-") {
		k, v, _ := strings.Cut(rest[0].s, "=")
		st.set(k, &value{s: v})
		rest = rest[1:]
	}
	if len(rest) > 0 && rest[0].s == "--" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		c.w.emit(c.st, 1, anyText, nil)
		return true
	}
	if c.w.enter("commands that run commands are too deep to be followed") {
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
		w.run(st, append(append([]arg(nil), command...), words...))
		return true
	}
	for i, word := range words {
		if i >= maxRounds {
			w.unbounded("xargs runs a command for more words than are followed")
			return true
		}
		args := make([]arg, len(command))
		for j, a := range command {
			args[j] = arg{s: strings.ReplaceAll(a.s, mark.s, word.s), reads: a.reads, quoted: true}
		}
		w.run(st, args)
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
			w.unbounded("parallel runs a command for more words than are followed")
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

// find walks folders; -delete, -exec and -fprint do something there.
func (c *cmd) find() bool {
	w, st := c.w, c.st
	args := c.args
	var roots []arg
	for len(args) > 0 && (args[0].s == "-H" || args[0].s == "-L" || args[0].s == "-P") {
		args = args[1:]
	}
	for len(args) > 0 && !strings.HasPrefix(args[0].s, "-") && args[0].s != "(" && args[0].s != "!" {
		roots, args = append(roots, args[0]), args[1:]
	}
	if len(roots) == 0 {
		roots = []arg{{s: "."}}
	}
	f := finder{c: c, roots: roots, left: 4 * maxFields}
	f.parse(args)
	names, exact := f.names()
	if f.odd || f.loose || !exact {
		w.maybe++
		defer func() { w.maybe-- }()
	}
	printed := true
	for i := 0; i < len(args); i++ {
		switch args[i].s {
		case "-delete":
			printed = false
			for _, n := range names {
				if path.Clean(n.s) == "." {
					continue
				}
				w.touch(st, n, change{op: opDelete, must: true, dir: true, tree: !exact, why: "find deletes " + show(n.s)})
			}
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			printed = false
			if i+1 < len(args) {
				w.touch(st, args[i+1], change{op: opWrite, why: "find writes " + show(args[i+1].s)})
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			printed = false
			end := i + 1
			for end < len(args) && args[end].s != ";" && !(args[end].s == "+" && args[end-1].s == "{}") {
				end++
			}
			batch := end < len(args) && args[end].s == "+"
			f.exec(args[i+1:end], names, batch, strings.HasSuffix(args[i].s, "dir"))
			i = end
		case "-quit", "-prune":
		case "-ls", "-printf":
			printed = false
			w.emit(st, 1, anyText, nil)
		case "-print", "-print0":
			printed = true
		}
	}
	if printed {
		var b strings.Builder
		for _, n := range names {
			b.WriteString(n.s + "\n")
		}
		w.emit(st, 1, b.String(), nil)
	}
	return true
}

func (f *finder) exec(command []arg, names []arg, batch, inDir bool) {
	w := f.c.w
	st := f.c.st.fork()
	st.fds = st.fds.with(fd{n: 0, in: &content{}})
	if len(command) == 0 {
		return
	}
	if batch && !inDir {
		args := append([]arg(nil), command[:len(command)-1]...)
		if len(names) > 0 {
			w.run(st, append(args, names...))
		}
		return
	}
	if len(names) > maxRounds {
		names = f.bound()
		w.maybe++
		defer func() { w.maybe-- }()
	}
	for _, n := range names {
		to, at := n.s, st
		if inDir {
			at = st.fork()
			w.chdir(at, arg{s: path.Dir(n.s)})
			at.alt = ""
			to = "./" + path.Base(n.s)
		}
		args := make([]arg, len(command))
		for j, a := range command {
			args[j] = arg{s: strings.ReplaceAll(a.s, "{}", to), quoted: true}
		}
		w.run(at, args)
	}
}

// finder lists what find would find. Tests that it cannot evaluate make the list an upper bound.
type finder struct {
	c        *cmd
	roots    []arg
	left     int
	min, max int
	tests    []findTest
	odd      bool // there is an operator: only a bound can be told
	loose    bool
	out      []arg
}

type findTest struct {
	kind, pat string
	not, fold bool
}

func (f *finder) parse(args []arg) {
	f.max = 1 << 20
	negate := false
	for i := 0; i < len(args); i++ {
		s := args[i].s
		next := ""
		if i+1 < len(args) {
			next = args[i+1].s
		}
		switch s {
		case "!", "-not":
			negate = !negate
			continue
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-type":
			f.tests = append(f.tests, findTest{kind: strings.TrimPrefix(s, "-i"), pat: next, not: negate, fold: strings.HasPrefix(s, "-i")})
			if s[1] == 'i' {
				f.tests[len(f.tests)-1].kind = "-" + s[2:]
			}
			i++
		case "-maxdepth":
			f.max, _ = number(next, 10, 6)
			i++
		case "-mindepth":
			f.min, _ = number(next, 10, 6)
			i++
		case "-o", "-or", "(", ",", "-prune", "-quit":
			f.odd = true
		case "-exec", "-execdir", "-ok", "-okdir":
			for i < len(args) && args[i].s != ";" && args[i].s != "+" {
				i++
			}
		case "-newer", "-size", "-mtime", "-mmin", "-atime", "-amin", "-ctime", "-cmin", "-perm", "-user", "-group",
			"-regex", "-iregex", "-samefile", "-inum", "-links", "-lname", "-newermt", "-fstype", "-uid", "-gid", "-regextype",
			"-anewer", "-cnewer", "-used", "-newerct", "-newerat":
			f.loose = true
			i++
		case "-empty", "-executable", "-readable", "-writable", "-nouser", "-nogroup":
			f.loose = true
		}
		negate = false
	}
}

// names lists the matches; exact is false if the list is only the folders that hold them.
func (f *finder) names() (out []arg, exact bool) {
	w, st := f.c.w, f.c.st
	for _, r := range f.roots {
		if !isKnown(r.s) || st.cwd == "" && !strings.HasPrefix(r.s, "/") || st.alt != "" || w.dirty {
			return f.bound(), false
		}
		kind := w.kindOf(w.env.Files.Locate(st.cwd, r.s))
		if kind == place.Missing {
			continue
		}
		if kind == place.Unknown || !f.walk(r.s, r.s, 0, kind) {
			return f.bound(), false
		}
	}
	return f.out, true
}

// bound is "somewhere below the folders".
func (f *finder) bound() []arg {
	var out []arg
	for _, r := range f.roots {
		out = append(out, arg{s: strings.TrimSuffix(r.s, "/") + "/" + anyText})
	}
	return out
}

func (f *finder) walk(p, root string, depth int, kind place.Kind) bool {
	if f.left--; f.left < 0 || len(f.out) > maxFields {
		return false
	}
	if depth >= f.min && f.matches(p, kind) {
		f.out = append(f.out, arg{s: p, quoted: true})
	}
	if kind != place.Folder || depth >= f.max {
		return true
	}
	w, st := f.c.w, f.c.st
	if depth > 0 && f.isLink(p) {
		return true // is not followed
	}
	names, ok := w.names(st, strings.TrimSuffix(p, "/")+"/")
	if !ok {
		return true // not readable: find goes on
	}
	for _, n := range names {
		child := strings.TrimSuffix(p, "/") + "/" + n
		if !f.walk(child, root, depth+1, w.kindOf(w.env.Files.Locate(st.cwd, child))) {
			return false
		}
	}
	return true
}

func (f *finder) matches(p string, kind place.Kind) bool {
	if f.odd {
		return kind == place.File || kind == place.Folder && !f.onlyFiles()
	}
	for _, t := range f.tests {
		s, pat := p, t.pat
		if t.fold {
			s, pat = strings.ToLower(s), strings.ToLower(pat)
		}
		hit := true
		switch t.kind {
		case "-name":
			hit = match(pat, path.Base(s))
		case "-path", "-wholename":
			hit = match(pat, s)
		case "-type":
			switch pat {
			case "f":
				hit = kind == place.File
			case "d":
				hit = kind == place.Folder
			case "l":
				hit = f.isLink(p)
			default:
				hit = kind == place.Special
			}
		}
		if hit == t.not {
			return false
		}
	}
	return true
}

// isLink reports whether a path is itself a symbolic link: what it leads to is not where its folder is.
func (f *finder) isLink(p string) bool {
	pl := f.c.w.env.Files.Locate(f.c.st.cwd, p)
	if pl.Abs == pl.Phys {
		return false
	}
	dir := f.c.w.env.Files.Locate("/", path.Dir(pl.Abs))
	return path.Join(dir.Phys, path.Base(pl.Abs)) != pl.Phys
}

func (f *finder) onlyFiles() bool {
	for _, t := range f.tests {
		if t.kind == "-type" && t.pat == "f" {
			return true
		}
	}
	return false
}
