// Package wire turns what coding agents send to their hooks into events, and answers into what those agents honour.
//
// It holds what is known of each agent, one file per agent and one line per agent in adapters, and no policy. It
// touches nothing but the bytes it is given: the environment comes through Options.
package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/risk"
)

// Options are what is known of a payload besides its bytes.
type Options struct {
	// Subcommand is the hook command that was called: compact, tool-before, read, tool-after, session-start,
	// session-end, prompt, stop, notice, unread or hook. It says what happened where the payload does not.
	Subcommand string
	// Agent is the client named by --agent, "" if none. See ClientByName for the names.
	Agent string
	// Getenv looks up the environment; nil is an empty one.
	Getenv func(string) string
}

func (o Options) env(name string) string {
	if o.Getenv == nil {
		return ""
	}
	return o.Getenv(name)
}

// MaxInput is the largest payload that is accepted, in bytes (SPEC §3).
const MaxInput = 64 << 20

// adapter is what is known of one client: how its payloads look, how they are read, how it is answered.
type adapter struct {
	client func() *event.Client
	// aliases are other names that --agent takes.
	aliases []string
	// shape says how sure it is that the client sent the payload.
	shape func(p object) shape
	// inside says whether the environment is that of a hook of this client; nil is never.
	inside func(o Options) bool
	// decode fills in the event. Session, Kind and everything else is its business.
	decode func(p object, o Options, ev *event.Event) *InputError
	encode func(ev event.Event, a Answer) Output
	// open is the status with which a hook of this client fails so that the call goes on (SPEC §18).
	open int
}

// adapters is the table of clients. Where two are equally sure of a payload, the earlier one has it; the generic shape
// claims whatever has a session id, so it stays last.
func adapters() []adapter {
	return []adapter{
		claudeCode(),
		openCode(),
		codex(),
		gemini(),
		qwen(),
		copilot(),
		generic(),
	}
}

// shape is how sure an adapter is of a payload. An adapter must be no surer than what it looks at: a shape that
// another client's payload can have is never unmistakable.
type shape int

const (
	foreign      shape = iota // cannot be from this client
	weak                      // could be, and nothing speaks for another
	strong                    // looks like it, but a clone of the client would look the same
	unmistakable              // only this client sends that
)

// Decode turns a payload into an event. An event that mbgate has no use for has the Kind None and is no error. The
// error is an *InputError; the event still names the client then, as far as it could be told, since the client rules
// how a failure is reported.
func Decode(data []byte, o Options) (event.Event, error) {
	table := adapters()
	p, bad := parse(data)
	a := recognise(table, p, o)
	ev := event.Event{Client: a.client()}
	if bad == nil {
		bad = a.decode(p, o, &ev)
	}
	if bad != nil {
		return event.Event{Client: ev.Client}, bad
	}
	if ev.Kind == event.ToolBefore && bytes.Contains(data, []byte("mb:")) {
		// An escaped line end before the word is no part of it.
		text := strings.NewReplacer(`\n`, " ", `\r`, " ", `\t`, " ").Replace(string(data))
		ev.Tool.PersonWord = risk.PersonWord(text)
	}
	sum := sha256.Sum256(data)
	ev.Digest = hex.EncodeToString(sum[:16])
	return ev, nil
}

// recognise says who sent a payload, in the order of trust of SPEC §15. Agents read each other's configuration, so a
// hook written for one receives the payloads of another: only an unmistakable shape beats --agent.
func recognise(table []adapter, p object, o Options) adapter {
	shapes := make([]shape, len(table))
	for i, a := range table {
		if shapes[i] = a.shape(p); shapes[i] == unmistakable {
			return a
		}
	}
	if i := byName(table, o.Agent); i >= 0 {
		return table[i]
	}
	if i := slices.Index(shapes, strong); i >= 0 {
		return table[i]
	}
	// The environment is inherited by whatever an agent starts, another agent included, so it only decides between
	// clients that may have sent the payload. With nothing to look at it is all there is.
	for i, a := range table {
		if a.inside != nil && (shapes[i] != foreign || p == nil) && a.inside(o) {
			return a
		}
	}
	if i := slices.Index(shapes, weak); i >= 0 {
		return table[i]
	}
	return table[len(table)-1]
}

func byName(table []adapter, name string) int {
	if name == "" {
		return -1
	}
	return slices.IndexFunc(table, func(a adapter) bool {
		return a.client().Name == name || slices.Contains(a.aliases, name)
	})
}

// InputError says what is wrong with a payload (SPEC §3). It never quotes the payload, which may hold control
// characters and secrets.
type InputError struct {
	// Field is the field that is wrong, "tool_input.file_path"; "" for the payload as a whole.
	Field string
	// Problem completes "FIELD ..." or "the input ...": "is missing", "must be a string". Remedy says what to do.
	Problem, Remedy string
}

// Error is one line.
func (e *InputError) Error() string {
	s := "the input"
	if e.Field != "" {
		s = "bad input: " + e.Field
	}
	s += " " + e.Problem
	if e.Remedy != "" {
		s += "; " + e.Remedy
	}
	return s
}
