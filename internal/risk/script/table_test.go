package script

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
)

// withTable are the languages whose functions stand in a table.
var withTable = []Lang{Python, Node, Perl, Ruby, PHP, Lua}

func judgeTable(lang Lang, src string, t table) Effects {
	o := Options{}
	if lang == Ruby && (strings.HasPrefix(src, "gsub") || strings.HasPrefix(src, "sub(")) {
		o.Print = true
	}
	return judgeCode(lang, src, []string{"f"}, o, t)
}

// Every line of every table must parse, and its example must show it: without the line the example is judged otherwise.
func TestTableRows(t *testing.T) {
	for _, lang := range withTable {
		all := rows(lang)
		seen := map[string]bool{}
		for line := range strings.Lines(string(all)) {
			line = strings.TrimRight(line, "\n")
			if line == "" || line[0] == '#' {
				continue
			}
			r, ok := parseRow(line)
			if !ok {
				t.Errorf("%s: line does not parse: %s", lang, line)
				continue
			}
			if r.example == "" {
				t.Errorf("%s: %s has no example", lang, r.name)
				continue
			}
			if seen[r.name] {
				t.Errorf("%s: %s stands twice", lang, r.name)
			}
			seen[r.name] = true
			got := judgeTable(lang, r.example, all)
			if why := proves(r, got); why != "" {
				t.Errorf("%s: %s: example %q: %s: %+v", lang, r.name, r.example, why, got)
			}
			if !r.effect() {
				continue // what only computes is proved where it is combined with something that does not
			}
			without := strings.Replace(string(all), "\n"+line+"\n", "\n", 1)
			if reflect.DeepEqual(got, judgeTable(lang, r.example, table(without))) {
				t.Errorf("%s: %s: example %q is judged alike without the line", lang, r.name, r.example)
			}
		}
	}
}

// proves says what the example of a row fails to show.
func proves(r row, e Effects) string {
	opaque := false
	for _, a := range r.acts {
		verb, _, _ := strings.Cut(a.verb, "/")
		has := func(op event.Op) bool {
			return slices.ContainsFunc(e.Touches, func(t Touch) bool {
				base := t.Path[strings.LastIndexByte(t.Path, '/')+1:]
				return t.Op == op && (base == "t" || base == "u" || strings.HasPrefix(t.Path, "t") || r.name[0] == '?' && !t.Known)
			})
		}
		switch verb {
		case "write", "append", "create", "delete", "move", "mode", "link", "read":
			if !has(event.Op(verb)) {
				return "no " + verb + " of t"
			}
		case "open", "kopen", "sysopen":
			if !has(event.OpWrite) && !has(event.OpRead) && !has(event.OpAppend) {
				return "t is not opened"
			}
		case "shell", "argv", "prog", "list", "auto", "popen":
			if !slices.ContainsFunc(e.Runs, func(r Run) bool {
				return r.Known && (r.Shell == "touch t" || slices.Equal(r.Args, []string{"touch", "t"}) || slices.Equal(r.Args, []string{"/bin/touch", "t"}))
			}) {
				return "touch t is not run"
			}
		case "opaque":
			opaque = true
			if len(e.Opaque) == 0 {
				return "nothing is opaque"
			}
		case "evalfile":
			if len(e.Runs) == 0 || !e.Runs[0].Known {
				return "the file is not run"
			}
		}
	}
	if !opaque && len(e.Opaque) > 0 {
		return "something is opaque"
	}
	return ""
}
