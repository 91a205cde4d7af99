package settings

import (
	"fmt"
	"slices"
	"strings"
)

// want is one entry as it is to be: the group with its handler, or for the flat layout the handler alone.
type want struct {
	matcher string
	handler object
}

// value is the element of the event's array.
func (w want) value(l layout) value {
	if l == flat {
		return w.handler
	}
	group := object{}
	if w.matcher != "" {
		group = append(group, member{"matcher", w.matcher})
	}
	return append(group, member{"hooks", list{w.handler}})
}

// wants are the entries for one event.
func (c Client) wants(h hook, o Options) []want {
	one := want{h.matcher, c.handler(h, o)}
	if !o.FailClosed || c.writers == "" || h.event != "PreToolUse" {
		return []want{one}
	}
	// Two entries that share no tool: the client runs an identical command once, and which of the two switches would
	// then rule is not known. The second matcher is the first one's complement.
	closed := want{c.writers, append(slices.Clone(one.handler), member{"onFailure", "block"})}
	one.matcher = "^(?!(?:" + c.writers + ")$)"
	return []want{closed, one}
}

// handler is one hook of a client.
func (c Client) handler(h hook, o Options) object {
	words := h.words
	if words == "" {
		words = "hook " + c.Name
	}
	out := object{{"type", "command"}}
	switch {
	case c.layout == flat:
		out = append(out, member{"bash", c.form.line(o, words)})
	case c.form == execForm:
		var args list
		for w := range strings.FieldsSeq(words) {
			args = append(args, w)
		}
		out = append(out, member{"command", o.Binary}, member{"args", args})
	default:
		out = append(out, member{"command", c.form.line(o, words)})
	}
	timeout := c.timeout
	if h.timeout > 0 {
		timeout.value = h.timeout
	}
	return append(append(slices.Clone(c.extra), out...), timeout)
}

// found is one of our handlers in a file.
type found struct {
	group   *node // the element of the event's array: the group, or in the flat layout the handler itself
	handler *node
	want    int // which of the wanted entries it is, -1 for none
}

// alone reports whether nothing else is in the group.
func (f found) alone() bool {
	return f.group == f.handler || len(f.handler.parent.items) == 1
}

// pairs finds our handlers in one event and says which wanted entry each is.
func (c Client) pairs(d *document, m item, o Options) []found {
	if m.value.kind != kindArray {
		return nil
	}
	var wanted []want
	for _, h := range c.events {
		if h.event == m.key {
			wanted = c.wants(h, o)
		}
	}
	var all []found
	taken := make([]bool, len(wanted))
	see := func(group, handler *node) {
		if !c.ourHandler(d, handler, o) {
			return
		}
		f := found{group, handler, -1}
		for i, w := range wanted {
			if f.want < 0 && !taken[i] && c.is(d, f, w) {
				f.want, taken[i] = i, true
			}
		}
		all = append(all, f)
	}
	for _, it := range m.value.items {
		if it.value.kind != kindObject {
			continue
		}
		inner := it.value.member("hooks")
		if inner == nil {
			see(it.value, it.value)
		} else if inner.kind == kindArray {
			for _, h := range inner.items {
				see(it.value, h.value)
			}
		}
	}
	return all
}

// ourHandler reports whether a handler starts mbgate.
func (c Client) ourHandler(d *document, n *node, o Options) bool {
	if n.kind != kindObject {
		return false
	}
	for _, key := range [...]string{"command", "bash", "powershell"} {
		line, ok := d.text(n.member(key))
		if !ok {
			continue
		}
		if args := d.args(n); args != nil && oursArgs(line, args, o) || ours(line, o) {
			return true
		}
	}
	return false
}

// args are the arguments of a handler in the exec form, nil if it is in another.
func (d *document) args(n *node) []string {
	a := n.member("args")
	if a == nil || a.kind != kindArray {
		return nil
	}
	args := []string{}
	for _, it := range a.items {
		s, _ := d.text(it.value)
		args = append(args, s)
	}
	return args
}

func (d *document) command(n *node) (line string, args []string) {
	for _, key := range [...]string{"command", "bash", "powershell"} {
		if line, ok := d.text(n.member(key)); ok {
			return line, d.args(n)
		}
	}
	return "", nil
}

// handlerKeys are the members of a handler that say what it does: one of them that we do not want makes it another
// handler. What else a person added to it (a status message) is theirs.
const handlerKeys = " type command args bash powershell timeout timeoutSec name onFailure async asyncRewake shell if once cwd env matcher "

// is reports whether an entry is as it is to be.
func (c Client) is(d *document, f found, w want) bool {
	if (f.group == f.handler) != (c.layout == flat) {
		return false
	}
	if f.group != f.handler {
		m := f.group.member("matcher")
		text, _ := d.text(m)
		if text != w.matcher || m != nil && m.kind != kindString {
			return false
		}
	}
	n := 0
	for _, it := range f.handler.items {
		if !strings.Contains(handlerKeys, " "+it.key+" ") {
			continue
		}
		n++
		i := slices.IndexFunc(w.handler, func(m member) bool { return m.key == it.key })
		if i < 0 || !d.same(it.value, w.handler[i].value) {
			return false
		}
	}
	return n == len(w.handler)
}

// same reports whether a node is that value, however it is written.
func (d *document) same(n *node, v value) bool {
	switch v := v.(type) {
	case string:
		s, ok := d.text(n)
		return ok && s == v
	case list:
		if n.kind != kindArray || len(n.items) != len(v) {
			return false
		}
		for i, it := range n.items {
			if !d.same(it.value, v[i]) {
				return false
			}
		}
		return true
	default:
		return n.kind == kindScalar && d.raw(n) == fmt.Sprint(v)
	}
}
