package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// SyntaxError says where a file is not what its client could read.
type SyntaxError struct {
	// Line and Column count from 1, the column in characters.
	Line, Column int
	// Problem completes "line L, column C: ...".
	Problem string
}

// Error is one line.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// kind is what a node is.
type kind byte

const (
	kindObject kind = '{'
	kindArray  kind = '['
	kindString kind = '"'
	kindScalar kind = '0' // a number, true, false or null
)

// node is one value, with where it stands: src[start:end].
type node struct {
	kind       kind
	start, end int
	items      []item // of an object or array
	parent     *node  // nil for the top
	index      int    // in parent.items
}

// item is one member of an object or one element of an array.
type item struct {
	key   string // of a member, decoded
	start int    // of the key, or of the value
	value *node
	comma int // where the comma after it stands, -1 if there is none
}

func (i item) end() int { return i.value.end }

// span is a comment: src[start:end]. A line comment ends before its line end.
type span struct {
	start, end int
	line       bool
}

// document is a parsed file: JSON with comments and trailing commas (JSONC), after an optional byte order mark.
type document struct {
	src      []byte
	top      *node // nil where the file holds no value at all
	comments []span
}

// maxDepth is how deep values may be nested: deeper than any configuration, far from what a stack holds.
const maxDepth = 200

const byteOrderMark = "\xef\xbb\xbf"

// parse reads a file. The error is a *SyntaxError.
func parse(src []byte) (*document, error) {
	p := parser{src: src, doc: &document{src: src}}
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		p.at = len(byteOrderMark)
	}
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.at == len(src) {
		return p.doc, nil
	}
	top, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.doc.top = top
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.at < len(src) {
		return nil, p.fail(p.at, "more text after the end of the configuration")
	}
	return p.doc, nil
}

type parser struct {
	src []byte
	at  int
	doc *document
}

func (p *parser) fail(at int, format string, args ...any) error {
	line, column := position(p.src, at)
	return &SyntaxError{line, column, fmt.Sprintf(format, args...)}
}

// position is the line and column of an offset, both from 1.
func position(src []byte, at int) (line, column int) {
	at = min(at, len(src))
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	if start == 0 && bytes.HasPrefix(src, []byte(byteOrderMark)) {
		start = min(at, len(byteOrderMark))
	}
	return bytes.Count(src[:at], []byte("\n")) + 1, utf8.RuneCount(src[start:at]) + 1
}

// space passes white space and comments.
func (p *parser) space() error {
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case isSpace(c):
			p.at++
		case c == '/':
			if err := p.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (p *parser) comment() error {
	start := p.at
	rest := p.src[start:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		} else if rest[n-1] == '\r' {
			n--
		}
		p.at = start + n
		p.doc.comments = append(p.doc.comments, span{start, p.at, true})
	case bytes.HasPrefix(rest, []byte("/*")):
		n := bytes.Index(rest[2:], []byte("*/"))
		if n < 0 {
			return p.fail(start, "the comment is not closed")
		}
		p.at = start + 2 + n + 2
		p.doc.comments = append(p.doc.comments, span{start, p.at, false})
	default:
		return p.fail(start, "unexpected %s", p.shown())
	}
	return nil
}

// shown is the character at the reader, for a message.
func (p *parser) shown() string {
	if p.at >= len(p.src) {
		return "end of the file"
	}
	r, n := utf8.DecodeRune(p.src[p.at:])
	if r == utf8.RuneError && n == 1 {
		return fmt.Sprintf("byte 0x%02x", p.src[p.at])
	}
	return fmt.Sprintf("%q", r)
}

func (p *parser) value(depth int) (*node, error) {
	if p.at >= len(p.src) {
		return nil, p.fail(p.at, "a value is missing at the end of the file")
	}
	switch c := p.src[p.at]; {
	case c == '{' || c == '[':
		if depth >= maxDepth {
			return nil, p.fail(p.at, "nested more than %d deep", maxDepth)
		}
		return p.container(depth)
	case c == '"':
		return p.text()
	case c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z':
		return p.scalar()
	}
	return nil, p.fail(p.at, "unexpected %s where a value should be", p.shown())
}

