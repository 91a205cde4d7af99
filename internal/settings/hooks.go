package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Options are what an installation is made of.
type Options struct {
	// Binary is the absolute path of mbgate.
	Binary string
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
	// Line is where it begins, from 1.
	Line int
	// Current is set where the entry is what Install would write now.
	Current bool
}

// Install gives a configuration file with our entries in it: what is missing is added, what is of another version or of
// another path is brought up to date, what is right stays. nil data is a file that does not exist. The same call again
// changes nothing. An error is a *SyntaxError, a *LineError, or names what in the file cannot take hooks; the file is to be
// left alone then.
func (c Client) Install(data []byte, o Options) ([]byte, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if c.layout == plugin {
		return installOwn(data, pluginText(o), "//")
	}
	if c.strict && len(bytes.TrimSpace(data)) > 0 && !json.Valid(data) {
		if _, err := parse(data); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s takes plain JSON only and ignores a file with comments, trailing commas or a byte order mark as a whole; "+
			"take them out, then install again", c.Title)
	}
	data, err := repeat(data, func(d *document) ([]byte, bool, error) { return c.installStep(d, o) })
	if err != nil {
		return nil, err
	}
	return c.installLine(data, o)
}

// Remove gives the file without our entries; nil means that there was none before Install. Of o only Binary counts: the
// name by which our entries are known besides mbgate's own.
func (c Client) Remove(data []byte, o Options) ([]byte, error) {
	if data == nil {
		return nil, nil
	}
	if c.layout == plugin {
		return removeOwn(data, "//")
	}
	data, err := c.removeLine(data, o)
	if err != nil {
		return nil, err
	}
	return repeat(data, func(d *document) ([]byte, bool, error) { return c.removeStep(d, o) })
}

// repeat makes one change after another until there is none left to make.
func repeat(data []byte, step func(*document) ([]byte, bool, error)) ([]byte, error) {
	for range 1000 {
		d, err := parse(data)
		if err != nil {
			return nil, err
		}
		next, changed, err := step(d)
		if err != nil || !changed {
			return data, err
		}
		if next == nil {
			return nil, nil
		}
		data = next
	}
	return nil, errors.New("there are more than 1000 entries of mbgate in it; take them out by hand")
}

// Entries lists our entries.
func (c Client) Entries(data []byte, o Options) ([]Entry, error) {
	if data == nil {
		return nil, nil
	}
	if c.layout == plugin {
		text, err := installOwn(data, pluginText(o), "//")
		if own(data, "//") == foreignText {
			return nil, nil
		}
		return []Entry{{Event: "plugin", Command: pluginBinary(data), Line: 1, Current: err == nil && bytes.Equal(text, data)}}, nil
	}
	d, err := parse(data)
	if err != nil {
		return nil, err
	}
	hooks, err := c.hooks(d)
	if err != nil || hooks == nil {
		return nil, err
	}
	var list []Entry
	for _, m := range hooks.items {
		pairs := c.pairs(d, m, o)
		for _, f := range pairs {
			e := Entry{Event: m.key, Current: f.want >= 0}
			e.Matcher, _ = d.text(f.group.member("matcher"))
			e.Command, e.Args = d.command(f.handler)
			e.Line, _ = position(d.src, f.handler.start)
			list = append(list, e)
		}
	}
	return list, nil
}

// Off says what in the file turns the client's hooks off.
func (c Client) Off(data []byte) []string {
	d, err := parse(data)
	if err != nil || c.layout == plugin {
		return nil
	}
	var says []string
	for _, s := range c.off {
		n := d.top
		for key := range strings.SplitSeq(s.key, ".") {
			n = n.member(key)
		}
		if n == nil {
			continue
		}
		is := d.raw(n) == s.value
		for _, it := range n.items {
			is = is || n.kind == kindArray && d.raw(it.value) == s.value
		}
		if is {
			says = append(says, s.says)
		}
	}
	return says
}

// hooks is the object that holds the events, nil if there is none yet. What is not as the client wants it is an error:
// it is for the person to say what it was meant to be.
func (c Client) hooks(d *document) (*node, error) {
	if d.top == nil {
		return nil, nil
	}
	if d.top.kind != kindObject {
		return nil, d.wrong(d.top, "the file must hold an object, { … }")
	}
	if at := d.top.twice("hooks"); at >= 0 {
		return nil, d.twice(at, "hooks")
	}
	n := d.top.member("hooks")
	if n == nil {
		return nil, nil
	}
	if n.kind != kindObject {
		return nil, d.wrong(n, `"hooks" must be an object of events`)
	}
	for _, it := range n.items {
		if at := n.twice(it.key); at >= 0 {
			return nil, d.twice(at, it.key)
		}
	}
	return n, nil
}

