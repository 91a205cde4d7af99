package shell

import (
	"encoding/base64"
	"path"
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/risk/reason"
	"github.com/mbgate/mbgate/internal/risk/script"
)

// inputs are the files a filter reads, or standard input when it names none.
func (c *cmd) inputs(operands []arg) []*content {
	if len(operands) == 0 {
		return []*content{c.w.stdinOf(c.st)}
	}
	var out []*content
	for _, a := range operands {
		if a.s == "-" {
			out = append(out, c.w.stdinOf(c.st))
		} else {
			out = append(out, c.w.file(c.st, a))
		}
	}
	return out
}

// head prints the first lines: -n N, -N, -n -N (all but the last N), -c bytes. tail (row.arg) prints the last ones: -n N, -N,
// -n +N (from line N on), -c bytes.
func (c *cmd) head() bool {
	first := c.row.arg != "tail"
	n, sign, known := 10, byte(0), true
	count, given := c.value("n", "lines", "#")
	operands := c.rest
	if !given && !first && len(operands) > 0 && strings.HasPrefix(operands[0].s, "+") {
		count, given, operands = operands[0], true, operands[1:]
	}
	if given {
		s := count.s
		if s != "" && (s[0] == '-' || s[0] == '+') {
			sign, s = s[0], s[1:]
		}
		v, err := strconv.Atoi(strings.TrimRight(s, "qvf"))
		n, known = v, err == nil
	}
	bytes, byBytes := c.value("c", "bytes")
	for _, in := range c.inputs(operands) {
		reads := partial(in.reads)
		switch {
		case byBytes:
			reads = c.headBytes(in.reads, bytes.s, first)
		case !known:
		case first && sign == '-' && n == 0, !first && sign == '+' && n <= 1:
			reads = in.reads
		case first && sign == '-':
			reads = c.w.spans(in.reads, []Span{{1, -n}})
		case first && n == 0, !first && n == 0:
			reads = nil
		case first:
			reads = c.w.spans(in.reads, []Span{{1, n}})
		case sign == '+':
			reads = c.w.spans(in.reads, []Span{{n, 0}})
		default:
			reads = c.w.spans(in.reads, []Span{{-n, 0}})
		}
		text := in.text
		if in.loose && isKnown(text) {
			text = someLine(text)
		}
		if !isKnown(text) || !first || !known || byBytes || sign != 0 {
			if !strings.Contains(text, "/") { // names of files keep their folders
				text = anyText
			}
		} else if lines := strings.SplitAfterN(text, "\n", n+1); len(lines) > n {
			text = strings.Join(lines[:n], "")
		}
		c.w.emit(c.st, 1, text, reads)
	}
	return true
}

// someLine stands for some lines of a list of names: a name in the folder they have in common.
func someLine(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) == 1 {
		return text
	}
	dir := path.Dir(lines[0])
	for _, l := range lines {
		if path.Dir(l) != dir {
			return anyText
		}
	}
	return dir + "/" + anyName + "\n"
}

// headBytes is head -c or tail -c of one file.
func (c *cmd) headBytes(reads []Read, count string, first bool) []Read {
	if len(reads) != 1 || !reads[0].Full {
		return partial(reads)
	}
	if !first && (count == "+0" || count == "+1") {
		return reads
	}
	b, ok := c.w.env.Files.Text(reads[0].Place.Abs, maxText)
	if n, err := strconv.Atoi(count); ok && err == nil && n >= len(b) && count[0] != '+' {
		return reads
	}
	return partial(reads)
}

// grep prints matching lines; the empty pattern matches them all.
func (c *cmd) grep() bool {
	c.st.status = unsure
	operands := c.rest
	pat, given := c.value("e", "regexp")
	if _, file := c.value("f", "file"); !given && !file {
		if len(operands) == 0 {
			return true
		}
		pat, operands = operands[0], operands[1:]
		given = true
	}
	if c.has("l", "files-with-matches", "L", "files-without-match") && !c.has("q", "quiet") {
		var b strings.Builder
		for _, a := range operands {
			b.WriteString(a.s)
			if c.isFolder(a) {
				b.WriteString("/" + anyText)
			}
			b.WriteString("\n")
		}
		if len(operands) == 0 {
			b.WriteString("./" + anyText + "\n")
		}
		c.w.emit(c.st, 1, b.String(), nil)
		return true
	}
	if c.has("q", "quiet", "silent", "c", "count", "l", "files-with-matches", "L", "files-without-match", "files") {
		c.w.emit(c.st, 1, anyText, nil)
		return true
	}
	recursive := c.has("r", "R", "recursive", "dereference-recursive") || c.row.arg == "tree"
	if recursive && len(operands) == 0 && len(c.st.stdin().text) == 0 {
		operands = []arg{{s: "."}}
	}
	whole := false // the pattern is in every line
	switch pat.s {
	case "", "^", "$", ".*", "^.*$":
		whole = true
	}
	revision := c.row.arg == "git" && c.dashes != 1 // one may stand between the pattern and --
	all := given && !revision && (whole || pat.s == ".") && !c.has("v", "invert-match", "o", "only-matching", "m", "max-count", "w", "x")
	var reads []Read
	for _, in := range c.inputs(c.below(operands, recursive && all)) {
		if all && (whole || c.noEmptyLine(in)) {
			reads = append(reads, in.reads...)
		} else {
			reads = append(reads, filtered(in.reads)...)
		}
	}
	c.w.emit(c.st, 1, anyText, reads)
	return true
}

