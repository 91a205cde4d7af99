// Package prompt reads what a person's prompt says (SPEC §12): its sentences outside code and quotations, the mb: words, and by
// tables of words in English and Chinese whether it asks to write the memory bank. It is pure and imports no other package
// of mbgate. Start with Sentences and Parse; the tables are in words_table.go.
//
// A table misses what it does not hold. Where it decides about consent a miss costs the person the word mb:write, so
// what is doubtful does not count.
package prompt

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Sentence is one sentence of a prompt.
type Sentence struct {
	// Text is the sentence without its end mark, with code and quotations taken out.
	Text string
	// Question is set where it ends with a question mark.
	Question bool
	// Verbatim is what the person wrote: one line, with its code and quotations.
	Verbatim string
}

// namesBank finds a name of the memory bank, alone in quotation marks or as code, too.
var namesBank = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?i)[`\"“「『](?:" + bankNames + ")[`\"”」』]|" + bankNames)
})

// foreign finds what is in a prompt and not said by it: code, quoted lines, quotations.
var foreign = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?ms)^[ \t]*```.*?(?:^[ \t]*```|\\z)|^[ \t]*~~~.*?(?:^[ \t]*~~~|\\z)|(?:\\A|^[ \t]*\n)(?: {4}|\t)[^\n]*(?:\n(?: {4}|\t)[^\n]*)*|^[ \t]*>[^\n]*$|`+[^`]*`+|" +
		`"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』|‘[^’\n]*’|(?:^|[\s(])'[^'\n]*'(?:$|[\s.,;:!?)])`)
})

// ends finds where sentences end. A full stop within a word, as in a file's name, ends none.
var ends = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[.!?;…]+(?:\s|$)|[。！？；]+|\n`) })

// tag finds the tags that begin and end a block.
var tag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<(/?)([a-zA-Z][\w-]*)[^>\n]*>`) })

// cutTagged puts blanks in place of the blocks between a tag and the one that closes it.
func cutTagged(text string) string {
	tags := tag().FindAllStringSubmatchIndex(text, -1)
	closed := map[string]int{} // where a name is closed for the last time
	for _, t := range tags {
		if t[2] < t[3] {
			closed[text[t[4]:t[5]]] = t[0]
		}
	}
	var out strings.Builder
	from, until := 0, ""
	for _, t := range tags {
		end, name := t[2] < t[3], text[t[4]:t[5]]
		switch {
		case until == "" && !end && closed[name] > t[0]:
			out.WriteString(text[from:t[0]])
			from, until = t[0], name
		case end && name == until:
			out.WriteString(strings.Repeat(" ", t[1]-from))
			from, until = t[1], ""
		}
	}
	return out.String() + text[from:]
}

// blank is a text with blanks in place of what is foreign.
func blank(text string) string {
	return foreign().ReplaceAllStringFunc(cutTagged(text), func(s string) string { return strings.Repeat(" ", len(s)) })
}

// Sentences are the sentences of a prompt, without what is code, tagged or quoted.
func Sentences(text string) []Sentence {
	var out []Sentence
	own := blank(text)
	add := func(from, to int, end string) {
		if s := strings.TrimSpace(own[from:to]); s != "" {
			verbatim := text[from:to]
			at := strings.Index(own[from:to], s)
			verbatim = verbatim[strings.LastIndexByte(verbatim[:at], '\n')+1:] // what a block of code ends with is on a line above
			first, _, _ := strings.Cut(strings.TrimSpace(verbatim), "\n")
			out = append(out, Sentence{s, strings.ContainsAny(end, "?？"), first})
		}
	}
	from := 0
	for _, at := range ends().FindAllStringIndex(own, -1) {
		add(from, at[0], own[at[0]:at[1]])
		from = at[1]
	}
	add(from, len(text), "")
	return out
}

// maxSentence is how long a sentence may be that asks for something, in bytes; what is longer was pasted.
const maxSentence = 2000

// theBank stands for every name of the memory bank.
const theBank = "\x01"

// AsksToWrite reports whether a prompt itself asks to write the memory bank: one sentence of it, outside code and quotations, no
// question and without a negation, in which the memory bank is what is written.
func AsksToWrite(text string) bool {
	if !namesBank().MatchString(text) {
		return false // most prompts
	}
	for _, s := range Sentences(namesBank().ReplaceAllString(strings.ReplaceAll(text, theBank, ""), theBank)) {
		if len(s.Text) <= maxSentence && strings.Contains(s.Text, theBank) && !s.Question && (asksEnglish(s.Text) || asksChinese(s.Text)) {
			return true
		}
	}
	return false
}

