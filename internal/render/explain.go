package render

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/project"
	"github.com/mbgate/mbgate/internal/risk"
)

// Explanation answers one question of `mbgate explain`. It shows the Decision that the gate made and makes none itself.
type Explanation struct {
	// ID is the question's own id, as it came; nil if it had none.
	ID json.RawMessage
	// Call is the command or tool call that was asked about, Client the agent.
	Call     string
	Client   event.Client
	Decision gate.Decision
	// Session is the session that was asked about. Where it is "", a recovery with the Fallback anchors is assumed.
	Session  string
	Fallback []string
	// Documents are those that a compaction could really require, nil where a session was asked about.
	Documents *project.Documents
	// Progress is the session's recovery, nil when none is pending.
	Progress *gate.Progress
}

// explainJSON is SPEC §19's object.
type explainJSON struct {
	ID       json.RawMessage `json:"id,omitempty"`
	Decision string          `json:"decision"`
	Risk     string          `json:"risk"`
	Writes   string          `json:"writes"`
	Targets  []targetJSON    `json:"targets"`
	Reads    []readJSON      `json:"reads"`
	Reasons  []string        `json:"reasons"`
	// Added: the rule that decides, as the log names it.
	Rule string `json:"rule,omitempty"`
}

type targetJSON struct {
	Path    string `json:"path"`
	Op      string `json:"op"`
	Certain bool   `json:"certain"`
}

type readJSON struct {
	Path     string `json:"path"`
	Coverage string `json:"coverage"`
}

// JSON is the explanation for machines.
func (e Explanation) JSON() any {
	a := e.Decision.Assessment
	out := explainJSON{
		ID: e.ID, Decision: string(e.Decision.Verdict), Risk: a.Level.String(), Writes: string(a.Writes),
		Targets: []targetJSON{}, Reads: []readJSON{}, Reasons: append([]string{}, reasons(a)...), Rule: string(e.Decision.Rule),
	}
	for _, t := range a.Targets {
		out.Targets = append(out.Targets, targetJSON{Path: pathOf(t.Place), Op: string(t.Op), Certain: t.Certain})
	}
	for _, r := range a.Reads {
		if !r.Place.Inside() {
			continue
		}
		coverage := "part"
		if r.Full {
			coverage = "full"
		}
		out.Reads = append(out.Reads, readJSON{Path: pathOf(r.Place), Coverage: coverage})
	}
	return out
}

// because are the reasons for a screen: those that no changed file says already, or the first of all.
func (e Explanation) because() []string {
	all := reasons(e.Decision.Assessment)
	list := slices.DeleteFunc(slices.Clone(all), func(why string) bool {
		return slices.ContainsFunc(e.Decision.Assessment.Targets, func(t risk.Target) bool { return whyTarget(t) == why })
	})
	if len(list) == 0 {
		list = all[:min(1, len(all))]
	}
	return list
}

// pathOf is the path that people and machines see: canonical inside the project, as it is spelled on disk, and absolute
// outside. Of a link that leads out of the project it is the target.
func pathOf(p place.Place) string {
	switch {
	case p.Canon != "" && p.Shown != "":
		return p.Shown
	case p.Canon != "":
		return p.Canon
	case p.Lex != "" && p.Phys != "":
		return p.Phys
	}
	return p.Abs
}

// Text is the explanation on a screen.
func (e Explanation) Text(screen *Screen) string {
	p := &page{Screen: screen}
	d := e.Decision
	a := d.Assessment
	word, ink := "ALLOWED", inkGood
	switch d.Verdict {
	case event.Block:
		word, ink = "REFUSED", inkBad
	case event.Warn:
		word, ink = "ALLOWED WITH A REMINDER", inkWarn
	}
	p.line(p.in(ink, word), p.in(inkFaint, "  "+a.Level.String()+" risk · "+scopeWords()[a.Writes]))
	p.line()
	for l := range strings.Lines(Clean(e.Call)) {
		p.line("  ", p.in(inkStrong, strings.TrimRight(l, "\n")))
	}
	for i, why := range e.because() {
		if i == 0 {
			p.line()
		}
		p.entry(2, 10, once(i, "because"), inkPlain, Clean(why))
	}
	if d.Verdict == event.Block {
		short := slices.DeleteFunc(parts(a), func(part string) bool { return part == e.Call })
		for i, part := range firstFew(short) {
			p.verbatim(2, 10, once(i, "part"), Clean(part))
		}
		if d.Rule == gate.RuleRecovery {
			for i, open := range firstFew(instead(a)) {
				p.entry(2, 10, once(i, "instead"), inkPlain, open)
			}
		}
	}
	if len(a.Targets) > 0 {
		p.line()
		p.line("  ", p.in(inkFaint, "changes"))
		p.items(2, targets(a.Targets))
	}
	if rows := reads(a); len(rows) > 0 {
		p.line()
		p.line("  ", p.in(inkFaint, "shows"))
		p.items(2, rows)
	}
	p.line()
	p.entry(2, 10, "rule", inkPlain, e.rule())
	if remedy, next := e.remedy(); remedy != "" {
		p.entry(2, 10, "opens by", inkPlain, remedy)
		if next != "" {
			p.verbatim(2, 10, "next", next)
		}
	}
	if e.Documents != nil {
		p.entry(2, 10, "here", inkPlain, "a compaction would require "+required(*e.Documents))
	}
	return p.b.String()
}

