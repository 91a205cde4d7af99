//go:build unix

package project

import (
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/place"
)

var _ place.Files = (*Disk)(nil)

// located is what a place has to say, "@" being the tree's top. The root is "@/p".
type located struct {
	canon, lex, via, key string
	kind                 place.Kind
}

func TestLocate(t *testing.T) {
	const (
		missing = place.Missing
		file    = place.File
		folder  = place.Folder
		unknown = place.Unknown
		special = place.Special
	)
	for _, c := range []struct {
		name      string
		tree      []string
		cwd, path string
		want      located
	}{
		{"a file", []string{"p/a/b.go"}, "@/p", "a/b.go", located{"a/b.go", "", "", "a/b.go", file}},
		{"absolute", []string{"p/a/b.go"}, "@/p/x", "@/p/a/b.go", located{"a/b.go", "", "", "a/b.go", file}},
		{"the root", nil, "@/p", ".", located{".", "", "", ".", folder}},
		{"no cwd", []string{"p/a.go"}, "", "a.go", located{"a.go", "", "", "a.go", file}},
		{"no path", nil, "@/p", "", located{".", "", "", ".", folder}},
		{"slashes and dots", []string{"p/a/b.go"}, "@/p/a", ".././/a//b.go//", located{"a/b.go", "", "", "a/b.go", file}},
		{"new file in new folders", nil, "@/p", "x/y/../z.go", located{"x/z.go", "", "", "x/z.go", missing}},
		{"new folder and back", []string{"p/a.go"}, "@/p", "x/y/../../a.go", located{"a.go", "", "", "a.go", file}},
		{"below a file", []string{"p/a.go"}, "@/p", "a.go/x", located{"a.go/x", "", "", "a.go/x", missing}},
		{"up from a file", []string{"p/a.go", "p/b.go"}, "@/p", "a.go/../b.go", located{"b.go", "", "", "b.go", file}},
		{"outside", []string{"x/a"}, "@/p", "../x/a", located{"", "", "", "@/x/a", file}},
		{"a name that begins alike", []string{"pp/a"}, "@/p", "../pp/a", located{"", "", "", "@/pp/a", file}},
		{"the root's parent", nil, "@/p", "..", located{"", "", "", "@", folder}},
		{"the top", nil, "@/p", "/", located{"", "", "", "/", folder}},
		{"above the top", []string{"p/a"}, "@/p", "/../..@/p/a", located{"a", "", "", "a", file}},

		{"root through a symlink", []string{"p/memory-bank/M.md", "l -> p"}, "@/l", "memory-bank/M.md", located{"memory-bank/M.md", "", "", "memory-bank/M.md", file}},
		{"into the middle", []string{"p/a/b/c.md", "l -> p/a"}, "@/l/b", "c.md", located{"a/b/c.md", "", "", "a/b/c.md", file}},
		{"up behind a symlink", []string{"p/a/b/", "p/a/c.md", "l -> p/a/b", "c.md"}, "@/l", "../c.md", located{"a/c.md", "", "", "a/c.md", file}},
		{"… within the project", []string{"p/memory-bank/d/", "p/l -> memory-bank/d"}, "@/p", "l/../x.md", located{"memory-bank/x.md", "x.md", "", "memory-bank/x.md", missing}},
		{"… a/../b of a new link target", []string{"p/l -> new"}, "@/p", "l/../x.md", located{"x.md", "", "", "x.md", missing}},
		{"bank outside", []string{"x/bank/M.md", "p/memory-bank -> ../x/bank"}, "@/p", "memory-bank/M.md", located{"memory-bank/M.md", "", "", "@/x/bank/M.md", file}},
		{"bank outside, by its own name", []string{"x/bank/M.md", "p/memory-bank -> @/x/bank"}, "@/x", "bank/M.md", located{"memory-bank/M.md", "", "", "@/x/bank/M.md", file}},
		{"bank outside, itself", []string{"x/bank/M.md", "p/memory-bank -> @/x/bank"}, "@/x", "bank", located{"memory-bank", "", "", "@/x/bank", folder}},
		{"bank outside, beside it", []string{"x/bank/M.md", "x/bank2/M.md", "p/memory-bank -> @/x/bank"}, "@/x", "bank2/M.md", located{"", "", "", "@/x/bank2/M.md", file}},
		{"bank inside the root", []string{"p/docs/bank/M.md", "p/memory-bank -> docs/bank"}, "@/p", "memory-bank/M.md", located{"memory-bank/M.md", "", "", "docs/bank/M.md", file}},
		{"bank inside, by its own name", []string{"p/docs/bank/M.md", "p/memory-bank -> docs/bank"}, "@/p", "docs/bank/M.md", located{"memory-bank/M.md", "docs/bank/M.md", "", "docs/bank/M.md", file}},
		{"bank through two links", []string{"y/M.md", "x -> y", "p/memory-bank -> @/x"}, "@/p", "memory-bank/M.md", located{"memory-bank/M.md", "", "", "@/y/M.md", file}},
		{"bank is dangling", []string{"p/memory-bank -> @/x/bank"}, "@/p", "memory-bank/M.md", located{"memory-bank/M.md", "", "", "@/x/bank/M.md", missing}},
		{"bank is a loop", []string{"p/memory-bank -> memory-bank"}, "@/p", "memory-bank/M.md", located{"memory-bank/M.md", "", "", "memory-bank/M.md", unknown}},
		{"bank is the root", []string{"p/memory-bank -> .", "p/a.go"}, "@/p", "memory-bank/a.go", located{"a.go", "memory-bank/a.go", "", "a.go", file}},
		{"bank is above the root", []string{"p/memory-bank -> ..", "p/a.go"}, "@/p", "a.go", located{"a.go", "", "", "a.go", file}},
		{"details outside", []string{"x/d/r.md", "p/memory-bank/details -> @/x/d"}, "@/p", "memory-bank/details/r.md", located{"", "memory-bank/details/r.md", "", "@/x/d/r.md", file}},
		{"details outside, by their own name", []string{"x/d/r.md", "p/memory-bank/details -> @/x/d"}, "@/p", "@/x/d/r.md", located{"", "", "", "@/x/d/r.md", file}},
		{"details inside", []string{"p/docs/r.md", "p/memory-bank/details -> ../docs"}, "@/p", "memory-bank/details/r.md", located{"docs/r.md", "memory-bank/details/r.md", "", "docs/r.md", file}},
		{"an anchor that is a link", []string{"p/docs/r.md", "p/memory-bank/details/r.md -> ../../docs/r.md"}, "@/p", "memory-bank/details/r.md", located{"docs/r.md", "memory-bank/details/r.md", "", "docs/r.md", file}},
		{"a link to an anchor", []string{"p/memory-bank/M.md", "p/a.md -> memory-bank/M.md"}, "@/p", "a.md", located{"memory-bank/M.md", "a.md", "", "memory-bank/M.md", file}},
		{"a link to an anchor, outside", []string{"p/memory-bank/M.md", "a.md -> p/memory-bank/M.md"}, "@/", "a.md", located{"memory-bank/M.md", "", "", "memory-bank/M.md", file}},
		{"a link to a new anchor", []string{"p/memory-bank/", "p/a.md -> memory-bank/new.md"}, "@/p", "a.md", located{"memory-bank/new.md", "a.md", "", "memory-bank/new.md", missing}},
		{"below a link to a new folder", []string{"p/a -> new"}, "@/p", "a/x.md", located{"new/x.md", "a/x.md", "", "new/x.md", missing}},
		{"dangling out of the project", []string{"p/a.md -> @/x/y.md"}, "@/p", "a.md", located{"", "a.md", "", "@/x/y.md", missing}},
		{"by way of the bank", []string{"p/x -> memory-bank", "p/memory-bank/details -> ../docs", "p/docs/r.md"}, "@/p", "x/details/r.md", located{"docs/r.md", "x/details/r.md", "memory-bank/details/r.md", "docs/r.md", file}},
		{"… and on", []string{"p/x -> memory-bank", "p/memory-bank/details -> ../docs", "p/docs/r.md -> ../src/r.md", "p/src/r.md"}, "@/p", "x/details/r.md", located{"src/r.md", "x/details/r.md", "memory-bank/details/r.md", "src/r.md", file}},
		{"by way of the root", []string{"p/loop -> .", "p/memory-bank/details -> @/x", "x/r.md"}, "@/p", "loop/memory-bank/details/r.md", located{"", "loop/memory-bank/details/r.md", "memory-bank/details/r.md", "@/x/r.md", file}},
		{"loop of one", []string{"p/l -> l"}, "@/p", "l/x", located{"l/x", "", "", "l/x", unknown}},
		{"loop of two", []string{"p/a -> b", "p/b -> a"}, "@/p", "a/../b", located{"b", "", "", "b", unknown}},
		{"a link into a loop", []string{"p/a -> @/q/b", "q/b -> b"}, "@/p", "a/x", located{"a/x", "", "", "a/x", unknown}},
		{"a link to itself and up", []string{"p/l -> ../p/l", "p/a.md"}, "@/p", "l/../a.md", located{"a.md", "", "", "a.md", file}},
		{"a device", nil, "@/p", "/dev/null", located{"", "", "", "/dev/null", special}},

		{"newline", []string{"p/a\nb"}, "@/p", "a\nb", located{"a\nb", "", "", "a\nb", file}},
		{"quotes and escapes", []string{"p/'\"`$(x)\x1b[2J\\"}, "@/p", "'\"`$(x)\x1b[2J\\", located{"'\"`$(x)\x1b[2J\\", "", "", "'\"`$(x)\x1b[2J\\", file}},
		{"four bytes", []string{"p/😀/𠜎.md"}, "@/p", "😀/𠜎.md", located{"😀/𠜎.md", "", "", "😀/𠜎.md", file}},
		{"no UTF-8", []string{"p/\xff\xfe"}, "@/p", "\xff\xfe", located{"\xff\xfe", "", "", "\xff\xfe", file}},
		{"255 bytes", []string{"p/" + strings.Repeat("n", 255)}, "@/p", strings.Repeat("n", 255), located{strings.Repeat("n", 255), "", "", strings.Repeat("n", 255), file}},
		{"256 bytes", nil, "@/p", strings.Repeat("n", 256) + "/x", located{strings.Repeat("n", 256) + "/x", "", "", strings.Repeat("n", 256) + "/x", unknown}},
		{"NUL", nil, "@/p", "a\x00b", located{"a\x00b", "", "", "a\x00b", unknown}},
		{"tilde", []string{"p/~/x"}, "@/p", "~/x", located{"~/x", "", "", "~/x", file}},
		{"backslash", []string{`p/a\b`}, "@/p", `a\b`, located{`a\b`, "", "", `a\b`, file}},
		{"URL", nil, "@/p", "file:///x", located{"file:/x", "", "", "file:/x", missing}},
	} {
		t.Run(c.name, func(t *testing.T) {
			top := grow(t, append(c.tree, "p/")...)
			in := func(s string) string { return strings.ReplaceAll(s, "@", top) }
			d := at(top+"/p", top+"/p")
			p := d.Locate(in(c.cwd), in(c.path))
			got := located{p.Canon, p.Lex, p.Via, p.Key, p.Kind}
			if c.want.key = in(c.want.key); got != c.want {
				t.Errorf("got  %+v (%s)\nwant %+v (%s)", got, kindName(got.kind), c.want, kindName(c.want.kind))
			}
			if inside := c.want.canon != "" || c.want.lex != ""; inside != (p.Base == top+"/p") {
				t.Errorf("base %q", p.Base)
			}
			if p.Own || p.HoldsOwn {
				t.Error("is mbgate's own")
			}
			again(t, top+"/p", p)
		})
	}
}

