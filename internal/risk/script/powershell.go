package script

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mbgate/mbgate/internal/event"
)

// PowerShell is read statement by statement: pipelines of cmdlets that the table knows, of programs, which are judged as
// commands of a shell by whoever asked, and of expressions. Blocks are judged as if they ran. Variables are not followed.

// psWord is one word of a command.
type psWord struct {
	text  string
	known bool // all of it; else text is the constant beginning
	plain bool // not quoted, so that -name is a parameter
	group bool // it begins with a group, a variable or a type: an expression
	block bool // that group is { … }
}

// psCommand is one command of a pipeline.
type psCommand struct {
	words  []psWord
	called bool // by & or .
	first  bool // of its pipeline
	shown  bool // its output is that of the pipeline
	part   bool // or a part of it is
}

type psJudge struct {
	e     Effects
	depth int
	// dir is the folder that paths are relative to, as Effects.Chdir has it; lost when it is not known.
	dir  string
	lost bool
}

func judgePowerShell(src string) Effects {
	j := &psJudge{}
	j.statements(strings.ReplaceAll(src, "\r\n", "\n"), true)
	return j.e
}

func (j *psJudge) opaque(why string) {
	if len(j.e.Opaque) < 32 && !slices.Contains(j.e.Opaque, why) {
		j.e.Opaque = append(j.e.Opaque, why)
	}
}

// statements judges a text. printed says whether what it prints is shown.
func (j *psJudge) statements(src string, printed bool) {
	if j.depth++; j.depth > 40 {
		j.opaque("blocks that are nested too deeply")
		return
	}
	defer func() { j.depth-- }()
	p := &psLexer{j: j, s: src, printed: printed}
	var pipe []psCommand
	c := psCommand{}
	end := func(piped bool) {
		if len(c.words) > 0 {
			c.first = len(pipe) == 0
			pipe = append(pipe, c)
		}
		c = psCommand{}
		if !piped {
			j.pipeline(pipe, printed && !p.quiet)
			pipe, p.quiet = nil, false
		}
	}
	for p.i < len(p.s) {
		switch ch := p.s[p.i]; {
		case ch == ' ' || ch == '\t':
			p.i++
		case ch == '#':
			p.i += len(line(p.s[p.i:]))
		case strings.HasPrefix(p.s[p.i:], "<#"):
			p.i += 2
			p.until("#>")
		case ch == '\n' && len(c.words) == 0 && len(pipe) > 0: // a pipeline goes on behind its bar
			p.i++
		case ch == '\n' || ch == ';':
			p.i++
			end(false)
		case strings.HasPrefix(p.s[p.i:], "&&") || strings.HasPrefix(p.s[p.i:], "||"):
			p.i += 2
			end(false)
		case ch == '|':
			p.i++
			end(true)
		case ch == '&' || ch == '.' && len(c.words) == 0 && p.i+1 < len(p.s) && strings.IndexByte(" \t&\"'$", p.s[p.i+1]) >= 0:
			p.i++
			if c.called = len(c.words) == 0; !c.called {
				end(false) // in the background
			}
		case ch == ')' || ch == '}':
			p.i++ // more than were opened
			j.opaque("brackets that do not match")
		case p.redirection():
		default:
			before := p.i
			w := p.word()
			if p.i == before {
				p.i++
			}
			if w.plain && w.text == "=" && w.known || len(c.words) == 1 && c.words[0].group && w.plain && strings.HasSuffix(w.text, "=") {
				c, p.quiet = psCommand{}, true // an assignment: what follows is a statement of its own
				continue
			}
			c.words = append(c.words, w)
		}
	}
	end(false)
}

func line(s string) string {
	l, _, _ := strings.Cut(s, "\n")
	return l
}

// psLexer cuts a text into words, and has the groups in them judged.
type psLexer struct {
	j       *psJudge
	s       string
	i       int
	printed bool
	quiet   bool // what the statement prints goes elsewhere
}

