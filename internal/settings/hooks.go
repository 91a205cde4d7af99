package settings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Options are what an installation is made of.
type Options struct {
	// Binary is the absolute path of mbgate.
	Binary string
	// Shared makes entries that a team commits: without a path of this machine, with the binary found when the hook runs.
	// A file that has such entries keeps them of this kind.
	Shared bool
	// FailClosed sets the client's own switch to refuse calls whose hook failed, where it has one (SPEC §18).
	FailClosed bool
	// Windows makes command lines for it.
	Windows bool
	// StatusLine asks for mbgate's status line, too. One of ours is kept up to date without it.
	StatusLine bool
}

// Entry is one of our entries as it stands in a file.
type Entry struct {
	// Event and Matcher are the client's words; Matcher is "" where there is none.
	Event, Matcher string
	// Command is the command line for a shell, or with Args the program.
	Command string
	Args    []string
	// Program is mbgate's binary in it, "" where only the shell knows that.
	Program string
	// Line is where it begins, from 1.
	Line int
	// Current is set where the entry is what Install would write now.
	Current bool
}

// Install gives a configuration file with our entries in it: what is missing is added, what is of another version or of
// another path is brought up to date, what is right stays. nil data is a file that does not exist. The same call again
// changes nothing. An error is a *LineError, or names what in the file cannot take hooks; the file is to be left alone then.
func (c Client) Install(data []byte, o Options) ([]byte, error) {
	o.Shared = o.Shared || c.shares(data)
	if err := o.check(); err != nil {
		return nil, err
	}
	if c.Plugin != nil {
		return installOwn(data, c.pluginText(o), c.comment())
	}
	d, err := parse(data)
	if err != nil {
		return nil, err
	}
	if c.Strict && len(bytes.TrimSpace(data)) > 0 && !json.Valid(data) {
		return nil, fmt.Errorf("%s takes plain JSON only and ignores a file with comments, trailing commas or a byte order mark as a whole; "+
			"take them out, then install again", c.Title)
	}
	changed, err := c.putHooks(d, o)
	if err != nil {
		return nil, err
	}
	line, err := c.putLine(d, o)
	if err != nil {
		return nil, err
	}
	if !changed && !line {
		return data, nil
	}
	return d.pack(), nil
}

// Remove gives the file without our entries. before is the file as it was before the first installation, as its backup
// holds it; nil stands for none. Where nobody changed the file since, its bytes are those of before, and nil where there
// was no file. Of o only Binary counts: a further name by which our entries are known.
func (c Client) Remove(data, before []byte, o Options) ([]byte, error) {
	if data == nil {
		return nil, nil
	}
	if c.Plugin != nil {
		return removeOwn(data, c.comment())
	}
	now, changed, err := c.strip(data, o)
	if err != nil || !changed {
		return data, err
	}
	if _, hadOurs, err := c.strip(before, o); err != nil || hadOurs {
		return now, nil
	}
	// What is left is what an installation into the file of before would leave: so nothing else was changed.
	o.Binary = "/mbgate"
	if o.Windows {
		o.Binary = `C:\mbgate.exe`
	}
	if fresh, err := c.Install(before, o); err == nil {
		if then, _, err := c.strip(fresh, o); err == nil && bytes.Equal(then, now) {
			return before, nil
		}
	}
	return now, nil
}

// strip takes our entries out, and what they leave empty with them.
func (c Client) strip(data []byte, o Options) (out []byte, changed bool, err error) {
	d, err := parse(data)
	if err != nil {
		return nil, false, err
	}
	hooks, err := c.hooks(d)
	if err != nil {
		return nil, false, err
	}
	changed = c.dropLine(d, o)
	if hooks != nil && c.dropHooks(d, containerOf(hooks), o) {
		changed = true
		if top := containerOf(&d.top); hooks != &d.top && containerOf(hooks).empty() {
			top.drop(slices.IndexFunc(top.object.Members, func(m hujson.ObjectMember) bool { return name(m) == c.holder() }))
		}
	}
	if !changed {
		return data, false, nil
	}
	return d.pack(), true, nil
}

// dropHooks takes our handlers out of the events.
func (c Client) dropHooks(d *document, hooks container, o Options) (changed bool) {
	for i := hooks.len() - 1; i >= 0; i-- {
		event := hooks.value(i)
		pairs := c.pairs(name(hooks.object.Members[i]), event, o)
		for _, f := range slices.Backward(pairs) {
			f.drop(event)
		}
		if len(pairs) > 0 && containerOf(event).empty() {
			hooks.drop(i)
		}
		changed = changed || len(pairs) > 0
	}
	return changed
}