// again checks that the canonical path of a place leads back to the same file.
func again(t *testing.T, root string, p place.Place) {
	t.Helper()
	if p.Canon == "" {
		return
	}
	if q := at(root, "").Locate("/", p.Base+"/./"+p.Canon); q.Key != p.Key || q.Kind != p.Kind {
		t.Errorf("%q located again: key %q, %s", p.Canon, q.Key, kindName(q.Kind))
	}
}

func TestLocateTilde(t *testing.T) {
	top := grow(t, "p/~/y.md")
	if p := at(top+"/p", "").Anchor("~/y.md"); p.Canon != "~/y.md" || p.Kind != place.File {
		t.Errorf("an anchor in a folder ~ leads to %+v", p)
	}
}

func TestLocateLongerThanPathMax(t *testing.T) {
	top := grow(t, "p/a/", "p/m.md", "p/here -> .")
	d := at(top+"/p", "")
	for name, c := range map[string]struct {
		path, canon string
		kind        place.Kind
	}{
		"there and back":  {strings.Repeat("a/../", 2000) + "m.md", "m.md", place.File},
		"dots":            {strings.Repeat("./", 1<<20) + "m.md", "m.md", place.File},
		"through a link":  {strings.Repeat("here/", 1000) + "m.md", "m.md", place.File},
		"new":             {strings.Repeat("new/", 2000) + "m.md", strings.Repeat("new/", 2000) + "m.md", place.Missing},
		"new and back":    {strings.Repeat("new/", 2000) + strings.Repeat("../", 2000) + "m.md", "m.md", place.File},
		"above and in":    {strings.Repeat("../", 5000) + top[1:] + "/p/m.md", "m.md", place.File},
		"too long a name": {strings.Repeat("x", 5000), strings.Repeat("x", 5000), place.Unknown},
	} {
		p := d.Locate(top+"/p", c.path)
		if p.Canon != c.canon || p.Kind != c.kind {
			t.Errorf("%s: %.40q (%d bytes), %s", name, p.Canon, len(p.Canon), kindName(p.Kind))
		}
	}
}

