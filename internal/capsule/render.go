package capsule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// DefaultBudget is how many tokens a capsule takes where nobody says otherwise.
const DefaultBudget = 600

// The tags of the rendered capsule.
const (
	open      = "<memory-bank-capsule>\n"
	closeWith = "</memory-bank-capsule>\n"
)

// Tokens counts a text by C4's approximation: four bytes of ASCII are a token, and so is every other character.
func Tokens(s string) int {
	var n size
	n.add(s)
	return n.tokens()
}

// size counts what Tokens is made of, so that sizes can be added up.
type size struct{ ascii, other int }

func (n *size) add(s string) {
	for _, r := range s {
		if r < 0x80 {
			n.ascii++
		} else {
			n.other++
		}
	}
}

func (n size) tokens() int { return (n.ascii+3)/4 + n.other }

// section is a part of the text, in the order in which it is shown.
type section int

const (
	secDenies section = iota
	secQuestions
	secResume
	secGate
	secWrites
	secSources
	secPromise
	secStop
	secRules
	sections
)

// heading is the line above a section's items, "" for those that are one line.
func (s section) heading() string {
	switch s {
	case secDenies:
		return "Hard denies:\n"
	case secQuestions:
		return "Open questions:\n"
	case secWrites:
		return "Writes:\n"
	case secSources:
		return "Sources:\n"
	case secRules:
		return "Rules:\n"
	}
	return ""
}

// item is one line of the text. Items stand in a list by importance, the most important first.
type item struct {
	section section
	// kind is what is counted when it is dropped.
	kind string
	line string
}

// rules is what holds while one goes on with a capsule (C4).
const rules = `- A hard deny is not bypassed but resolved.
- While a blocking question is open, the only action is to answer it or to revise the facts.
- Re-check a write against its source anchor before it goes on.
- Facts are not restored from memory: read them.
`

// Render is the capsule as the text for a prompt, at most budget tokens long (C4). The least important items are left
// out first and the text says so; dropped names them, as in "3 sources". Long texts are cut. What the capsule holds
// cannot end its block or its line. A budget that even the frame does not fit into gives the gate alone, or nothing.
func Render(c Capsule, budget int) (text string, dropped []string) {
	limit := max(8, budget/6)
	frame := open + "## Compact capsule · trace " + short(c.TraceID, limit) + " · " + c.CreatedAt.UTC().Format(time.RFC3339) + "\n"
	gate := c.gateLine(limit)
	list := c.items(limit)

	// The items are taken in from the most important on; left is how many of each kind are still out.
	var left tally
	for _, it := range list {
		left.count(it.kind, 1)
	}
	var used size
	used.add(frame + gate + closeWith)
	var has [sections]bool
	best := -1
	for k := 0; ; k++ {
		all := used
		all.add(left.line())
		if all.tokens() <= budget {
			best = k
		}
		if k == len(list) || used.tokens() > budget {
			break
		}
		it := list[k]
		if !has[it.section] {
			has[it.section] = true
			used.add(it.section.heading())
		}
		used.add(it.line)
		left.count(it.kind, -1)
	}
	if best < 0 {
		all := tally{}
		for _, it := range list {
			all.count(it.kind, 1)
		}
		most := ""
		if len(list) > 0 {
			most = fmt.Sprintf("Left out: %d lines\n", len(list))
		}
		for _, s := range [...]string{frame + gate + most + closeWith, gate + most, gate} {
			if Tokens(s) <= budget {
				return s, all.names()
			}
		}
		return "", append([]string{"the gate"}, all.names()...)
	}
	var out tally
	for _, it := range list[best:] {
		out.count(it.kind, 1)
	}
	var b strings.Builder
	b.WriteString(frame)
	for s := range sections {
		if s == secGate {
			b.WriteString(gate)
		}
		first := true
		for _, it := range list[:best] {
			if it.section != s {
				continue
			}
			if first {
				b.WriteString(s.heading())
				first = false
			}
			b.WriteString(it.line)
		}
	}
	b.WriteString(out.line())
	b.WriteString(closeWith)
	return b.String(), out.names()
}

func (c Capsule) gateLine(limit int) string {
	if c.Gate.Passed {
		return "Gate: passed\n"
	}
	if why := c.gateReason(); why != "" {
		return "Gate: not passed: " + short(why, limit) + "\n"
	}
	return "Gate: not passed\n"
}

