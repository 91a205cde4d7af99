package patch

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/mbgate/mbgate/internal/event"
)

// source hands out the bytes of a fuzz input as choices; behind its end every choice is 0.
type source []byte

func (s *source) pick(n int) int {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return int(b) % n
}

// path makes a file name that the formats have to take care with.
func (s *source) path() string {
	parts := []string{
		"a", "b", "src", "go.mod", "with space", `q"uote`, "tab\there", "ä", "-- x", "dev", "null", "x.orig", "*** End Patch", "1970-01-01",
	}
	p := parts[s.pick(len(parts))]
	for n := s.pick(3); n > 0; n-- {
		p += "/" + parts[s.pick(len(parts))]
	}
	return p + strconv.Itoa(s.pick(7)) // no name that is another's beginning by chance of the folder
}

// text makes lines, many of which look like the format itself.
func (s *source) text(n int) []string {
	nasty := []string{
		"", "x", "-- a", "++ b", "- a/x", "+ b/x", "@@ -1 +1 @@", "** Begin Patch", "*** End Patch", "*** Delete File: no", "diff --git a/x b/x",
		"\\ No newline", " y", "*** Move to: no", "rename from x", "--- a/x", "+++ b/x",
	}
	var t []string
	for range n {
		t = append(t, nasty[s.pick(len(nasty))])
	}
	return t
}

// known is a patch with the list of what it changes.
type known struct {
	text    strings.Builder
	changes []Change
}

func (k *known) put(format string, args ...any) { fmt.Fprintf(&k.text, format+"\n", args...) }

func (k *known) change(path string, op event.Op) {
	k.changes = append(k.changes, Change{Path: path, Op: op})
}

// block writes one file of Codex's format.
func (k *known) block(s *source) {
	path := strings.TrimSpace(s.path())
	switch s.pick(4) {
	case 0:
		k.change(path, event.OpCreate)
		k.put("*** Add File: %s", path)
		for _, l := range s.text(s.pick(5)) {
			k.put("+%s", l)
		}
	case 1:
		k.change(path, event.OpDelete)
		k.put("*** Delete File: %s", path)
	default:
		k.put("*** Update File: %s", path)
		if s.pick(2) == 0 {
			k.change(path, event.OpWrite)
		} else {
			to := "to/" + s.path()
			k.change(path, event.OpMove)
			k.change(to, event.OpCreate)
			k.put("*** Move to: %s", to)
		}
		for n := s.pick(3); n > 0; n-- {
			k.put("@@ %s", strings.Join(s.text(1), ""))
			for _, l := range s.text(s.pick(5)) {
				// Codex takes an indented end mark for context, OpenCode for the end.
				if l = string(" +-"[s.pick(3)]) + l; strings.TrimSpace(l) != "*** End Patch" {
					k.put("%s", l)
				}
			}
		}
	}
}

