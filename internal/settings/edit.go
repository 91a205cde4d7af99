package settings

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// The edits of a document's tree. White space and comments that a person wrote stay.

// value is what is written: string, int, object or list.
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
	gap           string // after a colon or comma on the same line
}

// style looks at how the file's top object is written; a file without one gets two spaces.
func (d *document) style() style {
	s := style{newline: "\n", unit: "  ", gap: " "}
	if bytes.Contains(d.body, []byte("\r\n")) {
		s.newline = "\r\n"
	}
	all := members(&d.top)
	if len(all) == 0 {
		return s
	}
	if unit, ok := indent(all[0].Name.BeforeExtra); ok {
		s.unit = unit
	}
	s.inline = bytes.IndexByte(d.body[d.top.StartOffset:d.top.EndOffset], '\n') < 0
	if s.inline && len(all[0].Value.BeforeExtra) == 0 {
		s.gap = ""
	}
	return s
}

// indent is the white space at the end of what stands before an item, and whether that begins a line.
func indent(extra hujson.Extra) (string, bool) {
	i := bytes.LastIndexByte(extra, '\n')
	rest := string(extra[i+1:])
	return rest, i >= 0 && strings.Trim(rest, " \t") == ""
}

// build is the tree of v in a line with that indentation.
func (s style) build(v value, indent string) hujson.ValueTrimmed {
	inner := indent + s.unit
	switch v := v.(type) {
	case string:
		return hujson.String(v)
	case int:
		return hujson.Int(int64(v))
	case object:
		o := &hujson.Object{}
		for i, m := range v {
			o.Members = append(o.Members, s.member(m.key, s.lead(i, inner), s.build(m.value, inner)))
		}
		o.AfterExtra = s.end(len(v), indent)
		return o
	case list:
		if len(v) > 0 {
			if _, words := v[0].(string); words {
				s.inline = true // as people write a few words
			}
		}
		a := &hujson.Array{}
		for i, e := range v {
			a.Elements = append(a.Elements, hujson.Value{BeforeExtra: s.lead(i, inner), Value: s.build(e, inner)})
		}
		a.AfterExtra = s.end(len(v), indent)
		return a
	}
	return hujson.Literal("null")
}

func (s style) member(key string, lead hujson.Extra, v hujson.ValueTrimmed) hujson.ObjectMember {
	return hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: lead, Value: hujson.String(key)},
		Value: hujson.Value{BeforeExtra: hujson.Extra(s.gap), Value: v},
	}
}

// lead is what stands before the item i, end what stands before the closing bracket of n items.
func (s style) lead(i int, indent string) hujson.Extra {
	switch {
	case !s.inline:
		return hujson.Extra(s.newline + indent)
	case i > 0:
		return hujson.Extra(s.gap)
	}
	return nil
}

func (s style) end(n int, indent string) hujson.Extra {
	if n == 0 || s.inline {
		return nil
	}
	return hujson.Extra(s.newline + indent)
}

// container is an object or an array of the tree, as a row of items.
type container struct {
	object *hujson.Object
	array  *hujson.Array
}

func containerOf(v *hujson.Value) container {
	o, _ := v.Value.(*hujson.Object)
	a, _ := v.Value.(*hujson.Array)
	return container{o, a}
}

func (c container) len() int {
	if c.object != nil {
		return len(c.object.Members)
	}
	return len(c.array.Elements)
}

// value is that of item i.
func (c container) value(i int) *hujson.Value {
	if c.object != nil {
		return &c.object.Members[i].Value
	}
	return &c.array.Elements[i]
}

// before is what stands in front of item i, or after the last one in front of the closing bracket.
func (c container) before(i int) *hujson.Extra {
	switch {
	case c.object != nil && i < len(c.object.Members):
		return &c.object.Members[i].Name.BeforeExtra
	case c.object != nil:
		return &c.object.AfterExtra
	case i < len(c.array.Elements):
		return &c.array.Elements[i].BeforeExtra
	}
	return &c.array.AfterExtra
}

// empty reports whether a container holds neither an item nor a comment.
func (c container) empty() bool { return c.len() == 0 && len(bytes.Trim(*c.before(0), space)) == 0 }

