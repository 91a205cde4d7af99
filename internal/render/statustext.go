package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
)

// label is the width of the column with the labels of a session.
const label = 8

// Text is the status on a screen, the answer first. verbose adds the modes, the documents of the project, and whole ids.
func (s Status) Text(screen *Screen, verbose bool) string {
	p := &page{Screen: screen}
	p.prose(0, inkStrong, s.answer())
	if s.Disabled {
		p.prose(0, inkWarn, "MEMORY_BANK_DISABLED turns mbgate off.")
	}
	if s.Documents != nil {
		p.prose(0, inkWarn, MissingDocuments(*s.Documents))
	}
	for _, t := range s.Loose {
		p.prose(0, inkWarn, Clean(t))
	}
	for _, t := range s.Problems {
		p.prose(0, inkBad, Clean(t))
	}
	tall := true // an empty line stands around what is more than a line
	for _, e := range s.Sessions {
		q := &page{Screen: screen}
		e.text(q, s, verbose)
		text := q.b.String()
		if long := strings.Count(text, "\n") > 1; tall || long {
			p.line()
			tall = long
		}
		p.b.WriteString(text)
	}
	if s.More > 0 {
		more := "And " + plural(s.More, "older session")
		if s.MorePending > 0 {
			more += fmt.Sprintf(", %d with a recovery pending", s.MorePending)
		}
		p.line()
		p.prose(0, inkPlain, more+"; --limit 0 shows all.")
	}
	if verbose {
		p.line()
		for _, g := range s.Settings {
			p.entry(0, 13, g.Key, inkPlain, Safe(g.Value+" ("+g.Origin+")"))
			if g.InForce != "" {
				p.prose(13, inkWarn, "in force: "+Clean(g.InForce))
			}
		}
		if s.Documents != nil {
			p.entry(0, 13, "documents", inkPlain, Documents(*s.Documents))
		}
	}
	return p.b.String()
}

// answer says in one sentence what people ask first: whether writes are refused.
func (s Status) answer() string {
	where, pending := " in "+Safe(s.Root), s.MorePending
	if s.All {
		where = " in any project"
	}
	for _, e := range s.Sessions {
		if e.pending() {
			pending++
		}
	}
	n := len(s.Sessions) + s.More
	switch {
	case n == 0 && s.Inert && !s.All:
		return "mbgate does nothing" + where + ": it has no memory-bank/ and no configuration that names documents. `mbgate init` sets it up."
	case n == 0:
		return "No session yet" + where + ". A session appears here with its first event; `mbgate install` puts the hooks in."
	case pending == 0:
		return "No recovery is pending" + where + " (" + plural(n, "session") + ")."
	case s.All:
		where = " of all projects"
	}
	return fmt.Sprintf("A recovery is pending in %d of %s%s.", pending, plural(n, "session"), where)
}

func (e SessionStatus) text(p *page, s Status, verbose bool) {
	e.title(p, s, verbose)
	if e.Problem != "" {
		p.prose(2, inkBad, Clean(e.Problem))
	}
	if g := e.Main.Progress; g != nil {
		p.prose(2, inkFaint, began(g, s.Now))
		p.standings(g)
		if g.StoodDown != "" {
			p.prose(2, inkWarn, "Writes pass with a reminder: "+standDown(g.StoodDown)+".")
		}
		p.verbatim(2, label, "next", readCall(e.Client, g.Abs, g.Next))
	}
	e.bindsText(p)
	for i, s := range e.Said {
		p.entry(2, label, once(i, "kept"), inkPlain, fmt.Sprintf("%d. %s", i+1, Safe(s)))
	}
	for _, c := range e.Subs {
		if c.Progress == nil {
			continue
		}
		read, of := count(c.Progress)
		p.prose(2, inkPlain, fmt.Sprintf("Subagent %s %s: %d of %s read", Safe(c.Type), Safe(c.ID), read, plural(of, "document")))
		if c.Progress.Cause != gate.Inherited {
			p.standings(c.Progress)
		}
	}
	if e.Main.Progress != nil {
		p.verbatim(2, label, "end it", clearCommand(e.ID)+orPrompt(e.Client))
	}
}

