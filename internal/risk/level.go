package risk

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

func levelOf(rule Rule) Level {
	switch rule {
	case RuleSafe, RuleBuilt, RuleOutside, RuleGit, RuleMissing:
		return Low
	case RuleOrdinary:
		return Medium
	}
	return High
}

// finish gives every target its row and the call its level and scope.
func (j *judge) finish() Assessment {
	for i := range j.a.Targets {
		t := &j.a.Targets[i]
		t.Rule, t.Group = j.rule(*t)
	}
	if j.files() > 1 {
		for i := range j.a.Targets {
			if j.a.Targets[i].Rule == RuleOrdinary {
				j.a.Targets[i].Rule = RuleSeveral
			}
		}
	}
	for i := range j.a.Targets {
		if j.many && j.a.Targets[i].Rule == RuleOrdinary {
			j.a.Targets[i].Rule = RuleMultiEdit
		}
	}
	j.a.Level = Low
	if j.unparsed {
		j.a.Level = Medium // never taken for harmless (SPEC §9)
	}
	if len(j.a.Unknown) > 0 && j.rules.Recovery {
		j.a.Level = Medium
	}
	for i := range j.a.Targets {
		t := &j.a.Targets[i]
		t.Level = levelOf(t.Rule)
		j.a.Level = max(j.a.Level, t.Level)
		if t.Rule == RuleOwn && j.a.Own.Kind == reason.None {
			j.a.Own = reason.Reason{Kind: reason.OwnFile, Object: shown(t.Place)}
		}
	}
	if len(j.a.Unbounded) > 0 || j.a.BadPatch.Kind != reason.None || j.a.Own.Kind != reason.None {
		j.a.Level = High
	}
	j.a.Writes = j.scope()
	return j.a
}

// rule finds the first row of SPEC §8 that a target is in, as far as it can be told from that target alone. group is
// what makes it sensitive.
func (j *judge) rule(t Target) (rule Rule, group string) {
	p := t.Place
	if p.Own || j.holdsOwn(t) {
		return RuleOwn, ""
	}
	if j.rules.Unread != nil && j.rules.Unread(p) {
		return RuleAnchor, ""
	}
	if group := j.sensitive(p); group != "" {
		return RuleSensitive, group
	}
	inside := p.Inside()
	if inside && inGit(p) {
		if isGitFolder(p) && (t.Tree || t.Op == event.OpDelete || t.Op == event.OpMove) {
			return RuleTree, "" // takes the hooks and the configuration with it
		}
		return RuleGit, ""
	}
	tree := t.Tree && p.Kind != place.File // rm -r and chmod -R of a file are about that file
	gone := t.Op == event.OpDelete || t.Op == event.OpMove
	switch {
	case inside && t.Built:
		return RuleBuilt, ""
	case t.Built:
		return RuleOutside, ""
	case (tree || gone) && above(p, j.w.Root):
		return RuleTree, ""
	case !inside && (tree || gone) && !(gone && p.Kind == place.Missing) && j.homeAgent(p, true) != "":
		return RuleSensitive, agentConfiguration // it goes with the folder
	case !inside:
		return RuleOutside, ""
	case gone && p.Kind == place.Missing:
		return RuleMissing, ""
	case tree:
		return RuleTree, ""
	case t.Op == event.OpDelete:
		return RuleDelete, ""
	case t.Op == event.OpMove:
		return RuleMove, ""
	case j.safe(p):
		return RuleSafe, ""
	}
	return RuleOrdinary, ""
}

