//go:build live

package live

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestAutomatic has the context run full in the middle of a turn instead of a compaction by hand: the very next write is
// refused, and reading opens the gate in the same turn.
func TestAutomatic(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		if why := d.traits().noAutomatic; why != "" {
			t.Logf("not with this client: %s", why)
			return
		}
		w := newWorld(t)
		fill := d.fill(w)
		d.configure(w)
		w.run(w.mbgate, "install", d.name())
		d.trust(w)
		s := d.open(w, opening{})
		defer s.close()
		write := model.Do(d.shell(w, "echo x > made.txt"))
		steps := append([]model.Step{model.Do(d.readAll(w, requirement))}, fill...)
		steps = append(steps, model.Do(d.create(w, "src/new.go", "package app\n")), write, model.Step{From: printed(d)}, write)
		seen := s.turn("work on REQ-1", steps...)
		if n := len(of(model.Summary, seen)); n != 1 {
			t.Fatalf("a context that is full was compacted %d times in %d requests", n, len(seen))
		}
		if why := d.traits().lateAnchors; why != "" {
			t.Logf("the anchor block does not come in the same turn: %s", why)
		} else {
			told(t, "the anchor block", seen, armed)
		}
		got := results(t, seen, len(steps))[len(steps)-4:]
		refused(t, "a new file right after an automatic compaction", got[0])
		refused(t, "the shell's write after it", got[1])
		passed(t, "the printed call", got[2], "REQ-1 line 60:")
		passed(t, "the shell's write after the printed call", got[3])
		if w.read("made.txt") != "x\n" {
			t.Errorf("the write after a full read made %q", w.read("made.txt"))
		}
	})
}

// TestLong has a requirement that one read does not show: the printed calls lead through its beginning and its end in parts,
// which is what mbgate asks for of a document that is so long.
func TestLong(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		w := setUp(t, d)
		lines := d.traits().long
		w.write(requirement, numbered("REQ-1", lines))
		s := d.open(w, opening{})
		defer s.close()
		got := results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement)), model.Do(d.readLines(w, requirement, 1, 100))), 2)
		if n := strings.Count(got[0], "REQ-1 line "); n >= lines {
			t.Errorf("one read shows all of the file, %d lines", n)
		}
		contains(t, "a part of it", got[1], "REQ-1 line 100:")
		s.compact()
		var shown []string
		for _, line := range []int{1, 400, lines - 400, lines} {
			shown = append(shown, fmt.Sprintf("REQ-1 line %d:", line))
		}
		reopened(t, w, d, s, "of a long file", shown...)
	})
}