// clearCommand is what a person types to end a recovery.
func clearCommand(session string) string {
	return "mbgate clear --session " + ShellWord(ShortID(session))
}

// orPrompt is the other way where the client reports prompts.
func orPrompt(c event.Client) string {
	if c.PromptEvents {
		return ", or the prompt mb:clear"
	}
	return ""
}

// ShortID is the beginning of a session's id that people see and may give. The ids of some clients begin with a word and a
// time (ses_4f1c…): of those it is longer.
func ShortID(id string) string {
	n := 8
	if strings.Contains(firstRunes(id, n), "_") {
		n = 16
	}
	return firstRunes(id, n)
}

// title is a mark where a recovery is pending, the session's id, its state, its agent and its age.
func (e SessionStatus) title(p *page, s Status, verbose bool) {
	mark, id := " ", ShortID(e.ID)
	if e.pending() {
		mark = "●"
	}
	if verbose {
		id = e.ID
	}
	if id == "" {
		id = "unknown"
	}
	word, ink := e.state()
	facts := []string{word, Safe(e.Client.Title), e.ages(s.Now, verbose)}
	if verbose {
		facts = append(facts, plural(e.Main.Compactions, "compaction"), plural(len(e.Subs), "subagent"))
	}
	if s.All && e.Root != "" {
		facts = append(facts, Safe(e.Root))
	}
	p.hang(p.in(ink, mark)+" "+p.in(inkStrong, Safe(id))+"  ", wordInk(ink), dotted(facts...))
}

// ages say how old a session is.
func (e SessionStatus) ages(now time.Time, verbose bool) string {
	switch {
	case e.Last.IsZero():
		return ""
	case verbose:
		return "started " + age(e.Started, now) + " · last change " + age(e.Last, now)
	}
	return age(e.Last, now)
}

// began says why a recovery is pending, since when, and what was refused.
func began(g *gate.Progress, now time.Time) string {
	what := "Compacted"
	switch g.Cause {
	case gate.ByFork:
		what = "Forked"
	case gate.ByDamage:
		what = "State damaged or not saved"
	case gate.ByClearing:
		what = "Documents cleared from the context"
	}
	return what + " " + age(g.ActivatedAt, now) + "; " + plural(g.Refusals, "call") + " refused since. The agent must read:"
}

// standings are the required documents as rows.
func (p *page) standings(g *gate.Progress) {
	var rows []item
	for _, r := range g.Required {
		rows = append(rows, standing(r))
	}
	p.items(2, rows)
}

func standing(r gate.Standing) item {
	row := item{name: Safe(r.Path), mark: "–", ink: inkFaint, nameInk: inkFaint, noteInk: inkFaint}
	switch {
	case r.Dropped != "":
		row.note = "no longer required: " + dropReason(r.Dropped)
		return row
	case r.Missing:
		row.note = "no longer there"
		return row
	}
	row.nameInk = inkPlain
	if r.Done {
		row.mark, row.ink = "✓", inkGood
		row.note = "read"
		return row
	}
	row.mark, row.ink, row.noteInk = "○", inkWarn, inkPlain
	row.note = "not read"
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
		p.entry(2, label, "bound", inkFaint, "not until the next compaction: a person suspended it")
	}
	for i := range e.Binds[:min(len(e.Binds), maxListed)] {
		p.entry(2, label, once(i, "bound"), inkPlain, bindingReason(&e.Binds[i]))
	}
	if n := len(e.Binds) - maxListed; n > 0 {
		p.entry(2, label, "", inkFaint, fmt.Sprintf("and %d more", n))
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
	for _, e := range s.Sessions {
		e.title(p, s, false)
	}
	return p.b.String()
}
