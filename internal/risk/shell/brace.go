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
	left := 1024
	return braceWords(word.Parts, &left)
}

func braceWords(parts []syntax.WordPart, left *int) [][]syntax.WordPart {
	words := [][]syntax.WordPart{nil}
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
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
				alts = append(alts, braceWords(e.Parts, left)...)
			}
		}
		if *left -= len(words) * len(alts); *left < 0 || len(alts) == 0 {
			for i := range words {
				words[i] = append(words[i], &syntax.Lit{Value: anyText})
			}
			continue
		}
		var next [][]syntax.WordPart
		for _, w := range words {
			for _, a := range alts {
				next = append(next, append(append([]syntax.WordPart(nil), w...), a...))
			}
		}
		words = next
	}
	return words
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
