package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mbgate/mbgate/internal/event"
)

// Answer is what mbgate says to one event.
type Answer struct {
	Verdict event.Verdict
	// Text is the reason of a Block or the reminder of a Warn. It is for the model.
	Text string
	// Context is text for the model's context: anchor block, capsule, memory bank.
	Context string
	// ToPerson is for the person, and kept from the model where the client can. With Block on a Prompt, the prompt
	// itself is kept from the model too.
	ToPerson string
}

// Output is what the hook process answers with.
type Output struct {
	Stdout, Stderr []byte
	Exit           int
}

// Blocked is the status of a refusal, on every client (SPEC §2).
const Blocked = 2

// Answer says an answer in the way of the client that sent the event.
func (a Adapter) Answer(ev event.Event, ans Answer) Output {
	encode := a.Encode
	if encode == nil {
		encode = PlainOutput
	}
	out := encode(ev, ans)
	if len(out.Stdout) == 0 {
		out.Stdout = Line(a.Neutral)
	}
	return out
}

// Failure reports that mbgate could not do its work, with the status that lets the call go on with that client, or
// with closed the one that refuses it (SPEC §18).
func (a Adapter) Failure(message string, closed bool) Output {
	if closed {
		return a.Answer(event.Event{Kind: event.ToolBefore, Client: a.Facts()}, Answer{Verdict: event.Block, Text: message})
	}
	return Output{Stdout: Line(a.Neutral), Stderr: Line(message), Exit: a.FailStatus}
}

// Refusable reports whether the client of an event can be kept from what the event announces.
func Refusable(k event.Kind) bool {
	return k == event.ToolBefore || k == event.Prompt || k == event.ConfigChange
}

// PlainOutput is how mbgate answers a client of which nothing more is known than its exit status: a refusal is status 2
// with the reason on standard error, everything for the model goes to standard output, words for people to standard
// error.
func PlainOutput(ev event.Event, a Answer) Output {
	if a.Verdict == event.Block && Refusable(ev.Kind) {
		return Refusal(ev, a)
	}
	return Output{Stdout: Line(Joined(a.Context, a.Text)), Stderr: Line(a.ToPerson)}
}

// Refusal is status 2 with the reason on standard error, and nothing on standard output, which some clients prefer.
func Refusal(ev event.Event, a Answer) Output {
	reason := a.Text
	if ev.Kind == event.Prompt {
		reason = Joined(a.ToPerson, a.Text) // the person reads it, since the model never sees the prompt
	}
	if reason == "" {
		// Several clients take a silent status 2 for a broken hook and let the call through.
		reason = "refused by mbgate; run `mbgate status` to see why"
	}
	return Output{Stderr: Line(reason), Exit: Blocked}
}

// Specific gives text to the model as the context of the event name, and words to the person, in the form that Claude
// Code introduced. It decides nothing, so the client's own permission prompt stands. Without a name there is no text.
func Specific(name, text, toPerson string) Output {
	if name == "" {
		text = ""
	}
	if text == "" && toPerson == "" {
		return Output{}
	}
	type specific struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	out := struct {
		SystemMessage string    `json:"systemMessage,omitempty"`
		Specific      *specific `json:"hookSpecificOutput,omitempty"`
	}{SystemMessage: toPerson}
	if text != "" {
		out.Specific = &specific{Event: name, Context: text}
	}
	return Output{Stdout: JSONLine(out)}
}

// Decided answers with a decision in the client's own word and its reason: a Stop, so that the model goes on and reads the
// text, or a prompt that the model is not to see.
func Decided(decision, text, toPerson string) Output {
	return Output{Stdout: JSONLine(struct {
		Decision      string `json:"decision"`
		Reason        string `json:"reason"`
		SystemMessage string `json:"systemMessage,omitempty"`
	}{decision, text, toPerson})}
}

// Joined puts texts below each other, with an empty line between.
func Joined(texts ...string) string {
	var kept []string
	for _, t := range texts {
		if t = strings.TrimRight(t, "\n"); t != "" {
			kept = append(kept, t)
		}
	}
	return strings.Join(kept, "\n\n")
}

// Line ends a text with a newline; nothing stays nothing.
func Line(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(strings.TrimRight(s, "\n") + "\n")
}

// JSONLine is v in one line. v is made of strings, so it cannot fail.
func JSONLine(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil
	}
	return b.Bytes()
}

const cutNotice = "\n[cut by mbgate: more than this client passes on]"

// Cap keeps whole lines of s, up to what the client passes on to the model, and says that it did. It is the last resort:
// whoever made the text knows better what to leave out.
func Cap(s string, c *event.Client) string {
	switch {
	case c == nil:
		return s
	case c.MaxBytes > 0:
		return cut(s, c.MaxBytes, utf8.RuneLen)
	}
	return cut(s, c.MaxOutput, utf16.RuneLen)
}

// cut is Cap, where size is what a character counts; no character counts more than its bytes.
func cut(s string, limit int, size func(rune) int) string {
	if limit <= 0 || len(s) <= limit {
		return s
	}
	end, line, total := -1, -1, 0
	for at, r := range s {
		switch total += size(r); {
		case total <= limit-len(cutNotice) && r == '\n':
			line = at
		case total > limit-len(cutNotice) && end < 0:
			end = at
		}
	}
	switch {
	case total <= limit:
		return s
	case line > 0:
		end = line
	}
	return s[:end] + cutNotice
}