// files counts the files of the project that the call changes, safe ones aside. A folder that is made for one of them
// is not counted, nor what is named twice.
func (j *judge) files() int {
	type counted struct{ key, name string }
	var list []counted
	seen := map[string]bool{}
	parents := map[string]bool{}
	for _, t := range j.a.Targets {
		p := t.Place
		if !p.Inside() && t.Rule != RuleTree || t.Rule == RuleGit || t.Rule == RuleMissing || t.Rule == RuleSafe || t.Rule == RuleBuilt || j.safe(p) {
			continue
		}
		key := p.Key
		if key == "" {
			key = p.Abs
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		c := counted{key: key}
		if t.Op == event.OpCreate {
			c.name = p.Abs
		}
		list = append(list, c)
		for dir := parent(p.Abs); len(dir) > len(j.w.Root) && !parents[dir]; dir = parent(dir) {
			parents[dir] = true
		}
	}
	n := 0
	for _, c := range list {
		if c.name == "" || !parents[c.name] {
			n++
		}
	}
	return n
}

func parent(abs string) string { return abs[:max(strings.LastIndexByte(abs, '/'), 0)] }

// sensitive names what is sensitive about a place, "" if nothing is. Both forms of the path are asked.
func (j *judge) sensitive(p place.Place) string {
	if what := j.homeAgent(p, false); what != "" || !p.Inside() {
		return what
	}
	if j.globs == nil {
		j.globs = newGlobSet(j.rules.Sensitive)
	}
	for _, n := range p.Names() {
		if i := j.globs.find(n); i >= 0 {
			return groupOf(j.rules.Sensitive[i], j.w.Agents.Project)
		}
	}
	return ""
}

// homeAgent finds the user's agent configuration, which is high risk although it lies outside of the project (R6), or
// wherever a variable put it; with above, also a folder that may hold some.
func (j *judge) homeAgent(p place.Place, above bool) string {
	for _, abs := range [...]string{p.Phys, p.Abs} {
		if j.w.Home != "" && !p.Inside() && j.isHomeAgent(abs, MovedFolder{Path: j.w.Home}, above) {
			return agentConfiguration
		}
		for _, moved := range j.w.Agents.Moved {
			if j.isHomeAgent(abs, moved, above) {
				return agentConfiguration
			}
		}
	}
	return ""
}

const agentConfiguration = "agent configuration"

// isHomeAgent reports whether a path is agent configuration where moved stands for a folder of the home folder, or for a
// file of it; with above, also whether it is a folder that may hold some.
func (j *judge) isHomeAgent(abs string, moved MovedFolder, above bool) bool {
	dir, folder := strings.TrimSuffix(moved.Path, "/"), moved.Folder
	rel, ok := strings.CutPrefix(abs, dir+"/")
	switch {
	case abs == dir:
		rel = folder
	case !ok:
		return above && place.Under(dir, abs)
	case folder != "":
		rel = folder + "/" + rel
	}
	rel = strings.ToLower(rel)
	for g := range strings.FieldsSeq(j.w.Agents.Home) {
		if match(g, rel) || above && (rel == "" || strings.HasPrefix(g, rel+"/")) {
			return true
		}
	}
	return false
}

// safe reports whether every form of the path is safe to change; one of them may be a link to something that is not.
func (j *judge) safe(p place.Place) bool {
	names := p.Names()
	for _, n := range names {
		ok := false
		for _, g := range j.rules.Safe {
			// Where the platform folds case, the spelling on disk is what a glob was written for.
			ok = ok || match(g, n) || strings.EqualFold(n, p.Shown) && match(g, p.Shown)
		}
		if !ok {
			return false
		}
	}
	return len(names) > 0
}

// inGit reports whether every form of the path is a .git folder or lies in one.
func inGit(p place.Place) bool {
	for _, n := range p.Names() {
		if !strings.Contains("/"+n+"/", "/.git/") {
			return false
		}
	}
	return p.Inside()
}

// isGitFolder reports whether the path is a .git folder itself.
func isGitFolder(p place.Place) bool {
	for _, n := range p.Names() {
		if n == ".git" || strings.HasSuffix(n, "/.git") {
			return true
		}
	}
	return false
}

// above reports whether the place is the folder dir or one above it.
func above(p place.Place, dir string) bool {
	for _, top := range [...]string{p.Phys, p.Abs} {
		if top == "/" || top != "" && place.Under(dir, top) {
			return true
		}
	}
	return false
}

// holdsOwn reports whether a target takes mbgate's own files with it, because they lie below it: a folder that is deleted
// or moved, whose mode or owner changes, or one that is overwritten as a whole (rsync, tar x). The project and the home folder may be unpacked into, and
// a file whose name is not known may be made beside mbgate's: that is out of reach of no agent for ever.
func (j *judge) holdsOwn(t Target) bool {
	gone := t.Op == event.OpDelete || t.Op == event.OpMove
	mode := t.Op == event.OpMode
	if t.Built || !t.Tree && !gone && !mode || t.Op == event.OpLink {
		return false
	}
	for _, own := range j.w.Own {
		wide := !t.Certain && !mode || place.Under(own, j.w.Root) || j.w.Home != "" && above(t.Place, j.w.Home)
		if above(t.Place, own) && (gone || !wide) {
			return true
		}
	}
	return false
}

// scope says where the call writes, as SPEC §19 prints it.
func (j *judge) scope() Scope {
	s := WritesNone
	for _, t := range j.a.Targets {
		switch {
		case t.Rule == RuleGit || t.Rule == RuleMissing || t.Rule == RuleBuilt:
		case t.Place.Inside() || t.Rule == RuleTree:
			return WritesProject
		default:
			s = WritesOutside
		}
	}
	switch {
	case len(j.a.Unbounded) > 0:
		return WritesProject
	case j.a.BadPatch.Kind != reason.None || len(j.a.Unknown) > 0:
		return WritesUnknown
	}
	return s
}

// shown is how messages name a place.
func shown(p place.Place) string {
	for _, s := range [...]string{p.Shown, p.Canon, p.Lex, p.Abs} {
		if s != "" {
			return s
		}
	}
	return "a file"
}