// Entries lists our entries.
func (c Client) Entries(data []byte, o Options) ([]Entry, error) {
	if data == nil {
		return nil, nil
	}
	o.Shared = o.Shared || c.shares(data)
	if c.Plugin != nil {
		text, err := installOwn(data, c.pluginText(o), c.comment())
		if ownerOf(data, c.comment()) == foreignText {
			return nil, nil
		}
		binary := pluginBinary(data)
		return []Entry{{Event: "plugin", Command: binary, Program: binary, Line: 1, Current: err == nil && bytes.Equal(text, data)}}, nil
	}
	d, err := parse(data)
	if err != nil {
		return nil, err
	}
	hooks, err := c.hooks(d)
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, m := range members(hooks) {
		for _, f := range c.pairs(name(m), &m.Value, o) {
			e := Entry{Event: name(m), Current: f.want >= 0}
			group, handler := f.in(&m.Value)
			e.Matcher, _ = text(get(group, "matcher"))
			e.Command, e.Args = command(handler)
			if program, _ := c.program(e.Command, e.Args, o); strings.IndexByte(program, 0) < 0 {
				e.Program = program
			}
			e.Line, _ = d.position(handler.StartOffset)
			list = append(list, e)
		}
	}
	return list, nil
}

// SwitchedOff says what in the file turns the client's hooks off.
func (c Client) SwitchedOff(data []byte) []string {
	d, err := parse(data)
	if err != nil || c.Plugin != nil {
		return nil
	}
	var says []string
	for _, s := range c.Off {
		v := &d.top
		for key := range strings.SplitSeq(s.Key, ".") {
			v = get(v, key)
		}
		if v != nil && raw(v) == s.Value ||
			slices.ContainsFunc(elements(v), func(e hujson.ArrayElement) bool { return raw(&e) == s.Value }) {
			says = append(says, s.Says)
		}
	}
	return says
}

// hooks is the object that holds the events, nil if there is none yet. What is not as the client wants it is an error:
// it is for the person to say what it was meant to be.
func (c Client) hooks(d *document) (*hujson.Value, error) {
	if d.top.Value == nil {
		return nil, nil
	}
	if d.top.Value.Kind() != '{' {
		return nil, d.wrong(&d.top, "the file must hold an object, { … }")
	}
	v := &d.top
	if key := c.holder(); key != "." {
		if err := d.once(&d.top, key); err != nil {
			return nil, err
		}
		if v = get(&d.top, key); v == nil {
			return nil, nil
		}
		if v.Value.Kind() != '{' {
			return nil, d.wrong(v, fmt.Sprintf("%q must be an object of events", key))
		}
	}
	for _, m := range members(v) {
		if err := d.once(v, name(m)); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (c Client) comment() string { return cmp.Or(c.Comment, "//") }

// holder is the name of the member that holds the events.
func (c Client) holder() string { return cmp.Or(c.Holder, "hooks") }

// putHooks adds the entries that are missing and brings the others up to date.
func (c Client) putHooks(d *document, o Options) (changed bool, err error) {
	v, err := c.hooks(d)
	if err != nil {
		return false, err
	}
	if v == nil {
		c.begin(d, o)
		return true, nil
	}
	hooks := containerOf(v)
	for i := hooks.len() - 1; i >= 0; i-- {
		key, event := name(hooks.object.Members[i]), hooks.value(i)
		if c.event(key) != nil && event.Value.Kind() != '[' {
			return false, d.wrong(event, fmt.Sprintf("%q must be an array of hooks", key))
		}
		if !c.putEvent(d, key, event, o) {
			continue
		}
		changed = true
		if containerOf(event).empty() {
			hooks.drop(i)
		}
	}
	for _, h := range c.Events {
		if get(v, h.Event) == nil {
			d.add(v, h.Event, c.groups(h, o))
			changed = true
		}
	}
	return changed, nil
}

// putEvent brings the entries of one event up to date.
func (c Client) putEvent(d *document, key string, event *hujson.Value, o Options) (changed bool) {
	pairs := c.pairs(key, event, o)
	var missing []want
	if h := c.event(key); h != nil {
		for i, w := range c.wants(*h, o) {
			if !slices.ContainsFunc(pairs, func(f found) bool { return f.want == i }) {
				missing = append(missing, w)
			}
		}
	}
	changed = len(missing) > 0
	for i := range pairs {
		if f := &pairs[i]; f.want < 0 && f.alone && len(missing) > 0 {
			group, _ := f.in(event)
			d.replace(group, missing[0].value(c.Layout))
			missing, f.want = missing[1:], 0
		}
	}
	for _, f := range slices.Backward(pairs) {
		if f.want < 0 {
			f.drop(event)
			changed = true
		}
	}
	for _, w := range missing {
		d.add(event, "", w.value(c.Layout))
	}
	return changed
}

// event is what we want to hear of under that name, nil for nothing.
func (c Client) event(key string) *Hook {
	for i := range c.Events {
		if c.Events[i].Event == key {
			return &c.Events[i]
		}
	}
	return nil
}

func (c Client) groups(h Hook, o Options) list {
	var groups list
	for _, w := range c.wants(h, o) {
		groups = append(groups, w.value(c.Layout))
	}
	return groups
}

// begin adds what a file without hooks lacks.
func (c Client) begin(d *document, o Options) {
	events := object{}
	for _, h := range c.Events {
		events = append(events, member{h.Event, c.groups(h, o)})
	}
	whole := object{{c.holder(), events}}
	if c.Holder == "." {
		whole = events
	}
	if c.Layout == Flat && len(members(&d.top)) == 0 {
		whole = append(object{{"version", 1}}, whole...)
	}
	if d.top.Value == nil {
		d.create(whole)
		return
	}
	for _, m := range whole {
		d.add(&d.top, m.key, m.value)
	}
}
