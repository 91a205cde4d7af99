package settings

import (
	"bytes"
	"encoding/json"
	"strings"
)

// The edits. Each takes a parsed file and gives the text with one change; whoever wants another change parses again.
//
// What Remove has to know to give back the original bytes stands in the white space: a container that was there before
// us and empty gets an empty line before our first entry, one that we made has none and goes when it is empty again. A
// person who deletes that line loses nothing but an empty container.

// value is what is written: text, int, object or list.
type value any

// object is an object whose members keep their order.
type object []member

type member struct {
	key   string
	value value
}

// list is an array.
type list []value

// style is how a file is laid out.
type style struct {
	newline, unit string
	inline        bool   // no line breaks
	colon, comma  string // with the space after them, if the file has one
}

// styleOf looks at how the file's top object is written; a file without one gets two spaces.
func styleOf(d *document) style {
	s := style{newline: "\n", unit: "  ", colon: ": ", comma: ", "}
	if i := bytes.IndexByte(d.src, '\n'); i > 0 && d.src[i-1] == '\r' {
		s.newline = "\r\n"
	}
	if d.top == nil || len(d.top.items) == 0 {
		return s
	}
	first := d.top.items[0]
	if d.startsLine(first.start) {
		own := d.indent(first.start)
		if unit, ok := strings.CutPrefix(own, d.indent(d.top.start)); ok {
			s.unit = unit
		}
	}
	if d.top.kind == kindObject && bytes.IndexByte(d.src[d.top.start:d.top.end], '\n') < 0 {
		if d.src[first.value.start-1] == ':' {
			s.colon, s.comma = ":", ","
		}
	}
	return s
}

// write renders v for a line with that indentation.
func (s style) write(b *strings.Builder, v value, indent string) {
	switch v := v.(type) {
	case string:
		b.WriteString(quoted(v))
	case object:
		s.container(b, '{', '}', len(v), indent, func(i int, indent string) {
			b.WriteString(quoted(v[i].key) + s.colon)
			s.write(b, v[i].value, indent)
		})
	case list:
		if len(v) > 0 {
			if _, words := v[0].(string); words {
				s.inline = true // as people write a few words
			}
		}
		s.container(b, '[', ']', len(v), indent, func(i int, indent string) { s.write(b, v[i], indent) })
	default:
		text, _ := json.Marshal(v)
		b.Write(text)
	}
}

func (s style) container(b *strings.Builder, opening, closing byte, n int, indent string, each func(int, string)) {
	b.WriteByte(opening)
	for i := range n {
		switch {
		case !s.inline && i > 0:
			b.WriteString("," + s.newline + indent + s.unit)
		case !s.inline:
			b.WriteString(s.newline + indent + s.unit)
		case i > 0:
			b.WriteString(s.comma)
		}
		each(i, indent+s.unit)
	}
	if n > 0 && !s.inline {
		b.WriteString(s.newline + indent)
	}
	b.WriteByte(closing)
}

func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}

// piece is a change of src[start:end] into text.
type piece struct {
	start, end int
	text       string
}

// splice makes changes that do not overlap, given in the order of the text.
func (d *document) splice(pieces ...piece) []byte {
	var out []byte
	at := 0
	for _, p := range pieces {
		out = append(append(out, d.src[at:p.start]...), p.text...)
		at = p.end
	}
	return append(out, d.src[at:]...)
}

// startsLine reports whether only white space stands before an offset on its line.
func (d *document) startsLine(at int) bool {
	i := at
	for i > 0 && (d.src[i-1] == ' ' || d.src[i-1] == '\t') {
		i--
	}
	return i > 0 && d.src[i-1] == '\n'
}

// indent is the white space that the line of an offset begins with.
func (d *document) indent(at int) string {
	start := bytes.LastIndexByte(d.src[:at], '\n') + 1
	if start == 0 && bytes.HasPrefix(d.src, []byte(byteOrderMark)) {
		start = len(byteOrderMark)
	}
	end := start
	for end < at && (d.src[end] == ' ' || d.src[end] == '\t') {
		end++
	}
	return string(d.src[start:end])
}

// before is where the white space in front of an offset begins. It does not reach into a comment.
func (d *document) before(at int) int {
	start := at
	for start > 0 && isSpace(d.src[start-1]) {
		start--
	}
	for _, c := range d.comments {
		if c.start < at && c.end > start && c.end <= at {
			start = c.end
		}
	}
	return start
}

// commented reports whether a comment begins in src[start:end].
func (d *document) commented(start, end int) bool {
	for _, c := range d.comments {
		if c.start >= start && c.start < end {
			return true
		}
	}
	return false
}

// afterLine passes the comments that follow an offset on its line; line is set when one of them ends with the line.
func (d *document) afterLine(at int) (end int, line bool) {
	end = at
	for _, c := range d.comments {
		if c.start < end {
			continue
		}
		if len(bytes.Trim(d.src[end:c.start], " \t")) > 0 || bytes.IndexByte(d.src[c.start:c.end], '\n') >= 0 {
			break
		}
		if end = c.end; c.line {
			return end, true
		}
	}
	return end, false
}

