package risk

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk/patch"
	"github.com/mbgate/mbgate/internal/risk/reason"
	"github.com/mbgate/mbgate/internal/risk/shell"
)

// World is what a judgement may ask about the machine.
type World struct {
	// Files answers questions about the disk; never nil.
	Files place.Files
	// Root is the project's root, Home the user's home folder ("" if unknown); both absolute.
	Root, Home string
	// Agents says where coding agents are configured.
	Agents AgentFiles
	// Vars are environment variables whose value is known.
	Vars map[string]string
	// HasBank says that the project has a memory bank: `mbgate init` is then not for agents (R6).
	HasBank bool
	// Own are absolute paths of mbgate's own files and folders, for calls that delete, move or overwrite a folder above
	// them; what lies in them is told by place.Place.Own. May be nil.
	Own []string
	// Self is the absolute path of mbgate's own binary, "" if it is not known.
	Self string
}

// judge collects what one call does.
type judge struct {
	w     World
	rules Rules
	cwd   string
	a     Assessment
	// many is set for a tool that edits much at once, by its name.
	many     bool
	unparsed bool
	globs    globSet // rules.Sensitive, once it is asked
}

// Judge says how dangerous a tool call is, which files it changes and which it shows (SPEC §8). cwd is the absolute
// folder the call starts in; t.Workdir is applied to it. It never fails: what cannot be told is said in the assessment.
func Judge(t event.Tool, cwd string, w World, rules Rules) Assessment {
	if t.Workdir != "" {
		cwd = w.Files.Locate(cwd, t.Workdir).Abs
	}
	j := &judge{w: w, rules: rules, cwd: cwd}
	// What a call carries is judged whatever class somebody gave it: a forgotten class must not hide a command.
	if t.Class == event.Shell || t.Command != "" {
		j.shell(t)
	}
	if t.Class == event.Patch || t.Patch != "" {
		j.patch(t)
	}
	if t.Agent != "" {
		j.unknown(reason.Reason{Kind: reason.Agent, By: t.Agent})
	}
	j.paths(t)
	if changes(t.Class) && len(j.a.Targets) == 0 && j.a.BadPatch.Kind == reason.None {
		j.unknown(reason.Reason{Kind: reason.NoTarget})
	}
	j.many = t.Class == event.MultiEdit || strings.Join(nameWords(t.Name), "") == "multiedit"
	a := j.finish()
	if word := sentPersonWord(t); word != "" && a.Own.Kind == reason.None {
		a.Own, a.Level = reason.Reason{Kind: reason.PersonWord, Object: word}, High
	}
	return a
}

// changes reports whether a tool of that class exists to change files.
func changes(c event.Class) bool {
	switch c {
	case event.Write, event.Edit, event.MultiEdit, event.Patch, event.Delete, event.Move, event.Notebook:
		return true
	}
	return false
}

// defaultOp is what a call does to a path whose operation nobody named.
func defaultOp(c event.Class) event.Op {
	switch c {
	case event.Read, event.Search, event.List, event.Fetch, event.Subagent, event.Shell:
		return event.OpRead
	case event.Delete:
		return event.OpDelete
	case event.Move:
		return event.OpMove
	}
	return event.OpWrite
}

// showsFiles reports whether the paths that a tool of that class names are shown to the model. Listing and searching
// never count as reading (A4).
func showsFiles(c event.Class) bool {
	switch c {
	case event.Read, event.MCP, event.Other, event.Unclassified:
		return true
	}
	return false
}

func (j *judge) paths(t event.Tool) {
	for _, arg := range t.Paths {
		op := arg.Op
		if op == "" {
			op = defaultOp(t.Class)
		}
		p := j.w.Files.Locate(j.cwd, arg.Path)
		if op != event.OpRead {
			j.change(p, op)
			continue
		}
		if !showsFiles(t.Class) {
			continue
		}
		r := shell.Read{Place: p, Full: t.Offset == 0 && t.Limit == 0, Verbatim: true}
		if !r.Full {
			s := shell.Span{First: max(t.Offset, 1)}
			if t.Limit > 0 {
				s.Last = s.First + t.Limit - 1
			}
			r.Spans = []shell.Span{s}
		}
		j.a.Reads = append(j.a.Reads, r)
	}
}

// change adds a file that a tool other than a shell changes.
func (j *judge) change(p place.Place, op event.Op) {
	switch {
	case op == event.OpCreate && p.Kind != place.Missing && p.Kind != place.Unknown:
		op = event.OpWrite
	case op == event.OpWrite && p.Kind == place.Missing:
		op = event.OpCreate
	}
	tree := p.Kind == place.Folder && (op == event.OpDelete || op == event.OpMove)
	j.target(Target{Place: p, Op: op, Certain: true, Tree: tree})
}

func (j *judge) target(t Target) {
	if t.Why.Kind == reason.None {
		t.Why = reason.Reason{Kind: reason.Changes, Op: t.Op, Object: shown(t.Place)}
	}
	j.a.Targets = append(j.a.Targets, t)
}

func (j *judge) patch(t event.Tool) {
	list, err := patch.Parse(t.Patch)
	for _, c := range list {
		j.change(j.w.Files.Locate(j.cwd, c.Path), c.Op)
	}
	// Some tools name the file beside a text of a format of their own (search and replace blocks, bare hunks).
	if err != nil && (len(list) > 0 || !namesChanged(t)) {
		j.a.BadPatch = reason.Reason{Kind: reason.BadPatch, Object: err.Error()}
	}
}

// namesChanged reports whether the arguments themselves name a file that is changed.
func namesChanged(t event.Tool) bool {
	for _, p := range t.Paths {
		if p.Op != event.OpRead && (p.Op != "" || defaultOp(t.Class) != event.OpRead) {
			return true
		}
	}
	return false
}

func (j *judge) shell(t event.Tool) {
	if strings.TrimSpace(t.Command) == "" {
		j.unknown(reason.Reason{Kind: reason.NoCommand})
		return
	}
	j.report(shell.Judge(t.Command, shell.Env{
		Files: j.w.Files, Cwd: j.cwd, Root: j.w.Root, Home: j.w.Home, Vars: j.w.Vars, Wrote: j.rules.Wrote,
		Self: j.w.Self, Language: t.Language,
	}))
}

// report takes over what a shell command does.
func (j *judge) report(rep shell.Report) {
	for _, e := range rep.Effects {
		j.target(Target{Place: e.Place, Op: e.Op, Certain: e.Certain, Tree: e.Tree, Code: e.Code, Built: e.Built, OfProject: e.OfProject, Why: e.Why})
	}
	j.a.Reads = append(j.a.Reads, rep.Reads...)
	j.a.Cwd, j.a.Programs = rep.Cwd, rep.Programs
	j.a.Unbounded = append(j.a.Unbounded, rep.Unbounded...)
	j.a.Unknown = append(j.a.Unknown, rep.Unknown...)
	if !rep.Parsed {
		j.unparsed = true
		if len(rep.Unknown) == 0 {
			j.unknown(reason.Reason{Kind: reason.BadSyntax})
		}
	}
	j.specials(rep)
}

func (j *judge) unknown(why reason.Reason) { j.a.Unknown = append(j.a.Unknown, why) }
