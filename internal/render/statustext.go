package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
)

// label is the width of the column with the labels of a session.
const label = 9

// Text is the status on a screen.
func (s Status) Text(screen *Screen) string {
	p := &page{Screen: screen}
	s.head(p)
	if len(s.Sessions) == 0 {
		p.line()
		switch {
		case s.All:
			p.prose(0, inkPlain, "No session is remembered. One appears here with the first event of an agent; `mbgate install` puts the hooks in.")
		case s.Inert:
			p.prose(0, inkPlain, "mbgate does nothing here: there is no memory-bank/ and no configuration that names anchors. `mbgate init` lays out a memory bank.")
		default:
			p.prose(0, inkPlain, "No session is remembered in this project. One appears here with the first event of an agent; `mbgate install` puts the hooks in, `mbgate status --all` lists other projects.")
		}
	}
	for _, e := range s.Sessions {
		p.line()
		e.text(p, s)
	}
	s.more(p)
	for _, c := range s.uncovered() {
		p.line()
		p.prose(0, inkFaint, "Not covered with "+Safe(c.Title)+" (observed with "+Safe(c.Observed)+"):")
		for _, u := range c.Uncovered {
			p.entry(2, 2, "–", inkFaint, Clean(u))
		}
	}
	return p.b.String()
}

func (s Status) head(p *page) {
	title := Safe(s.Root)
	if s.All {
		title = "all projects"
	}
	p.line(p.in(inkStrong, title))
	if s.Disabled {
		p.prose(2, inkWarn, "mbgate is turned off by MEMORY_BANK_DISABLED.")
	}
	column := 0
	for _, g := range s.Settings {
		column = max(column, columns(g.Key))
	}
	for _, g := range s.Settings {
		p.line("  ", p.in(inkFaint, pad(strings.ReplaceAll(g.Key, "_", " "), column)), "  ", pad(g.Value, 8), "  ", p.in(inkFaint, Safe(g.Origin)))
		if g.InForce != "" {
			p.prose(column+4, inkWarn, "in force: "+Clean(g.InForce))
		}
	}
	if s.Documents != nil {
		p.line("  ", p.in(inkFaint, Documents(*s.Documents)))
		if why := MissingDocuments(*s.Documents); why != "" {
			p.prose(column+4, inkWarn, why)
		}
	}
	for _, t := range s.Problems {
		p.entry(2, label, "problem", inkBad, Clean(t))
	}
}

// more says what is not shown.
func (s Status) more(p *page) {
	if s.More == 0 {
		return
	}
	what := plural(s.More, "older session")
	switch n := s.morePending(); {
	case n == 1 && s.More == 1:
		what += ", with a recovery pending"
	case n > 0:
		what += ", " + strconv.Itoa(n) + " of them with a recovery pending"
	}
	all := "mbgate status --limit 0"
	if s.All {
		all = "mbgate status --all --limit 0"
	}
	p.line()
	p.prose(0, inkPlain, "And "+what+".")
	p.verbatim(2, label, "show all", all)
}

// uncovered lists the agents of the shown sessions that leave ways past the hooks.
func (s Status) uncovered() []event.Client {
	var list []event.Client
	for _, e := range s.Sessions {
		known := slices.ContainsFunc(list, func(c event.Client) bool { return c.Name == e.Client.Name })
		if len(e.Client.Uncovered) > 0 && !known {
			list = append(list, e.Client)
		}
	}
	return list
}

// saysGuard reports whether the head said already that this mode of the write guard is in force.
func (s Status) saysGuard(mode string) bool {
	return !s.All && slices.ContainsFunc(s.Settings, func(g Setting) bool {
		return g.Key == "write_guard" && g.Mode != "" && string(g.Mode) == mode
	})
}

func (e SessionStatus) text(p *page, s Status) {
	e.title(p)
	p.facts(2, inkFaint, e.facts(s))
	if s.All && e.Root != "" {
		p.entry(2, label, "project", inkPlain, Safe(e.Root))
	}
	if e.Problem != "" {
		p.entry(2, label, "problem", inkBad, Clean(e.Problem))
	}
	if e.WhyGuard != "" && !s.saysGuard(e.WriteGuard) {
		p.prose(2, inkFaint, "The write guard is "+e.WriteGuard+" here: "+Clean(e.WhyGuard)+".")
	}
	if e.OneTurn {
		p.prose(2, inkFaint, "This agent reports no prompts: the read gate takes the whole session for one turn.")
	}
	if g := e.Main.Progress; g != nil {
		recoveryText(p, g, s.Now)
		p.verbatim(2, label, "next", readCall(e.Client, g.Abs, g.Next))
		if g.Reader {
			p.entry(2, label, "or", inkPlain, "the agent calls its subagent "+gate.Reader)
		}
	}
	e.bindsText(p)
	for _, c := range e.Subs {
		if c.Progress == nil {
			continue
		}
		read, of := count(c.Progress)
		p.prose(2, inkPlain, fmt.Sprintf("Subagent %s %s: %d of %s read", Safe(c.Type), Safe(c.ID), read, plural(of, "anchor")))
		if c.Progress.Cause != gate.Inherited {
			p.items(4, standings(p, c.Progress))
		}
	}
	if e.Main.Progress != nil {
		column := p.verbatim(2, label, "end it", "mbgate clear --session "+ShellWord(e.ID))
		if e.Client.PromptEvents {
			p.prose(column, inkFaint, "or send the agent the prompt mb:clear")
		}
	}
}

