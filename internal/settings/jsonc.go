package settings

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

const byteOrderMark = "\xef\xbb\xbf"

// maxDepth is how deep values may be nested: deeper than any configuration, far from what a stack holds.
const maxDepth = 1000

const remedy = "; fix it, then run this again"

// space is JSON's white space.
const space = " \t\r\n"

// document is a configuration file: JSON with comments and trailing commas, after an optional byte order mark.
type document struct {
	body []byte // without the byte order mark, with one more line end
	bom  bool
	top  hujson.Value // its Value is nil where the file holds none, at most comments
}

// parse reads a file.
func parse(src []byte) (*document, error) {
	body, bom := bytes.CutPrefix(src, []byte(byteOrderMark))
	// hujson wants a line end after every line comment; pack takes this one away again.
	d := &document{body: append(bytes.Clone(body), '\n'), bom: bom}
	if hujson.Extra(d.body).IsValid() {
		d.top.BeforeExtra = d.body
		return d, nil
	}
	if tooDeep(d.body) {
		return nil, fmt.Errorf("values are nested more than %d deep%s", maxDepth, remedy)
	}
	var err error
	if d.top, err = hujson.Parse(d.body); err != nil {
		return nil, fmt.Errorf("%s%s", strings.TrimPrefix(err.Error(), "hujson: "), remedy)
	}
	return d, nil
}

// tooDeep reports whether values may be nested deeper than maxDepth. Brackets in texts and comments count too.
func tooDeep(text []byte) bool {
	depth := 0
	for _, c := range text {
		switch c {
		case '{', '[':
			if depth++; depth > maxDepth {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// pack is the text of the file.
func (d *document) pack() []byte {
	text := bytes.TrimSuffix(d.top.Pack(), []byte("\n"))
	if d.bom {
		text = append([]byte(byteOrderMark), text...)
	}
	return text
}

// position is the line and column of an offset of the body, both from 1, the column in characters.
func (d *document) position(at int) (line, column int) {
	start := bytes.LastIndexByte(d.body[:at], '\n') + 1
	return bytes.Count(d.body[:at], []byte("\n")) + 1, utf8.RuneCount(d.body[start:at]) + 1
}

// wrong is an error about the place of a value.
func (d *document) wrong(v *hujson.Value, problem string) error {
	line, column := d.position(v.StartOffset)
	return fmt.Errorf("line %d, column %d: %s%s", line, column, problem, remedy)
}

// text is a string's value, and whether v is a string.
func text(v *hujson.Value) (string, bool) {
	if v == nil || v.Value == nil || v.Value.Kind() != '"' {
		return "", false
	}
	return v.Value.(hujson.Literal).String(), true
}

// raw is a value as it stands in the file.
func raw(v *hujson.Value) string { return string(hujson.Value{Value: v.Value}.Pack()) }

// elements are those of an array, nil for any other value.
func elements(v *hujson.Value) []hujson.ArrayElement {
	if v != nil {
		if a, ok := v.Value.(*hujson.Array); ok {
			return a.Elements
		}
	}
	return nil
}

// members are those of an object, nil for any other value.
func members(v *hujson.Value) []hujson.ObjectMember {
	if v != nil {
		if o, ok := v.Value.(*hujson.Object); ok {
			return o.Members
		}
	}
	return nil
}

// name is the key of a member.
func name(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// get is the last member of that name, which is the one that clients read; nil if there is none or v is no object.
func get(v *hujson.Value, key string) *hujson.Value {
	all := members(v)
	for i := range slices.Backward(all) {
		if name(all[i]) == key {
			return &all[i].Value
		}
	}
	return nil
}

// once is an error where a key of an object stands for the second time.
func (d *document) once(v *hujson.Value, key string) error {
	seen := false
	for _, m := range members(v) {
		if name(m) != key {
			continue
		}
		if seen {
			line, column := d.position(m.Name.StartOffset)
			return fmt.Errorf("line %d, column %d: the key %q occurs twice; keep one of them", line, column, key)
		}
		seen = true
	}
	return nil
}
