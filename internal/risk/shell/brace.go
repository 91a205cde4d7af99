package shell

import (
	"slices"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// Bounds of a brace expansion. The library copies the parts of each word once for every brace in it.
const (
	maxBraces     = 12
	maxBraceWords = 1024
)

// braces expands {a,b} and {1..9} to a list of words.
func braces(word *syntax.Word) [][]syntax.WordPart {
	syntax.SplitBraces(word)
	first := slices.IndexFunc(word.Parts, func(p syntax.WordPart) bool {
		_, ok := p.(*syntax.BraceExp)
		return ok
	})
	if first < 0 {
		return [][]syntax.WordPart{word.Parts}
	}
	var words [][]syntax.WordPart
	if countBraces(word.Parts) <= maxBraces {
		for one, err := range expand.BracesSeq(nil, word) {
			if err != nil || len(words) == maxBraceWords {
				words = nil
				break
			}
			words = append(words, one.Parts)
		}
	}
	if words == nil { // too many: what stands before the first brace, and then anything
		words = [][]syntax.WordPart{append(slices.Clone(word.Parts[:first]), &syntax.Lit{Value: anyText})}
	}
	return words
}

func countBraces(parts []syntax.WordPart) (n int) {
	for _, p := range parts {
		if b, ok := p.(*syntax.BraceExp); ok {
			n++
			for _, e := range b.Elems {
				n += countBraces(e.Parts)
			}
		}
	}
	return n
}
