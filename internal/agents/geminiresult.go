package agents

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
	"github.com/mbgate/mbgate/internal/wire"
)

// geminiResult reads {"llmContent", "returnDisplay", "error"}, which Qwen Code has too. Only the first reaches the model.
// The status of a command stands in its text; error is set where the tool itself failed.
func geminiResult(t event.Tool, v []byte) *event.Result {
	o, isObject := jsonscan.Members(v)
	if !isObject {
		return wire.TextResult(t.Class, v)
	}
	text, hasText := wire.Printed(o.Get("llmContent"))
	r := &event.Result{Failed: o.Get("error") != nil}
	switch t.Class {
	case event.Read:
		r.Text, r.HasText = text, hasText
		if len(t.Paths) > 0 && !r.Failed {
			if s, ok := shownPart(t.Paths[0].Path, text); ok {
				return &event.Result{HasText: true, Shown: []event.Shown{s}}
			}
		}
	case event.Shell:
		r.Text, r.HasText = shellOutput(text, t.Command), hasText
	case event.MCP, event.Unclassified:
		r.Text, r.HasText = text, hasText
	case event.Subagent:
		r.Text, r.HasText = text, hasText
		// GOAL is the one good reason (seen in source).
		if _, why, ok := strings.Cut(text, "\nTermination Reason: "); ok && strings.HasPrefix(text, "Subagent '") {
			r.Failed = r.Failed || !strings.HasPrefix(why, "GOAL")
		}
	}
	return r
}

// shownPart reads what both clients say before a part of a file: "Showing lines a-b of n total lines", then a line that
// says that the text follows. n counts the empty string after the last line end.
func shownPart(file, text string) (event.Shown, bool) {
	head, body, ok := strings.Cut(text, "\n--- FILE CONTENT (truncated) ---\n")
	if !ok || !strings.HasPrefix(strings.TrimLeft(head, "\n"), "IMPORTANT: The file content has been truncated.") {
		if head, body, ok = strings.Cut(text, "\n\n---\n\n"); !ok || !strings.HasPrefix(head, "Showing lines ") {
			return event.Shown{}, false
		}
	}
	_, rest, _ := strings.Cut(head, "Showing lines ")
	first, rest, _ := leadingNumber(rest, "-")
	last, rest, _ := leadingNumber(rest, " of ")
	total, _, ok := leadingNumber(rest, " total lines")
	if !ok || first < 1 {
		return event.Shown{}, false
	}
	s := event.Shown{Path: file, First: first, Last: last, Text: body, HasText: true}
	if last == total {
		if body == "" || strings.HasSuffix(body, "\n") {
			s.Last--
		}
		s.Total = s.Last
	}
	return s, true
}

// leadingNumber reads a number that sep follows.
func leadingNumber(s, sep string) (n int, rest string, ok bool) {
	digits, rest, ok := strings.Cut(s, sep)
	if !ok || digits == "" || len(digits) > 9 {
		return 0, "", false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, "", false
		}
		n = n*10 + int(digits[i]-'0')
	}
	return n, rest, true
}

// shellOutput is what a command printed, without what the client says before it: its first line has "Output: " before
// it, and before that there can be the command itself, whose words are no output. Lines about the end of the command may
// stay behind it.
func shellOutput(text, command string) string {
	text = strings.TrimPrefix(text, "<untrusted_context>\n")
	if out, ok := strings.CutPrefix(text, "Output: "); ok {
		return out
	}
	if !strings.HasPrefix(text, "Command: ") {
		return text
	}
	if rest, ok := strings.CutPrefix(text, "Command: "+command+"\n"); ok {
		if dir, rest, ok := strings.Cut(rest, "\nOutput: "); ok && strings.HasPrefix(dir, "Directory: ") && !strings.Contains(dir, "\n") {
			return rest
		}
	}
	// Told in a way that is not known: the last place where output can begin has nothing of the command behind it.
	if at := strings.LastIndex(text, "\nOutput: "); at >= 0 {
		return text[at+len("\nOutput: "):]
	}
	return ""
}