// title is a mark, the session's id and its state, on two lines where one is too narrow.
func (e SessionStatus) title(p *page) {
	mark, id := "○", Safe(e.ID)
	if e.pending() {
		mark = "●"
	}
	if e.ID == "" {
		id = "a session whose id is not known"
	}
	word, ink := e.state()
	head, state := p.in(ink, mark)+" "+p.in(inkStrong, id), "  "+p.in(wordInk(ink), word)
	if columns(head+state) > p.width {
		p.line(head)
		head = ""
	}
	p.line(head, state)
}

// facts is the line below a session's id.
func (e SessionStatus) facts(s Status) []string {
	title := e.Client.Title
	if title == "" {
		title = "agent unknown"
	}
	facts := []string{Safe(title)}
	if !e.Started.IsZero() {
		facts = append(facts, "started "+age(e.Started, s.Now), "last change "+age(e.Last, s.Now))
	}
	if n := e.Main.Compactions; n > 0 {
		facts = append(facts, plural(n, "compaction"))
	}
	if n := len(e.Subs); n > 0 {
		facts = append(facts, plural(n, "subagent"))
	}
	if !e.Ended.IsZero() {
		facts = append(facts, "ended "+age(e.Ended, s.Now))
	}
	return facts
}

// recoveryText is a recovery: why and since when it is pending, and how far every required anchor is read.
func recoveryText(p *page, g *gate.Progress, now time.Time) {
	what := "Since the context was compacted"
	switch g.Cause {
	case gate.ByFork:
		what = "Since the session was forked"
	case gate.ByDamage:
		what = "Since the state was damaged or not saved"
	}
	what += " (" + age(g.ActivatedAt, now) + "), "
	if g.StoodDown == "" {
		what += "risky writes wait until these are read in full"
	} else {
		what += "these are to be read in full"
	}
	if g.Refusals > 0 {
		what += "; refused so far: " + strconv.Itoa(g.Refusals)
	}
	p.prose(2, inkPlain, what+".")
	p.items(2, standings(p, g))
	if g.StoodDown != "" {
		p.prose(2, inkWarn, "Writes are let through with a reminder now: "+standDown(g.StoodDown)+".")
	}
	if len(g.Also) > 0 {
		p.entry(2, label, "see also", inkFaint, safeList(g.Also))
	}
}

// standings are the required anchors as rows.
func standings(p *page, g *gate.Progress) []item {
	var rows []item
	for _, r := range g.Required {
		row := standing(r)
		if r.Dropped == "" && !r.Missing {
			row.bar = p.bar(row.ink, r.Read, r.Need, r.Done)
		}
		rows = append(rows, row)
	}
	return rows
}

// bar shows how many of need lines are read: a part of it is filled as soon as one is, all of it only when done.
func (s *Screen) bar(i ink, read, need int, done bool) string {
	width := 8
	if s.width >= 100 {
		width = 16
	}
	filled := 0
	switch {
	case done:
		filled = width
	case read > 0 && need > 0:
		filled = max(1, min(width-1, read*width/need))
	}
	return s.in(i, strings.Repeat("█", filled)) + s.in(inkFaint, strings.Repeat("░", width-filled))
}

func standing(r gate.Standing) item {
	row := item{name: Safe(r.Path), mark: "–", ink: inkFaint, nameInk: inkFaint, noteInk: inkFaint}
	switch {
	case r.Dropped != "":
		row.note = "not required any more: " + dropReason(r.Dropped)
		return row
	case r.Missing:
		row.note = "not there any more"
		return row
	}
	row.nameInk = inkPlain
	if r.Done {
		row.mark, row.ink = "✓", inkGood
		row.note = "read, " + plural(r.Need, "line")
		return row
	}
	row.mark, row.ink, row.noteInk = "○", inkWarn, inkPlain
	row.note = "not read, " + plural(r.Need, "line")
	if r.Read > 0 {
		row.mark = "◐"
		row.note = fmt.Sprintf("%d of %s read", r.Read, plural(r.Need, "line"))
	}
	if r.Broken != "" {
		row.note = "cannot be read: " + Clean(r.Broken)
	}
	if r.Part {
		row.note += ", its beginning and end only"
	}
	if r.Changed {
		row.note += ", changed since it was read"
	}
	return row
}

// bindsText says what binds calls beside a recovery, and the next action where no recovery comes first.
func (e SessionStatus) bindsText(p *page) {
	if e.Suspended {
		p.entry(2, label, "binds", inkFaint, "suspended by a person; all of it binds again at the next compaction")
	}
	for i := range e.Binds {
		if i == maxListed {
			p.entry(2, label+2, "", inkFaint, fmt.Sprintf("and %d more", len(e.Binds)-i))
			break
		}
		p.entry(2, label+2, pad(once(i, "binds"), label)+"–", inkPlain, bindingReason(&e.Binds[i]))
	}
	if e.Main.Progress != nil {
		return // a recovery comes first, and says what is next
	}
	switch b := e.binding(); {
	case b != nil && b.Kind == gate.BindGate:
		p.entry(2, label, "next", inkPlain, bindingRemedy(b, e.Client)) // nothing to copy
	case b != nil:
		p.verbatim(2, label, "next", bindingRemedy(b, e.Client))
	case e.Capsule != nil && e.Capsule.Resume != nil && e.Capsule.Resume.NextAction != "":
		p.entry(2, label, "next", inkPlain, Safe(firstRunes(e.Capsule.Resume.NextAction, maxBindingText)))
	}
}

// Short is one line for each session, below a title.
func (s Status) Short(screen *Screen, title string) string {
	p := &page{Screen: screen}
	p.line(title + ":")
	var rows []item
	for _, e := range s.Sessions {
		word, ink := e.state()
		note := strings.Join(append([]string{word}, e.facts(s)...), " · ")
		rows = append(rows, item{mark: "○", ink: ink, name: Safe(e.ID), note: note, noteInk: inkFaint})
	}
	p.items(2, rows)
	return p.b.String()
}