func TestChainOfLinks(t *testing.T) {
	tree := []string{"p/l0"}
	for i := range 50 {
		tree = append(tree, "p/l"+string(rune('A'+i))+" -> "+map[bool]string{true: "l0", false: "l" + string(rune('A'+i-1))}[i == 0])
	}
	top := grow(t, tree...)
	name := func(i int) string { return "l" + string(rune('A'+i-1)) }
	for _, i := range []int{1, 39, 40, 41, 50} {
		// Whatever was located before must not change the answer.
		d := at(top+"/p", "")
		for _, before := range []int{50, i, 20, 41} {
			d.Locate(top+"/p", name(before))
		}
		p := d.Locate(top+"/p", name(i))
		if ok := i <= maxLinks; ok != (p.Kind == place.File && p.Key == "l0") {
			t.Errorf("through %d links: %q, %s", i, p.Key, kindName(p.Kind))
		}
	}
}

func TestManyLinksStayLinear(t *testing.T) {
	// Every link leads twice through the one before: followed one by one that would be 2^30 steps.
	tree := []string{"p/d0/"}
	for i := 1; i < 30; i++ {
		a := "d" + string(rune('0'+i-1))
		tree = append(tree, "p/d"+string(rune('0'+i))+" -> "+a+"/../"+a)
	}
	top := grow(t, tree...)
	d := at(top+"/p", "")
	if p := d.Locate(top+"/p", "d"+string(rune('0'+5))+"/x"); p.Canon != "d0/x" {
		t.Errorf("five doublings lead to %+v", p)
	}
	d.Locate(top+"/p", "d"+string(rune('0'+29))+"/x")
	if len(d.walk.nodes) > 100 {
		t.Errorf("%d entries looked at", len(d.walk.nodes))
	}
}

