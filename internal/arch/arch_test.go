package arch

import (
	"slices"
	"strings"
	"testing"
)

// TestRules holds every package of the module against the rules. It reads the source in this process: a test that runs
// `go list` is cached and stays green after a rule was broken.
func TestRules(t *testing.T) {
	all, err := tree(root())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 5 || !slices.ContainsFunc(all, func(s source) bool { return s.path == "internal/event" }) {
		t.Fatalf("the module was not found: %d packages", len(all))
	}
	met := map[string]bool{}
	for _, s := range all {
		for _, f := range check(s) {
			place, what, _ := strings.Cut(f, ": ")
			file, _, _ := strings.Cut(place, ":")
			key := file[:strings.LastIndexByte(file, '/')] + ": " + what
			if _, ok := allowed[key]; ok {
				met[key] = true
				continue
			}
			t.Error(f)
		}
	}
	for key := range allowed {
		if !met[key] {
			t.Errorf("the exception %q is not needed any more", key)
		}
	}
}

// TestTable holds the tables against each other: what is pure stands at the bottom.
func TestTable(t *testing.T) {
	for i, r := range packages {
		if j := slices.IndexFunc(packages, func(o rule) bool { return below(r.path, o.path) }); j != i {
			t.Errorf("%s is there twice", r.path)
		}
		for _, o := range packages {
			if r.pure && !o.pure && o.rank <= r.rank {
				t.Errorf("%s is not pure and stands below %s, which is", o.path, r.path)
			}
		}
	}
	for _, k := range kept {
		for _, r := range k.packages {
			if found, ok := placeOf(r); !ok || found.pure && anyBelow(k.path, impure) {
				t.Errorf("%s is kept in %s, which does not exist or is pure", k.path, r)
			}
		}
	}
}

