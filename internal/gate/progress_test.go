package gate_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
)

func (w *world) gate() gate.Gate { return gate.Gate{Policy: w.policy, Disk: w, Now: w.now, Root: root} }

// TestProgressSaysWhatTheNextWriteIsTold holds what people are shown against what the gate does, from whatever state
// is reached: the same anchors are unread, as far, and the same read is next; and looking changes nothing.
func TestProgressSaysWhatTheNextWriteIsTold(t *testing.T) {
	names := []string{req, req2, dsgn, memo, patt}
	pending := 0
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 11))
		w := newWorld(t)
		w.readers = r.IntN(2) == 0
		for range 40 {
			sub := [...]string{"", "", "sub"}[r.IntN(3)]
			name := names[r.IntN(len(names))]
			switch r.IntN(8) {
			case 0:
				w.compact(sub)
			case 1:
				w.put(name, numbered(name, 10+r.IntN(60)))
			case 2:
				w.broken[name] = r.IntN(2) == 0
			default:
				first := 1 + r.IntN(30)
				w.read(sub, name, first, first+r.IntN(30))
			}
			before := w.session.Clone()
			p := w.gate().Progress(w.session, sub, &w.client)
			if !reflect.DeepEqual(before, w.session) {
				t.Fatalf("seed %d: looking changed the session", seed)
			}
			d := w.edit(sub, "src/a.go")
			if (p != nil) != (d.Verdict == event.Block) {
				t.Fatalf("seed %d: progress %+v, verdict %s", seed, p, d.Verdict)
			}
			if p == nil {
				continue
			}
			pending++
			var unread []gate.Unread
			for _, s := range p.Required {
				if !s.Done && s.Dropped == "" {
					unread = append(unread, s.Unread)
				}
			}
			if !reflect.DeepEqual(unread, d.Refusal.Unread) || p.Left() != len(unread) {
				t.Fatalf("seed %d: shown %+v, told %+v", seed, unread, d.Refusal.Unread)
			}
			if p.Next != d.Refusal.Next || p.Abs != unread[0].Abs || p.Reader != d.Refusal.Reader || p.Cause != d.Refusal.Cause {
				t.Fatalf("seed %d: shown %+v, told %+v", seed, p, d.Refusal)
			}
			if p.Refusals != d.Refusal.Count-1 {
				t.Fatalf("seed %d: %d refusals shown before refusal %d", seed, p.Refusals, d.Refusal.Count)
			}
		}
	}
	if pending < 200 {
		t.Fatalf("only %d looks at a pending recovery: the test has lost its subject", pending)
	}
}

func TestProgressOfWhatIsReadDroppedAndGone(t *testing.T) {
	w := newWorld(t)
	w.read("", req, 0, 0)
	w.read("", req2, 0, 0)
	w.read("", dsgn, 0, 0)
	w.compact("")
	w.read("", req, 0, 0)
	w.remove(req2)
	p := w.gate().Progress(w.session, "", &w.client)
	by := map[string]gate.Standing{}
	for _, s := range p.Required {
		by[s.Path] = s
	}
	if s := by[req]; !s.Done || s.Read != 30 || s.Need != 30 {
		t.Errorf("read: %+v", s)
	}
	if s := by[req2]; !s.Missing || s.Dropped != gate.DropReplaced {
		t.Errorf("gone: %+v", s)
	}
	if s := by[memo]; s.Done || s.Need != 30 {
		t.Errorf("in its place: %+v", s)
	}
	w.remove(memo)
	w.remove(patt)
	if s := by[dsgn]; s.Done || s.Read != 0 || s.Need != 30 {
		t.Errorf("unread: %+v", s)
	}
	w.broken[dsgn] = true
	if p := w.gate().Progress(w.session, "", &w.client); p != nil {
		t.Errorf("nothing is left that could be read: %+v", p)
	}
}

func TestProgressOfADamagedState(t *testing.T) {
	w := newWorld(t)
	w.session = gate.Session{ID: "s1", Damaged: true}
	p := w.gate().Progress(w.session, "", &w.client)
	if p == nil || p.Cause != gate.ByDamage || p.Left() != 2 {
		t.Errorf("%+v", p)
	}
	if !w.session.Damaged {
		t.Error("looking repaired it")
	}
}

func TestTurnState(t *testing.T) {
	w := newWorld(t)
	read := func() bool { return w.gate().TurnState(w.session, "").PatternsRead }
	if read() {
		t.Error("nothing was read")
	}
	w.read("", patt, 1, 20)
	if read() {
		t.Error("20 of 30 lines are not all")
	}
	w.read("", patt, 21, 30)
	if !read() || w.gate().TurnState(w.session, "sub").PatternsRead {
		t.Error("it was read, by the main context")
	}
	w.send(event.Event{Kind: event.Prompt, Prompt: "next"})
	if read() {
		t.Error("not in this turn")
	}
	w.read("", patt, 1, 1)
	if !read() {
		t.Error("what is known and unchanged only has to be asked for")
	}
	w.put(patt, "changed\n")
	if read() {
		t.Error("not as it is now")
	}
	w.policy.Read = event.ModeWarn
	w.edit("", "src/a.go")
	if !w.gate().TurnState(w.session, "").Warned {
		t.Error("it was reminded")
	}
}
