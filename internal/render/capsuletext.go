package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/capsule"
)

// CapsuleBudget is the default budget of a capsule, in tokens.
const CapsuleBudget = 600

// The tags of the rendered capsule.
const (
	capsuleOpen  = "<memory-bank-capsule>\n"
	capsuleClose = "</memory-bank-capsule>\n"
)

// Tokens counts a text by C4's approximation: four bytes of ASCII are a token, and so is every other character.
func Tokens(s string) int {
	var n tokenCount
	n.add(s)
	return n.tokens()
}

// tokenCount is what Tokens is made of, so that counts can be added up.
type tokenCount struct{ ascii, other int }

func (n *tokenCount) add(s string) {
	for _, r := range s {
		if r < 0x80 {
			n.ascii++
		} else {
			n.other++
		}
	}
}

func (n tokenCount) tokens() int { return (n.ascii+3)/4 + n.other }

// section is a part of the text, in the order in which it is shown.
type section int

const (
	secDenies section = iota
	secQuestions
	secConstraints
	secResume
	secGate
	secWrites
	secSources
	secPromise
	secStop
	secRules
	sections
)

// headings are the lines above the items of sections with more than one.
var headings = [sections]string{
	secDenies: "Hard denies:\n", secQuestions: "Open questions:\n", secConstraints: "Constraints:\n", secWrites: "Writes:\n", secSources: "Sources:\n", secRules: "Rules:\n",
}

// capsuleLine is one line of the text. Lines stand in a list by importance, the most important first.
type capsuleLine struct {
	section section
	// kind is the name under which dropped lines are counted.
	kind string
	text string
}

// capsuleRules are the rules for going on with a capsule, those that concern something in it (C4).
func capsuleRules(c capsule.Capsule) string {
	rules := "- Facts are not restored from memory: read them.\n"
	if slices.ContainsFunc(c.Writes, capsule.Write.Pending) {
		rules = "- Re-check a write against its source anchor before it goes on.\n" + rules
	}
	if slices.ContainsFunc(c.Questions, func(q capsule.Question) bool { return q.Blocking }) {
		rules = "- While a blocking question is open, the only action is to answer it or to revise the facts.\n" + rules
	}
	if len(c.HardDenies) > 0 {
		rules = "- A hard deny is not bypassed but resolved.\n" + rules
	}
	return rules
}

// CapsuleText is the capsule as the text for a prompt, at most budget tokens long (C4). The least important items are left
// out first and the text says so; dropped names them, as in "3 sources". Long texts are cut. What the capsule holds
// cannot end its block or its line. A budget that even the frame does not fit into gives the gate alone, or nothing.
func CapsuleText(c capsule.Capsule, budget int) (text string, dropped []string) {
	limit := max(8, budget/6)
	frame := capsuleOpen + "## Compact capsule · trace " + short(c.TraceID, limit) + " · " + c.CreatedAt.UTC().Format(time.RFC3339) + "\n"
	gate := gateLine(c, limit)
	list := capsuleLines(c, limit)

	kept := fitting(frame+gate+capsuleClose, list, budget)
	if kept < 0 {
		out := leftOut(list)
		most := ""
		if len(list) > 0 {
			most = fmt.Sprintf("Left out: %d lines\n", len(list))
		}
		for _, s := range [...]string{frame + gate + most + capsuleClose, gate + most, gate} {
			if Tokens(s) <= budget {
				return s, out.names()
			}
		}
		return "", append([]string{"the gate"}, out.names()...)
	}
	var b strings.Builder
	b.WriteString(frame)
	for s := range sections {
		if s == secGate {
			b.WriteString(gate)
		}
		first := true
		for _, it := range list[:kept] {
			if it.section != s {
				continue
			}
			if first {
				b.WriteString(headings[s])
				first = false
			}
			b.WriteString(it.text)
		}
	}
	out := leftOut(list[kept:])
	b.WriteString(out.line())
	b.WriteString(capsuleClose)
	return b.String(), out.names()
}

// fitting is how many lines, from the most important on, fit beside the frame and the words for those that are left out; -1
// when not even none do.
func fitting(frame string, list []capsuleLine, budget int) int {
	left := leftOut(list)
	var used tokenCount
	used.add(frame)
	var has [sections]bool
	best := -1
	for k := 0; ; k++ {
		all := used
		all.add(left.line())
		if all.tokens() <= budget {
			best = k
		}
		if k == len(list) || used.tokens() > budget {
			return best
		}
		line := list[k]
		if !has[line.section] {
			has[line.section] = true
			used.add(headings[line.section])
		}
		used.add(line.text)
		left.count(line.kind, -1)
	}
}

