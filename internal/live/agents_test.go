//go:build live

package live

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestSubagent has a subagent read what the main conversation has to read: that does not open the gate of the main one,
// which does not have the text.
func TestSubagent(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		if cannot(t, d.traits().noSubagents) {
			return
		}
		w, s := pending(t, d)
		defer s.close()
		w.model.Script("sub:reader", model.Do(d.readAll(w, requirement)), model.Say("it is all about the limiter"))
		mark := w.model.Count()
		seen := s.turn(
			"delegate",
			model.Do(d.delegate(w, "", model.Marker("reader")+" read "+w.path(requirement))),
			model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
			model.Step{From: printed(d)},
			model.Do(d.readAll(w, "src/app.go")),
			model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
		)
		var sub string
		for _, r := range w.model.Since(mark) {
			if r.Kind == "sub:reader" {
				sub += r.Last
			}
		}
		contains(t, "what the subagent was shown", sub, "REQ-1 line 60:")
		got := results(t, seen, 5)
		contains(t, "the subagent's answer", got[0], "it is all about the limiter")
		refused(t, "an edit after a subagent's read", got[1])
		contains(t, "the refusal", got[1], requirement)
		passed(t, "the printed call", got[2], "REQ-1 line 60:")
		changed(t, w, "B = 20", "the edit after a read of its own")
	})
}

// TestWriteGuard forbids the main conversation to write the memory bank and lets the writer do it.
func TestWriteGuard(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		if cannot(t, d.traits().noSubagents) {
			return
		}
		w := newWorld(t)
		w.write(".mbgate.toml", "write_guard = \"block\"\n")
		d.configure(w)
		w.run(w.mbgate, "install", d.name())
		d.trust(w)
		s := d.open(w, opening{})
		defer s.close()
		note := "memory-bank/details/new.md"
		steps := []model.Step{
			model.Do(d.create(w, note, "by the main conversation\n")),
			model.Do(d.shell(w, "echo x > "+note)),
			model.Do(d.delegate(w, d.traits().writer, model.Marker("writer")+" write "+w.path(note))),
		}
		w.model.Script("sub:writer", model.Do(d.create(w, note, "by the writer\n")), model.Say("it is written"))
		got := results(t, s.turn("yes, mb:write", steps...), len(steps))
		refused(t, "the main conversation's shell", got[1])
		refused(t, "the main conversation's write", got[0])
		if w.read(note) != "by the writer\n" {
			t.Errorf("the writer's file holds %q; it was told %q", w.read(note), got[2])
		}
	})
}

// TestReader plays the two subagents as install laid them down.
func TestReader(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		if !cannot(t, d.traits().noSubagents) {
			writerAndReader(t, setUp(t, d), d)
		}
	})
}

// writerAndReader plays the two subagents that install laid down: the reader has no tool that writes, and calling it ends a
// recovery, as the refusal says, which calling the writer does not; the writer may write the memory bank, which nobody else
// may. The further steps are refused, too, before the reader is called.
func writerAndReader(t *testing.T, w *world, d driver, further ...model.Step) {
	t.Helper()
	s := d.open(w, opening{})
	defer s.close()
	results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement))), 1)
	s.compact()
	said := "" // the way out stands in the first refusal of a recovery only (R3)
	if len(further) > 0 {
		for i, result := range results(t, s.turn("change what is guarded", further...), len(further)) {
			refused(t, fmt.Sprintf("step %d", i), result)
			said += result
		}
	}
	own := d.traits()
	note := "memory-bank/details/new.md"
	w.model.Script("sub:looks", model.Do(d.readAll(w, requirement)), model.Say("it is about the limiter"))
	w.model.Script("sub:memory", model.Do(d.readAll(w, "memory-bank/MEMORY.md")), model.Do(d.readAll(w, requirement)), model.Say("Context Summary"))
	w.model.Script("sub:writer", model.Do(d.create(w, note, "by the writer\n")), model.Say("it is written"))
	mark := w.model.Count()
	write := model.Do(d.shell(w, "echo x > made.txt"))
	got := results(t, s.turn(
		"go on, mb:write",
		write,
		model.Do(d.delegate(w, own.writer, model.Marker("looks")+" what is there?")),
		write,
		model.Do(d.delegate(w, own.reader, model.Marker("memory")+" what is the goal?")),
		write,
		model.Do(d.create(w, note, "by the main conversation\n")),
		model.Do(d.delegate(w, own.writer, model.Marker("writer")+" write "+w.path(note))),
	), 7)
	refused(t, "a write after the compaction", got[0])
	contains(t, "the refusals so far", said+got[0], "You can also call the subagent "+own.reader)
	contains(t, "the answer of the other subagent", got[1], "it is about the limiter")
	refused(t, "a write after the other subagent was called", got[2])
	contains(t, "the reader's answer", got[3], "Context Summary")
	passed(t, "a write after the reader was called", got[4])
	if w.read("made.txt") != "x\n" {
		t.Errorf("the write after the reader was called made %q", w.read("made.txt"))
	}
	refused(t, "a write of the memory bank by the main conversation", got[5])
	if w.read(note) != "by the writer\n" {
		t.Errorf("the writer's file holds %q; it was told %q", w.read(note), got[6])
	}

	reader, writer := of("sub:memory", w.model.Since(mark)), of("sub:writer", w.model.Since(mark))
	if len(reader) != 3 || len(writer) != 2 {
		t.Fatalf("the reader sent %d requests and the writer %d, want 3 and 2", len(reader), len(writer))
	}
	contains(t, "the reader's instructions", reader[0].All(), "Context Summary", "Evidence", "Open Questions")
	contains(t, "what the reader was shown", reader[1].Last, focus)
	contains(t, "what the reader was shown", reader[2].Last, "REQ-1 line 60:")
	withheld(t, own.reader, reader[0].Tools, own.readerLacks)
	withheld(t, own.writer, writer[0].Tools, own.writerLacks)
}

// withheld asserts that a subagent is offered tools, and none of these.
func withheld(t *testing.T, who string, tools, bad []string) {
	t.Helper()
	if len(tools) == 0 {
		t.Errorf("%s has no tools", who)
	}
	for _, tool := range bad {
		if slices.Contains(tools, tool) {
			t.Errorf("%s has the tool %s", who, tool)
		}
	}
}
