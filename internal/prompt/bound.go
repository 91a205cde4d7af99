package prompt

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// MaxBound is how many characters of a sentence that sets a bound are kept (SPEC C7).
const MaxBound = 240

// maxBoundText is how much of a prompt is searched for bounds, in bytes. What is longer was pasted.
const maxBoundText = 64 << 10

// bound finds what sets a bound; noBound finds expressions with the same words that set none, and goes first.
var (
	bound = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[-,:(—]|\b(?:` + boundLeads + `) )\s*(?:` + boundStarts + `)|\b(?:` + boundPhrases + `)|` + chineseBounds +
			`|(?:^|[，,、：:（(；]|` + chineseBoundLeads + `)(?:` + chineseBoundStarts + `)`)
	})
	noBound = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:` + noBounds + `)|` + chineseNoBounds)
	})
	secret = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(secrets) })
	// listMark is what an item of a list begins with.
	listMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[-*+•]|#+|\d+[.)、])\s+`) })
)

// Bounds are the sentences of a prompt that set a bound on the work, as they were written and each once, up to MaxBound characters
// of each: outside code blocks and quotations, no questions, by tables of words. One that looks like it holds a secret is
// left out.
func Bounds(text string) []string {
	var out []string
	for _, s := range Sentences(firstBytes(text, maxBoundText)) {
		if strings.HasSuffix(s.Verbatim, "`") {
			s.Text += " x" // in place of the code that ends it
		}
		if s.Question || !setsBound(s.Text) {
			continue
		}
		if b := Bound(s.Verbatim); b != "" && !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	return out
}

// Bound is a text as it is kept: one line of at most MaxBound characters; "" for one that looks like it holds a secret.
func Bound(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " ")
	text = listMark().ReplaceAllString(text, "")
	if HoldsSecret(text) {
		return ""
	}
	n, last := 0, 0
	for i := range text {
		if n++; n > MaxBound {
			return text[:last] + "…"
		}
		last = i
	}
	return text
}

// HoldsSecret reports whether a text looks like it holds a password, a key or a token.
func HoldsSecret(text string) bool {
	return secret().MatchString(text)
}

func setsBound(s string) bool {
	s = strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(s), "’", "'")), " ")
	s = listMark().ReplaceAllString(s, "")
	return bound().MatchString(noBound().ReplaceAllString(s, " "))
}

// firstBytes is the beginning of a text, in whole characters.
func firstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