func TestOwn(t *testing.T) {
	top := grow(t, "p/.mbgate.toml", "p/a.go", "h/.local/state/mbgate/x.json", "real/bin/mbgate", "h/bin -> @/real/bin", "p/s -> @/h/.local/state", "h2 -> h")
	d := New(Root{Dir: top + "/p"}, Options{Own: []string{
		top + "/h2/.local/state/mbgate", top + "/h/bin/mbgate", top + "/p/.mbgate.toml", top + "/h/.config/mbgate/config.toml",
	}})
	for path, want := range map[string][2]bool{
		"h/.local/state/mbgate":         {true, false},
		"h/.local/state/mbgate/x.json":  {true, false},
		"h/.local/state/mbgate/new/y":   {true, false},
		"h2/.local/state/mbgate/x.json": {true, false},
		"p/s/mbgate/x.json":             {true, false},
		"p/s":                           {false, true},
		"h/.local/state/mbgate2":        {false, false},
		"h/.local":                      {false, true},
		"h":                             {false, true},
		"real/bin/mbgate":               {true, false},
		"h/bin/mbgate":                  {true, false},
		"h/bin":                         {false, true},
		"real/bin":                      {false, true},
		"p/.mbgate.toml":                {true, false},
		"p":                             {false, true},
		"p/a.go":                        {false, false},
		"h/.config/mbgate/config.toml":  {true, false},
		"h/.config":                     {false, true},
	} {
		if p := d.Locate(top, path); p.Own != want[0] || p.HoldsOwn != want[1] {
			t.Errorf("%s: own %v, holds own %v", path, p.Own, p.HoldsOwn)
		}
	}
	if p := at(top+"/p", "").Locate(top, "h/.local/state/mbgate"); p.Own {
		t.Error("own although nothing was said")
	}
}

