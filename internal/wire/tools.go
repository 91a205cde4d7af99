package wire

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
	"github.com/mbgate/mbgate/internal/risk"
)

// ToolRow says what one tool of a client does and which of its arguments matter. An argument may have several
// spellings, with | between them; the first that is there counts.
type ToolRow struct {
	Name  string // with | between several names of the same tool
	Class event.Class
	// Path holds the file or files; To is where a move goes.
	Path, To string
	// Old is the text that an edit replaces: where it is there and empty, the file is created.
	Old string
	// Command and Workdir are those of a shell, Patch is a whole patch, Subagent the type of a subagent.
	Command, Workdir, Patch, Subagent string
	// Skill holds the name of a skill that the call invokes. Approves says that the finished call means an approved plan, PlanFile
	// holds its path.
	Skill    string
	Approves bool
	PlanFile string
	// Language is that of event.Tool.
	Language string
	// Offset, Limit and Last are the first line of a read, the number of its lines, and the last one; Range is a list of the
	// first and the last, where -1 is the end of the file. With FromZero lines are counted from 0.
	Offset, Limit, Last, Range string
	FromZero                   bool
}

// subagentTools call subagents in whatever client, where a plugin adds them: OpenCode's second version, oh-my-openagent.
var subagentTools = []ToolRow{{
	Name: "task|agent|subagent|proxy_task|delegate_task|call_omo_agent", Class: event.Subagent, Subagent: "subagent_type|agent|agent_type|agent_name",
}}

// Find is the row of a tool, nil for a tool that is in no row. Names are compared as they are, or in any case.
func Find(rows []ToolRow, name string, anyCase bool) *ToolRow {
	for i := range rows {
		for rest := rows[i].Name; rest != ""; {
			var n string
			n, rest, _ = strings.Cut(rest, "|")
			if n == name || anyCase && strings.EqualFold(n, name) {
				return &rows[i]
			}
		}
	}
	return nil
}

// Call reads the call of a tool whose arguments stand under key. A tool that is in no row is judged by its arguments.
func Call(rows []ToolRow, name string, f Fields, key string) event.Tool {
	in := f.Sub(key) // it must be an object, even where it is not looked into
	if row := Find(rows, name, false); row != nil {
		return row.Tool(name, in)
	}
	if Find(subagentTools, name, true) != nil {
		for arg := range strings.SplitSeq(subagentTools[0].Subagent, "|") {
			if typ := in.Text(arg); typ != "" {
				return event.Tool{Name: name, Class: event.Subagent, Subagent: typ}
			}
		}
	}
	return UnknownTool(name, f.Get(key))
}

// Tool reads a call of a tool that the row describes.
func (r *ToolRow) Tool(name string, in Fields) event.Tool {
	t := event.Tool{Name: name, Class: r.Class, Language: r.Language}
	op := opOf(r.Class)
	if r.Old != "" {
		if v := in.Get(r.Old); v != nil && in.Str(r.Old) == "" {
			op = event.OpCreate
		}
	}
	t.Paths = paths(t.Paths, in, r.Path, op)
	t.Paths = paths(t.Paths, in, r.To, event.OpWrite)
	t.Edits = edits(r.Class, t.Paths, in.Object)
	t.Command = firstText(in, r.Command)
	t.Workdir = firstText(in, r.Workdir)
	t.Patch = firstText(in, r.Patch)
	t.Subagent = firstText(in, r.Subagent)
	t.Guide = event.Guide{Approved: r.Approves, Path: firstText(in, r.PlanFile), Skill: firstText(in, r.Skill)}
	r.lines(&t, in)
	return t
}

// lines reads which lines a call asks for.
func (r *ToolRow) lines(t *event.Tool, in Fields) {
	number := func(key string) int {
		if key == "" {
			return 0
		}
		return in.Number(key)
	}
	t.Offset, t.Limit = number(r.Offset), number(r.Limit)
	if r.FromZero && in.Get(r.Offset) != nil {
		t.Offset = max(t.Offset, 0) + 1
	}
	last := number(r.Last)
	if r.Range != "" {
		var span []int
		if json.Unmarshal(in.Get(r.Range), &span) != nil || len(span) != 2 || span[0] < 1 {
			return
		}
		t.Offset, last = span[0], span[1]
		if last < t.Offset {
			return
		}
	}
	if last > 0 {
		t.Offset = max(t.Offset, 1)
		t.Limit = max(last-t.Offset+1, 0)
	}
}

func opOf(c event.Class) event.Op {
	switch c {
	case event.Write, event.Edit, event.MultiEdit, event.Patch, event.Notebook:
		return event.OpWrite
	case event.Delete:
		return event.OpDelete
	case event.Move:
		return event.OpMove
	}
	return event.OpRead
}

func paths(list []event.PathArg, in Fields, names string, op event.Op) []event.PathArg {
	for names != "" {
		var name string
		name, names, _ = strings.Cut(names, "|")
		if got := in.Strs(name); len(got) > 0 {
			for _, p := range got {
				list = append(list, event.PathArg{Path: p, Op: op})
			}
			break
		}
	}
	return list
}

