package shell

import (
	"path"
	"sort"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/mbgate/mbgate/internal/place"
)

// glob lists what matches a pattern, sorted; a pattern has its quoted characters escaped. It is false when that cannot
// be known: the folder is unknown, cannot be listed, or holds too much.
func (w *walker) glob(st *shell, pat string) ([]string, bool) {
	if !isKnown(pat) || st.cwd == "" && !strings.HasPrefix(pat, "/") || st.alt != "" {
		return nil, false
	}
	g := globber{w: w, st: st, left: maxLooks}
	base := ""
	if strings.HasPrefix(pat, "/") {
		base, pat = "/", strings.TrimLeft(pat, "/")
	}
	ok := g.walk(base, strings.Split(pat, "/"))
	sort.Strings(g.out)
	return g.out, ok && len(g.out) <= maxFields
}

// beforeGlob is the literal folder that a pattern begins with.
func beforeGlob(pat string) string {
	i := strings.IndexAny(pat, "*?[")
	if i < 0 {
		return ""
	}
	return unescape(pat[:strings.LastIndexByte(pat[:i], '/')+1])
}

func unescape(pat string) string {
	if strings.IndexByte(pat, '\\') < 0 {
		return pat
	}
	var b strings.Builder
	for i := 0; i < len(pat); i++ {
		if pat[i] == '\\' && i+1 < len(pat) {
			i++
		}
		b.WriteByte(pat[i])
	}
	return b.String()
}

type globber struct {
	w    *walker
	st   *shell
	out  []string
	left int // names that may still be looked at
}

// walk matches the elements of a pattern below base, which is "" or ends with a slash.
func (g *globber) walk(base string, elems []string) bool {
	if len(elems) == 0 {
		g.out = append(g.out, base)
		return true
	}
	e := elems[0]
	last := len(elems) == 1
	if !strings.ContainsAny(e, "*?[") {
		p := base + unescape(e)
		if !last {
			return g.walk(p+"/", elems[1:])
		}
		if e == "" || g.kind(p) != place.Missing {
			g.out = append(g.out, p)
		}
		return true
	}
	if e == "**" && g.st.opts.globstar {
		if !last && !g.walk(base, elems[1:]) {
			return false
		}
		return g.each(base, "*", func(name string) bool {
			folder := g.kind(base+name) == place.Folder
			if last {
				g.out = append(g.out, base+name)
			}
			if folder {
				return g.walk(base+name+"/", elems)
			}
			return true
		})
	}
	return g.each(base, e, func(name string) bool {
		if last {
			g.out = append(g.out, base+name)
			return true
		}
		if g.kind(base+name) != place.Folder {
			return true
		}
		return g.walk(base+name+"/", elems[1:])
	})
}

func (g *globber) kind(p string) place.Kind {
	return g.w.kindOf(g.w.env.Files.Locate(g.st.cwd, p))
}

func (g *globber) each(base, pat string, f func(name string) bool) bool {
	names, ok := g.w.names(g.st, base)
	if !ok {
		return false
	}
	for _, name := range names {
		if g.left--; g.left < 0 {
			return false
		}
		if name[0] == '.' && pat[0] != '.' && !g.st.opts.dotglob {
			continue
		}
		if match(pat, name) && !f(name) {
			return false
		}
	}
	return true
}

// names lists a folder, with what the command itself has made in it. A folder that is not there has no names.
func (w *walker) names(st *shell, dir string) ([]string, bool) {
	pl := w.env.Files.Locate(st.cwd, dir+".")
	if strings.HasPrefix(dir, "/") {
		pl = w.env.Files.Locate("/", dir)
	}
	names, ok := w.env.Files.Names(pl.Abs)
	if !ok && (pl.Kind == place.Missing || pl.Kind == place.File) {
		names, ok = nil, true
	}
	if made := w.kids[path.Clean(pl.Abs)]; len(made) > 0 {
		names = append(append([]string(nil), names...), made...)
		sort.Strings(names)
	}
	return names, ok
}

// The library's patterns are those of paths with alternatives: here slashes and braces are characters like any other, classes have names,
// and a bracket that stands first in a class is one of its characters.
var (
	patternChars   = strings.NewReplacer("/", "\x03", "{", "\x04")
	patternClasses = strings.NewReplacer("[]", `[\]`, "[!]", `[!\]`, "[^]", `[^\]`, "[:alpha:]", "a-zA-Z", "[:digit:]", "0-9",
		"[:alnum:]", "a-zA-Z0-9", "[:word:]", "a-zA-Z0-9_", "[:lower:]", "a-z", "[:upper:]", "A-Z", "[:xdigit:]", "0-9a-fA-F",
		"[:space:]", " \t\n", "[:blank:]", " \t", "[:punct:]", "!-/:-@[-`{-~", "[:graph:]", "!-~", "[:print:]", " -~")
)

// match reports whether a pattern matches all of s.
func match(pat, s string) bool {
	return doublestar.MatchUnvalidated(patternChars.Replace(patternClasses.Replace(pat)), patternChars.Replace(s))
}
