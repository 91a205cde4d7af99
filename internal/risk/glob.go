package risk

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// form is the shape of a glob. Nearly all globs of the lists have one of four simple shapes, in which x is one path
// element with at most one star; those are compared without walking the pattern.
type form uint8

const (
	formAny   form = iota // left to doublestar
	formRoot              // x
	formTree              // x/**
	formBase              // **/x
	formBelow             // **/x/**
)

// glob is a pattern, taken apart.
type glob struct {
	text string
	form form
	star bool
	// Of x, what stands before and after its star; without one, before is all. Of formAny, before is a literal that every
	// matching path holds.
	before, after string
}

func parseGlob(text string) glob {
	g := glob{text: text}
	rest, deep := strings.CutPrefix(text, "**/")
	elem, tree := strings.CutSuffix(rest, "/**")
	stars := 0
	for i := range len(elem) {
		switch elem[i] {
		case '/', '[', '{', '?', '\\':
			stars = 2
		case '*':
			stars++
		}
	}
	if elem == "" || stars > 1 {
		g.before = rest
		if i := strings.IndexAny(rest, `*[{?\`); i >= 0 {
			g.before = rest[:i]
		}
		g.before = strings.TrimSuffix(g.before, "/") // x/** is x as well
		return g
	}
	switch {
	case deep && tree:
		g.form = formBelow
	case deep:
		g.form = formBase
	case tree:
		g.form = formTree
	default:
		g.form = formRoot
	}
	g.before, g.after, g.star = strings.Cut(elem, "*")
	return g
}

func (g *glob) elem(e string) bool {
	if !g.star {
		return e == g.before
	}
	return len(e) >= len(g.before)+len(g.after) && strings.HasPrefix(e, g.before) && strings.HasSuffix(e, g.after)
}

// match reports whether a canonical path matches, as doublestar.Match does.
func (g *glob) match(name string) bool {
	switch g.form {
	case formRoot:
		return !strings.Contains(name, "/") && g.elem(name)
	case formBase:
		return g.elem(name[strings.LastIndexByte(name, '/')+1:])
	case formTree:
		first, _, _ := strings.Cut(name, "/")
		return g.elem(first)
	case formBelow:
		for more := true; more; {
			var first string
			first, name, more = strings.Cut(name, "/")
			if g.elem(first) {
				return true
			}
		}
		return false
	}
	return strings.Contains(name, g.before) && doublestar.MatchUnvalidated(g.text, name)
}

func match(pattern, name string) bool {
	g := parseGlob(pattern)
	return g.match(name)
}

// globSet is a list of globs taken apart once for all targets of a call.
type globSet []glob

func newGlobSet(list []string) globSet {
	s := make(globSet, len(list))
	for i, text := range list {
		s[i] = parseGlob(strings.ToLower(text))
	}
	return s
}

// find is the place of the first glob that matches the path without regard to case, -1 if none does.
func (s globSet) find(name string) int {
	name = strings.ToLower(name)
	for i := range s {
		if s[i].match(name) {
			return i
		}
	}
	return -1
}