func TestFolding(t *testing.T) {
	top := grow(t, "P/memory-bank/MEMORY.md", "P/memory-bank/details/Caf\u00e9.md", "P/link.md -> memory-bank/MEMORY.md", "x/Bank/M.md", "Q/memory-bank -> @/x/Bank")
	d := New(Root{Dir: top + "/P"}, Options{Folding: place.Folded, Own: []string{top + "/Own"}})
	want := d.Locate(top+"/P", "memory-bank/MEMORY.md")
	if want.Canon != "memory-bank/memory.md" || want.Shown != "memory-bank/MEMORY.md" || want.Kind != place.File {
		t.Fatalf("%+v", want)
	}
	for _, s := range []string{"memory-bank/memory.md", "Memory-Bank/Memory.MD", "./MEMORY-BANK//details/../MEMORY.md", "LINK.md"} {
		p := d.Locate(top+"/P", s)
		if p.Key != want.Key || p.Canon != want.Canon || p.Shown != want.Shown || p.Kind != place.File {
			t.Errorf("%s: %+v", s, p)
		}
		if !p.Is("memory-bank/MEMORY.md") || !p.Under("Memory-Bank") {
			t.Errorf("%s: is not the memory bank's", s)
		}
	}
	cafe := d.Locate(top+"/P", "memory-bank/details/Caf\u00e9.md")
	for _, s := range []string{"memory-bank/details/Cafe\u0301.md", "memory-bank/details/CAFE\u0301.MD"} {
		if p := d.Locate(top+"/P", s); p.Key != cafe.Key || p.Shown != "memory-bank/details/Caf\u00e9.md" || p.Kind != place.File {
			t.Errorf("%q: %+v", s, p)
		}
	}
	if p := d.Locate(top+"/P", "NEW/File.md"); p.Canon != "new/file.md" || p.Shown != "NEW/File.md" || p.Kind != place.Missing {
		t.Errorf("new file: %+v", p)
	}
	if p := d.Anchor(want.Canon); p.Key != want.Key || p.Kind != place.File {
		t.Errorf("anchor: %+v", p)
	}
	if p := d.Locate(top, "OWN/x"); !p.Own {
		t.Error("own is not, in capitals")
	}
	if p := d.Locate(top, "own"); !p.Own {
		t.Error("own is not, in small letters")
	}
	q := New(Root{Dir: top + "/Q"}, Options{Folding: place.Folded})
	a, b := q.Locate(top+"/Q", "Memory-Bank/m.md"), q.Locate(top, "x/Bank/M.md")
	if a.Key != b.Key || a.Canon != "memory-bank/m.md" || b.Canon != a.Canon || a.Shown != "memory-bank/M.md" {
		t.Errorf("bank outside: %+v\n%+v", a, b)
	}
	exact := at(top+"/P", "")
	if a, b := exact.Locate(top+"/P", "memory-bank/MEMORY.md"), exact.Locate(top+"/P", "memory-bank/memory.md"); folding == place.Exact && (a.Key == b.Key || b.Kind != place.Missing) {
		t.Errorf("exact names fold: %+v", b)
	}
}