// until skips to what is behind the next mark, and returns what is before it.
func (p *psLexer) until(mark string) string {
	text, _, ok := strings.Cut(p.s[p.i:], mark)
	p.i += len(text)
	if ok {
		p.i += len(mark)
	} else {
		p.j.opaque("a text without its end")
	}
	return text
}

// redirection takes >, >>, 2>, *>, 2>&1 with their files.
func (p *psLexer) redirection() bool {
	rest := p.s[p.i:]
	to, ok := strings.CutPrefix(strings.TrimLeft(rest[:1], "123456*")+rest[1:], ">")
	if !ok {
		return false
	}
	to, more := strings.CutPrefix(to, ">")
	op := event.OpWrite
	if more {
		op = event.OpAppend
	}
	if strings.HasPrefix(to, "&") {
		p.i = len(p.s) - len(to) + min(2, len(to))
		return true
	}
	p.i = len(p.s) - len(strings.TrimLeft(to, " \t"))
	p.quiet = p.quiet || strings.IndexByte(">1*", rest[0]) >= 0
	if w := p.word(); !strings.EqualFold(w.text, "$null") {
		p.j.touch(w, Touch{Op: op, Why: ">"})
	}
	return true
}

// word reads one word. Variables and groups make it unknown from there on.
func (p *psLexer) word() psWord {
	w := psWord{known: true, plain: true}
	var b strings.Builder
	add := func(s string) {
		if w.known {
			b.WriteString(s)
		}
	}
	start := p.i
	unknown := func() {
		w.group = w.group || p.i == start
		w.known = false
	}
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case strings.IndexByte(" \t\n;|&)}<>", c) >= 0 || c == '#' && p.i == start:
			w.text = b.String()
			return w
		case c == ',' && p.i > start: // the next element of a list is a word of its own
			p.i++
			w.text = b.String()
			return w
		case c == '`':
			if p.i++; p.i < len(p.s) && p.s[p.i] != '\n' {
				add(p.s[p.i : p.i+1])
			}
			p.i++
		case c == '@' && p.i+2 < len(p.s) && (p.s[p.i+1] == '"' || p.s[p.i+1] == '\'') && p.s[p.i+2] == '\n':
			mark := p.s[p.i+1 : p.i+2]
			p.i += 3
			text := p.until("\n" + mark + "@")
			w.plain = false
			if mark == `"` {
				w.known = p.inner(text) && w.known
			}
			add(text)
		case c == '\'':
			p.i++
			w.plain = w.plain && p.i-1 > start
			add(p.until("'"))
			for strings.HasPrefix(p.s[p.i:], "'") {
				p.i++
				add("'" + p.until("'"))
			}
		case c == '"':
			w.plain = w.plain && p.i > start
			p.i++
			text := p.quoted()
			if cut := strings.IndexAny(text, "$`"); cut >= 0 {
				add(text[:cut])
				w.known = false
				p.inner(text)
			}
			add(text)
		case c == '$' && !strings.HasPrefix(p.s[p.i:], "$("):
			name := psName(p.s[p.i+1:])
			if lower := strings.ToLower(name); p.i == start && (lower == "null" || lower == "true" || lower == "false") {
				add("$" + lower)
			} else {
				unknown()
			}
			p.i += 1 + len(name)
		case c == '(' || c == '{' || strings.HasPrefix(p.s[p.i:], "$(") || strings.HasPrefix(p.s[p.i:], "@(") || strings.HasPrefix(p.s[p.i:], "@{"):
			before := p.s[start:p.i]
			w.block = w.block || p.i == start && c == '{'
			unknown()
			p.i += strings.IndexAny(p.s[p.i:], "({") + 1
			p.group(before)
		case c == '[' && p.i == start:
			unknown()
			p.until("]")
		default:
			add(p.s[p.i : p.i+1])
			p.i++
		}
	}
	w.text = b.String()
	return w
}

