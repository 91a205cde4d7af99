// Package wire turns what coding agents send to their hooks into events, and answers into what those agents honour.
//
// It is the mechanism that all agents share, and knows none of them: package agents has an Adapter for each, built of the
// pieces here. Fields read a payload, ToolRow and UnknownTool tell what a call does, Printed what a result shows; Refusal,
// Specific, Decided and PlainOutput are the answers. It touches nothing but the bytes it is given: the environment comes
// through Options. It imports event, jsonscan and risk. Start reading with Decode.
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

// Options are the circumstances of a payload.
type Options struct {
	// Subcommand is the hook command that was called: compact, tool-before, read, tool-after, session-start,
	// session-end, prompt, stop, notice, unread or hook. It says what happened where the payload does not.
	Subcommand string
	// Agent is the client named by --agent, "" if none.
	Agent string
	// Getenv looks up the environment; nil is an empty one.
	Getenv func(string) string
}

// Env is the value of an environment variable, "" when it is not set.
func (o Options) Env(name string) string {
	if o.Getenv == nil {
		return ""
	}
	return o.Getenv(name)
}

// MaxInput is the largest payload that is accepted, in bytes (SPEC §3).
const MaxInput = 64 << 20

// Adapter is how the payloads of one client look, how they are read and how they are answered. It holds no policy.
type Adapter struct {
	// Facts are the client's name and what it can do.
	Facts func() *event.Client
	// Aliases are other names that --agent takes.
	Aliases []string
	// Shape says how sure it is that the client sent the payload.
	Shape func(p Object) Shape
	// Inside says whether the environment is that of a hook of this client; nil is never.
	Inside func(o Options) bool
	// Decode fills in the event. Session, Kind and everything else is its business.
	Decode func(p Object, o Options, ev *event.Event) *InputError
	// Encode says an answer in the client's way; nil is PlainOutput. A Block of an event that cannot be refused is said as
	// a Warn: on some clients the status of a refusal does harm there (it would stop Claude Code from compacting).
	Encode func(ev event.Event, a Answer) Output
	// Neutral is the standard output that decides nothing, for a client that takes silence for a fault or a refusal.
	Neutral string
	// FailStatus is the status with which a hook of this client fails so that the call goes on (SPEC §18).
	FailStatus int
}

// Named reports whether --agent names the client so.
func (a Adapter) Named(name string) bool {
	return name != "" && (slices.Contains(a.Aliases, name) || a.Facts().Name == name)
}

// Shape is how sure an adapter is of a payload. An adapter must be no surer than what it looks at: a shape that
// another client's payload can have is never unmistakable.
type Shape int

const (
	Foreign      Shape = iota // cannot be from this client
	Weak                      // could be, and nothing speaks for another
	Strong                    // looks like it, but a clone of the client would look the same
	Unmistakable              // only this client sends that
)

// Decode turns a payload into an event of one of the clients in the table. Where two are equally sure of a payload, the
// earlier one has it; the last one takes what nobody claims. An event that mbgate does not use has the Kind None and is
// no error. The error is an *InputError; the event still names the client then, as far as it could be told, since the
// client rules how a failure is reported.
func Decode(table []Adapter, data []byte, o Options) (event.Event, error) {
	p, bad := Parse(data)
	a := recognise(table, p, o)
	ev := event.Event{Client: a.Facts()}
	if bad == nil {
		bad = a.Decode(p, o, &ev)
	}
	if bad != nil {
		return event.Event{Client: ev.Client}, bad
	}
	// Our plugin's subagents carry its name (Claude Code 2.1.330); another plugin's are not ours.
	ev.Sub.Type = strings.TrimPrefix(ev.Sub.Type, "mbgate:")
	ev.Tool.Subagent = strings.TrimPrefix(ev.Tool.Subagent, "mbgate:")
	if ev.Kind == event.ToolBefore {
		ev.Tool.PersonWord = risk.ScheduledWord(ev.Tool.Name, data)
	}
	if ev.Kind == event.ToolBefore && ev.Tool.PersonWord == "" && bytes.Contains(data, []byte("mb:")) {
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
func recognise(table []Adapter, p Object, o Options) Adapter {
	shapes := make([]Shape, len(table))
	for i, a := range table {
		if shapes[i] = a.Shape(p); shapes[i] == Unmistakable {
			return a
		}
	}
	if i := slices.IndexFunc(table, func(a Adapter) bool { return a.Named(o.Agent) }); i >= 0 {
		return table[i]
	}
	if i := slices.Index(shapes, Strong); i >= 0 {
		return table[i]
	}
	// The environment is inherited by whatever an agent starts, another agent included, so it only decides between
	// clients that may have sent the payload. With nothing to look at it is all there is.
	for i, a := range table {
		if a.Inside != nil && (shapes[i] != Foreign || p == nil) && a.Inside(o) {
			return a
		}
	}
	if i := slices.Index(shapes, Weak); i >= 0 {
		return table[i]
	}
	return table[len(table)-1]
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
