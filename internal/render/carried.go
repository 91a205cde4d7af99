package render

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mbgate/mbgate/internal/gate"
)

// Most tokens of what is named after a compaction besides the documents (A7, C7), and of what a summariser is told (R1).
const (
	saidTokens    = 200
	guideTokens   = 60
	summaryTokens = 120
)

// Carried names to the model what the person said and approved and which skills were in use, "" for nothing. shown are the
// sentences that stand in it: the others did not fit.
func Carried(c *gate.Carried) (text string, shown []string) {
	if c.Empty() {
		return "", nil
	}
	text, shown = said(c.Said)
	return text + guides(c), shown
}

// said are the sentences that fit, by their numbers.
func said(list []string) (text string, shown []string) {
	if len(list) == 0 {
		return "", nil
	}
	text = "The person said:\n"
	for i, s := range list {
		more := ""
		if left := len(list) - i - 1; left > 0 {
			more = fmt.Sprintf("and %d more\n", left)
		}
		line := strconv.Itoa(i+1) + ". " + oneLine(s) + "\n"
		if Tokens(text+line+more) > saidTokens {
			return text + fmt.Sprintf("and %d more\n", len(list)-i), shown
		}
		text, shown = text+line, append(shown, s)
	}
	return text, shown
}

// guides are the plans and the skills. A path is never cut: one that is too long is left out with its line, but for that of our own
// file, whose name alone takes 18 tokens.
func guides(c *gate.Carried) string {
	var lines []string
	if at := c.Approved.At; !at.IsZero() {
		plan := "Plan"
		if c.Approved.Path != "" {
			plan += " " + Safe(c.Approved.Path)
		}
		lines = append(lines, plan+" (approved at "+at.Local().Format("15:04")+"): carry on, do not plan anew.\n")
	}
	if len(c.Skills) > 0 {
		lines = append(lines, "Skills in use: "+safeList(c.Skills)+". Invoke them again before you go on.\n")
	}
	text := ""
	for _, l := range lines {
		if Tokens(text+l) <= guideTokens {
			text += l
		}
	}
	if c.PastedPath != "" {
		text += "The person's plan, as pasted: " + Safe(c.PastedPath) + "\n"
	}
	return text
}

// Summary tells whoever summarises the conversation what to keep (R1).
func Summary(s *gate.Summary) string {
	if s == nil {
		return ""
	}
	text := "Keep these word for word in the summary.\n"
	add := func(line string) {
		if Tokens(text+line) <= summaryTokens {
			text += line
		}
	}
	if s.Next != "" {
		add("Next step: " + short(s.Next, summaryTokens/3) + "\n")
	}
	if len(s.Paths) > 0 {
		add("Documents to read again: " + safeList(s.Paths) + "\n")
	}
	for i, k := range s.Said {
		if i == 0 {
			add("The person said: " + oneLine(k) + "\n")
		} else {
			add("And: " + oneLine(k) + "\n")
		}
	}
	return text
}

// without is a capsule's list without what was said above it.
func without(list, shown []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(shown, s) })
}