// psName is the name of a variable at the beginning of s.
func psName(s string) string {
	if name, _, ok := strings.Cut(s, "}"); ok && strings.HasPrefix(s, "{") {
		return name + "}"
	}
	return s[:len(s)-len(strings.TrimLeftFunc(s, func(r rune) bool {
		return r == '_' || r == ':' || r == '?' || unicode.IsLetter(r) || unicode.IsDigit(r)
	}))]
}

// quoted reads up to the end of a text in double quotes.
func (p *psLexer) quoted() string {
	start := p.i
	for p.i < len(p.s) {
		switch {
		case p.s[p.i] == '`':
			p.i++
		case strings.HasPrefix(p.s[p.i:], "$("):
			p.i += 2
			p.balanced()
			continue
		case strings.HasPrefix(p.s[p.i:], `""`):
			p.i++
		case p.s[p.i] == '"':
			text := p.s[start:p.i]
			p.i++
			return text
		}
		p.i++
	}
	p.i = len(p.s)
	p.j.opaque("a text without its end")
	return p.s[start:]
}

// inner judges the $(…) of a text, and reports whether it has neither them nor variables.
func (p *psLexer) inner(text string) bool {
	for rest := text; ; {
		i := strings.Index(rest, "$(")
		if i < 0 {
			return !strings.Contains(text, "$")
		}
		q := &psLexer{j: p.j, s: rest, i: i + 2}
		p.j.statements(q.balanced(), false)
		rest = rest[q.i:]
	}
}

// balanced reads up to the bracket that closes what was just opened.
func (p *psLexer) balanced() string {
	start, open := p.i, 1
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch c {
		case '(', '{':
			open++
		case ')', '}':
			if open--; open == 0 {
				return p.s[start : p.i-1]
			}
		case '`':
			p.i = min(p.i+1, len(p.s))
		case '\'':
			p.until("'")
		case '"':
			p.quoted()
		}
	}
	p.j.opaque("brackets that do not match")
	return p.s[start:]
}

// group judges what stands in brackets. before is the expression before them, where they are the arguments of a method.
func (p *psLexer) group(before string) {
	text := p.balanced()
	kind, member, static := strings.Cut(strings.ToLower(before), "]::")
	if !static {
		member = kind[strings.LastIndexByte(kind, '.')+1:]
	}
	if static && !strings.Contains(psTypes, " "+strings.TrimPrefix(kind, "[")+" ") || !static && member != kind && strings.Contains(psMethods, " "+member+" ") {
		p.j.opaque(before)
	}
	p.j.statements(text, p.printed && !p.quiet && before == "")
}

// pipeline judges the commands of a pipeline.
func (j *psJudge) pipeline(list []psCommand, printed bool) {
	for i := len(list) - 1; i >= 0; i-- {
		list[i].shown = printed
		if i+1 < len(list) {
			next := strings.ToLower(list[i+1].words[0].text)
			list[i].part = list[i+1].part || next == "select-object" || next == "select"
			list[i].shown = list[i+1].shown && (list[i].part || next == "out-host" || next == "out-string")
		}
	}
	for _, c := range list {
		j.command(c)
	}
}

