package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/mbgate/mbgate/internal/event"
)

// Answer is what is to be said to one event.
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

// Encode says an answer in the way of the client that sent the event. A Block of an event that cannot be refused is
// said as a Warn: on some clients the status of a refusal does harm there (it would stop Claude Code from compacting).
func Encode(ev event.Event, a Answer) Output {
	return adapterOf(ev.Client).encode(ev, a)
}

// Failure reports that mbgate could not do its work, with the status that lets the call go on with that client, or
// with closed the one that refuses it (SPEC §18). The client may be nil when it is not known.
func Failure(c *event.Client, message string, closed bool) Output {
	a := adapterOf(c)
	if closed {
		return a.encode(event.Event{Kind: event.ToolBefore, Client: c}, Answer{Verdict: event.Block, Text: message})
	}
	return Output{Stderr: line(message), Exit: a.open}
}

func adapterOf(c *event.Client) adapter {
	table := adapters()
	if c != nil {
		if i := byName(table, c.Name); i >= 0 {
			return table[i]
		}
	}
	return table[len(table)-1]
}

// refusable reports whether the client of an event can be kept from what the event announces.
func refusable(k event.Kind) bool {
	return k == event.ToolBefore || k == event.Prompt || k == event.ConfigChange
}

// plainOutput is how mbgate answers a client of which nothing more is known than its exit status: a refusal is status 2
// with the reason on standard error, everything for the model goes to standard output, words for people to standard
// error.
func plainOutput(ev event.Event, a Answer) Output {
	if a.Verdict == event.Block && refusable(ev.Kind) {
		return refusal(ev, a)
	}
	return Output{Stdout: line(joined(a.Context, a.Text)), Stderr: line(a.ToPerson)}
}

// refusal is status 2 with the reason on standard error, and nothing on standard output, which some clients prefer.
func refusal(ev event.Event, a Answer) Output {
	reason := a.Text
	if ev.Kind == event.Prompt {
		reason = joined(a.ToPerson, a.Text) // the person reads it, since the model never sees the prompt
	}
	if reason == "" {
		// Several clients take a silent status 2 for a broken hook and let the call through.
		reason = "refused by mbgate; run `mbgate status` to see why"
	}
	return Output{Stderr: line(reason), Exit: Blocked}
}

// specific gives text to the model as the context of the event name, and words to the person, in the form that Claude
// Code introduced. It decides nothing, so the client's own permission prompt stands. Without a name there is no text.
func specific(name, text, toPerson string) Output {
	if name == "" {
		text = ""
	}
	if text == "" && toPerson == "" {
		return Output{}
	}
	out := claudeAnswer{SystemMessage: toPerson}
	if text != "" {
		out.Specific = &claudeSpecific{Event: name, Context: text}
	}
	return Output{Stdout: jsonLine(out)}
}

// joined puts texts below each other, with an empty line between.
func joined(texts ...string) string {
	var kept []string
	for _, t := range texts {
		if t = strings.TrimRight(t, "\n"); t != "" {
			kept = append(kept, t)
		}
	}
	return strings.Join(kept, "\n\n")
}

// line ends a text with a newline; nothing stays nothing.
func line(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(strings.TrimRight(s, "\n") + "\n")
}

// jsonLine is v in one line. v is made of strings, so it cannot fail.
func jsonLine(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil
	}
	return b.Bytes()
}

const cutNotice = "\n[cut by mbgate: more than this client passes on]"

// cut keeps whole lines of s, up to limit UTF-16 units, and says that it did. It is the last resort: whoever made the
// text knows better what to leave out.
func cut(s string, limit int) string {
	if limit <= 0 || len(s) <= limit || units(s) <= limit {
		return s
	}
	left, at, last := limit-len(cutNotice), 0, 0
	for at < len(s) {
		r, n := utf8.DecodeRuneInString(s[at:])
		if left -= unitsOf(r); left < 0 {
			break
		}
		if r == '\n' {
			last = at
		}
		at += n
	}
	if last == 0 {
		last = at
	}
	return s[:last] + cutNotice
}

// cutBytes is cut for clients that count bytes of UTF-8.
func cutBytes(s string, limit int) string {
	if limit <= 0 || len(s) <= limit {
		return s
	}
	at := limit - len(cutNotice)
	if n := strings.LastIndexByte(s[:at+1], '\n'); n > 0 {
		return s[:n] + cutNotice
	}
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	return s[:at] + cutNotice
}

func units(s string) int {
	n := 0
	for _, r := range s {
		n += unitsOf(r)
	}
	return n
}

func unitsOf(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}
