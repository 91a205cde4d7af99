package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// braces expands {a,b} and {1..9}; the result is a list of words.
func (w *walker) braces(word *syntax.Word) [][]syntax.WordPart {
	has := false
	for _, p := range word.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			has = has || strings.IndexByte(p.Value, '{') >= 0
		case *syntax.BraceExp:
			has = true
		}
	}
	if !has {
		return [][]syntax.WordPart{word.Parts}
	}
	syntax.SplitBraces(word)
	left := maxBraceParts
	if words, ok := braceWords(word.Parts, &left); ok {
		return words
	}
	// Too many words: what stands before the first brace, and then anything.
	var head []syntax.WordPart
	for _, p := range word.Parts {
		if _, ok := p.(*syntax.BraceExp); ok {
			break
		}
		head = append(head, p)
	}
	return [][]syntax.WordPart{append(head, &syntax.Lit{Value: anyText})}
}

// maxBraceParts bounds the words that one brace expansion makes: they have at most as many parts together.
const maxBraceParts = 8 * maxFields

// braceWords returns false if there are too many words, or words that are not known.
func braceWords(parts []syntax.WordPart, left *int) ([][]syntax.WordPart, bool) {
	words := [][]syntax.WordPart{nil}
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			if *left -= len(words); *left < 0 {
				return nil, false
			}
			for i := range words {
				words[i] = append(words[i], p)
			}
			continue
		}
		var alts [][]syntax.WordPart
		if b.Sequence {
			alts = sequence(b)
		} else {
			for _, e := range b.Elems {
				some, ok := braceWords(e.Parts, left)
				if !ok {
					return nil, false
				}
				alts = append(alts, some...)
			}
		}
		long := 0
		for _, a := range alts {
			long += len(a)
		}
		for _, w := range words {
			*left -= len(w)*len(alts) + long
			if *left < 0 || len(alts) == 0 {
				return nil, false
			}
		}
		next := make([][]syntax.WordPart, 0, len(words)*len(alts))
		for _, w := range words {
			for _, a := range alts {
				next = append(next, append(append(make([]syntax.WordPart, 0, len(w)+len(a)), w...), a...))
			}
		}
		words = next
	}
	return words, true
}

func sequence(b *syntax.BraceExp) [][]syntax.WordPart {
	var ends []string
	for _, e := range b.Elems {
		ends = append(ends, e.Lit())
	}
	if len(ends) < 2 {
		return nil
	}
	lo, err1 := strconv.Atoi(ends[0])
	hi, err2 := strconv.Atoi(ends[1])
	width, chars := 0, false
	if err1 != nil || err2 != nil {
		if len(ends[0]) != 1 || len(ends[1]) != 1 {
			return nil
		}
		lo, hi, chars = int(ends[0][0]), int(ends[1][0]), true
	} else if len(ends[0]) > 1 && ends[0][0] == '0' || len(ends[1]) > 1 && ends[1][0] == '0' {
		width = max(len(ends[0]), len(ends[1]))
	}
	step := 1
	if len(ends) > 2 {
		if n, err := strconv.Atoi(ends[2]); err == nil && n != 0 {
			step = max(n, -n)
		}
	}
	if step <= 0 || (max(hi, lo)-min(hi, lo))/step > 1000 || max(hi, lo)-min(hi, lo) < 0 {
		return nil
	}
	dir := step
	if lo > hi {
		dir = -step
	}
	var out [][]syntax.WordPart
	for n := lo; dir > 0 && n <= hi || dir < 0 && n >= hi; n += dir {
		s := strconv.Itoa(n)
		if chars {
			s = string(rune(n))
		}
		for len(s) < width {
			s = "0" + s
		}
		out = append(out, []syntax.WordPart{&syntax.SglQuoted{Value: s}})
	}
	return out
}