func (j *psJudge) command(c psCommand) {
	w := c.words[0]
	name := strings.ToLower(w.text)
	switch {
	case strings.Contains(psKeywords, " "+name+" ") && w.plain && w.known:
		if rest := c.words[1:]; len(rest) > 0 && (name == "return" || name == "throw" || name == "else") {
			c.words = rest
			j.command(c)
		}
		return // the groups were judged as they were read
	case !c.called && (w.group || !w.plain || name == "" || strings.IndexByte("-+!0123456789,=", name[0]) >= 0):
		return // an expression
	case !w.known || name == "":
		if !w.group || len(c.words) > 1 || !w.block {
			j.opaque("a command that is computed")
		}
		return // & { … }, which was judged as it was read
	}
	name = strings.TrimSuffix(name[strings.LastIndexByte(name, '\\')+1:], ".exe")
	for _, row := range psRows() {
		if strings.Contains(" "+row.names+" ", " "+name+" ") {
			c.words = c.words[1:]
			j.act(row, w.text, c)
			return
		}
	}
	verb, noun, cmdlet := strings.Cut(name, "-")
	switch {
	case name == "stop-process" && c.first && !slices.ContainsFunc(c.words, func(w psWord) bool { return !w.known }): // what a pipe brings is not known
		c.words[0].text = "kill"
		j.run(c)
	case cmdlet && noun != "" && strings.Contains(psLooks, " "+verb+" "):
	case cmdlet && noun != "" && strings.Contains(psActs, " "+verb+" "):
		j.opaque(w.text)
	default:
		j.run(c)
	}
}

