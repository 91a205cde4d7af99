package prompt

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is an mb: word, without its mb:.
type Word string

// The words of SPEC §12.
const (
	Write  Word = "write"
	No     Word = "no"
	Clear  Word = "clear"
	Status Word = "status"
	Keep   Word = "keep"
	Drop   Word = "drop"
	Help   Word = "help"
)

// commands are the words that a prompt can begin with; answered ones are for mbgate and not for the model.
var commands = [...]struct {
	word     Word
	answered bool
}{{Write, false}, {No, false}, {Clear, true}, {Status, true}, {Keep, true}, {Drop, true}, {Help, true}}

// Command is the mb: word that a prompt begins with.
type Command struct {
	// Word is "" for a word that is not known.
	Word Word
	// Answered is set where mbgate answers the prompt itself.
	Answered bool
	// Glued is set where more words were typed right behind a word that a client had put back into its input box.
	Glued bool
	// Rest is what stands behind the word, without a final full stop.
	Rest string
}

// Parse reads the mb: word that a prompt begins with; ok is false where it begins with none. Case, blanks behind the colon
// and a final full stop do not matter.
func Parse(prompt string) (c Command, ok bool) {
	text := strings.TrimSpace(prompt)
	if len(text) < 2 || !strings.EqualFold(text[:2], "mb") {
		return c, false
	}
	text, ok = strings.CutPrefix(text[2:], ":")
	if !ok {
		if text, ok = strings.CutPrefix(text, "："); !ok {
			return c, false
		}
	}
	text = strings.TrimLeft(text, " \t\u3000")
	for _, k := range commands {
		n := len(k.word)
		if len(text) < n || !strings.EqualFold(text[:n], string(k.word)) {
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[n:])
		switch {
		case unicode.IsLetter(next) && k.answered && (k.word != Keep || isWordRune(next)):
			return Command{Word: k.word, Glued: true, Rest: strings.TrimSpace(text[n:])}, true
		case endsWord(text[n:]):
			return Command{Word: k.word, Answered: k.answered, Rest: strings.Trim(text[n:], " \t\n.。!！")}, true
		}
	}
	return Command{Answered: true, Rest: text}, true
}

// Has reports whether an mb: word stands in a prompt by itself, in any case: not in a longer word, a path or an address. Characters
// of scripts that are written without blanks may stand next to it.
func Has(prompt string, word Word) bool {
	prompt = strings.ToLower(prompt)
	w := "mb:" + string(word)
	for from := 0; ; {
		i := strings.Index(prompt[from:], w)
		if i < 0 {
			return false
		}
		at := from + i
		from = at + len(w)
		before, _ := utf8.DecodeLastRuneInString(prompt[:at])
		if (at == 0 || !isWordRune(before) && !strings.ContainsRune("./\\@#=", before)) && endsWord(prompt[from:]) {
			return true
		}
	}
}

// Says reports whether a prompt says an mb: word itself: it is that word, as code or in quotation marks too, or a sentence of it,
// outside code and quotations and no question, holds the word in a clause without a negation.
func Says(text string, word Word) bool {
	if strings.EqualFold(strings.Trim(strings.TrimSpace(text), "`\"'“”「」."), "mb:"+string(word)) {
		return true
	}
	for _, s := range Sentences(text) {
		if s.Question {
			continue
		}
		clauses := strings.FieldsFunc(s.Text, func(r rune) bool { return strings.ContainsRune(",，、", r) })
		for _, c := range clauses {
			if Has(c, word) {
				return !slices.ContainsFunc(words(c), negates) && !negatesChinese(c)
			}
		}
	}
	return false
}

// endsWord reports whether what follows an mb: word does not make it a longer word, a path or an address.
func endsWord(rest string) bool {
	after, n := utf8.DecodeRuneInString(rest)
	if after == '.' || after == ':' { // at the end of a sentence, or in a name
		if after, _ = utf8.DecodeRuneInString(rest[n:]); after == '.' {
			after = utf8.RuneError
		}
	}
	return rest == "" || !isWordRune(after) && !strings.ContainsRune("/\\@=", after)
}

// isWordRune reports whether a character belongs to the word that stands next to it.
func isWordRune(r rune) bool {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
		return false
	}
	return r == '_' || r == '-' || r == ':' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