// add appends a member (or, with an empty key, an element) to a container. With mark it leaves the sign that the
// container was there before, which an empty one always gets.
func (d *document) add(n *node, key string, v value, mark bool) []byte {
	s := styleOf(d)
	render := func(s style, indent string) string {
		var b strings.Builder
		if n.kind == kindObject {
			b.WriteString(quoted(key) + s.colon)
		}
		s.write(&b, v, indent)
		return b.String()
	}
	if len(n.items) == 0 {
		own := d.indent(n.start)
		text := s.newline + s.newline + own + s.unit + render(s, own+s.unit) + s.newline + own
		return d.splice(piece{n.end - 1, n.end - 1, text})
	}
	last := n.items[len(n.items)-1]
	from, comma := last.end(), []piece{{last.end(), last.end(), ","}}
	if last.comma >= 0 {
		from, comma = last.comma+1, nil
	}
	to, line := d.afterLine(from)
	gap := n.start + 1
	if i := len(n.items); i > 1 {
		gap = n.items[i-2].end()
	}
	var text string
	if !line && !mark && bytes.IndexByte(d.src[gap:last.start], '\n') < 0 {
		s.inline = bytes.IndexByte(d.src[last.start:last.end()], '\n') < 0
		text = strings.TrimPrefix(s.comma, ",") + render(s, d.indent(last.start))
	} else {
		indent := d.indent(n.start) + s.unit
		if d.startsLine(last.start) {
			indent = d.indent(last.start)
		}
		text = s.newline + indent + render(s, indent)
		if mark {
			text = s.newline + text
		}
	}
	if last.comma >= 0 {
		text += ","
	}
	return d.splice(append(comma, piece{to, to, text})...)
}

// replace writes another value in the place of one.
func (d *document) replace(n *node, v value) []byte {
	s := styleOf(d)
	s.inline = bytes.IndexByte(d.src[n.start:n.end], '\n') < 0
	var b strings.Builder
	s.write(&b, v, d.indent(n.start))
	return d.splice(piece{n.start, n.end, b.String()})
}

// marked is the white space before an item without the sign that the container was there before us and without the
// item's indentation; false if the sign is not there.
func marked(space []byte) ([]byte, bool) {
	space = bytes.TrimRight(space, " \t")
	for _, sign := range []string{"\r\n\r\n", "\n\n"} {
		if rest, ok := bytes.CutSuffix(space, []byte(sign)); ok {
			return rest, true
		}
	}
	return nil, false
}

// drop takes an item out, and its container with it where that is empty then and was made by us. nil means that there
// was no file.
func (d *document) drop(n *node, i int) []byte {
	it := n.items[i]
	start := d.before(it.start)
	if len(n.items) == 1 {
		inside := d.commented(n.start, it.start) || d.commented(it.end(), n.end)
		rest, was := marked(d.src[start:it.start])
		switch {
		case was && !d.commented(it.end(), n.end):
			return d.splice(piece{start, n.end - 1, string(rest)})
		case inside: // somebody's comment keeps it
		case n.parent != nil:
			return d.drop(n.parent, n.index)
		default:
			return d.dropTop()
		}
	}
	if it.comma >= 0 {
		if d.commented(it.end(), it.comma) {
			return d.splice(piece{start, it.end(), ""}, piece{it.comma, it.comma + 1, ""})
		}
		return d.splice(piece{start, it.comma + 1, ""})
	}
	if i > 0 {
		comma := n.items[i-1].comma
		return d.splice(piece{comma, comma + 1, ""}, piece{start, it.end(), ""})
	}
	return d.splice(piece{start, it.end(), ""})
}

// create is the text of a file that held no value before; nil stands for a file that was not there. How the text ends
// tells the one from the other.
func (d *document) create(v value) []byte {
	s := styleOf(d)
	var b strings.Builder
	s.write(&b, v, "")
	text := b.String()
	if d.src == nil {
		return []byte(text + "\n")
	}
	if d.endsInLineComment(len(d.src)) {
		text = s.newline + text + s.newline
	}
	return append(bytes.Clone(d.src), text...)
}

// dropTop undoes create.
func (d *document) dropTop() []byte {
	head, tail := d.src[:d.top.start], d.src[d.top.end:]
	newline := string(tail)
	if newline != "\n" && newline != "\r\n" {
		return append(bytes.Clone(head), tail...)
	}
	if len(head) == 0 {
		return nil
	}
	if rest, ok := bytes.CutSuffix(head, tail); ok && d.endsInLineComment(len(rest)) {
		return append([]byte{}, rest...)
	}
	return append(bytes.Clone(head), tail...)
}

func (d *document) endsInLineComment(at int) bool {
	for _, c := range d.comments {
		if c.line && c.end == at {
			return true
		}
	}
	return false
}