// run hands a program to whoever judges commands.
func (j *psJudge) run(c psCommand) {
	r := Run{Known: true, Printed: c.shown, Dir: j.dir, DirUnknown: j.lost, Why: c.words[0].text}
	for _, w := range c.words {
		text := strings.ReplaceAll(w.text, `\`, "/")
		if !w.known {
			text = ""
		}
		r.Args = append(r.Args, text)
	}
	j.e.Runs = append(j.e.Runs, r)
}

// psArgs are the arguments of a cmdlet: the files, where they go, and the flags with their values.
type psArgs struct {
	path, to []psWord
	flags    map[string]psWord
	unknown  string // a parameter of no table
}

func (row psRow) arguments(words []psWord) psArgs {
	a := psArgs{flags: map[string]psWord{}}
	var loose []psWord
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !w.plain || len(w.text) < 2 || w.text[0] != '-' || w.text[1] >= '0' && w.text[1] <= '9' {
			loose = append(loose, w)
			continue
		}
		name, value, given := strings.Cut(strings.ToLower(w.text[1:]), ":")
		next := func() psWord {
			if given {
				return psWord{text: w.text[len(name)+2:], known: w.known}
			}
			if i+1 < len(words) {
				i++
			}
			return words[i]
		}
		switch {
		case name == "whatif" && value != "$false":
			a.flags[name] = w
		case psHas(row.path, name):
			a.path = append(a.path, next())
		case psHas(row.to, name):
			a.to = append(a.to, next())
		case psHas(psSwitches, name):
			a.flags[psFull(psSwitches, name)] = w
		case psHas(psValues, name):
			a.flags[psFull(psValues, name)] = next()
		default:
			a.unknown = w.text
		}
	}
	switch {
	case len(loose) == 0 || row.path == "outfile":
	case row.do == psDelete || row.do == psRead || row.do == psCreate:
		a.path = append(a.path, loose...) // a list
	case len(a.path) == 0:
		a.path, loose = loose[:1], loose[1:]
	}
	switch {
	case row.do == psProcess:
		a.to = append(a.to, loose...)
	case row.to != "" && len(a.to) == 0 && len(loose) > 0:
		a.to = loose[len(loose)-1:]
		a.path = append(a.path, loose[:len(loose)-1]...)
	}
	return a
}

// psHas reports whether a list names a parameter, which may be shortened.
func psHas(list, name string) bool { return psFull(list, name) != "" }

func psFull(list, name string) string {
	short := ""
	for full := range strings.FieldsSeq(list) {
		if full == name {
			return full
		}
		if short == "" && strings.HasPrefix(full, name) {
			short = full
		}
	}
	return short
}

// op is what an act does to the file in path.
func (a psAct) op() event.Op {
	switch a {
	case psAppend:
		return event.OpAppend
	case psCreate:
		return event.OpCreate
	case psDelete:
		return event.OpDelete
	case psMove, psRename:
		return event.OpMove
	}
	return event.OpWrite
}

// act records what a cmdlet does.
func (j *psJudge) act(row psRow, why string, c psCommand) {
	a := row.arguments(c.words)
	if row.do == psOpaque || a.unknown != "" && row.do != psQuiet {
		j.opaque(strings.TrimSpace(why + " " + a.unknown))
	}
	if _, dry := a.flags["whatif"]; dry {
		return
	}
	_, tree := a.flags["recurse"]
	switch row.do {
	case psWrite, psAppend, psCreate, psDelete, psMove, psRename:
		if len(a.path) == 0 && !c.first && row.do != psCreate && strings.HasPrefix(row.path, "path") {
			a.path = []psWord{{}} // the objects that the pipe brings
		}
		name, named := a.flags["name"]
		if named && row.do == psCreate && len(a.path) == 0 {
			a.path = []psWord{{text: ".", known: true}}
		}
		for _, w := range a.path {
			if named && row.do == psCreate {
				w = psWord{text: w.text + "/" + name.text, known: w.known && name.known}
			}
			j.touch(w, Touch{Op: row.do.op(), Tree: tree, Why: why})
		}
	case psRead:
		for _, w := range a.path {
			t := Touch{Op: event.OpRead, Printed: c.shown, Verbatim: true, Whole: !c.part, Why: why}
			for flag := range strings.FieldsSeq("totalcount head first tail last") {
				_, part := a.flags[flag]
				t.Whole = t.Whole && !part
			}
			j.touch(w, t)
		}
	case psChdir:
		j.lost = j.lost || len(a.path) != 1 || !a.path[0].known
		if !j.lost {
			to := strings.ReplaceAll(a.path[0].text, `\`, "/")
			if j.dir != "" && !psAbsolute(to) {
				to = j.dir + "/" + to
			}
			j.dir = to
		}
	case psEval:
		if len(a.path) == 1 && a.path[0].known && len(a.path[0].text) > 0 {
			j.statements(a.path[0].text, c.shown)
		} else {
			j.opaque(why)
		}
	case psProcess:
		if len(a.path) > 0 {
			j.run(psCommand{words: append(a.path[:1:1], a.to...)})
		}
	case psQuiet:
		for _, w := range c.words {
			if strings.Contains(psMethods, " "+strings.ToLower(w.text)+" ") {
				j.opaque(why + " " + w.text) // ForEach-Object Delete
			}
		}
	}
	if row.do == psMove || row.do == psCopy || row.do == psRename {
		for _, w := range a.to {
			t := Touch{Op: event.OpWrite, Why: why, Into: true}
			if len(a.path) == 1 && a.path[0].known {
				t.Name = a.path[0].text[strings.LastIndexAny(a.path[0].text, `/\`)+1:]
			}
			if row.do == psRename && len(a.path) == 1 {
				w.text = strings.TrimSuffix(a.path[0].text, t.Name) + w.text
				w.known, t.Into = w.known && a.path[0].known, false
			}
			t.Tree = tree
			j.touch(w, t)
		}
	}
}

func psAbsolute(path string) bool {
	return strings.HasPrefix(path, "/") || len(path) > 1 && path[1] == ':'
}

// touch records a file, with the separators of this machine's names. A pattern is known up to its first wildcard.
func (j *psJudge) touch(w psWord, t Touch) {
	text := strings.ReplaceAll(w.text, `\`, "/")
	if i := strings.IndexByte(text, ':'); i > 1 && w.known {
		return // env:, variable:, a registry: no file
	}
	if strings.HasPrefix(text, "~") {
		text, w.known = "", false
	}
	if i := strings.IndexAny(text, "*?["); i >= 0 {
		text, w.known = text[:i], false
	}
	switch {
	case psAbsolute(text):
	case j.lost:
		text, w.known = "", false
	case j.dir != "":
		text = j.dir + "/" + text
	}
	t.Path, t.Known = text, w.known
	j.e.Touches = append(j.e.Touches, t)
}