func gateLine(c capsule.Capsule, limit int) string {
	if c.Gate.Passed {
		return "Gate: passed\n"
	}
	if why := c.GateReason(); why != "" {
		return "Gate: not passed: " + short(why, limit) + "\n"
	}
	return "Gate: not passed\n"
}

// capsuleLines are all lines but the frame and the gate, the most important first: denies, blocking questions, the stop state,
// where to go on, the rules, what the gate found hard, writes that are half done and what they rest on, then the rest.
func capsuleLines(c capsule.Capsule, limit int) []capsuleLine {
	// The lines of the second list come after all of the first.
	var list, rest []capsuleLine
	add := func(first bool, s section, kind, line string) {
		to := &rest
		if first {
			to = &list
		}
		*to = append(*to, capsuleLine{s, kind, line + "\n"})
	}
	behind := func(sign, text string) string { // an optional text behind a sign
		if strings.TrimSpace(text) == "" {
			return ""
		}
		return sign + short(text, limit)
	}
	for _, d := range c.HardDenies {
		add(true, secDenies, "hard deny", "- "+short(d, limit))
	}
	for _, s := range c.Constraints {
		add(true, secConstraints, "constraint", "- "+short(s, limit))
	}
	for _, q := range c.Questions {
		mark := ""
		if q.Blocking {
			mark = " [BLOCKING]"
		}
		if q.Phase != "" {
			mark += " (" + short(q.Phase, limit) + ")"
		}
		add(q.Blocking, secQuestions, "question", "- "+short(q.ID, limit)+mark+": "+short(q.Question, limit))
	}
	if c.Stop != nil {
		add(true, secStop, "stop state", "Stop: "+string(c.Stop.Type)+behind(": ", c.Stop.Reason))
	}
	if r := c.Resume; r != nil {
		parts := []string{behind("phase ", r.Phase), behind("next: ", r.NextAction), behind("waits for question ", r.PendingQuestionID)}
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		add(true, secResume, "resume point", "Resume: "+strings.Join(parts, " · "))
	}
	list = append(list, capsuleLine{secRules, "rules", capsuleRules(c)})
	for _, f := range c.Gate.Findings {
		add(f.Severity == capsule.HardDeny, secGate, "finding", "- "+string(f.Severity)+behind(" ", f.Policy)+behind(": ", f.Message))
	}
	half := map[string]bool{}
	for _, w := range c.Writes {
		if w.Pending() {
			half[w.Path] = true
			add(true, secWrites, "write", "- "+short(w.ID, limit)+" "+string(w.Status)+" "+short(w.Path, limit))
		}
	}
	for _, s := range c.Sources {
		line := "- " + short(s.Path, limit) + " @" + short(digits(s.Hash), limit)
		if s.Refs != 1 {
			line += ", " + strconv.Itoa(s.Refs) + " refs"
		}
		add(half[s.Path], secSources, "source", line)
	}
	for _, w := range c.Writes {
		if !w.Pending() {
			add(false, secWrites, "write", "- "+short(w.ID, limit)+" "+string(w.Status)+" "+short(w.Path, limit))
		}
	}
	if c.Promise != "" {
		add(false, secPromise, "promise", "Completion promise: "+short(c.Promise, limit))
	}
	return append(list, rest...)
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

func leftOut(list []capsuleLine) tally {
	var t tally
	for _, line := range list {
		t.count(line.kind, 1)
	}
	return t
}

func (t *tally) names() []string {
	out := []string{}
	for i, kind := range t.kinds {
		switch n := t.n[i]; {
		case n == 0:
		case kind == "rules":
			out = append(out, "the rules")
		case kind == "hard deny" && n > 1:
			out = append(out, strconv.Itoa(n)+" hard denies")
		default:
			out = append(out, plural(n, kind))
		}
	}
	return out
}

// line is what a text says of what it leaves out.
func (t *tally) line() string {
	names := t.names()
	if len(names) == 0 {
		return ""
	}
	return "Left out to keep within the budget: " + strings.Join(names, ", ") + "\n"
}