func (p *parser) text() (*node, error) {
	start, escaped := p.at, false
	for i := start + 1; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '"':
			p.at = i + 1
			n := &node{kind: kindString, start: start, end: p.at}
			if escaped && !json.Valid(p.src[start:p.at]) {
				return nil, p.fail(start, "the text has an escape that does not exist")
			}
			return n, nil
		case c == '\\':
			i++
			escaped = true
		case c < ' ':
			return nil, p.fail(i, "a text must be closed on its line, and control characters in it escaped")
		}
	}
	return nil, p.fail(start, "the text is not closed")
}

func (p *parser) scalar() (*node, error) {
	start := p.at
	for p.at < len(p.src) {
		c := p.src[p.at]
		if c == '-' || c == '+' || c == '.' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			p.at++
			continue
		}
		break
	}
	if !json.Valid(p.src[start:p.at]) {
		word := p.src[start:min(p.at, start+40)]
		return nil, p.fail(start, "%q is no value; text stands in double quotes", word)
	}
	return &node{kind: kindScalar, start: start, end: p.at}, nil
}

func (p *parser) container(depth int) (*node, error) {
	n := &node{kind: kind(p.src[p.at]), start: p.at}
	closing := byte('}')
	if n.kind == kindArray {
		closing = ']'
	}
	p.at++
	for {
		if err := p.space(); err != nil {
			return nil, err
		}
		if p.at >= len(p.src) {
			return nil, p.fail(n.start, "the %q is not closed", n.kind)
		}
		if p.src[p.at] == closing {
			p.at++
			n.end = p.at
			return n, nil
		}
		if len(n.items) > 0 && n.items[len(n.items)-1].comma < 0 {
			return nil, p.fail(p.at, "a comma or %q is missing before %s", closing, p.shown())
		}
		it, err := p.item(n, depth)
		if err != nil {
			return nil, err
		}
		it.value.parent, it.value.index = n, len(n.items)
		n.items = append(n.items, it)
	}
}

// item reads a member or element and the comma after it.
func (p *parser) item(n *node, depth int) (item, error) {
	it := item{start: p.at, comma: -1}
	if n.kind == kindObject {
		if p.src[p.at] != '"' {
			return it, p.fail(p.at, "unexpected %s where a key in double quotes should be", p.shown())
		}
		key, err := p.text()
		if err != nil {
			return it, err
		}
		it.key = decoded(p.src, key)
		if err := p.space(); err != nil {
			return it, err
		}
		if p.at >= len(p.src) || p.src[p.at] != ':' {
			return it, p.fail(p.at, "a colon is missing before %s", p.shown())
		}
		p.at++
		if err := p.space(); err != nil {
			return it, err
		}
	}
	var err error
	if it.value, err = p.value(depth + 1); err != nil {
		return it, err
	}
	if err := p.space(); err != nil {
		return it, err
	}
	if p.at < len(p.src) && p.src[p.at] == ',' {
		it.comma = p.at
		p.at++
	}
	return it, nil
}

// decoded is the text of a string node.
func decoded(src []byte, n *node) string {
	text := src[n.start+1 : n.end-1]
	if bytes.IndexByte(text, '\\') < 0 {
		return string(text)
	}
	var s string
	_ = json.Unmarshal(src[n.start:n.end], &s) // it was valid when it was parsed
	return s
}

// text is a string's value, and whether the node is a string.
func (d *document) text(n *node) (string, bool) {
	if n == nil || n.kind != kindString {
		return "", false
	}
	return decoded(d.src, n), true
}

// raw is a node as it stands in the file.
func (d *document) raw(n *node) string { return string(d.src[n.start:n.end]) }

// member is the last member of that name, as clients read it; nil if there is none or n is no object.
func (n *node) member(key string) *node {
	if n == nil || n.kind != kindObject {
		return nil
	}
	for i := len(n.items) - 1; i >= 0; i-- {
		if n.items[i].key == key {
			return n.items[i].value
		}
	}
	return nil
}

// twice is where a key of an object stands for the second time, -1 if it does not.
func (n *node) twice(key string) int {
	seen := false
	for _, it := range n.items {
		if it.key == key {
			if seen {
				return it.start
			}
			seen = true
		}
	}
	return -1
}