func TestWithoutRoot(t *testing.T) {
	top := grow(t, "p/a.go")
	d := New(Root{}, Options{Cwd: top, Own: []string{top + "/p"}})
	p := d.Locate(top, "p/a.go")
	if p.Inside() || !p.Own || p.Key != top+"/p/a.go" || p.Base != "" || p.Kind != place.File {
		t.Errorf("%+v", p)
	}
}

func TestSubagentDefined(t *testing.T) {
	top := grow(t, "m/.claude/agents/root-only.md", "w/.claude/agents/tree-only.md", "h/.claude/agents/user.md", "m/.claude/agents/folder.md/",
		"m/.claude/agents/linked.md -> @/h/.claude/agents/user.md", "m/.claude/secret.md")
	worktree(t, top, "m", "w", "w")
	files := []string{".claude/agents/%s.md", "~/.claude/agents/%s.md"}
	d := New(Root{Dir: top + "/m"}, Options{Cwd: top + "/w", Home: top + "/h"})
	for name, want := range map[string]bool{
		"root-only": true, "tree-only": true, "user": true, "linked": true, "folder": false, "none": false,
		"": false, "..": false, "../secret": false, `..\secret`: false,
	} {
		if got := d.SubagentDefined(files, name); got != want {
			t.Errorf("%q defined: %v", name, got)
		}
	}
	env := map[string]string{"MOVED": top + "/h/.claude", "RELATIVE": "h/.claude"}
	for file, want := range map[string]bool{
		"${MOVED}/agents/%s.md": true, "${UNSET}/agents/%s.md": false, "${RELATIVE}/agents/%s.md": false, "${MOVED": false,
	} {
		moved := New(Root{Dir: top + "/m"}, Options{Getenv: func(name string) string { return env[name] }})
		if got := moved.SubagentDefined([]string{file}, "user"); got != want {
			t.Errorf("%s: defined: %v", file, got)
		}
	}
	if d.SubagentDefined([]string{"${MOVED}/agents/%s.md"}, "user") {
		t.Error("the user's, without an environment")
	}
	if d.SubagentDefined(nil, "user") {
		t.Error("defined although the client looks nowhere")
	}
	if New(Root{Dir: top + "/m"}, Options{}).SubagentDefined(files, "user") {
		t.Error("the user's, without a home folder")
	}
	if New(Root{}, Options{Home: top + "/h"}).SubagentDefined(files, "root-only") {
		t.Error("the project's, without a project")
	}
}

func TestNames(t *testing.T) {
	top := grow(t, "p/b", "p/a", "p/C/", "p/.hidden", "p/e/", "l -> p")
	d := at(top+"/p", "")
	for _, abs := range []string{top + "/p", top + "/l", top + "/p/e/../"} {
		if got, ok := d.Names(abs); !ok || !slices.Equal(got, []string{".hidden", "C", "a", "b", "e"}) {
			t.Errorf("%s: %q, %v", abs, got, ok)
		}
	}
	if got, ok := d.Names(top + "/p/e"); !ok || len(got) != 0 {
		t.Errorf("empty folder: %q, %v", got, ok)
	}
	for _, abs := range []string{top + "/p/a", top + "/gone", top + "/p/a/x", "/dev/null"} {
		if got, ok := d.Names(abs); ok {
			t.Errorf("%s: %q", abs, got)
		}
	}
}
