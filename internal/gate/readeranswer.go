package gate

import (
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// ReaderPart is a part of the answer that the reader owes its caller. Its definition (settings/agents/memory-reader.md) names three.
type ReaderPart string

// The parts, and the files that the evidence names.
const (
	PartSummary   ReaderPart = "Context Summary"
	PartEvidence  ReaderPart = "Evidence"
	PartQuestions ReaderPart = "Open Questions"
	PartSources   ReaderPart = "sources"
)

// readerParts are the headings of the parts, in lower case. A reader that is asked in Chinese may translate them.
var readerParts = [...]struct {
	part     ReaderPart
	headings []string
}{
	{PartSummary, []string{"context summary", "上下文摘要", "上下文总结", "背景摘要"}},
	{PartEvidence, []string{"evidence", "证据", "依据"}},
	{PartQuestions, []string{"open questions", "open question", "未决问题", "待解决问题", "待确认问题", "开放问题"}},
}

// maxEvidence is how many words of the evidence are looked up as files at most.
const maxEvidence = 64

// checkAnswer notes which parts the reader's answer leaves out.
func (st *step) checkAnswer() {
	r := st.ev.Result
	if r == nil || r.Failed || r.Running || !r.HasText || !st.readerDefined() {
		return
	}
	found := map[ReaderPart]string{}
	var at ReaderPart
	for line := range strings.Lines(r.Text) {
		if part := headingOf(line); part != "" {
			at = part
			line = "\n"
		}
		if at != "" {
			found[at] += line
		}
	}
	for _, p := range readerParts {
		text, has := found[p.part]
		switch {
		case !has:
			st.d.LeftOut = append(st.d.LeftOut, p.part)
		case p.part == PartEvidence && !st.namesFile(text):
			st.d.LeftOut = append(st.d.LeftOut, PartSources)
		}
	}
}

// headingOf is the part that a line is the heading of, "" for none.
func headingOf(line string) ReaderPart {
	line = strings.ToLower(strings.TrimSpace(line))
	text := strings.Trim(line, "#*_:： .0123456789")
	marked := line != "" && strings.Contains("#*_", line[:1])
	for _, p := range readerParts {
		if slices.Contains(p.headings, text) || marked && slices.ContainsFunc(p.headings, func(h string) bool { return strings.HasPrefix(text, h) }) {
			return p.part
		}
	}
	return ""
}

// namesFile reports whether a text names a file that exists.
func (st *step) namesFile(text string) bool {
	looked := 0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("'\"`*()[]{}<>,;:#|，；：（）「」 \t\r\n", r) }) {
		if word = strings.TrimRight(word, ".。"); !strings.ContainsAny(word, "./") {
			continue
		}
		if looked++; looked > maxEvidence {
			return false
		}
		if st.Disk.Locate(st.ev.Cwd, word).Kind == place.File {
			return true
		}
	}
	return false
}
