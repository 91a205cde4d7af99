package settings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// want is one entry as it is to be: the group with its handler, or for the flat layout the handler alone.
type want struct {
	matcher string
	handler object
}

// value is the element of the event's array.
func (w want) value(l Layout) value {
	if l == Flat {
		return w.handler
	}
	group := object{}
	if w.matcher != "" {
		group = append(group, member{"matcher", w.matcher})
	}
	return append(group, member{"hooks", list{w.handler}})
}

// wants are the entries for one event.
func (c Client) wants(h Hook, o Options) []want {
	one := want{h.Matcher, c.handler(h, o)}
	if !o.FailClosed || h.Writers == "" {
		return []want{one}
	}
	// Two entries that share no tool: the client runs an identical command once, and which of the two switches would
	// then rule is not known. The second matcher is the first one's complement.
	closed := want{h.Writers, append(slices.Clone(one.handler), member{"onFailure", "block"})}
	one.matcher = "^(?!(?:" + h.Writers + ")$)"
	return []want{closed, one}
}

// handler is one hook of a client.
func (c Client) handler(h Hook, o Options) object {
	words := h.Words
	if words == "" {
		words = "hook " + c.Name
	}
	var out object
	if c.EntryName != "" {
		out = object{{"name", c.EntryName}}
	}
	out = append(out, member{"type", "command"})
	switch {
	case c.Layout == Flat:
		line := c.Form.line(o, words)
		if o.Shared {
			line = c.sharedLine(h, words)
		}
		out = append(out, member{cmp.Or(c.CommandKey, "bash"), line})
	case o.Shared:
		out = append(out, member{"command", c.sharedLine(h, words)})
	case c.Form == ExecForm:
		var args list
		for w := range strings.FieldsSeq(words) {
			args = append(args, w)
		}
		out = append(out, member{"command", o.Binary}, member{"args", args})
	default:
		out = append(out, member{"command", c.Form.line(o, words)})
	}
	timeout := member{"timeout", HookSeconds}
	if c.TimeoutKey != "" {
		timeout.key = c.TimeoutKey
	}
	if c.Timeout > 0 {
		timeout.value = c.Timeout
	}
	if h.Timeout > 0 {
		timeout.value = h.Timeout
	}
	return append(out, timeout)
}

// found is one of our handlers in the array of an event.
type found struct {
	group   int  // the element of the array: the group, or in the flat layout the handler itself
	handler int  // the element of the group's array, -1 in the flat layout
	alone   bool // nothing else is in the group
	want    int  // which of the wanted entries it is, -1 for none
}

// in are the group and the handler; in the flat layout they are one.
func (f found) in(event *hujson.Value) (group, handler *hujson.Value) {
	group = &elements(event)[f.group]
	if f.handler < 0 {
		return group, group
	}
	return group, &elements(get(group, "hooks"))[f.handler]
}

// drop takes the handler out, with its group if nothing else is in that.
func (f found) drop(event *hujson.Value) {
	if f.alone {
		containerOf(event).drop(f.group)
		return
	}
	group, _ := f.in(event)
	containerOf(get(group, "hooks")).drop(f.handler)
}

// pairs finds our handlers in one event and says which wanted entry each is.
func (c Client) pairs(key string, event *hujson.Value, o Options) []found {
	var wanted []want
	if h := c.event(key); h != nil {
		wanted = c.wants(*h, o)
	}
	var all []found
	taken := make([]bool, len(wanted))
	see := func(f found) {
		group, handler := f.in(event)
		if !c.ourHandler(handler, o) {
			return
		}
		for i, w := range wanted {
			if f.want < 0 && !taken[i] && c.is(group, handler, w) {
				f.want, taken[i] = i, true
			}
		}
		all = append(all, f)
	}
	for i, e := range elements(event) {
		inner := get(&e, "hooks")
		if inner == nil {
			see(found{i, -1, true, -1})
		}
		for j := range elements(inner) {
			see(found{i, j, len(elements(inner)) == 1, -1})
		}
	}
	return all
}

// ourHandler reports whether a handler starts mbgate.
func (c Client) ourHandler(v *hujson.Value, o Options) bool {
	for _, key := range commandKeys {
		line, ok := text(get(v, key))
		if !ok {
			continue
		}
		if _, ours := c.program(line, args(v), o); ours {
			return true
		}
	}
	return false
}

// commandKeys are the members of a handler that hold a command line or a program.
var commandKeys = [...]string{"command", "bash", "powershell"}

// args are the arguments of a handler in the exec form, nil if it is in another.
func args(v *hujson.Value) []string {
	a := get(v, "args")
	if a == nil || a.Value.Kind() != '[' {
		return nil
	}
	args := []string{}
	for _, e := range elements(a) {
		s, _ := text(&e)
		args = append(args, s)
	}
	return args
}

func command(v *hujson.Value) (line string, arguments []string) {
	for _, key := range commandKeys {
		if line, ok := text(get(v, key)); ok {
			return line, args(v)
		}
	}
	return "", nil
}

// handlerKeys are the members of a handler that say what it does: one of them that we do not want makes it another
// handler. What else a person added to it (a status message) is theirs.
const handlerKeys = " type command args bash powershell timeout timeoutSec name onFailure async asyncRewake shell if once cwd env matcher "

// is reports whether an entry is as it is to be.
func (c Client) is(group, handler *hujson.Value, w want) bool {
	if (group == handler) != (c.Layout == Flat) {
		return false
	}
	if group != handler {
		m := get(group, "matcher")
		if matcher, isText := text(m); matcher != w.matcher || m != nil && !isText {
			return false
		}
	}
	n := 0
	for _, m := range members(handler) {
		key := name(m)
		if !strings.Contains(handlerKeys, " "+key+" ") {
			continue
		}
		n++
		i := slices.IndexFunc(w.handler, func(m member) bool { return m.key == key })
		if i < 0 || !same(&m.Value, w.handler[i].value) {
			return false
		}
	}
	return n == len(w.handler)
}

// same reports whether v is that value, however it is written.
func same(v *hujson.Value, want value) bool {
	switch want := want.(type) {
	case string:
		s, ok := text(v)
		return ok && s == want
	case list:
		all := elements(v)
		return v.Value.Kind() == '[' && slices.EqualFunc(all, want, func(e hujson.ArrayElement, w value) bool { return same(&e, w) })
	default:
		return raw(v) == fmt.Sprint(want)
	}
}