// TestCheck proves that the checker can fail: each row breaks one rule in one way, or comes near and keeps it.
func TestCheck(t *testing.T) {
	tests := []struct {
		name, path, text string
		want             []string // parts of the findings, in order; none for a text that keeps the rules
	}{
		// Purity.
		{"os in a pure package", "internal/event", `import "os"; var _ = os.Args`, []string{"pure package internal/event imports os"}},
		{"a package below os", "internal/risk", `import _ "os/signal"`, []string{"imports os/signal"}},
		{"os/exec breaks two rules", "internal/gate", `import _ "os/exec"`, []string{"pure package", "no child process"}},
		{"io/fs", "internal/anchor", `import _ "io/fs"`, []string{"imports io/fs"}},
		{"filepath", "internal/place", `import _ "path/filepath"`, []string{"imports path/filepath"}},
		{"net/url", "internal/capsule", `import _ "net/url"`, []string{"imports net/url"}},
		{"a pure package below another", "internal/risk/shell", `import _ "net"`, []string{"pure package internal/risk/shell imports net"}},
		{"path is fine", "internal/place", `import "path"; var _ = path.Join`, nil},
		{"a package named like one", "internal/place", `import _ "osmosis"`, nil},
		{"os in the skin", "internal/state", `import _ "os"`, nil},
		{"the clock", "internal/gate", `import "time"; func f() time.Time { return time.Now() }`, []string{"uses time.Now"}},
		{"the clock by another name", "internal/gate", `import t "time"; func f() { t.Sleep(1) }`, []string{"uses time.Sleep"}},
		{"the clock as a value", "internal/gate", `import "time"; func f() { g(time.Now) }`, []string{"uses time.Now"}},
		{"time as a value", "internal/gate", `import "time"; func f(t time.Time) bool { return t.After(t) }`, nil},
		{"another time", "internal/gate", `func f() { var time struct{ Now func() }; time.Now() }`, nil},
		{"the clock in the skin", "internal/state", `import "time"; func f() time.Time { return time.Now() }`, nil},

		// Direction.
		{"upwards", "internal/event", `import _ "github.com/mbgate/mbgate/internal/gate"`, []string{"(rank 0) imports internal/gate (rank 6)"}},
		{"sideways", "internal/state", `import _ "github.com/mbgate/mbgate/internal/config"`, []string{"imports internal/config (rank 8)"}},
		{"downwards", "internal/gate", `import _ "github.com/mbgate/mbgate/internal/event"`, nil},
		{"the command", "internal/render", `import _ "github.com/mbgate/mbgate/cmd/mbgate"`, []string{"imports cmd/mbgate"}},
		{"a helper of tests", "internal/gate", `import _ "github.com/mbgate/mbgate/internal/place/placetest"`, []string{"is for tests"}},
		{"a package without a place", "internal/novel", ``, []string{"has no place in the table"}},
		{"a package below one with a place", "internal/gate/novel", ``, []string{"has no place in the table"}},

		// What stays where.
		{"cobra in a package", "internal/render", `import _ "github.com/spf13/cobra"`, []string{"outer skin"}},
		{"cobra in the skin", "cmd/mbgate", `import _ "github.com/spf13/cobra/doc"`, nil},
		{"lipgloss in the store", "internal/state", `import _ "github.com/charmbracelet/lipgloss"`, []string{"colours"}},
		{"lipgloss for people", "internal/render", `import _ "github.com/charmbracelet/lipgloss/table"`, nil},
		{"xdg outside the store", "cmd/mbgate", `import _ "github.com/adrg/xdg"`, []string{"environment in its init"}},
		{"templates", "internal/render", `import _ "text/template"`, []string{"1.5 MB"}},

		// Start-up and global state.
		{"init", "internal/wire", `func init() {}`, []string{"init function"}},
		{"a method called init", "internal/wire", `type t int; func (t) init() {}`, nil},
		{"a map without a value", "internal/wire", `var m map[string]int`, []string{"m is global state: a variable without a value"}},
		{"make", "internal/wire", `var m = make(map[string]int)`, []string{"set up by a call"}},
		{"a regular expression", "internal/wire", `import "regexp"; var r = regexp.MustCompile("x")`, []string{"set up by a call"}},
		{"one that waits", "internal/wire", `import ("regexp"; "sync"); var r = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("x") })`, nil},
		{"an own function", "internal/wire", `var r = f(); func f() int { return 1 }`, []string{"set up by a call"}},
		{"an error", "internal/wire", `import "errors"; var err = errors.New("x")`, nil},
		{"another package called errors", "internal/wire", `import "x/errors"; var err = errors.New("x")`, []string{"set up by a call"}},
		{"a conversion", "internal/wire", `type t string; var x = []byte(t("x")); var y = t("x")`, nil},
		{"a table", "internal/wire", `var rows = []struct{ a string }{{"x"}}; func f() string { return rows[0].a }`, nil},
		{"a table of functions", "internal/wire", `var rows = [...]func(){func() { f() }}; func f() {}`, nil},
		{"a large map", "internal/wire", `var m = map[int]int{` + strings.Repeat("1:1,", maxMap+1) + `}`, []string{"a map of 51 rows"}},
		{"a map", "internal/wire", `var m = map[int]int{` + strings.Repeat("1:1,", maxMap) + `}`, nil},
		{"a lock", "internal/wire", `import "sync"; var mu sync.Mutex`, []string{"type sync.Mutex", "without a value"}},
		{"a pool", "internal/wire", `import "sync"; var p = &sync.Pool{}`, []string{"type sync.Pool"}},
		{"an embedded table", "internal/risk/shell", "import _ \"embed\"\n\n// Rows.\n//\n//go:embed x.txt\nvar rows string", nil},
		{"an embedded table that is changed", "internal/wire", "import _ \"embed\"\n//go:embed x.txt\nvar rows string\nfunc f() { rows = \"\" }", []string{"changed here"}},
		{"a counter", "internal/wire", `import "sync/atomic"; var n atomic.Int64`, []string{"type sync/atomic.Int64", "without a value"}},
		{"assigned", "internal/wire", `var n = 1; func f() { n = 2 }`, []string{"n is global state: it is changed here"}},
		{"counted", "internal/wire", `var n = 1; func f() { n++ }`, []string{"changed here"}},
		{"an element", "internal/wire", `var m = map[int]int{1: 1}; func f() { m[2] = 2 }`, []string{"changed here"}},
		{"a field behind a pointer", "internal/wire", `var p = &struct{ n int }{}; func f() { p.n = 2 }`, []string{"changed here"}},
		{"deleted", "internal/wire", `var m = map[int]int{1: 1}; func f() { delete(m, 1) }`, []string{"changed here"}},
		{"appended", "internal/wire", `var s = []int{1}; func f() { _ = append(s, 1) }`, []string{"changed here"}},
		{"by address", "internal/wire", `var n = 1; func f() { g(&n) }; func g(*int) {}`, []string{"changed here"}},
		{"in a range", "internal/wire", `var n = 1; func f() { for n = range 3 {} }`, []string{"changed here"}},
		{"a local of that name", "internal/wire", `var n = 1; func f() { n := 0; n++; n = 2 }`, nil},
		{"a parameter of that name", "internal/wire", `var m = map[int]int{1: 1}; func f(m map[int]int) { m[1] = 2 }`, nil},
		{"an interface that is kept", "internal/wire", `type t int; var _ interface{} = t(0)`, nil},
		{"a goroutine", "internal/wire", `func f() { go f() }`, []string{"starts a goroutine"}},
		{"a goroutine for people", "cmd/mbgate", `func f() { go f() }`, nil},
		{"no part of the program", "scripts/bench", `import _ "os/exec"; var n int; func init() { n++; go init2() }; func init2() {}`, nil},
		{"what does not parse", "internal/wire", `func {`, []string{"expected"}},

		// Size.
		{"a long function", "internal/wire", "func f() {" + strings.Repeat("\n", maxFunction) + "}", []string{"f has more than 120 lines"}},
		{"a long method of a script", "scripts/bench", "type t int\nfunc (t) g() {" + strings.Repeat("\n", maxFunction) + "}", []string{"g has more than 120 lines"}},
		{"one that is just long enough", "internal/wire", "func f() {" + strings.Repeat("\n", maxFunction-1) + "}", nil},
		{"a table in a function", "internal/wire", "func f() []int {\n\treturn []int{" + strings.Repeat("1,\n", maxFunction) + "}\n}", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			const doc = "// Package x is here\n// to keep the rule about\n// package comments.\n"
			got := check(source{tt.path, map[string]string{tt.path + "/x.go": doc + "package x\n" + tt.text}})
			for i, f := range got {
				if i >= len(tt.want) || !strings.Contains(f, tt.want[i]) {
					t.Errorf("found %s", f)
				}
			}
			if len(got) < len(tt.want) {
				t.Errorf("found only %q, want %q", got, tt.want)
			}
		})
	}
}