// quote writes a name as git does with core.quotePath.
func quote(name string) string {
	if strings.ContainsAny(name, "\"\t\\") || strings.ContainsFunc(name, func(r rune) bool { return r > 126 }) {
		q := `"`
		for _, b := range []byte(name) {
			switch {
			case b == '"' || b == '\\':
				q += `\` + string(rune(b))
			case b < 32 || b > 126:
				q += fmt.Sprintf(`\%03o`, b)
			default:
				q += string(rune(b))
			}
		}
		return q + `"`
	}
	return name
}

// tabbed is a name in a ---/+++ line: git ends one that holds a blank with a tab.
func tabbed(name string) string {
	if q := quote(name); q != name || !strings.Contains(name, " ") {
		return q
	}
	return name + "\t"
}

// hunks writes n hunks with right counts; a new file has no old lines, a deleted one no new ones.
func (k *known) hunks(s *source, n int, old, fresh bool) {
	for range n {
		var body []string
		o, f := 0, 0
		for _, l := range s.text(1 + s.pick(4)) {
			switch c := s.pick(3); {
			case c == 0 && old && fresh:
				body, o, f = append(body, " "+l), o+1, f+1
			case c == 1 && old || !fresh:
				body, o = append(body, "-"+l), o+1
			default:
				body, f = append(body, "+"+l), f+1
			}
		}
		// A hunk without a change is refused by git, so there is always one.
		if fresh {
			body, f = append(body, "+end"), f+1
		} else {
			body, o = append(body, "-end"), o+1
		}
		k.put("@@ -%d,%d +%d,%d @@ %s", min(o, 1), o, min(f, 1), f, strings.TrimSpace(strings.Join(s.text(1), "")))
		for _, l := range body {
			k.put("%s", l)
		}
		if s.pick(4) == 0 {
			k.put(`\ No newline at end of file`)
		}
	}
}

// gitFile writes one file of a git diff.
func (k *known) gitFile(s *source) {
	path := s.path()
	k.put("diff --git %s %s", quote("a/"+path), quote("b/"+path))
	switch s.pick(6) {
	case 0:
		k.change(path, event.OpCreate)
		k.put("new file mode 100644")
		k.put("index 0000000..3e75765")
		if n := s.pick(2); n > 0 {
			k.put("--- /dev/null\n+++ %s", tabbed("b/"+path))
			k.hunks(s, n, false, true)
		}
	case 1:
		k.change(path, event.OpDelete)
		k.put("deleted file mode 100644")
		k.put("index 3e75765..0000000")
		if n := s.pick(2); n > 0 {
			k.put("--- %s\n+++ /dev/null", tabbed("a/"+path))
			k.hunks(s, n, true, false)
		}
	case 2:
		k.change(path, event.OpMode)
		k.put("old mode 100644\nnew mode 100755")
	case 3:
		to := "to/" + s.path()
		k.text.Reset() // the names in the first line differ
		k.changes = nil
		k.change(path, event.OpMove)
		k.change(to, event.OpCreate)
		k.put("diff --git %s %s", quote("a/"+path), quote("b/"+to))
		k.put("similarity index 90%%\nrename from %s\nrename to %s", quote(path), quote(to))
		if n := s.pick(2); n > 0 {
			k.put("--- %s\n+++ %s", tabbed("a/"+path), tabbed("b/"+to))
			k.hunks(s, n, true, true)
		}
	case 4:
		to := "to/" + s.path()
		k.text.Reset()
		k.changes = nil
		k.change(to, event.OpCreate)
		k.put("diff --git %s %s", quote("a/"+path), quote("b/"+to))
		k.put("similarity index 100%%\ncopy from %s\ncopy to %s", quote(path), quote(to))
	default:
		k.change(path, event.OpWrite)
		k.put("index 3e75765..4cb29ea 100644\n--- %s\n+++ %s", tabbed("a/"+path), tabbed("b/"+path))
		k.hunks(s, 1+s.pick(3), true, true)
	}
}

// unified writes one file of a diff as GNU diff -u does, in one folder.
func (k *known) unifiedFile(s *source) {
	path := s.path()
	k.change(path, event.OpWrite)
	q := quote(path)
	k.put("--- %s\t2026-01-02 10:11:12.000000000 +0100\n+++ %s\t2026-01-02 10:11:13.000000000 +0100", q, q)
	k.hunks(s, 1+s.pick(3), true, true)
}

// make writes a patch of one format: all blocks, all git or all unified.
func (s *source) make() (text string, changes []Change, format int) {
	format = s.pick(3)
	var b strings.Builder
	if format == 0 {
		b.WriteString("*** Begin Patch\n")
	}
	for n := 1 + s.pick(4); n > 0; n-- {
		var k known
		switch format {
		case 0:
			k.block(s)
		case 1:
			k.gitFile(s)
		default:
			k.unifiedFile(s)
		}
		b.WriteString(k.text.String())
		changes = append(changes, k.changes...)
	}
	if format == 0 {
		b.WriteString("*** End Patch\n")
	}
	return b.String(), changes, format
}

// FuzzKnown writes a patch from a list of changes and wants that list back; go-gitdiff must agree on the git diffs.
func FuzzKnown(f *testing.F) {
	for i := range 60 {
		seed := make([]byte, 40)
		for j := range seed {
			seed[j] = byte(i*31 + j*j*7 + j)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := source(data)
		text, want, format := s.make()
		got, err := Parse(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("error %v\ngot:\n%s\nwant:\n%s\npatch:\n%s", err, list(got), list(want), text)
		}
		if format == 1 {
			files, _, err := gitdiff.Parse(strings.NewReader(text))
			if other := list(fromLibrary(files)); err != nil || other != list(got) {
				t.Fatalf("error %v\nthe library reads:\n%s\nwe:\n%s\npatch:\n%s", err, other, list(got), text)
			}
		}
		// Cut anywhere, the patch must not lose a file silently: what is still complete is listed, or it is an error.
		if cut := s.pick(256) * (len(text) - 1) / 256; cut > 0 {
			short, err := Parse(text[:cut])
			if err == nil && format == 0 && !strings.HasSuffix(text[:cut], "\n*** End Patch") {
				t.Fatalf("a block without its end is no error:\n%s", text[:cut])
			}
			if format != 1 && len(short) > len(got) {
				t.Fatalf("the cut patch changes more:\n%s\npatch:\n%s", list(short), text[:cut])
			}
		}
	})
}

// fromLibrary writes what go-gitdiff found in our terms.
func fromLibrary(files []*gitdiff.File) (out []Change) {
	for _, f := range files {
		switch {
		case f.IsRename:
			out = append(out, Change{f.OldName, event.OpMove}, Change{f.NewName, event.OpCreate})
		case f.IsCopy || f.IsNew:
			out = append(out, Change{f.NewName, event.OpCreate})
		case f.IsDelete:
			out = append(out, Change{f.OldName, event.OpDelete})
		case f.NewMode != 0 && len(f.TextFragments) == 0:
			out = append(out, Change{f.NewName, event.OpMode})
		default:
			out = append(out, Change{f.NewName, event.OpWrite})
		}
	}
	return out
}

// FuzzLibrary compares what is found in any text with go-gitdiff: a file that the library finds and we do not is a hole
// unless we call the patch faulty.
func FuzzLibrary(f *testing.F) {
	for _, seed := range []string{
		"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n",
		"diff --git a/x b/y\nrename from x\nrename to y\n",
		"diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n--- a\n+++ b\n@@ -1,0 +1 @@\n+a\n",
		"diff --git a/x b/x\nnew file mode 120000\nindex 0..1\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+t\n\\ No newline at end of file\n",
		"diff --git \"a/\\303\\244\" \"b/\\303\\244\"\ndeleted file mode 100644\n",
		"*** Begin Patch\n*** Add File: x\n+y\n*** End Patch\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Parse(text)
		var syntax *syntaxError
		if err != nil && !errors.As(err, &syntax) && !errors.Is(err, NotPatchError{}) {
			t.Fatalf("error of another type: %v", err)
		}
		if errors.Is(err, NotPatchError{}) && len(got) > 0 || syntax != nil && (syntax.Line < 1 || syntax.Line > strings.Count(text, "\n")+1) {
			t.Fatalf("changes %v with %v", got, err)
		}
		for _, c := range got {
			if c.Path == "" || c.Op == "" {
				t.Fatalf("empty change in %+v", got)
			}
		}
		if syntax != nil || strings.Contains(text, "*** ") || strings.Contains(text, "\r") {
			return
		}
		files, _, libErr := gitdiff.Parse(strings.NewReader(text))
		if libErr == nil && len(files) > len(got) {
			t.Fatalf("the library finds %d files, we %v (%v)", len(files), got, err)
		}
	})
}
