package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/jsonscan"
)

// maxTaskFile bounds a file of tasks that is read; those of large projects have 20 kB.
const maxTaskFile = 256 << 10

// taskText is the text of a task where it is one line in a file that the row names with uses=; "" elsewhere.
func (c *cmd) taskText(name string) string {
	if c.st.cwd == "" || !isKnown(name) || c.has("filter", "F", "workspace", "workspaces", "w", "ws", "r", "recursive") {
		return ""
	}
	for _, file := range c.row.uses {
		at := c.nearest(file)
		if !strings.HasPrefix(at, "/") {
			at = path.Join(c.st.cwd, at)
		}
		text, ok := c.w.env.Files.Text(at, maxTaskFile)
		if !ok {
			continue
		}
		switch path.Ext(file) {
		case ".json":
			return jsonTask(text, name)
		case ".toml":
			return tomlTask(string(text), name)
		}
		return recipe(string(text), name)
	}
	return ""
}

// jsonTask finds "scripts": {NAME: text} of package.json and composer.json, "tasks" of deno.json.
func jsonTask(text []byte, name string) string {
	var all jsonscan.Object
	s := jsonscan.Scanner{Data: text}
	s.Space()
	if !s.Object(&all) {
		return ""
	}
	for _, key := range [...]string{"scripts", "tasks"} {
		if tasks, ok := jsonscan.Members(all.Get(key)); ok {
			return tasks.Text(name)
		}
	}
	return ""
}

// tomlTask finds `run = "text"` below [tasks.NAME] in mise.toml, and `NAME = "text"` below [tasks].
func tomlTask(text, name string) string {
	want := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "[tasks]":
			want = name
		case line == "[tasks."+name+"]", line == `[tasks."`+name+`"]`:
			want = "run"
		case strings.HasPrefix(line, "["):
			want = ""
		}
		key, value, ok := strings.Cut(line, "=")
		value = strings.TrimSpace(value)
		if n := len(value); ok && want != "" && strings.Trim(strings.TrimSpace(key), `"`) == want && n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			return value[1 : n-1]
		}
	}
	return ""
}

// recipe finds the only line below `NAME:` in a Makefile or justfile. A target with prerequisites does more than its line.
func recipe(text, name string) string {
	lines, found := []string(nil), false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		indented := strings.TrimLeft(line, " \t") != line
		switch {
		case found && indented:
			lines = append(lines, strings.TrimLeft(line, " \t@-+"))
		case found && line != "" && line[0] != '#':
			found = false
		case !indented:
			head, needs, ok := strings.Cut(line, ":")
			found = ok && slices.Contains(strings.Fields(head), name) && (needs == "" || needs[0] == ' ' && strings.TrimSpace(needs) == "")
		}
	}
	if len(lines) != 1 {
		return ""
	}
	return lines[0]
}

// runsTask judges a task by its text, with the words that stand behind its name; false if its name has to do.
func (c *cmd) runsTask(name string, behind []arg) bool {
	text, w := c.taskText(name), c.w
	if text == "" || strings.ContainsAny(text, "$&|;()`{\n") || !w.enter() {
		return false
	}
	defer w.leave()
	unknown, own := len(w.rep.Unknown), w.own
	dir := c.st.fork()
	w.within("the task "+show(name), func() { w.evalSub(dir, text+quoteAll(behind), nil) })
	w.rep.Unknown = w.rep.Unknown[:unknown] // the project's own text is trusted
	return w.own == own
}
