package gate_test

import (
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/place/placetest"
	"github.com/mbgate/mbgate/internal/transcript"
)

const root = "/repo"

// world is a project in memory with one session of one client in it.
type world struct {
	t       testing.TB
	files   map[string]string // by path relative to the root
	version map[string]int
	broken  map[string]bool // cannot be read
	short   bool            // no file can be opened now
	readers bool            // the reader subagent is defined
	hooked  bool
	// recorded is the client's own record.
	recorded transcript.Found
	// prints: what is said holds all of the memory bank's entry.
	prints  bool
	docs    map[string]anchor.Doc // scanned, by path, version and budget
	dirty   bool                  // the memory bank has changes that are in no commit
	client  event.Client
	policy  gate.Policy
	now     time.Time
	session gate.Session
	call    int
	// full: nothing can be saved now; unsaved: a recovery could not be (S6).
	full, unsaved bool
	// watch is told each event, what it was answered, and the session that was to be saved.
	watch func(event.Event, gate.Decision, gate.Session)
	*placetest.Tree
}

const (
	req  = "memory-bank/details/requirements/REQ-1.md"
	req2 = "memory-bank/details/requirements/REQ-2.md"
	dsgn = "memory-bank/details/design/d.md"
	memo = "memory-bank/MEMORY.md"
	patt = "memory-bank/details/patterns.md"
)

func newWorld(t testing.TB) *world {
	w := &world{
		t: t, files: map[string]string{}, docs: map[string]anchor.Doc{}, version: map[string]int{}, broken: map[string]bool{}, hooked: true,
		client: event.Client{
			Name: "test", NamesSubagents: true, PromptEvents: true, AfterEvents: true, InjectsAtCompaction: true,
			ReadTool: event.ReadTool{Tool: "Read", Path: "path", Offset: "offset", Limit: "limit"}, ReadLines: 40,
		},
		policy: gate.Policy{
			Anchors:  []string{"memory-bank/details/requirements/**", "memory-bank/details/design/**", "memory-bank/details/progress.md"},
			Fallback: []string{memo, patt}, Budget: 60000, Ceiling: 12, HasBank: true, Read: event.ModeOff,
			Sensitive: []string{"package.json"}, Safe: []string{"memory-bank/details/requirements/**"},
		},
		now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC),
	}
	for _, f := range []string{req, req2, dsgn, memo, patt} {
		w.put(f, numbered(f, 30))
	}
	w.put("src/a.go", "package a\n")
	return w
}

func numbered(name string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s says %d\n", name, i+1)
	}
	return b.String()
}

func (w *world) put(name, text string) {
	w.files[name] = text
	w.version[name]++
	w.build()
}

func (w *world) remove(name string) {
	delete(w.files, name)
	w.build()
}

func (w *world) build() {
	w.Tree = placetest.New(root)
	for name, text := range w.files {
		w.File(root+"/"+name, text)
	}
}

// Anchor implements gate.Disk.
func (w *world) Anchor(p string) place.Place { return w.Locate(root, p) }

// Fallback implements gate.Disk.
func (w *world) Fallback(patterns []string) []string { return patterns }

// Stamp implements gate.Disk.
func (w *world) Stamp(p place.Place) (anchor.Stamp, bool) {
	text, ok := w.files[p.Canon]
	return anchor.Stamp{Size: int64(len(text)), Mod: int64(w.version[p.Canon])}, ok && !w.broken[p.Canon]
}

// Doc implements gate.Disk.
func (w *world) Doc(p place.Place) (anchor.Doc, error) {
	text, ok := w.files[p.Canon]
	if w.short {
		return anchor.Doc{}, &gate.ShortageError{Err: errors.New("too many open files")}
	}
	if !ok || w.broken[p.Canon] {
		return anchor.Doc{}, errors.New("it cannot be read")
	}
	version := fmt.Sprint(p.Canon, w.version[p.Canon], w.policy.Budget)
	if d, known := w.docs[version]; known {
		return d, nil
	}
	d, err := anchor.Scan(strings.NewReader(text), int64(len(text)), w.policy.Budget, false)
	if d.Binary {
		err = errors.New("it is a binary file")
	}
	if err == nil {
		w.docs[version] = d
	}
	return d, err
}

// Defined implements gate.Disk.
func (w *world) Defined(*event.Client, string) bool { return w.readers }

// BankDirty implements gate.Disk.
func (w *world) BankDirty() bool { return w.dirty }

// HookFiles implements gate.Disk.
func (w *world) HookFiles(*event.Client) []string { return []string{root + "/.claude/settings.json"} }

// Unhooks implements gate.Disk.
func (w *world) Unhooks(_ *event.Client, _ string, had bool) bool { return had && !w.hooked }

// Recorded implements gate.Disk.
func (w *world) Recorded(event.Event) transcript.Found { return w.recorded }