// edits are what the arguments say that a file of the memory bank will hold. Those of other files are not asked for, so they are
// not read.
func edits(c event.Class, paths []event.PathArg, in Object) []event.Replacement {
	if len(paths) != 1 || !strings.Contains(paths[0].Path, bank.Dir) {
		return nil
	}
	text := func(o Object, names ...string) (string, bool) {
		for _, n := range names {
			if v := o.Get(n); len(v) > 0 && v[0] == '"' {
				return jsonscan.Unquote(v), true
			}
		}
		return "", false
	}
	one := func(o Object) (e event.Replacement, ok bool) {
		e.All = slices.ContainsFunc([]string{"replace_all", "replaceAll", "allow_multiple"}, func(n string) bool { return string(o.Get(n)) == "true" })
		e.Old, ok = text(o, "old_string", "oldString", "old_str", "oldText")
		e.New, _ = text(o, "new_string", "newString", "new_str", "newText")
		return e, ok
	}
	switch c {
	case event.Write:
		if s, ok := text(in, "content", "file_text", "contents", "text"); ok {
			return []event.Replacement{{New: s, Whole: true}}
		}
	case event.Edit, event.MultiEdit:
		if e, ok := one(in); ok {
			return []event.Replacement{e}
		}
		var list []event.Replacement
		elements, _ := jsonscan.Elements(in.Get("edits"))
		for _, v := range elements {
			o, _ := jsonscan.Members(v)
			e, ok := one(o)
			if !ok {
				return nil
			}
			list = append(list, e)
		}
		return list
	}
	return nil
}

func firstText(in Fields, names string) string {
	for names != "" {
		var name string
		name, names, _ = strings.Cut(names, "|")
		if s := in.Str(name); s != "" {
			return s
		}
	}
	return ""
}

// UnknownTool judges a tool that no table holds by its name and the shape of its arguments (SPEC §3). The arguments are
// the tool's own, so no type of theirs is an error.
func UnknownTool(name string, raw []byte) event.Tool {
	var args map[string]any
	if raw != nil {
		// The only arguments that are decoded whole. The bytes were checked; a list or a string leaves args nil.
		_ = json.Unmarshal(raw, &args)
	}
	t := event.Tool{Name: name}
	t.Class, t.Paths = risk.Heuristics(name, args)
	switch t.Class {
	case event.Unclassified, event.Other, event.MCP:
		t.Class = event.Other
		if strings.HasPrefix(name, "mcp__") {
			t.Class = event.MCP
		}
		t.Agent = risk.StartsAgent(name, args)
		if t.Command, t.Language = risk.Code(name, args); t.Command != "" {
			t.Class = event.Shell
		}
	case event.Shell:
		if t.Command = commandOf(args); t.Command == "" {
			t.Class = event.Write // it does something that cannot be told
		}
		t.Language = risk.ShellLanguage(name)
		t.Workdir = argText(args, "workdir cwd workingdirectory workdirectory directory dir")
	case event.Patch:
		t.Patch = argText(args, "patch patchtext diff difftext unifieddiff patchcontent input")
	case event.Read:
		t.Offset, t.Limit = argNumber(args, "offset"), argNumber(args, "limit")
	}
	return t
}

// commandOf is the shell command in the arguments of an unknown tool: a text, or a list of words, with the words of an
// argument list behind it.
func commandOf(args map[string]any) string {
	const names = "command cmd commandline shellcommand script commands"
	text := argText(args, names)
	if text == "" {
		text = quoted(argument(args, names))
	}
	if text == "" {
		return ""
	}
	return strings.TrimSpace(text + " " + quoted(argument(args, "args arguments argv")))
}

// quoted writes a list of strings as words of a shell command.
func quoted(v any) string {
	list, _ := v.([]any)
	var b strings.Builder
	for _, e := range list {
		s, ok := e.(string)
		if !ok {
			return ""
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if s != "" && strings.Trim(s, plainChars) == "" {
			b.WriteString(s)
			continue
		}
		b.WriteString("'" + strings.ReplaceAll(s, "'", `'\''`) + "'")
	}
	return b.String()
}

const plainChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,+@%"

// argText is the text of the first argument with one of the names, which are separated by blanks.
func argText(args map[string]any, names string) string {
	s, _ := argument(args, names).(string)
	return s
}

// argument is the first argument with one of the names, else one within an object among the arguments. Argument names are compared
// without case, dashes and underscores.
func argument(args map[string]any, names string) any {
	keys := slices.Sorted(maps.Keys(args))
	for name := range strings.FieldsSeq(names) {
		for _, k := range keys {
			if v := args[k]; plainKey(k) == name && v != nil && v != "" {
				return v
			}
		}
	}
	for _, k := range keys {
		if inner, ok := args[k].(map[string]any); ok {
			if v := argument(inner, names); v != nil {
				return v
			}
		}
	}
	return nil
}

func plainKey(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

func argNumber(args map[string]any, name string) int {
	if n, ok := args[name].(float64); ok && n > 0 && n < 1<<31 {
		return int(n)
	}
	return 0
}

// changes reports whether a tool of that class does nothing but change files.
func changes(c event.Class) bool {
	switch c {
	case event.Write, event.Edit, event.MultiEdit, event.Patch, event.Delete, event.Move, event.Notebook:
		return true
	}
	return false
}
