package main

import (
	"slices"
	"strings"
)

// choose offers the nearest of the words that there are, or all of them where none is near.
func choose(word string, known []string) string {
	if near := nearest(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	return "choose from " + strings.Join(known, ", ")
}

// nearest is the known word that somebody who wrote word may have meant: one that is written alike without hyphens, that
// begins so, or that is at most a third of its letters away; "" for none.
func nearest(word string, known []string) string {
	bare := func(s string) string {
		return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
	}
	word = bare(word)
	best, least := "", len(word)/3+1
	for _, k := range known {
		is := bare(k)
		switch d := distance(word, is); {
		case word == "":
		case d == 0:
			return k
		case d < least:
			best, least = k, d
		case best == "" && len(word) >= 3 && (strings.HasPrefix(is, word) || strings.HasPrefix(word, is)):
			best = k
		}
	}
	return best
}

// distance is how many letters differ: added, left out, changed.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = slices.Min([]int{change, row[j] + 1, row[j+1] + 1})
		}
	}
	return row[len(b)]
}
