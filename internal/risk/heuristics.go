package risk

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/risk/patch"
)

// Heuristics classifies a tool that no adapter knows, by its name and the shape of its arguments (SPEC §3), with the
// files that the arguments name and what is done to each. A tool that has a path and content or edits, or a path and a
// name that says write, changes that file. One without any path is judged only if its name says that it writes files:
// an issue that is created elsewhere is an outward effect, and those are not judged. The class is Other where nothing is said.
func Heuristics(name string, args map[string]any) (event.Class, []event.PathArg) {
	return guess(name, args, 0)
}

func guess(name string, args map[string]any, depth int) (event.Class, []event.PathArg) {
	g := toolArgs{}
	g.take(args, false)
	class, paths := g.judge(nameWords(name))
	if depth > 0 || changes(class) || class == event.Shell || anyWrite(paths) {
		return class, paths
	}
	// A tool that calls another: {tool: write_file, args: {…}}.
	for _, inner := range g.inner {
		n := g.tool
		if n == "" {
			n = name
		}
		if c, p := guess(n, inner, 1); c != event.Other || len(p) > 0 {
			return c, p
		}
	}
	return class, paths
}

// outward reports whether the call changes a repository that is kept elsewhere: it names its owner and it, or with a branch or
// commit message the id of a project or its URL, and no path that can only be one of this machine. It takes two arguments,
// so that no single one that a model adds hides a change.
func (g *toolArgs) outward(words []string) bool {
	says := func(what string) bool { return slices.Contains(g.remote, what) }
	if !(says("owner") && says("repo") || says("commit") && (says("project") || says("url"))) || says("here") ||
		hasWord(words, "fetch copy") || len(g.out) > 0 {
		return false
	}
	for _, list := range [...][]string{g.paths, g.from, g.to, g.maybeFrom, g.maybeTo, g.folders} {
		if slices.ContainsFunc(list, isLocal) {
			return false
		}
	}
	return true
}