// noEmptyLine reports whether a file has none, so that `grep .` prints all of it.
func (c *cmd) noEmptyLine(in *content) bool {
	if len(in.reads) != 1 {
		return false
	}
	b, ok := c.w.env.Files.Text(in.reads[0].Place.Abs, maxText)
	return ok && len(b) > 0 && b[0] != '\n' && !strings.Contains(string(b), "\n\n")
}

// sed edits a stream, or files with -i; its script may name files to write.
func (c *cmd) sed() bool {
	w, st := c.w, c.st
	operands := c.rest
	var src []string
	known, have := true, false
	for _, v := range c.vals {
		switch v.name {
		case "e", "expression":
			src, have = append(src, v.s), true
		case "f", "file":
			have = true
			o := w.scriptFile(st, v.arg)
			src, known = append(src, o.text), known && o.known
		}
	}
	if !have {
		if len(operands) == 0 {
			return true
		}
		if operands[0].s == "" && len(operands) > 2 && c.has("i") && !operands[0].unset && isKnown(operands[1].s) {
			operands = operands[1:] // sed of the BSDs: -i takes a word, here an empty one
		}
		src, operands = []string{operands[0].s}, operands[1:]
	}
	o := script.Options{Quiet: c.has("n", "quiet", "silent"), Inplace: c.has("i", "in-place")}
	if o.Inplace {
		c.inplace(operands)
	}
	text := strings.Join(src, "\n")
	if !isKnown(text) {
		// A number or name within the script: only what it prints cannot be told.
		text = strings.NewReplacer(anyName, "1", anyText, "x").Replace(knownAddresses(text))
		known = false
	}
	if !known && len(operands) > 0 && !c.has("s", "separate") {
		w.doubt++
		defer func() { w.doubt-- }()
	}
	o.Files = knownTexts(operands)
	w.runScript(st, script.Sed, text, operands, o, true)
	return true
}

// knownAddresses puts a number where an unknown text of a sed script stands for an address: "$n,+30p", "1,${end}p".
func knownAddresses(text string) string {
	if !strings.Contains(text, anyText) {
		return text
	}
	parts := strings.Split(text, anyText)
	var b strings.Builder
	for i, part := range parts {
		b.WriteString(part)
		if i == len(parts)-1 {
			break
		}
		before, after := strings.TrimRight(b.String(), " "), strings.TrimLeft(parts[i+1], " ")
		ends := before == "" || strings.ContainsRune(",;{\n", rune(before[len(before)-1]))
		if ends && after != "" && strings.ContainsRune(",;{!+~=pPdDqQl$0123456789", rune(after[0])) || ends && after == "" && i+1 < len(parts)-1 {
			b.WriteByte('1')
		} else {
			b.WriteString(anyText)
		}
	}
	return b.String()
}

// knownTexts are the texts of words, "" for those that are not known.
func knownTexts(args []arg) []string {
	texts := make([]string, len(args))
	for i, a := range args {
		if isKnown(a.s) {
			texts[i] = a.s
		}
	}
	return texts
}

// awk runs its script over files.
func (c *cmd) awk() bool {
	w, st := c.w, c.st
	operands := c.rest
	text, have, known := "", false, true
	o := script.Options{}
	for _, v := range c.vals {
		switch v.role {
		case "code":
			text, have = text+v.s+"\n", true
		case "file":
			f := w.scriptFile(st, v.arg)
			text, have, known = text+f.text+"\n", true, known && f.known
		case "var":
			if k, val, ok := strings.Cut(v.s, "="); ok && isKnown(val) {
				if o.Vars == nil {
					o.Vars = map[string]string{}
				}
				o.Vars[k] = val
			}
		case "lib":
			o.Inplace = o.Inplace || v.s == "inplace"
		}
	}
	if !have {
		if len(operands) == 0 {
			return true
		}
		text, operands = operands[0].s, operands[1:]
		known = isKnown(text)
	}
	if o.Inplace {
		c.inplace(operands)
	}
	if !known {
		if strings.Contains(text, ">") || strings.Contains(text, "system") || strings.Trim(text, anyText) == "" {
			c.unknown(reason.Script, "")
		}
		text = strings.NewReplacer(anyName, "1", anyText, "x").Replace(text)
		w.doubt++
		defer func() { w.doubt-- }()
	}
	o.Files = knownTexts(operands)
	w.runScript(st, script.Awk, text, operands, o, true)
	return true
}

// tee copies its input to files and to standard output.
func (c *cmd) tee() bool {
	in := c.w.stdinOf(c.st)
	for _, a := range c.rest {
		switch a.s {
		case "/dev/stderr", "/dev/fd/2", "-":
			continue
		case "/dev/stdout", "/dev/fd/1":
			c.w.emit(c.st, 1, in.text, in.reads)
			continue
		}
		ch := change{op: opWrite, body: &content{text: in.text, reads: in.reads}}
		if c.has("a", "append") {
			ch.op = opAppend
		}
		c.touch(c.st, a, ch)
	}
	c.w.emit(c.st, 1, in.text, in.reads)
	return true
}

// base64 decodes text that is known: commands hidden in base64 are often piped into a shell.
func (c *cmd) base64() bool {
	if !c.has("d", "D", "decode") {
		return false
	}
	text := anyText
	if in := c.inputs(c.rest); len(in) == 1 && isKnown(in[0].text) {
		clean := strings.NewReplacer("\n", "", " ", "", "\r", "", "=", "").Replace(in[0].text)
		if b, err := base64.RawStdEncoding.DecodeString(clean); err == nil {
			text = string(b)
		}
	}
	c.w.emit(c.st, 1, text, nil)
	return true
}
