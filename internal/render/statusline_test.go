package render

import (
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/gate"
)

// A status line is short in every state, is one line, and says the same without colours.
func TestLineIsShort(t *testing.T) {
	read := gate.Standing{Done: true}
	var sixteen []gate.Standing
	for range 16 {
		sixteen = append(sixteen, read)
	}
	most := &gate.Progress{Required: sixteen, Refusals: 9999}
	down := &gate.Progress{Required: sixteen, Refusals: 9999, StoodDown: "no read of this session was ever reported back"}
	for want, e := range map[string]SessionStatus{
		"mbgate ready": {},
		"mbgate ended": {Ended: now},
		"● mbgate recovery 16/16 · 9999 refused": {Main: ContextStatus{Progress: most}},
		"● mbgate stood down · 9999 refused":     {Main: ContextStatus{Progress: down}},
		"● mbgate subagent 16/16 · 9999 refused": {Subs: []ContextStatus{{ID: "\x1b[2J", Progress: most}, {Progress: down}}},
		"● mbgate damaged":                       {Damaged: true, ID: "\x1b[2J"},
		"mbgate unusable":                        {Problem: "schema 99 is newer than\nthis mbgate's"},
		"mbgate bound":                           {Binds: []gate.Binding{{Kind: gate.BindQuestion}}},
		"mbgate patterns not read":               {ID: "unread"},
	} {
		unread := e.ID == "unread"
		got := e.Line(unread, false)
		if got != want || columns(got) > lineWidth {
			t.Errorf("%q, %d columns, want %q", got, columns(got), want)
		}
		if in := e.Line(unread, true); uncoloured(in) != want {
			t.Errorf("in colours %q, want %q", in, want)
		}
	}
	for _, e := range status().Sessions {
		if got := e.Line(true, false); columns(got) > lineWidth || strings.ContainsAny(got, "\n\x1b") {
			t.Errorf("%q", got)
		}
	}
	if got := NoEvent(false); got != "mbgate no event yet" || uncoloured(NoEvent(true)) != got {
		t.Error(got)
	}
}
