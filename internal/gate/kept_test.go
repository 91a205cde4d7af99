package gate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/gate"
)

// Twelve sentences are kept: those of mb:keep and of the first prompt stay longest, then the newest (C7).
func TestKeptWordsAreBounded(t *testing.T) {
	w := newWorld(t)
	w.policy.KeepWords = true
	w.build()
	w.prompt("Never touch the API. Fix it.")
	for i := range 20 {
		w.prompt(fmt.Sprintf("You must not use number %d.", i))
	}
	w.prompt("mb:keep ask me")
	w.prompt("you must NOT use number 19")
	got := w.session.Said()
	if len(got) != 12 || got[0] != "Never touch the API" || got[1] != "ask me" || got[2] != "you must NOT use number 19" || got[11] != "You must not use number 10" {
		t.Errorf("%q", got)
	}
	for i := range 14 {
		w.prompt(fmt.Sprintf("mb:keep rule %d", i))
	}
	if got = w.session.Said(); len(got) != 12 || got[0] != "rule 2" || got[11] != "rule 13" {
		t.Errorf("%q", got)
	}
	w.prompt("mb:keep " + strings.Repeat("界", 1000))
	if got = w.session.Said(); len([]rune(got[11])) != 240 {
		t.Errorf("%d characters", len([]rune(got[11])))
	}
	for _, n := range []string{"0", "13", "-1", "x", "99999999999999999999"} {
		if d := w.prompt("mb:drop " + n); d.Person != gate.NoSuchWord {
			t.Errorf("%s: %s", n, d.Person)
		}
	}
	if d := w.prompt("mb:drop 2"); d.Person != gate.DroppedWord || d.Word != "rule 4" || slices.Contains(w.session.Said(), "rule 4") {
		t.Errorf("%+v", d)
	}
	if d := w.prompt("mb:keep the token is ghp_0123456789abcdefghij"); d.Person != gate.HoldsSecret {
		t.Errorf("%s", d.Person)
	}
	w.policy.KeepWords = false
	if w.prompt("You must not stop."); len(w.session.Kept) != 0 {
		t.Errorf("%q", w.session.Said())
	}
}
