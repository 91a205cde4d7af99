package place

import (
	"path"
	"strings"
)

// Syntax says which spellings of a path somebody understands, a client or a platform (P3). What the zero Syntax, that
// of POSIX, does not understand is an ordinary character of a name.
//
// A shell expands ~ itself and knows quoting: who has already done so passes "./~/x" for a folder of that name.
type Syntax struct {
	// Home is the absolute folder that a leading ~ or ~/ means; "" makes ~ an ordinary character. ~user always is one.
	Home string
	// FileURL: file:///x is /x, with %20 and the like decoded.
	FileURL bool
	// Windows: backslashes separate, C:/x and //server/share/x are absolute, /x is on the drive of the folder worked in,
	// and the dots and spaces at a name's end and what follows a colon in it (a stream of the same file) are dropped.
	Windows bool
	// Msys: /c/x is C:/x, as in the shell that comes with Git for Windows. It counts only with Windows.
	Msys bool
}

// Join is the clean absolute form of p for somebody who works in the absolute folder cwd.
func (s Syntax) Join(cwd, p string) string { return s.Clean(s.Absolute(cwd, p)) }

// Absolute is p made absolute but not cleaned: its ".." are still there for somebody who resolves symlinks first, as the
// kernel does.
func (s Syntax) Absolute(cwd, p string) string {
	p = s.expand(p)
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

// Volume is the length of the drive ("C:") or share ("//server/share") that a slash-separated path begins with, 0 for
// none and for everybody who is not on Windows.
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

// expand turns the spellings that s understands into a slash-separated path.
func (s Syntax) expand(p string) string {
	if s.FileURL {
		p = s.fromURL(p)
	}
	p = s.slash(p)
	if s.Home != "" && (p == "~" || strings.HasPrefix(p, "~/")) {
		p = s.slash(s.Home) + p[1:]
	}
	return p
}

// slash spells a path of Windows with slashes and a drive.
func (s Syntax) slash(p string) string {
	if !s.Windows {
		return p
	}
	if s.Msys && len(p) >= 2 && p[0] == '/' && isLetter(p[1]) && (len(p) == 2 || p[2] == '/') {
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

// fromURL is the path of a file URL of this machine; anything else is returned as it is.
func (s Syntax) fromURL(p string) string {
	rest, ok := cutPrefixFold(p, "file://")
	if !ok {
		return p
	}
	if local, ok := cutPrefixFold(rest, "localhost/"); ok {
		rest = "/" + local
	}
	switch {
	case strings.HasPrefix(rest, "/"):
		rest = unescape(rest)
		if s.Windows && s.Volume(rest[1:]) == 2 {
			rest = rest[1:]
		}
		return rest
	case s.Windows && rest != "":
		return "//" + unescape(rest)
	}
	return p
}

// unescape decodes %41; what is no escape stays.
func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				b = append(b, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
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