// send plays one event.
func (w *world) send(ev event.Event) gate.Decision {
	w.now = w.now.Add(time.Second)
	ev.Client, ev.Session = &w.client, "s1"
	if ev.Cwd == "" {
		ev.Cwd = root
	}
	g := gate.Gate{Policy: w.policy, Disk: w, Now: w.now, Root: root, Prints: func(gate.Decision) bool { return w.prints }}
	before := w.session.Clone()
	before.Damaged = before.Damaged || w.unsaved
	old := before.Clone()
	next, d := g.Handle(old, ev)
	again, d2 := g.Handle(before, ev)
	if !reflect.DeepEqual(d, d2) || !reflect.DeepEqual(again, next) {
		w.t.Fatalf("the gate is not a function of its arguments: %+v, %+v", d, d2)
	}
	w.unsaved = w.unsaved && w.full || w.full && slices.ContainsFunc(d.Log, func(e gate.LogEntry) bool { return e.What == gate.Armed })
	if !w.full {
		w.session = next
	}
	if w.watch != nil {
		w.watch(ev, d, next)
	}
	return d
}

func (w *world) id() string {
	w.call++
	return fmt.Sprint("call", w.call)
}

// compact plays a compaction as Claude Code signals it: a before-event and two after-events.
func (w *world) compact(sub string) gate.Decision {
	w.send(event.Event{Kind: event.Compacting, Name: "PreCompact", Sub: event.Sub{ID: sub}})
	d := w.send(event.Event{Kind: event.Compacted, Name: "SessionStart", Injects: true, Sub: event.Sub{ID: sub}})
	w.send(event.Event{Kind: event.Compacted, Name: "PostCompact", Sub: event.Sub{ID: sub}})
	return d
}

// edit asks for a write to one file.
func (w *world) edit(sub, name string) gate.Decision {
	return w.send(event.Event{
		Kind: event.ToolBefore, Call: w.id(), Sub: event.Sub{ID: sub},
		Tool: event.Tool{Name: "Edit", Class: event.Edit, Paths: []event.PathArg{{Path: root + "/" + name, Op: event.OpWrite}}},
	})
}

func (w *world) shell(sub, command string) gate.Decision {
	return w.send(event.Event{
		Kind: event.ToolBefore, Call: w.id(), Sub: event.Sub{ID: sub},
		Tool: event.Tool{Name: "Bash", Class: event.Shell, Command: command},
	})
}

// read plays a read of the lines first to last (0, 0: all that one call shows), with the result that the client gives.
func (w *world) read(sub, name string, first, last int) gate.Decision {
	tool := event.Tool{Name: "Read", Class: event.Read, Paths: []event.PathArg{{Path: name, Op: event.OpRead}}}
	if !path.IsAbs(name) {
		tool.Paths[0].Path = root + "/" + name
	}
	if last > 0 {
		tool.Offset, tool.Limit = first, last-first+1
	}
	id := w.id()
	d := w.send(event.Event{Kind: event.ToolBefore, Call: id, Sub: event.Sub{ID: sub}, Tool: tool})
	if d.Verdict == event.Block {
		w.t.Fatalf("a read is refused: %+v", d)
	}
	res := &event.Result{Failed: true}
	if text, ok := w.files[strings.TrimPrefix(tool.Paths[0].Path, root+"/")]; ok {
		lines := strings.SplitAfter(text, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		if last == 0 {
			first, last = 1, len(lines)
		}
		first, last = max(first, 1), min(last, len(lines), first+w.client.ReadLines-1)
		shown := ""
		if first <= last {
			shown = strings.Join(lines[first-1:last], "")
		}
		res = &event.Result{Shown: []event.Shown{{Path: tool.Paths[0].Path, First: first, Last: last, Text: shown, HasText: true}}}
	}
	w.send(event.Event{Kind: event.ToolAfter, Call: id, Sub: event.Sub{ID: sub}, Tool: tool, Result: res})
	return d
}

// obey makes the very reads that refusals print until the write is let through, and fails when that takes too long or a
// read brings nothing.
func (w *world) obey(sub string) {
	w.t.Helper()
	last := -1
	for range 200 {
		d := w.edit(sub, "src/a.go")
		if d.Verdict == event.Allow {
			return
		}
		if d.Refusal == nil {
			w.t.Fatalf("refused without a way out: %+v", d)
		}
		left := 0
		for _, u := range d.Refusal.Unread {
			left += u.Left.Count()
		}
		if left == last {
			w.t.Fatalf("the printed read moved nothing forward: %+v", d.Refusal)
		}
		last = left
		w.read(sub, d.Refusal.Unread[0].Abs, d.Refusal.Next.First, d.Refusal.Next.Last)
	}
	w.t.Fatal("the gate does not open by reading")
}

func (w *world) wantEdit(sub string, want event.Verdict, why string) gate.Decision {
	w.t.Helper()
	d := w.edit(sub, "src/a.go")
	if d.Verdict != want {
		w.t.Errorf("%s: %s, want %s: %+v", why, d.Verdict, want, d.Refusal)
	}
	return d
}