// lineIndent is the white space that the line of a value begins with.
func (d *document) lineIndent(v *hujson.Value) string {
	d.body = d.top.Pack()
	d.top.UpdateOffsets()
	line := d.body[bytes.LastIndexByte(d.body[:v.StartOffset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// add appends a member (or, with an empty key, an element) to a container.
func (d *document) add(v *hujson.Value, key string, add value) {
	s, c := d.style(), containerOf(v)
	n := c.len()
	end := c.before(n)
	cut := len(bytes.TrimRight(*end, space))
	comment, tail := (*end)[:cut:cut], (*end)[cut:]
	ownerOf := d.lineIndent(v)
	inner := ownerOf + s.unit
	var lead hujson.Extra
	switch {
	case n > 0 && cut == 0 && bytes.IndexByte(*c.before(n - 1), '\n') < 0: // on the line of its neighbour
		last := c.value(n - 1)
		s.inline, inner = !strings.Contains(raw(last), "\n"), d.lineIndent(last)
		lead = hujson.Extra(s.gap)
	case n == 0 && s.inline:
		lead = append(comment, s.gap...)
	case n == 0:
		lead = append(comment, s.newline+inner...)
		if _, line := indent(tail); !line {
			tail = hujson.Extra(s.newline + ownerOf)
		}
	default:
		if i, line := indent(*c.before(0)); line {
			inner = i
		}
		lead = append(comment, s.newline+inner...)
	}
	*end = tail
	var after hujson.Extra
	if n > 0 && c.value(n-1).AfterExtra != nil {
		after = hujson.Extra{} // a comma behind the last item stays one
	}
	if built := s.build(add, inner); c.object != nil {
		m := s.member(key, lead, built)
		m.Value.AfterExtra = after
		c.object.Members = append(c.object.Members, m)
	} else {
		c.array.Elements = append(c.array.Elements, hujson.Value{BeforeExtra: lead, Value: built, AfterExtra: after})
	}
}

// replace writes another value in the place of one.
func (d *document) replace(v *hujson.Value, by value) {
	s := d.style()
	s.inline = !strings.Contains(raw(v), "\n")
	v.Value = s.build(by, d.lineIndent(v))
}

// drop takes item i out. Comments before it and after it stay.
func (c container) drop(i int) {
	gone := *c.value(i)
	lead := *c.before(i)
	last := i == c.len()-1
	if c.object != nil {
		c.object.Members = append(c.object.Members[:i:i], c.object.Members[i+1:]...)
	} else {
		c.array.Elements = append(c.array.Elements[:i:i], c.array.Elements[i+1:]...)
	}
	next := c.before(i)
	*next = join(join(lead, gone.AfterExtra), *next)
	if !last || i == 0 {
		return
	}
	// The item before it is the last one now: with a comma behind it, if there was one.
	switch before := c.value(i - 1); {
	case gone.AfterExtra != nil && before.AfterExtra == nil:
		before.AfterExtra = hujson.Extra{}
	case gone.AfterExtra == nil && before.AfterExtra != nil:
		*next = append(before.AfterExtra, *next...)
		before.AfterExtra = nil
	}
}

// join puts the comments of a in front of b.
func join(a, b hujson.Extra) hujson.Extra {
	cut := len(bytes.TrimRight(a, space))
	switch i := bytes.IndexByte(b, '\n'); {
	case cut == 0:
		return b
	case i < 0 || len(bytes.Trim(b[:i], space)) > 0: // a line comment must not swallow what follows
		return append(append(a[:cut:cut], '\n'), b...)
	}
	return append(a[:cut:cut], b...)
}

// create gives a file its first value.
func (d *document) create(v value) {
	s := d.style()
	d.top.Value = s.build(v, "")
	d.top.BeforeExtra = bytes.TrimRight(d.top.BeforeExtra, space)
	if len(d.top.BeforeExtra) > 0 {
		d.top.BeforeExtra = append(d.top.BeforeExtra, s.newline...)
	}
	d.top.AfterExtra = hujson.Extra(s.newline + "\n")
}