// items are all lines but the frame and the gate, the most important first: denies, blocking questions, the stop state,
// where to go on, the rules, what the gate found hard, writes that are half done and what they rest on, then the rest.
func (c Capsule) items(limit int) []item {
	var list []item
	add := func(s section, kind, line string) { list = append(list, item{s, kind, line + "\n"}) }
	for _, d := range c.HardDenies {
		add(secDenies, "hard deny", "- "+short(d, limit))
	}
	question := func(q Question) {
		line := "- " + short(q.ID, limit)
		if q.Blocking {
			line += " [BLOCKING]"
		}
		if q.Phase != "" {
			line += " (" + short(q.Phase, limit) + ")"
		}
		add(secQuestions, "question", line+": "+short(q.Question, limit))
	}
	for _, q := range c.Questions {
		if q.Blocking {
			question(q)
		}
	}
	if c.Stop != nil {
		line := "Stop: " + string(c.Stop.Type)
		if c.Stop.Reason != "" {
			line += ": " + short(c.Stop.Reason, limit)
		}
		add(secStop, "stop state", line)
	}
	if r := c.Resume; r != nil {
		var parts []string
		if r.Phase != "" {
			parts = append(parts, "phase "+short(r.Phase, limit))
		}
		if strings.TrimSpace(r.NextAction) != "" {
			parts = append(parts, "next: "+short(r.NextAction, limit))
		}
		if r.PendingQuestionID != "" {
			parts = append(parts, "waits for question "+short(r.PendingQuestionID, limit))
		}
		add(secResume, "resume point", "Resume: "+strings.Join(parts, " · "))
	}
	list = append(list, item{secRules, "rules", rules})
	finding := func(f Finding) {
		line := "- " + string(f.Severity)
		if f.Policy != "" {
			line += " " + short(f.Policy, limit)
		}
		if f.Message != "" {
			line += ": " + short(f.Message, limit)
		}
		add(secGate, "finding", line)
	}
	for _, f := range c.Gate.Findings {
		if f.Severity == HardDeny {
			finding(f)
		}
	}
	write := func(w Write) {
		add(secWrites, "write", "- "+short(w.ID, limit)+" "+string(w.Status)+" "+short(w.Path, limit))
	}
	half := map[string]bool{}
	for _, w := range c.Writes {
		if w.Status == Planned || w.Status == Blocked {
			half[w.Path] = true
			write(w)
		}
	}
	source := func(s Source) {
		line := "- " + short(s.Path, limit) + " @" + short(digits(s.Hash), limit)
		if s.Refs != 1 {
			line += ", " + strconv.Itoa(s.Refs) + " refs"
		}
		add(secSources, "source", line)
	}
	for _, s := range c.Sources {
		if half[s.Path] {
			source(s)
		}
	}
	for _, q := range c.Questions {
		if !q.Blocking {
			question(q)
		}
	}
	for _, f := range c.Gate.Findings {
		if f.Severity != HardDeny {
			finding(f)
		}
	}
	for _, s := range c.Sources {
		if !half[s.Path] {
			source(s)
		}
	}
	for _, w := range c.Writes {
		if w.Status != Planned && w.Status != Blocked {
			write(w)
		}
	}
	if c.Promise != "" {
		add(secPromise, "promise", "Completion promise: "+short(c.Promise, limit))
	}
	return list
}

// digits are the first twelve digits of a hash.
func digits(hash string) string {
	if len(hash) > 7 && strings.EqualFold(hash[:7], "sha256:") {
		hash = hash[7:]
	}
	for i := range hash {
		if i >= 12 {
			return hash[:i]
		}
	}
	return hash
}

// tally counts what is left out, by kind, in the order of first mention.
type tally struct {
	kinds []string
	n     []int
}

func (t *tally) count(kind string, by int) {
	i := slices.Index(t.kinds, kind)
	if i < 0 {
		i = len(t.kinds)
		t.kinds, t.n = append(t.kinds, kind), append(t.n, 0)
	}
	t.n[i] += by
}

func (t *tally) names() []string {
	out := []string{}
	for i, kind := range t.kinds {
		switch n := t.n[i]; {
		case n == 0:
		case kind == "rules":
			out = append(out, "the rules")
		case n == 1:
			out = append(out, "1 "+kind)
		default:
			out = append(out, fmt.Sprintf("%d %s", n, plural(kind)))
		}
	}
	return out
}

func plural(kind string) string {
	if stem, ok := strings.CutSuffix(kind, "y"); ok {
		return stem + "ies"
	}
	return kind + "s"
}

// line is what a text says of what it leaves out.
func (t *tally) line() string {
	names := t.names()
	if len(names) == 0 {
		return ""
	}
	return "Left out to keep within the budget: " + strings.Join(names, ", ") + "\n"
}
