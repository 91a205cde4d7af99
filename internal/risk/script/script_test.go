package script

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// summary is what a test file says of effects: one line for each.
func summary(e Effects) string {
	var b strings.Builder
	for _, t := range e.Touches {
		fmt.Fprintf(&b, "%s %q", t.Op, t.Path)
		for _, f := range []struct {
			on   bool
			word string
		}{
			{!t.Known, "unknown"},
			{t.Tree, "tree"},
			{t.Maybe, "maybe"},
			{t.Whole, "whole"},
			{t.Printed && !t.Whole, fmt.Sprint("part", t.Spans)},
			{t.Verbatim && !t.Whole, "verbatim"},
		} {
			if f.on {
				b.WriteString(" " + f.word)
			}
		}
		b.WriteByte('\n')
	}
	for _, r := range e.Runs {
		fmt.Fprintf(&b, "run %q %q", r.Shell, r.Args)
		if !r.Known {
			b.WriteString(" unknown")
		}
		if r.Printed {
			b.WriteString(" printed")
		}
		if r.HasInput {
			fmt.Fprintf(&b, " input %q", r.Input)
		}
		if r.Dir != "" {
			b.WriteString(" in " + r.Dir)
		}
		b.WriteByte('\n')
	}
	for _, o := range e.Opaque {
		b.WriteString("opaque " + o + "\n")
	}
	return b.String()
}

// The test file holds sections that a line "===== LANG [-n|-p|-i] ARGUMENTS" begins: the script, a line "-----", and what
// it does.
func TestScripts(t *testing.T) {
	data, err := os.ReadFile("testdata/scripts.txt")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split("\n"+string(data), "\n===== ")[1:]
	if len(sections) < 50 {
		t.Fatalf("only %d sections", len(sections))
	}
	for _, s := range sections {
		head, rest, _ := strings.Cut(s, "\n")
		src, want, ok := strings.Cut(rest+"\n", "\n-----\n")
		if !ok {
			t.Errorf("section %q has no effects", head)
			continue
		}
		words := strings.Fields(head)
		o, argv := Options{}, []string(nil)
		for _, w := range words[1:] {
			switch w {
			case "-n":
				o.Quiet = true
			case "-p":
				o.Print = true
			case "-i":
				o.Inplace = true
			default:
				argv = append(argv, w)
			}
		}
		got := summary(Judge(Lang(words[0]), src, argv, o))
		if strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s\n%s\n got:\n%swant:\n%s", head, src, got, want)
		}
	}
}

func TestSedSpans(t *testing.T) {
	for _, c := range []struct {
		script          string
		quiet           bool
		spans           [][2]int
		whole, verbatim bool
	}{
		{"1,200p", true, [][2]int{{1, 200}}, false, true},
		{"5p;7p", true, [][2]int{{5, 5}, {7, 7}}, false, true},
		{"$p", true, [][2]int{{-1, 0}}, false, true},
		{"5,$p", true, [][2]int{{5, 0}}, false, true},
		{"1,$p", true, nil, true, true},
		{"p", true, nil, true, true},
		{"", false, nil, true, true},
		{"10q", false, [][2]int{{1, 10}}, false, true},
		{"10Q", false, [][2]int{{1, 9}}, false, true},
		{"1,5d", false, [][2]int{{6, 0}}, false, true},
		{"3!d", false, [][2]int{{3, 3}}, false, true},
		{"s/x/y/", false, nil, true, false},
		{"5,8{s/x/y/;p}", true, [][2]int{{5, 8}}, false, false},
		{"10,+5p", true, [][2]int{{10, 15}}, false, true},
		{"5{p;q}", true, [][2]int{{5, 5}}, false, true},
		{"=", false, nil, true, true},
		{"1,10p", false, nil, true, true},
		{"$d", false, nil, false, true},
		{"/x/d", false, nil, false, true},
		{"/x/p", true, nil, false, true},
		{"s/a/b/p", true, nil, false, false},
		{"unknown", false, nil, false, false},
	} {
		spans, whole, verbatim := SedSpans(c.script, c.quiet)
		if fmt.Sprint(spans) != fmt.Sprint(c.spans) || whole != c.whole || verbatim != c.verbatim {
			t.Errorf("%q quiet %v: got %v %v %v, want %v %v %v", c.script, c.quiet, spans, whole, verbatim, c.spans, c.whole, c.verbatim)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		lang Lang
		src  string
		argv []string
		o    Options
		want string
	}{
		{Perl, `copy("a", "b")`, nil, Options{Modules: []string{"File::Copy"}}, "read \"a\"\nwrite \"b\"\n"},
		{Node, `require("fs").unlinkSync(process.argv[2])`, []string{"x"}, Options{Name: "a.js"}, "delete \"x\"\n"},
		{Node, `require("fs").unlinkSync(process.argv[1])`, []string{"x"}, Options{}, "delete \"x\"\n"},
		{Python, `import os, sys; os.remove(sys.argv[2])`, []string{"", "x"}, Options{}, "delete \"x\"\n"},
		{Python, `import os, sys; os.remove(sys.argv[1])`, []string{"", "x"}, Options{}, "delete \"\" unknown\n"},
		{Python, `import os; os.remove(os.path.expanduser("~/x"))`, nil, Options{Env: map[string]string{"HOME": "/h"}}, "delete \"/h/x\"\n"},
		{Python, `import os; os.remove(os.path.dirname(__file__) + "/x")`, nil, Options{Name: "d/s.py"}, "delete \"d/x\"\n"},
		{Perl, `unlink "$ENV{HOME}/x"`, nil, Options{Env: map[string]string{"HOME": "/h"}}, "delete \"/h/x\"\n"},
		{Awk, `BEGIN { print > o }`, nil, Options{Vars: map[string]string{"o": "x"}}, "write \"x\"\n"},
		{Node, `require("fs").readFileSync("a", "utf8")`, nil, Options{Print: true}, "read \"a\" whole\n"},
		{Python, "import os; os.chdir('d'); os.chdir('e'); os.remove('x'); os.chdir(y); os.remove('x')", nil, Options{}, "delete \"d/e/x\"\ndelete \"\" unknown\n"},
		{Python, strings.Repeat("#", maxSource+1), nil, Options{}, "opaque the python script is too long to judge\n"},
		{"cobol", "x", nil, Options{}, "opaque no rules for cobol scripts\n"},
	} {
		if got := summary(Judge(c.lang, c.src, c.argv, c.o)); got != c.want {
			t.Errorf("%s %.80q: got %s want %s", c.lang, c.src, got, c.want)
		}
	}
}