func (d *document) wrong(n *node, problem string) error {
	line, column := position(d.src, n.start)
	return &SyntaxError{line, column, problem + "; mend it, then run this again"}
}

func (d *document) twice(at int, key string) error {
	line, column := position(d.src, at)
	return &SyntaxError{line, column, fmt.Sprintf("the key %q stands here for the second time; leave one of them", key)}
}

// installStep makes the first change that is missing.
func (c Client) installStep(d *document, o Options) ([]byte, bool, error) {
	hooks, err := c.hooks(d)
	if err != nil {
		return nil, false, err
	}
	if hooks == nil {
		return c.begin(d, o), true, nil
	}
	for _, m := range hooks.items {
		pairs := c.pairs(d, m, o)
		var spare []want // wanted, and not there
		for _, h := range c.events {
			if h.event != m.key {
				continue
			}
			if m.value.kind != kindArray {
				return nil, false, d.wrong(m.value, fmt.Sprintf("%q must be an array of hooks", m.key))
			}
			for i, w := range c.wants(h, o) {
				if !slices.ContainsFunc(pairs, func(f found) bool { return f.want == i }) {
					spare = append(spare, w)
				}
			}
		}
		for _, f := range pairs {
			switch {
			case f.want >= 0:
			case len(spare) > 0 && f.alone():
				return d.replace(f.group, spare[0].value(c.layout)), true, nil
			default:
				next, err := c.take(d, f)
				return next, true, err
			}
		}
		if len(spare) > 0 {
			return d.add(m.value, "", spare[0].value(c.layout), false), true, nil
		}
	}
	for _, h := range c.events {
		if hooks.member(h.event) == nil {
			return d.add(hooks, h.event, c.groups(h, o), false), true, nil
		}
	}
	return nil, false, nil
}

func (c Client) groups(h hook, o Options) list {
	var groups list
	for _, w := range c.wants(h, o) {
		groups = append(groups, w.value(c.layout))
	}
	return groups
}

// version is what the flat layout's files begin with.
func version() member { return member{"version", 1} }

// begin adds what a file without hooks lacks.
func (c Client) begin(d *document, o Options) []byte {
	events := object{}
	for _, h := range c.events {
		events = append(events, member{h.event, c.groups(h, o)})
	}
	whole := object{{"hooks", events}}
	if c.layout == flat {
		whole = append(object{version()}, whole...)
	}
	switch {
	case d.top == nil:
		return d.create(whole)
	case c.layout == flat && len(d.top.items) == 0:
		return d.add(d.top, "version", 1, true)
	}
	// A file with nothing but a version looks like one of ours; the mark says that it is not.
	return d.add(d.top, "hooks", events, c.bare(d, d.top.items) && !c.startedByUs(d))
}

// bare reports whether items are the version and nothing else.
func (c Client) bare(d *document, items []item) bool {
	v := version()
	return c.layout == flat && len(items) == 1 && items[0].key == v.key && d.same(items[0].value, v.value)
}

// startedByUs reports whether the version in a file is there since begin.
func (c Client) startedByUs(d *document) bool {
	at := d.top.items[0].start
	_, is := marked(d.src[d.before(at):at])
	return is
}

// removeStep takes the last of our entries out. The first one goes last, since the white space before it tells what was
// there before us.
func (c Client) removeStep(d *document, o Options) ([]byte, bool, error) {
	hooks, err := c.hooks(d)
	if err != nil || hooks == nil {
		return nil, false, err
	}
	for _, m := range slices.Backward(hooks.items) {
		if pairs := c.pairs(d, m, o); len(pairs) > 0 {
			next, err := c.take(d, pairs[len(pairs)-1])
			return next, true, err
		}
	}
	return nil, false, nil
}

// take takes one of our handlers out, and what it leaves empty with it.
func (c Client) take(d *document, f found) ([]byte, error) {
	n := f.group
	if !f.alone() {
		n = f.handler
	}
	at := d.top.items
	i := slices.IndexFunc(at, func(it item) bool { return it.key == "hooks" })
	space := d.src[d.before(at[i].start):at[i].start]
	next := d.drop(n.parent, n.index)
	if c.layout != flat || next == nil {
		return next, nil
	}
	// With the hooks gone, a version that came with them goes too.
	after, err := parse(next)
	if err != nil || after.top == nil || !c.bare(after, after.top.items) {
		return next, err
	}
	if _, was := marked(space); was {
		return next, nil
	}
	return after.drop(after.top, 0), nil
}
