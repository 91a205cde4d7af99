//go:build live

package live

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestLoop is what mbgate is for: a write, a compaction, the refusal of every way to write, a partial read that is not
// enough, the rest of the read by the call that the refusal printed, and the write again.
func TestLoop(t *testing.T) {
	each(t, func(t *testing.T, d driver) { loop(t, setUp(t, d), d) })
}

func loop(t *testing.T, w *world, d driver) {
	t.Helper()
	s := d.open(w, opening{})
	defer s.close()

	seen := s.turn(
		"work on REQ-1",
		model.Do(d.readAll(w, requirement)),
		model.Do(d.readAll(w, "src/app.go")),
		model.Do(d.edit(w, "src/app.go", "A = 1", "A = 10")),
	)
	got := results(t, seen, 3)
	contains(t, "read before the compaction", got[0], "REQ-1 line 60:")
	changed(t, w, "A = 10", "an edit before any compaction")
	told(t, "the memory bank's context", seen, focus)

	s.compact()
	seen = s.turn(
		"go on",
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
		model.Do(d.shell(w, "echo x > made.txt")),
		model.Do(d.shell(w, "sed -i 's/B = 2/B = 20/' src/app.go")),
		model.Do(d.shell(w, `echo "a > b"`)),
		model.Do(d.readLines(w, requirement, 1, 30)),
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
		model.Step{From: printed(d)},
		model.Do(d.readAll(w, "src/app.go")), // some clients edit no file that was not read since the compaction
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
		model.Do(d.shell(w, "echo x > made.txt")),
	)
	got = results(t, seen, 10)
	told(t, "the anchor block", seen, armed)
	refused(t, "an edit after the compaction", got[0])
	contains(t, "the refusal", got[0], requirement)
	refused(t, "echo > file after the compaction", got[1])
	refused(t, "sed -i after the compaction", got[2])
	passed(t, "an echo that writes nothing", got[3], "a > b")
	passed(t, "a part of the requirement", got[4], "REQ-1 line 30:")
	lacks(t, "a part of the requirement", got[4], "REQ-1 line 31:")
	refused(t, "an edit after a partial read", got[5])
	contains(t, "the refusal after a partial read", got[5], "30 of 60 lines read")
	passed(t, "the printed call", got[6], "REQ-1 line 31:", "REQ-1 line 60:")
	passed(t, "the edit after a full read", got[8])
	changed(t, w, "B = 20", "the edit after a full read")
	passed(t, "the shell after a full read", got[9])
	if w.read("made.txt") != "x\n" {
		t.Errorf("the shell after a full read did not write: %q", w.read("made.txt"))
	}
}

// TestResume ends the client's process while a recovery is pending: the gate is as it was in the next process.
func TestResume(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		w, s := pending(t, d)
		id := s.id()
		s.close()
		s = d.open(w, opening{resume: id})
		defer s.close()
		reopened(t, w, d, s, "after a resume", "REQ-1 line 60:")
	})
}

// TestFork forks a conversation on the compacted context: the fork is closed too, and opens by reading.
func TestFork(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		w, s := pending(t, d)
		id := s.id()
		s.close()
		s = d.open(w, opening{fork: id})
		defer s.close()
		reopened(t, w, d, s, "in a fork", "Keep it simple.") // MEMORY.md is printed where the client passes it on
		if s.id() == id {
			t.Errorf("the fork has the id of its parent, so nothing was forked: %s", id)
		}
	})
}

// TestParallelReads reads two anchors in one answer of the model; both count.
func TestParallelReads(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		w := setUp(t, d)
		s := d.open(w, opening{})
		defer s.close()
		results(t, s.turn("read both", model.Do(d.readAll(w, requirement), d.readAll(w, second), d.readAll(w, "src/app.go"))), 1)
		s.compact()
		seen := s.turn(
			"go on",
			model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
			model.Do(d.readAll(w, requirement), d.readAll(w, second), d.readAll(w, "src/app.go")),
			model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
		)
		got := results(t, seen, 3)
		refused(t, "an edit after the compaction", got[0])
		contains(t, "the refusal", got[0], requirement, second)
		passed(t, "parallel reads", got[1], "REQ-1 line 60:", "REQ-2 line 20:")
		passed(t, "the edit after parallel reads", got[2])
		changed(t, w, "B = 20", "the edit after parallel reads")
	})
}

// TestAutomatic has the context run full in the middle of a turn instead of a compaction by hand: the very next write is
// refused, and reading opens the gate in the same turn.
func TestAutomatic(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		if cannot(t, d.traits().noAutomatic) {
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
		list := model.Do(d.shell(w, "ls src")) // to some clients the anchor block comes with the result of a call
		steps = append(steps, model.Do(d.create(w, "src/new.go", "package app\n")), list, write, model.Step{From: printed(d)}, write)
		seen := s.turn("work on REQ-1", steps...)
		if n := len(of(model.Summary, seen)); n != max(1, d.traits().summaries) {
			t.Fatalf("a context that is full was summarised %d times in %d requests", n, len(seen))
		}
		told(t, "the anchor block", seen, armed)
		got := results(t, seen, len(steps))[len(steps)-5:]
		refused(t, "a new file right after an automatic compaction", got[0])
		passed(t, "a command that writes nothing", got[1], "app.go")
		refused(t, "the shell's write after it", got[2])
		passed(t, "the printed call", got[3], "REQ-1 line 60:")
		passed(t, "the shell's write after the printed call", got[4])
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

// pending is a client whose conversation has read the requirement and was compacted since, with one edit refused.
func pending(t *testing.T, d driver) (*world, session) {
	t.Helper()
	w := setUp(t, d)
	s := d.open(w, opening{})
	results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement)), model.Do(d.readAll(w, "src/app.go"))), 2)
	s.compact()
	got := results(t, s.turn("go on", model.Do(d.edit(w, "src/app.go", "A = 1", "A = 10"))), 1)
	refused(t, "an edit after the compaction", got[0])
	return w, s
}

// reopened asserts that the gate is closed and that reading opens it, by the calls that the refusals print. The documents
// are the given ones at least; where the client does not name the conversation that a fork comes from, mbgate asks for those
// that it asks of a conversation that read none.
func reopened(t *testing.T, w *world, d driver, s session, when string, documents ...string) {
	t.Helper()
	// Not sed -i, which Qwen Code carries out itself, and only on a file that was read in the session.
	write := model.Do(d.shell(w, "echo 'var E = 50' >> src/app.go"))
	var read string
	for i := range 6 {
		got := results(t, s.turn("go on "+when, write), 1)[0]
		if !isRefused(got) {
			if i == 0 {
				t.Errorf("the shell's write %s was not refused; the model was told:\n%s", when, got)
			}
			break
		}
		call, err := printedCall(d, got)
		if err != nil {
			t.Fatal(err)
		}
		shown := results(t, s.turn("read "+when, model.Do(call)), 1)[0]
		if isRefused(shown) {
			t.Fatalf("the printed call %s was refused:\n%s", when, shown)
		}
		read += shown
	}
	contains(t, "what was read "+when, read, documents...)
	changed(t, w, "E = 50", "the shell's write after reading "+when)
}
