package render

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/place"
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
		Targets: []targetJSON{}, Reads: []readJSON{}, Reasons: e.reasons(), Rule: string(e.Decision.Rule),
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

// reasons are why the call is judged so, the refusal to every agent first; each is said once.
func (e Explanation) reasons() []string {
	return append([]string{}, Reasons(e.Decision.Assessment)...)
}

// because are the reasons for a screen: those that no changed file says already, or the first of all.
func (e Explanation) because() []string {
	all := e.reasons()
	list := slices.DeleteFunc(slices.Clone(all), func(why string) bool {
		return slices.ContainsFunc(e.Decision.Assessment.Targets, func(t risk.Target) bool { return whyTarget(t) == why })
	})
	if len(list) == 0 && len(all) > 0 {
		list = all[:1]
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
	p.line(p.in(ink, word), p.in(inkFaint, "  "+a.Level.String()+" risk · "+writes(a.Writes)))
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
	if len(a.Targets) > 0 {
		p.line()
		p.line("  ", p.in(inkFaint, "changes"))
		p.items(4, targets(a.Targets))
	}
	if rows := reads(a); len(rows) > 0 {
		p.line()
		p.line("  ", p.in(inkFaint, "shows"))
		p.items(4, rows)
	}
	p.line()
	p.entry(2, 10, "rule", inkPlain, e.rule())
	if remedy, next := e.remedy(); remedy != "" {
		p.entry(2, 10, "opens by", inkPlain, remedy)
		if next != "" {
			p.verbatim(2, 10, "next", next)
		}
	}
	return p.b.String()
}

func writes(s risk.Scope) string {
	switch s {
	case risk.WritesNone:
		return "changes nothing"
	case risk.WritesProject:
		return "changes the project"
	case risk.WritesOutside:
		return "changes files outside the project"
	}
	return "what it changes cannot be told"
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
			if word := row(t.Rule); word != "" {
				note += ": " + word
			}
		}
		if why := whyTarget(t); why != "" {
			note += " · " + Clean(why)
		}
		r := item{mark: "○", name: Safe(pathOf(t.Place)), note: note, noteInk: inkFaint, ink: inkGood}
		switch t.Level {
		case risk.High:
			r.mark, r.ink = "●", inkBad
		case risk.Medium:
			r.mark, r.ink = "◐", inkWarn
		}
		rows = append(rows, r)
	}
	return rows
}

// happens says what happens to a file.
func happens(op event.Op) string {
	switch op {
	case event.OpWrite:
		return "written"
	case event.OpAppend:
		return "appended to"
	case event.OpCreate:
		return "created"
	case event.OpDelete:
		return "deleted"
	case event.OpMove:
		return "moved away"
	case event.OpMode:
		return "given another mode"
	case event.OpLink:
		return "linked"
	}
	return string(op)
}

// row says in words which row of the risk's table decided (SPEC §8, risk.Target.Rule).
func row(rule risk.Rule) string {
	switch rule {
	case risk.RuleOwn:
		return "mbgate's own"
	case risk.RuleAnchor:
		return "a required document that was not read"
	case risk.RuleSensitive:
		return "a sensitive file"
	case risk.RuleTree:
		return "a whole folder"
	case risk.RuleSeveral:
		return "one of several files"
	case risk.RuleSafe:
		return "a safe file"
	case risk.RuleBuilt:
		return "a build output"
	case risk.RuleOutside:
		return "outside the project"
	case risk.RuleMissing:
		return "it is not there"
	case risk.RuleGit:
		return "git's own"
	}
	return ""
}

func reads(a risk.Assessment) []item {
	var rows []item
	for _, r := range a.Reads {
		if !r.Place.Inside() {
			continue
		}
		row := item{mark: "○", ink: inkFaint, name: Safe(pathOf(r.Place)), note: "all of it", noteInk: inkFaint}
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
	switch e.Decision.Rule {
	case gate.RuleOwn:
		return "R6: mbgate's own commands, state and configuration are for people, at all times"
	case gate.RuleRecovery:
		if e.Session == "" {
			return "R3: while a recovery is pending, which is assumed here, writes of medium and high risk are refused"
		}
		return "R3: a recovery is pending in this session"
	case gate.RuleCapsule:
		return "C5: " + BindingReason(e.Decision.Binding)
	case gate.RuleConfig:
		return "R6: while a recovery is pending, mbgate's hooks stay in the agent's configuration"
	case gate.RuleGuard:
		return "§11: the write guard, who may write into memory-bank/"
	case gate.RuleRead:
		return "§10: the read gate, a write in a turn in which patterns.md was not read"
	case gate.RuleDrop:
		return "R5: the last anchor that was required cannot be read, so it is not required any more"
	}
	switch {
	case e.Decision.Assessment.Level == risk.Low:
		return "R3: low risk passes, also while a recovery is pending"
	case e.Session != "" && e.Progress == nil:
		return "none: no recovery is pending in this session"
	}
	return "none"
}

// remedy says what would let the call pass, "" if it passes, and the one call to make next where there is one.
func (e Explanation) remedy() (remedy, next string) {
	if e.Decision.Verdict != event.Block {
		return "", ""
	}
	switch {
	case e.Decision.Rule == gate.RuleOwn:
		return "nothing that an agent does; a person does it in a terminal of their own", ""
	case e.Decision.Rule == gate.RuleConfig:
		return "the end of the recovery; or a person does it in a terminal of their own", ""
	case e.Decision.Guarded != nil:
		return guardOpens(e.Decision.Guarded), ""
	case e.Decision.Patterns != nil:
		return "reading " + Safe(e.Decision.Patterns.Path), ReadCall(e.Client, e.Decision.Patterns.Abs, e.Decision.Patterns.Next)
	case e.Decision.Binding != nil:
		return BindingRemedy(e.Decision.Binding, e.Client), ""
	case e.Decision.Refusal != nil && len(e.Decision.Refusal.Unread) > 0:
		r := e.Decision.Refusal
		var names []string
		for _, u := range r.Unread {
			names = append(names, Safe(u.Path))
		}
		return "reading " + strings.Join(names, ", "), ReadCall(e.Client, r.Unread[0].Abs, r.Next)
	}
	var names []string
	for _, f := range e.Fallback {
		names = append(names, Safe(f))
	}
	return "reading the required anchors (assumed here: " + strings.Join(names, ", ") + ") in full", ""
}

// guardOpens says what would let a call pass that the write guard refuses.
func guardOpens(g *gate.Guarded) string {
	switch {
	case g.Markdown:
		return "writing it elsewhere, or as a .md file"
	case g.Whole:
		return "naming the files that are meant, and leaving memory-bank/ out"
	case g.Dirty:
		return "committing memory-bank/ first, or leaving it out of the command"
	}
	return "proposing the change to the user, and then calling the subagent " + gate.Writer
}
