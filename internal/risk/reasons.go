package risk

import (
	"fmt"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
)

// maxNamed is how many files one reason names before it only counts them.
const maxNamed = 3

// shown is how messages name a place.
func shown(p place.Place) string {
	for _, s := range [...]string{p.Shown, p.Canon, p.Lex, p.Abs} {
		if s != "" {
			return s
		}
	}
	return "a file"
}

func verb(op event.Op) string {
	switch op {
	case event.OpWrite:
		return "writes"
	case event.OpAppend:
		return "appends to"
	case event.OpCreate:
		return "creates"
	case event.OpDelete:
		return "deletes"
	case event.OpMove:
		return "moves"
	case event.OpMode:
		return "changes the mode of"
	case event.OpLink:
		return "links"
	}
	return "changes"
}

// reasons says why the call has its level, most important first, in words for people. groups is what is sensitive about
// each target.
func (j *judge) reasons(groups []string) []string {
	var out []string
	add := func(reason string) {
		for _, r := range out {
			if r == reason {
				return
			}
		}
		out = append(out, reason)
	}
	if j.a.Own != "" {
		add(j.a.Own)
	}
	by := map[string][]int{}
	for i, t := range j.a.Targets {
		by[t.Rule] = append(by[t.Rule], i)
	}
	each := func(rule, many string, one func(i int) string) {
		list := by[rule]
		for _, i := range list[:min(len(list), maxNamed)] {
			add(one(i))
		}
		if n := len(list) - maxNamed; n > 0 {
			add(fmt.Sprintf("%d more files %s", n, many))
		}
	}
	why := func(i int) string { return j.a.Targets[i].Why }
	name := func(i int) string { return shown(j.a.Targets[i].Place) }
	counted := func(rule, verb string) {
		if list := by[rule]; len(list) > 1 {
			add(fmt.Sprintf("%s %d files: %s", verb, len(list), j.names(list)))
		} else if len(list) == 1 {
			add(why(list[0]))
		}
	}

	each(ruleAnchor, "have to be read first", func(i int) string { return name(i) + " has to be read before it is changed" })
	each(ruleSensitive, "are sensitive", func(i int) string { return name(i) + " is sensitive (" + groups[i] + ")" })
	if j.high != "" {
		add(j.high)
	}
	for _, u := range j.unbounded {
		add(u)
	}
	each(ruleTree, "are changed with all they hold", why)
	counted(ruleDelete, "deletes")
	counted(ruleMove, "moves")
	counted(ruleSeveral, "changes")
	if j.a.Level > Low {
		each(ruleOrdinary, "are changed", why)
		// How the important ones are changed comes behind what they are.
		for _, rule := range [...]string{ruleOwn, ruleAnchor, ruleSensitive} {
			for _, i := range by[rule][:min(len(by[rule]), maxNamed)] {
				add(why(i))
			}
		}
	}
	for _, u := range j.unknowns {
		add(u)
	}
	each(ruleSafe, "are safe to change", func(i int) string { return name(i) + " is safe to change" })
	each(ruleOutside, "lie outside the project", func(i int) string { return name(i) + " lies outside the project" })
	return out
}

// names lists the first few targets.
func (j *judge) names(list []int) string {
	var names []string
	for _, i := range list[:min(len(list), maxNamed)] {
		names = append(names, shown(j.a.Targets[i].Place))
	}
	if len(list) > maxNamed {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}
