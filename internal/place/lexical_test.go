package place

import (
	"path"
	"strings"
	"testing"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"":                 ".",
		"/":                "/",
		"//":               "/",
		"a//b/./c/":        "a/b/c",
		"/../../a":         "/a",
		"../a/..":          "..",
		`a\b`:              `a\b`,
		"~/a":              "~/a",
		"C:/a/../..":       ".",
		"file:///a":        "file:/a",
		"a/\n/\x00\x1b[2J": "a/\n/\x00\x1b[2J",
	} {
		if got := (Syntax{}).Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestJoin(t *testing.T) {
	for _, c := range []struct{ cwd, p, want string }{
		{"/repo", "a.go", "/repo/a.go"},
		{"/repo/", "./a.go", "/repo/a.go"},
		{"/repo", "/etc//passwd/", "/etc/passwd"},
		{"/repo/sub", "../a.go", "/repo/a.go"},
		{"/repo", "../../../a", "/a"},
		{"/repo", "", "/repo"},
		{"/", "a", "/a"},
		{"/repo", "~/a", "/repo/~/a"},
		{"/repo", `C:\a`, `/repo/C:\a`},
		{"/repo", "file:///a", "/repo/file:/a"},
		{"/repo", `\\server\share`, `/repo/\\server\share`},
	} {
		if got := Join(c.cwd, c.p); got != c.want {
			t.Errorf("Join(%q, %q) = %q, want %q", c.cwd, c.p, got, c.want)
		}
	}
}

func TestRel(t *testing.T) {
	for _, c := range []struct{ base, abs, want string }{
		{"/repo", "/repo", "."},
		{"/repo", "/repo/a/b", "a/b"},
		{"/repo", "/repository/a", ""},
		{"/repo", "/", ""},
		{"/repo/a", "/repo/b", ""},
		{"/", "/a", "a"},
		{"/", "/", "."},
		{"C:/", "C:/a", "a"},
		{"C:/repo", "D:/repo/a", ""},
		{"", "/a", ""},
		{"", "", "."},
	} {
		if got := Rel(c.base, c.abs); got != c.want {
			t.Errorf("Rel(%q, %q) = %q, want %q", c.base, c.abs, got, c.want)
		}
	}
}

func FuzzLexical(f *testing.F) {
	for _, s := range []string{"", "/", "a/b", "../..", "//a//./b/", "/a/../../b/", "\xff/..\x00", "...", "~/x", `C:\x`} {
		f.Add("/repo/x", s)
		f.Add("/"+s, "y/"+s)
	}
	f.Fuzz(func(t *testing.T, cwd, p string) {
		if !strings.HasPrefix(cwd, "/") {
			cwd = "/" + cwd
		}
		want := path.Clean(p)
		if !strings.HasPrefix(p, "/") {
			want = path.Join(cwd, p)
		}
		got := Join(cwd, p)
		if got != want {
			t.Fatalf("Join(%q, %q) = %q, want %q", cwd, p, got, want)
		}
		if got := (Syntax{}).Clean((Syntax{}).Absolute(cwd, p)); got != want {
			t.Fatalf("Clean(Absolute(%q, %q)) = %q, want %q", cwd, p, got, want)
		}
		if again := (Syntax{}).Clean(got); again != got {
			t.Fatalf("Clean(%q) = %q", got, again)
		}
		base := path.Clean(cwd)
		rel := Rel(base, got)
		if below := got == base || base == "/" || strings.HasPrefix(got, base+"/"); below != (rel != "") {
			t.Fatalf("Rel(%q, %q) = %q", base, got, rel)
		}
		if rel != "" && Join(base, rel) != got {
			t.Fatalf("Join(%q, Rel = %q) = %q, want %q", base, rel, Join(base, rel), got)
		}
	})
}