// words are the words of a sentence, in lower case. A mark within it is a comma, but for a colon: what stands behind one may be
// quoted.
func words(s string) []string {
	return strings.Fields(strings.NewReplacer(",", " , ", ":", " : ", "(", " , ", ")", " , ", "—", " , ", "’", "'").Replace(strings.ToLower(s)))
}

// in reports whether a word stands in a row of a table, which has blanks between its words.
func in(row, word string) bool { return strings.Contains(" "+row+" ", " "+word+" ") }

// negates reports whether a word is an English negation.
func negates(word string) bool { return in(negations, word) || strings.HasSuffix(word, "n't") }

func asksEnglish(s string) bool {
	list := words(s)
	if slices.ContainsFunc(list, negates) {
		return false
	}
	if len(list) > 0 && in(questionStarts, list[0]) {
		return false
	}
	for i, w := range list {
		if in(doubts, w) {
			return false
		}
		if in(writeVerbs, w) && isRequest(list[:i]) && writesBank(list[i:]) {
			return true
		}
	}
	return false
}

// isRequest reports whether a verb behind these words is an order: it begins a clause, or stands behind words that only
// lead to one ("ok, please", "I want you to").
func isRequest(before []string) bool {
	own, you := false, false
	for i := len(before) - 1; i >= 0 && !in(", and then but so", before[i]); i-- {
		if !in(leads, before[i]) {
			return false
		}
		own = own || in("i we i'd i'll", before[i])
		you = you || before[i] == "you"
	}
	return you || !own
}

// writesBank reports whether what the verb writes is the memory bank: it is the object, or what something is written into.
func writesBank(list []string) bool {
	for j := 1; j < len(list); j++ {
		if in(notObjects, list[j]) || list[j-1] == "to" && in(writeVerbs, list[j]) {
			return false
		}
		if list[j] != theBank {
			continue
		}
		k := j - 1
		for k > 0 && in(determiners, list[k]) {
			k--
		}
		into := k > 0 && in("in into to onto inside within under", list[k])
		return (into || k == 0 && in(directVerbs, list[0])) && (j+1 == len(list) || in(follows, list[j+1]))
	}
	return false
}

// chineseRequest is a clause that asks to write the memory bank: 记录到…, or 在…里记录.
var chineseRequest = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + chineseLeads + `)*(?:(?:` + chineseVerbs + `)` + chineseInto + theBank +
		`(?:里面|里去|里|中去|中|内|上)?(?:吧|一下|去|谢谢|啊|哦|即可|就行|就好)*|[在往向给对把将为]` + theBank +
		`(?:里面|里|中|内|上)?(?:再|也|都|先|进行|做)*(?:` + chineseVerbs + `)(?:[^的了过着录].*)?)$`)
})

// negatesChinese reports whether a text holds a Chinese negation.
func negatesChinese(s string) bool {
	return strings.ContainsAny(strings.NewReplacer(chineseNoNegations...).Replace(s), chineseNegations)
}

func asksChinese(s string) bool {
	s = strings.Join(strings.Fields(s), "")
	if negatesChinese(s) {
		return false
	}
	for q := range strings.FieldsSeq(chineseDoubts) {
		if strings.Contains(s, q) {
			return false
		}
	}
	for clause := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("，,、（）()", r) }) {
		if chineseRequest().MatchString(clause) {
			return true
		}
	}
	return false
}

// Topic is what of a project a prompt asks about; "" is nothing of it.
type Topic string

// The topics.
const (
	Background Topic = "background"
	Technology Topic = "technology"
	Decisions  Topic = "decisions"
)

// AsksAbout finds the topic that a prompt asks about, by a table of phrases.
func AsksAbout(text string) Topic {
	for _, s := range Sentences(text) {
		for _, row := range topics {
			if holdsPhrase(s.Text, row.phrases) {
				return row.topic
			}
		}
	}
	return ""
}

// Settles reports whether a prompt settles something for the project: one sentence of it, no question and without a negation, by a
// table of phrases.
func Settles(text string) bool {
	for _, s := range Sentences(text) {
		if !s.Question && holdsPhrase(s.Text, settling) && !strings.ContainsAny(s.Text, chineseNegations+"吗呢") &&
			!slices.ContainsFunc(words(s.Text), negates) {
			return true
		}
	}
	return false
}

// holdsPhrase reports whether a sentence holds one of the phrases, which have | between them. English ones are whole words.
func holdsPhrase(sentence, phrases string) bool {
	sentence = " " + strings.Join(words(sentence), " ") + " "
	for p := range strings.SplitSeq(phrases, "|") {
		if p[0] < utf8.RuneSelf {
			p = " " + p + " "
		}
		if strings.Contains(sentence, p) {
			return true
		}
	}
	return false
}