func targets(list []risk.Target) []item {
	var rows []item
	for _, t := range list {
		note := happens(t.Op)
		if t.Tree {
			note += " with everything below it"
		}
		if !t.Certain {
			note += ", perhaps"
		}
		if t.Level != risk.Unjudged {
			note += " · " + t.Level.String() + " risk"
			if word := ruleWords(t.Rule); word != "" {
				note += ": " + word
			}
		}
		if why := whyTarget(t); why != "" {
			note += " · " + Clean(why)
		}
		r := item{name: Safe(pathOf(t.Place)), note: note, noteInk: inkFaint}
		switch t.Level {
		case risk.High:
			r.nameInk = inkBad
		case risk.Medium:
			r.nameInk = inkWarn
		}
		rows = append(rows, r)
	}
	return rows
}

// ruleWords say what a row of the risk's table says about a file, "" for nothing.
func ruleWords(r risk.Rule) string {
	if int(r) < len(targetRules) {
		return targetRules[r]
	}
	return ""
}

// happens says what happens to a file.
func happens(op event.Op) string {
	for _, w := range opWords {
		if w.op == op {
			return w.happens
		}
	}
	return string(op)
}

func reads(a risk.Assessment) []item {
	var rows []item
	for _, r := range a.Reads {
		if !r.Place.Inside() {
			continue
		}
		row := item{name: Safe(pathOf(r.Place)), note: "all of it", noteInk: inkFaint}
		if !r.Full {
			row.note = "a part of it"
		}
		if !r.Verbatim {
			row.note += ", filtered: it does not count as read"
		}
		rows = append(rows, row)
	}
	return rows
}

// rule says in words which rule decides.
func (e Explanation) rule() string {
	d := e.Decision
	switch {
	case d.Rule == gate.RuleCapsule:
		return "C5: " + bindingReason(d.Binding)
	case d.Rule == gate.RuleRecovery && e.Session == "":
		return "R3: while a recovery is pending, which is assumed here, writes of medium and high risk are refused"
	case gateRules()[d.Rule] != "":
		return gateRules()[d.Rule]
	case d.Assessment.Level == risk.Low:
		return "R3: low risk passes, also while a recovery is pending"
	case e.Session != "" && e.Progress == nil:
		return "none: no recovery is pending in this session"
	}
	return "none"
}

// remedy says what would let the call pass, "" if it passes, and the one call to make next where there is one.
func (e Explanation) remedy() (remedy, next string) {
	d := e.Decision
	if d.Verdict != event.Block {
		return "", ""
	}
	switch {
	case d.Rule == gate.RuleOwn:
		return "nothing that an agent does; a person does it in a terminal of their own", ""
	case d.Rule == gate.RuleConfig:
		return "the end of the recovery; or a person does it in a terminal of their own", ""
	case d.Guarded != nil:
		return guardOpens(d.Guarded), ""
	case d.Patterns != nil:
		return "reading " + Safe(d.Patterns.Path), readCall(e.Client, d.Patterns.Abs, d.Patterns.Next)
	case d.Binding != nil:
		return bindingRemedy(d.Binding, e.Client), ""
	case d.Refusal != nil && len(d.Refusal.Unread) > 0:
		r := d.Refusal
		var names []string
		for _, u := range r.Unread {
			names = append(names, u.Path)
		}
		return "reading " + safeList(names), readCall(e.Client, r.Unread[0].Abs, r.Next)
	}
	return "reading the required documents (assumed here: " + safeList(e.Fallback) + ") in full", ""
}

// guardOpens says what would let a call pass that the write guard refuses.
func guardOpens(g *gate.Guarded) string {
	switch g.Kind {
	case gate.GuardUserBlock:
		return "an exact edit outside of the user's block"
	case gate.GuardOutside, gate.GuardShell:
		return "leaving it: the writer edits Markdown files in memory-bank/, and nothing else"
	case gate.GuardMarkdown:
		return "writing it elsewhere, or as a .md file"
	case gate.GuardWhole:
		return "naming the files that are meant, and leaving memory-bank/ out"
	case gate.GuardDirty:
		return "committing memory-bank/ first, or leaving it out of the command"
	}
	return "proposing the change to the user, who answers mb:write, and then calling the subagent " + gate.Writer
}
