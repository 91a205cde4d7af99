package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// maxNamed is how many files one reason names before it only counts them.
const maxNamed = 3

// reasons says why a call has its level, most important first. Decisions are never made from these sentences.
func reasons(a risk.Assessment) []string {
	var l reasonList
	l.add(why(a.Own))
	l.each(a, risk.RuleAnchor, "have to be read first", func(t risk.Target) string {
		return spelled(t.Place) + " has to be read before it is changed"
	})
	l.each(a, risk.RuleSensitive, "are sensitive", func(t risk.Target) string {
		return spelled(t.Place) + " is sensitive (" + t.Group + ")"
	})
	l.add(why(a.BadPatch))
	l.whys(a.Unbounded)
	l.each(a, risk.RuleTree, "are changed with all they hold", whyTarget)
	l.counted(a, risk.RuleDelete, "deletes")
	l.counted(a, risk.RuleMove, "moves")
	l.counted(a, risk.RuleSeveral, "changes")
	l.each(a, risk.RuleMultiEdit, "are edited in many places at once", func(t risk.Target) string { return "edits " + spelled(t.Place) + " in many places at once" })
	if a.Level > risk.Low {
		l.each(a, risk.RuleOrdinary, "are changed", whyTarget)
		// How the important ones are changed comes behind what they are.
		for _, rule := range [...]risk.Rule{risk.RuleOwn, risk.RuleAnchor, risk.RuleSensitive} {
			for _, t := range firstFew(ruled(a, rule)) {
				l.add(whyTarget(t))
			}
		}
	}
	l.whys(a.Unknown)
	l.each(a, risk.RuleSafe, "are safe to change", func(t risk.Target) string { return spelled(t.Place) + " is safe to change" })
	l.each(a, risk.RuleBuilt, "are build outputs", func(t risk.Target) string { return spelled(t.Place) + " is a build output" })
	l.each(a, risk.RuleOutside, "lie outside the project", func(t risk.Target) string {
		return spelled(t.Place) + " lies outside the project"
	})
	return l
}

// reasonList collects sentences, each once.
type reasonList []string

func (l *reasonList) add(s string) {
	if s != "" && !slices.Contains(*l, s) {
		*l = append(*l, s)
	}
}

func (l *reasonList) whys(list []reason.Reason) {
	for _, r := range list {
		l.add(why(r))
	}
}

// each says one sentence for each of the first targets of a rule and counts the others.
func (l *reasonList) each(a risk.Assessment, rule risk.Rule, many string, one func(risk.Target) string) {
	list := ruled(a, rule)
	for _, t := range firstFew(list) {
		l.add(one(t))
	}
	if n := len(list) - maxNamed; n > 0 {
		l.add(fmt.Sprintf("%d more files %s", n, many))
	}
}

// counted says in one sentence what happens to all targets of a rule.
func (l *reasonList) counted(a risk.Assessment, rule risk.Rule, verb string) {
	list := ruled(a, rule)
	if len(list) == 1 {
		l.add(whyTarget(list[0]))
	}
	if len(list) < 2 {
		return
	}
	var names []string
	for _, t := range firstFew(list) {
		names = append(names, spelled(t.Place))
	}
	if len(list) > maxNamed {
		names = append(names, "…")
	}
	l.add(fmt.Sprintf("%s %d files: %s", verb, len(list), strings.Join(names, ", ")))
}

func ruled(a risk.Assessment, rule risk.Rule) []risk.Target {
	var list []risk.Target
	for _, t := range a.Targets {
		if t.Rule == rule {
			list = append(list, t)
		}
	}
	return list
}

func firstFew[T any](list []T) []T { return list[:min(len(list), maxNamed)] }

func whyTarget(t risk.Target) string { return why(t.Why) }

// spelled is how reasons name a place.
func spelled(p place.Place) string {
	for _, s := range [...]string{p.Shown, p.Canon, p.Lex, p.Abs} {
		if s != "" {
			return s
		}
	}
	return "a file"
}

// parts are the simple commands, each once, for which a call is judged above low.
func parts(a risk.Assessment) []string {
	var l reasonList
	for _, r := range weighty(a) {
		l.add(r.Part)
	}
	return l
}

// instead says what stays open in place of what the reasons are about.
func instead(a risk.Assessment) []string {
	var l reasonList
	for _, r := range weighty(a) {
		if r.Kind == reason.Changes && (r.Op == event.OpDelete || r.Op == event.OpMove) {
			l.add(insteadOfRemoving)
		} else if int(r.Kind) < len(insteadWords) {
			l.add(insteadWords[r.Kind])
		}
	}
	return l
}

// weighty are the reasons for which a call is judged above low.
func weighty(a risk.Assessment) []reason.Reason {
	list := slices.Clone(a.Unbounded)
	for _, t := range a.Targets {
		if t.Level > risk.Low {
			list = append(list, t.Why)
		}
	}
	return append(list, a.Unknown...)
}

// why is the sentence for one reason, "" for none. It is not safe to print: Object is what the call says.
func why(r reason.Reason) string {
	if r.Kind == reason.None {
		return ""
	}
	if r.Kind <= reason.Words {
		return changes(r)
	}
	words := ""
	if int(r.Kind) < len(whyWords) {
		words = whyWords[r.Kind]
	}
	named := ""
	if r.Object != "" {
		named = ": " + r.Object
	}
	return strings.NewReplacer("%by", cmp.Or(r.By, "the command"), "%named", named, "%object", r.Object).Replace(cmp.Or(words, "a reason without words"))
}

// changes is the sentence for a file that a call changes.
func changes(r reason.Reason) string {
	s := subject(r.By) + changeVerb(r.Op)
	switch r.Kind {
	case reason.Redirects:
		if s = "output redirected to"; r.Op == event.OpAppend {
			s = "output appended to"
		}
	case reason.Restores:
		s = subject(r.By) + "restores"
	case reason.OpensBoth:
		s = "a redirection opens for reading and writing"
	case reason.Words:
		s = "a command that cannot be parsed names"
	}
	if s += " " + object(r); r.Kind == reason.InPlace {
		s = subject(r.By) + "edits " + object(r) + " in place"
	}
	if r.In != "" {
		s += " (in " + r.In + ")"
	}
	switch r.If {
	case reason.IfThere:
		s += ", if it is there by then"
	case reason.IfFolderThere:
		s += ", if the folder is there by then"
	}
	return s
}

func subject(by string) string {
	if by == "" {
		return ""
	}
	return by + " "
}

// object names what is changed, as far as it is known.
func object(r reason.Reason) string {
	word := ""
	if r.Object != "" {
		word = ": " + r.Object
	}
	switch r.Extent {
	case reason.UnknownPath:
		return "a path that is not known" + word
	case reason.UnknownFolder:
		return "a path in a folder that is not known" + word
	case reason.UnknownName:
		return "a file below " + r.Folder + " whose name is not known" + word
	case reason.Everything:
		return "everything below " + r.Object
	case reason.Below:
		if r.Kind == reason.Changes {
			return "files below " + r.Object
		}
	}
	return r.Object
}

func changeVerb(op event.Op) string {
	for _, w := range opWords {
		if w.op == op {
			return w.does
		}
	}
	return "changes"
}
