package place

import (
	"path"
	"strings"
)

// Syntax is how a platform spells paths (P3). The zero Syntax is that of POSIX: every character other than the slash is an
// ordinary one, ~ and the backslash included.
type Syntax struct {
	// Windows: backslashes separate, C:/x and //server/share/x are absolute, /x is on the drive of the working folder, and
	// trailing dots and spaces of a name are dropped, as is what follows a colon in it (a stream of the same file). /c/x is
	// C:/x, as in the shell that comes with Git for Windows.
	Windows bool
}

// Join is the clean absolute form of p, relative to the absolute folder cwd.
func (s Syntax) Join(cwd, p string) string { return s.Clean(s.Absolute(cwd, p)) }

// Absolute is p made absolute but not cleaned: it keeps its "..", which the kernel follows after it resolved symlinks.
func (s Syntax) Absolute(cwd, p string) string {
	p = s.slash(p)
	if !s.Windows {
		if strings.HasPrefix(p, "/") {
			return p
		}
		return slashed(cwd) + p
	}
	cwd = s.slash(cwd)
	drive := cwd[:s.Volume(cwd)]
	n := s.Volume(p)
	switch {
	case n > 0 && (n == len(p) || p[n] == '/' || p[n-1] != ':'):
		return p
	case n > 0 && strings.EqualFold(p[:n], drive): // "C:x": in the folder worked in on that drive
		return slashed(cwd) + p[n:]
	case n > 0:
		return p[:n] + "/" + p[n:]
	case strings.HasPrefix(p, "/"):
		return drive + p
	}
	return slashed(cwd) + p
}

// Clean is Clean for paths with a drive or a share, which no ".." leaves.
func (s Syntax) Clean(p string) string {
	if !s.Windows {
		return path.Clean(p)
	}
	p = s.slash(p)
	n := s.Volume(p)
	rest := p[n:]
	if n > 0 && (rest == "" || p[n-1] != ':') && !strings.HasPrefix(rest, "/") {
		rest = "/" + rest
	}
	rooted := strings.HasPrefix(rest, "/")
	if strings.ContainsAny(rest, ":. ") {
		names := strings.Split(rest, "/")
		for i, name := range names {
			names[i] = windowsName(name)
		}
		rest = strings.Join(names, "/")
		if rooted != strings.HasPrefix(rest, "/") {
			rest = "./" + rest
		}
	}
	return p[:n] + path.Clean(rest)
}

// Volume is the length of the drive ("C:") or share ("//server/share") that a slash-separated path begins with; 0 for none,
// and always 0 on POSIX.
func (s Syntax) Volume(p string) int {
	if !s.Windows {
		return 0
	}
	if len(p) >= 2 && p[1] == ':' && isLetter(p[0]) {
		return 2
	}
	if !strings.HasPrefix(p, "//") || len(p) == 2 || p[2] == '/' {
		return 0
	}
	server := strings.IndexByte(p[2:], '/')
	if server < 0 {
		return 0
	}
	share := 2 + server + 1
	if share == len(p) || p[share] == '/' {
		return 0
	}
	if end := strings.IndexByte(p[share:], '/'); end >= 0 {
		return share + end
	}
	return len(p)
}

// slash spells a path of Windows with slashes and a drive.
func (s Syntax) slash(p string) string {
	if !s.Windows {
		return p
	}
	if len(p) >= 2 && p[0] == '/' && isLetter(p[1]) && (len(p) == 2 || p[2] == '/') {
		p = p[1:2] + ":/" + strings.TrimPrefix(p[2:], "/")
	}
	p = strings.ReplaceAll(p, `\`, "/")
	for strings.HasPrefix(p, "//") && strings.Contains(p[2:], "//") {
		p = p[:2] + strings.ReplaceAll(p[2:], "//", "/")
	}
	for { // the prefix that lifts Windows' limit on the length
		rest, long := strings.CutPrefix(p, "//?/")
		share, isShare := cutPrefixFold(rest, "UNC/")
		switch {
		case long && isShare && s.Volume("//"+share) > 0:
			p = "//" + share
		case long && s.Volume(rest) > 0:
			p = rest
		default:
			return p
		}
	}
}

// windowsName is the name of the file that Windows opens for name.
func windowsName(name string) string {
	if name == "." || name == ".." {
		return name
	}
	if i := strings.IndexByte(name, ':'); i >= 0 {
		name = name[:i]
	}
	if spaceless := strings.TrimRight(name, " "); spaceless == "." || spaceless == ".." {
		return spaceless
	}
	return strings.TrimRight(name, " .")
}

func slashed(folder string) string {
	if strings.HasSuffix(folder, "/") {
		return folder
	}
	return folder + "/"
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
