package place

import (
	"strings"
	"testing"
)

func TestSyntaxJoin(t *testing.T) {
	win := Syntax{Windows: true}
	for _, c := range []struct {
		name       string
		s          Syntax
		cwd, p     string
		want       string
		unexpanded bool // POSIX takes it for another path
	}{
		{"relative", win, `C:\r`, `a\b`, "C:/r/a/b", true},
		{"drive", win, `C:\r`, `D:\a\..\b`, "D:/b", true},
		{"drive's folder", win, `C:\r`, `c:a`, "C:/r/a", true},
		{"other drive's folder", win, `C:\r`, `D:a`, "D:/a", true},
		{"drive alone", win, `C:\r`, `D:`, "D:/", true},
		{"rooted", win, `D:\r`, `\a`, "D:/a", true},
		{"above the drive", win, `C:\r`, `..\..\..\a`, "C:/a", true},
		{"share", win, `C:\r`, `\\srv\share\a\..\..\b`, "//srv/share/b", true},
		{"share alone", win, `C:\r`, `\\srv\share`, "//srv/share/", true},
		{"on a share", win, `\\srv\share\r`, `..\..\a`, "//srv/share/a", true},
		{"rooted on a share", win, `\\srv\share\r`, `\a`, "//srv/share/a", true},
		{"long", win, `C:\r`, `\\?\C:\a`, "C:/a", true},
		{"long share", win, `C:\r`, `\\?\unc\srv\share\a`, "//srv/share/a", true},
		{"git bash", win, `C:\r`, `/d/a`, "d:/a", true},
		{"git bash, no drive", win, `C:\r`, `/dev/null`, "C:/dev/null", true},
		{"git bash's cwd", win, `/c/r`, `a`, "c:/r/a", true},
		{"stream", win, `C:\r`, `memory-bank\MEMORY.md::$DATA`, "C:/r/memory-bank/MEMORY.md", true},
		{"dots and spaces at the end", win, `C:\r`, `memory-bank.\MEMORY.md. .`, "C:/r/memory-bank/MEMORY.md", true},
		{"a name of nothing else", win, `C:\r`, `a\...\b`, "C:/r/a/b", true},
		{"up, with a space", win, `C:\r\s`, `..\ \.. \a`, "C:/a", true},
	} {
		got := c.s.Join(c.cwd, c.p)
		if got != c.want {
			t.Errorf("%s: Join(%q, %q) = %q, want %q", c.name, c.cwd, c.p, got, c.want)
		}
		if differs := Join(c.cwd, c.p) != got; differs != c.unexpanded {
			t.Errorf("%s: POSIX takes it for %q", c.name, Join(c.cwd, c.p))
		}
	}
}

func TestVolume(t *testing.T) {
	win := Syntax{Windows: true}
	for p, want := range map[string]int{
		"C:/a": 2, "c:": 2, "1:/a": 0, "/a": 0, "//srv/share/a": 11, "//srv/share": 11, "//srv": 0, "//srv/": 0, "///a": 0, "": 0,
	} {
		if got := win.Volume(p); got != want {
			t.Errorf("Volume(%q) = %d, want %d", p, got, want)
		}
		if got := (Syntax{}).Volume(p); got != 0 {
			t.Errorf("POSIX: Volume(%q) = %d", p, got)
		}
	}
}

// FuzzWindows checks what holds for every path on Windows: the result is absolute, has no dots left, and is the same
// when it is joined again.
func FuzzWindows(f *testing.F) {
	for _, s := range []string{"", `a\..\b`, `C:x`, `\\a\b\..\..`, `//?/UNC/a/b`, "/c/x", ".. /..", "a:b:c", "...", "// /x/..", " /..", `\\?\\\a`} {
		f.Add(s)
	}
	s := Syntax{Windows: true}
	f.Fuzz(func(t *testing.T, p string) {
		got := s.Join("C:/r", p)
		vol := s.Volume(got)
		if vol == 0 || vol == len(got) || got[vol] != '/' {
			t.Fatalf("Join(%q) = %q is not absolute", p, got)
		}
		for name := range strings.SplitSeq(strings.Trim(got[vol:], "/"), "/") {
			if name == "." || name == ".." || strings.ContainsAny(name, `\:`) || strings.TrimRight(name, " .") != name {
				t.Fatalf("Join(%q) = %q holds %q", p, got, name)
			}
		}
		if again := s.Join("D:/", got); again != got {
			t.Fatalf("Join(%q) = %q, again %q", p, got, again)
		}
	})
}
