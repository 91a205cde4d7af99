package project

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoreLimit is how many bytes of a file of ignore rules are read.
const ignoreLimit = 256 << 10

// ignoreRule is one line of a .gitignore (gitignore(5)).
type ignoreRule struct {
	base    string // the folder of the file, relative to the repository's top; "" is the top
	pattern string
	negate  bool // the line began with !
	folder  bool // it ended with /: folders only
	rooted  bool // it holds a /, so it is about a path below base, not about a name at any depth
}

// ignores are the rules that git applies, weakest first, from the files where git looks for them by default.
type ignores struct {
	top   string
	rules []ignoreRule
	read  map[string]bool // folders whose .gitignore was read
}

// newIgnores reads the rules that hold for the whole of a repository.
func (d *Disk) newIgnores(g checkout) *ignores {
	in := &ignores{top: g.top, read: map[string]bool{}}
	if d.opts.Home != "" {
		in.load(child(d.opts.Home, ".config/git/ignore"), "")
	}
	in.load(child(g.common, "info/exclude"), "")
	return in
}

func (in *ignores) load(file, base string) {
	text, err := readSmall(file, ignoreLimit)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		if r, ok := parseIgnore(strings.TrimRight(line, "\r\n"), base); ok {
			in.rules = append(in.rules, r)
		}
	}
}

func parseIgnore(line, base string) (ignoreRule, bool) {
	r := ignoreRule{base: base}
	if line == "" || line[0] == '#' {
		return r, false
	}
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if rest, ok := strings.CutPrefix(line, "!"); ok {
		r.negate, line = true, rest
	}
	if rest, ok := strings.CutSuffix(line, "/"); ok {
		r.folder, line = true, rest
	}
	r.rooted = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	// Braces are ordinary characters to git.
	r.pattern = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line)
	return r, line != "" && doublestar.ValidatePattern(r.pattern)
}

// ignored reports whether git ignores an untracked file, because of its own name or of a folder above it. rel is relative to
// the top.
func (in *ignores) ignored(rel string) bool {
	for at := 0; ; {
		in.dotfile(rel[:max(at-1, 0)])
		end := strings.IndexByte(rel[at:], '/')
		if end < 0 {
			return in.match(rel, false)
		}
		if at += end + 1; in.match(rel[:at-1], true) {
			return true
		}
	}
}

// dotfile reads the .gitignore of a folder, once.
func (in *ignores) dotfile(dir string) {
	if in.read[dir] {
		return
	}
	in.read[dir] = true
	in.load(child(child(in.top, dir), ".gitignore"), dir)
}

// match applies the last rule that matches a path.
func (in *ignores) match(rel string, folder bool) bool {
	for i := len(in.rules) - 1; i >= 0; i-- {
		r := in.rules[i]
		name := rel
		if r.base != "" {
			var ok bool
			if name, ok = strings.CutPrefix(rel, r.base+"/"); !ok {
				continue
			}
		}
		if r.folder && !folder {
			continue
		}
		if !r.rooted {
			name = base(name)
		}
		if ok, err := doublestar.Match(r.pattern, name); err == nil && ok {
			// A pattern that ends in /** is about what is in the folder, not about the folder itself.
			if r.rooted && strings.HasSuffix(r.pattern, "/**") && name == strings.TrimSuffix(r.pattern, "/**") {
				continue
			}
			return !r.negate
		}
	}
	return false
}