// TestAcrossFiles: a variable of one file that another changes.
func TestAcrossFiles(t *testing.T) {
	got := check(source{"internal/wire", map[string]string{
		"internal/wire/a.go": "// Package wire is\n// three\n// lines.\npackage wire\nvar n = 1",
		"internal/wire/b.go": "package wire\n\nfunc f() { n = 2 }",
	}})
	if len(got) != 1 || got[0] != "internal/wire/b.go:3: n is global state: it is changed here" {
		t.Errorf("found %q", got)
	}
}

// TestPackageComment: three lines in one of the files, and no generated or table file is measured.
func TestPackageComment(t *testing.T) {
	const long = "func f() {\n" // and 200 lines
	body := long + strings.Repeat("\n", 200) + "}"
	for name, tt := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no comment":          {map[string]string{"a.go": "package wire"}, "package comment of 0 lines"},
		"a short one":         {map[string]string{"a.go": "// Package wire is short.\npackage wire"}, "package comment of 1 line"},
		"in another file":     {map[string]string{"a.go": "package wire", "b.go": "// Package wire\n// is\n// here.\npackage wire"}, ""},
		"a table file":        {map[string]string{"a_table.go": "// Package wire\n// is\n// here.\npackage wire\n" + body}, ""},
		"a generated file":    {map[string]string{"a.go": "// Code generated by x; DO NOT EDIT.\n\n// Package wire\n// is\n// here.\npackage wire\n" + body}, ""},
		"and one that is not": {map[string]string{"a.go": "// Package wire\n// is\n// here.\npackage wire\n" + body}, "f has more than 120 lines"},
	} {
		files := map[string]string{}
		for f, text := range tt.files {
			files["internal/wire/"+f] = text
		}
		got := strings.Join(check(source{"internal/wire", files}), "\n")
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: found %q, want %q", name, got, tt.want)
		}
	}
}
