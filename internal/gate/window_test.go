package gate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
)

// TestDemandsDoNotCompactAgainAndAgain plays sessions whose context has a small window: after each compaction the agent makes the
// reads that refusals print, and what they bring may fill the window. That may happen once, not twice in a row (R7). A token is four
// bytes; a read shows a tenth more than the file holds, a refusal costs 150; a compaction leaves between a tenth and four tenths of
// the window.
func TestDemandsDoNotCompactAgainAndAgain(t *testing.T) {
	line := strings.Repeat("x", 99)
	const sessions = 1000
	caused := map[int]int{}
	for seed := range uint64(sessions) {
		r := rand.New(rand.NewPCG(seed, 5))
		window := []int{16_000, 32_000, 64_000}[r.IntN(3)]
		w := newWorld(t)
		w.client.ReadLines = 2000
		var docs []string
		for i := range 1 + r.IntN(5) {
			name := fmt.Sprintf("memory-bank/details/design/d%d.md", i)
			w.files[name] = strings.Repeat(fmt.Sprintf("%s%d\n", line, i), 10+r.IntN(1+r.IntN(1000)))
			w.version[name]++
			docs = append(docs, name)
		}
		w.build()
		for _, name := range docs {
			w.read("", name, 1, 1)
		}
		base := window/10 + r.IntN(window*3/10)
		row := 0
		for w.compact(""); w.session.Main().Recovery != nil; {
			fill := base
			for {
				d := w.edit("", "src/a.go")
				if d.Verdict == event.Allow {
					break
				}
				u := d.Refusal.Unread[0]
				lines := strings.SplitAfter(w.files[strings.TrimPrefix(u.Abs, root+"/")], "\n")
				first, last := d.Refusal.Next.First, d.Refusal.Next.Last
				if last == 0 {
					first, last = 1, len(lines)-1
				}
				w.read("", u.Abs, d.Refusal.Next.First, d.Refusal.Next.Last)
				if fill += 150 + len(strings.Join(lines[first-1:last], ""))*11/40; fill > window {
					break
				}
			}
			if fill <= window {
				break
			}
			caused[window]++
			if row++; row > 1 {
				t.Fatalf("seed %d: %d compactions in a row in a window of %d that begins with %d", seed, row, window, base)
			}
			w.compact("")
		}
	}
	t.Logf("compactions that the demands caused, of %d sessions: %v", sessions, caused)
	if caused[16_000] == 0 {
		t.Error("no demand filled a window, so nothing was tested")
	}
}

// Within a recovery that does not end, each compaction halves what is asked for, down to the ends of the newest document.
func TestEachCompactionHalvesTheDemand(t *testing.T) {
	w := newWorld(t)
	w.client.ReadLines = 2000
	w.put(req, strings.Repeat(strings.Repeat("x", 99)+"\n", 300))
	w.put(req2, strings.Repeat(strings.Repeat("y", 99)+"\n", 200))
	w.read("", req2, 1, 1)
	w.read("", req, 1, 1)
	w.compact("")
	var asked []int
	for range 6 {
		n := 0
		for _, u := range w.edit("", "src/a.go").Refusal.Unread {
			n += u.Need
		}
		asked = append(asked, n)
		w.read("", req, 1, 1)
		w.compact("")
	}
	if want := []int{500, 250, 124, 62, 40, 40}; !slices.Equal(asked, want) {
		t.Errorf("%v lines, want %v", asked, want)
	}
	w.obey("")
}

// Where the client tells its window, an eighth of it is asked for at most, also of a single document (A3).
func TestTheWindowBoundsTheDemand(t *testing.T) {
	w := newWorld(t)
	w.client.ReadLines = 2000
	w.put(req, strings.Repeat(strings.Repeat("x", 99)+"\n", 300))
	w.read("", req, 1, 1)
	w.send(event.Event{Kind: event.Compacted, Name: "preCompact", Window: 16_000})
	if u := w.edit("", "src/a.go").Refusal.Unread; len(u) != 1 || u[0].Need != 80 || !u[0].Part {
		t.Errorf("%+v", u)
	}
	w.obey("")
}