// isLocal reports whether a path is absolute, or climbs out of where it starts.
func isLocal(path string) bool {
	path = strings.ReplaceAll(path, `\`, "/")
	return path != "" && strings.ContainsRune("/~$", rune(path[0])) || len(path) > 1 && path[1] == ':' || slices.Contains(strings.Split(path, "/"), "..")
}

// dryRun reports whether a call only shows what it would change. An argument that a model may add at will says so only of
// the one tool that is known to have it: edit_file of the MCP project's filesystem server.
func (g *toolArgs) dryRun(words []string) bool {
	return g.dry && g.edits && slices.Equal(words, []string{"edit", "file"})
}

// judge classifies a call by the words of its tool's name and what was toolArgs.
func (g *toolArgs) judge(words []string) (event.Class, []event.PathArg) {
	if hasWord(words, "shell terminal") && g.command || hasWord(words, "terminal") && g.input {
		return event.Shell, nil
	}
	said, verb := g.verbWords(words)
	if hasWord(words, "git") && hasWord(words, "worktree") {
		return event.Write, nil
	}
	if class, ok := g.patchClass(verb, said); ok {
		return class, g.named(event.OpWrite, event.OpWrite, event.OpWrite)
	}
	if g.outward(words) || g.dryRun(words) {
		return event.Other, nil
	}
	looks := verb != "" && !changing(verb)
	if looks && !g.edits || verb == "" && !g.edits && !g.content {
		return g.reader(verb, said)
	}
	if hasWord(said, "elsewhere") && !g.edits && !g.content && !hasWord(said, "files") {
		return event.Other, nil
	}
	if verb == "move" && hasWord(said, "inside") {
		verb = "write" // renaming a symbol edits files
	}
	return g.writer(verb, said)
}

// verbWords decides which words say what is done: an argument that is a verb ("str_replace_editor {command: view}",
// "file {action: delete}") says more than the name. But a tool that is named after a change is not made harmless by an argument
// that a model may add at will, unless the name is that of an editor.
func (g *toolArgs) verbWords(words []string) ([]string, string) {
	verb := chosenVerb(words)
	for _, a := range g.actions {
		w := nameWords(a)
		v := chosenVerb(w)
		if v == "" || strings.ContainsAny(a, " \t\n") {
			continue
		}
		if changing(v) || !changing(verb) || hasWord(words, "editor") && !g.edits && !g.content {
			return w, v
		}
	}
	return words, verb
}

func changing(verb string) bool {
	return verb == "write" || verb == "delete" || verb == "move" || verb == "copy"
}

func anyWrite(paths []event.PathArg) bool {
	return slices.ContainsFunc(paths, func(p event.PathArg) bool { return p.Op != event.OpRead })
}

const verbs = "write delete move copy read list search look"

// toolArgs is what the arguments of a call hold.
type toolArgs struct {
	paths, from, to, out, folders []string
	maybeFrom, maybeTo            []string // from and to under names that mean other things too
	newName                       string
	actions                       []string
	inner                         []map[string]any
	tool                          string
	patch                         string
	edits, content                bool
	command, input                bool     // a command line; a text for a running program
	remote                        []string // what the arguments name of a repository elsewhere, and "here" for one on this machine
	dry                           bool
	listed                        map[event.PathArg]bool
}

// take sorts the arguments by what their names mean. Lists and objects are entered one level deep.
func (g *toolArgs) take(args map[string]any, nested bool) {
	for _, k := range slices.Sorted(maps.Keys(args)) { // the order of paths must not depend on the map
		v := args[k]
		what := meaning(argNames, flatten(k))
		if list := g.list(what); list != nil {
			*list = append(*list, g.strings(v, nested)...)
			continue
		}
		switch what {
		case "newname":
			g.newName, _ = v.(string)
		case "edits":
			g.edits = true
			g.strings(v, nested)
		case "content", "code":
			g.content = true
		case "list":
			g.strings(v, nested)
		case "patch":
			if s, ok := v.(string); ok {
				g.patch = s
			} else {
				g.edits = true
				g.strings(v, nested)
			}
		case "command":
			switch v := v.(type) {
			case string:
				g.command = true
				g.actions = append(g.actions, v)
			case []any:
				g.command = true
			}
		case "action":
			if s, ok := v.(string); ok {
				g.actions = append(g.actions, s)
			}
		case "inner":
			if o, ok := v.(map[string]any); ok {
				g.inner = append(g.inner, o)
			} else if s, ok := v.(string); ok && s != "" {
				g.input = true
				if g.patch == "" {
					g.patch = s
				}
			}
		case "tool":
			g.tool, _ = v.(string)
		case "dry":
			g.dry = v == true
		case "owner", "repo", "project", "commit":
			g.takeRemote(what, v)
		}
	}
}

// takeRemote notes an argument that names a repository elsewhere. One that lies here is named by a path.
func (g *toolArgs) takeRemote(what string, v any) {
	s, _ := v.(string)
	if _, isNumber := v.(float64); s == "" && !(isNumber && what == "project") {
		return
	}
	if what == "repo" {
		switch {
		case strings.Contains(s, "://") && !strings.HasPrefix(s, "file:") || strings.HasPrefix(s, "git@"):
			what = "url"
		case isLocal(s) || strings.HasPrefix(s, "file:") || s == ".":
			what = "here"
		}
	}
	g.remote = append(g.remote, what)
}

// list is where the paths of arguments with that meaning are kept, nil for arguments that hold none.
func (g *toolArgs) list(what string) *[]string {
	return map[string]*[]string{
		"path": &g.paths, "from": &g.from, "to": &g.to, "out": &g.out, "folder": &g.folders,
		"from?": &g.maybeFrom, "to?": &g.maybeTo,
	}[what]
}

// strings are the paths in a value: itself, the members of a list, the path arguments of objects.
func (g *toolArgs) strings(v any, nested bool) []string {
	switch v := v.(type) {
	case string:
		if p, ok := pathValue(v); ok {
			return []string{p}
		}
	case []any:
		var list []string
		for _, m := range v {
			if s, ok := m.(string); ok {
				list = append(list, g.strings(s, nested)...)
			} else if o, ok := m.(map[string]any); ok && !nested {
				g.take(o, true)
			}
		}
		return list
	case map[string]any:
		if !nested {
			g.take(v, true)
		}
	}
	return nil
}

// patchClass decides whether the call is a patch. A text that is no patch is an edit of the file that is named beside
// it; a patch tool that names none is a patch that cannot be parsed.
func (g *toolArgs) patchClass(verb string, said []string) (event.Class, bool) {
	if g.patch == "" || verb != "write" && !(verb == "" && len(g.paths) > 0) {
		return "", false
	}
	_, err := patch.Parse(g.patch)
	if err == nil {
		return event.Patch, true
	}
	if len(g.paths) > 0 {
		g.edits = true
		return "", false
	}
	return event.Patch, !errors.Is(err, patch.NotPatchError{}) || hasWord(said, "patch")
}

// reader is the class of a tool that changes nothing. Only a tool whose name says that it shows content has its
// paths listed as read.
func (g *toolArgs) reader(verb string, said []string) (event.Class, []event.PathArg) {
	out := g.add(nil, g.out, event.OpWrite) // a picture or report that is saved
	switch {
	case verb == "list":
		return orOther(event.List, out), out
	case verb == "search":
		return orOther(event.Search, out), out
	case verb == "read" || verb == "look" && hasWord(said, "content"):
		if list := g.add(out, g.paths, event.OpRead); len(list) > 0 {
			return orOther(event.Read, out), list
		}
	}
	return event.Other, out
}

// orOther is class for a tool that has nothing to write.
func orOther(class event.Class, writes []event.PathArg) event.Class {
	if len(writes) > 0 {
		return event.Other
	}
	return class
}

// writer is the class of a tool that changes files.
func (g *toolArgs) writer(verb string, said []string) (event.Class, []event.PathArg) {
	class, list := event.Write, []event.PathArg(nil)
	switch verb {
	case "delete":
		class = event.Delete
		g.takeEnds(said)
		list = g.named(event.OpDelete, event.OpDelete, event.OpDelete)
	case "move":
		class = event.Move
		g.takeEnds(said)
		list = g.named(event.OpMove, event.OpMove, event.OpCreate)
		if g.newName != "" && len(list) > 0 {
			from := list[0].Path
			list = append(list, event.PathArg{Path: from[:strings.LastIndexAny(from, `/\`)+1] + g.newName, Op: event.OpCreate})
		}
	case "copy":
		g.takeEnds(said)
		pathOp := event.OpWrite
		if len(g.to) > 0 {
			pathOp = event.OpRead
		}
		list = g.named(pathOp, event.OpRead, event.OpCreate)
	default:
		if g.edits {
			class = event.Edit
		}
		g.takeEnds(said)
		list = g.named(event.OpWrite, event.OpRead, event.OpWrite)
	}
	if len(list) == 0 {
		op := event.OpCreate
		if verb == "delete" {
			op = event.OpDelete
		}
		list = g.add(list, g.folders, op)
	}
	if anyWrite(list) || hasWord(said, "files") {
		return class, list
	}
	return event.Other, list
}

// takeEnds takes "from" and "to" for paths where the tool is about files, or where they look like paths.
func (g *toolArgs) takeEnds(said []string) {
	looks := func(list []string) []string {
		if hasWord(said, "files") {
			return list
		}
		return slices.DeleteFunc(list, func(s string) bool {
			return strings.ContainsAny(s, " \n@") || !strings.ContainsAny(s, `/\.`)
		})
	}
	g.from = append(g.from, looks(g.maybeFrom)...)
	g.to = append(g.to, looks(g.maybeTo)...)
}

// named lists the paths with an operation for each kind.
func (g *toolArgs) named(path, from, to event.Op) []event.PathArg {
	list := g.add(nil, g.paths, path)
	list = g.add(list, g.from, from)
	list = g.add(list, g.to, to)
	return g.add(list, g.out, event.OpWrite)
}

// add lists paths that are not listed yet. What is listed is kept as a set: a call may name 50,000 paths.
func (g *toolArgs) add(list []event.PathArg, paths []string, op event.Op) []event.PathArg {
	if g.listed == nil && len(paths) > 0 {
		g.listed = make(map[event.PathArg]bool, len(paths))
	}
	for _, p := range paths {
		if arg := (event.PathArg{Path: p, Op: op}); !g.listed[arg] {
			g.listed[arg] = true
			list = append(list, arg)
		}
	}
	return list
}

// pathValue takes a string for a path. file:// addresses are read, others (https, s3) are no files here.
func pathValue(s string) (string, bool) {
	if s == "" {
		return "", false
	}
	if len(s) > 7 && strings.EqualFold(s[:7], "file://") {
		rest := s[7:]
		if i := strings.IndexByte(rest, '/'); i > 0 {
			rest = rest[i:] // the host
		}
		rest = unescape(rest)
		if len(rest) > 2 && rest[0] == '/' && rest[2] == ':' {
			rest = rest[1:] // file:///C:/x
		}
		return rest, true
	}
	if i := strings.Index(s, "://"); i > 0 && strings.IndexByte(s, '/') == i+1 {
		return "", false
	}
	return s, true
}

// unescape reads %41 as A. What is no escape stays.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && hex(s[i+1]) >= 0 && hex(s[i+2]) >= 0 {
			b.WriteByte(byte(hex(s[i+1])<<4 | hex(s[i+2])))
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func hex(c byte) int { return strings.IndexByte("0123456789abcdef", c|0x20) }
