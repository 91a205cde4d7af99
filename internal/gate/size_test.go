package gate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
)

// TestStateStaysSmall plays 10,000 events of a session with 60 subagents: its state stays under 64 kB (S5).
func TestStateStaysSmall(t *testing.T) {
	w := newWorld(t)
	w.client.ReadLines = 2000
	w.policy.KeepWords = true
	r := rand.New(rand.NewPCG(7, 8))
	var docs []string
	for i := range 12 {
		docs = append(docs, fmt.Sprintf("memory-bank/details/requirements/REQ-%03d.md", i))
		w.files[docs[i]] = numbered(docs[i], 150)
	}
	for i := range 300 {
		w.files[fmt.Sprintf("internal/some/package/file%03d.go", i)] = "package p\n"
	}
	w.build()
	most := 0
	sub := func() string {
		if r.IntN(3) == 0 {
			return ""
		}
		return fmt.Sprintf("a4c1f0e2d9b8%05d", r.IntN(60))
	}
	for events := 0; events < 10_000; {
		switch n := r.IntN(100); {
		case n < 50:
			w.read(sub(), docs[r.IntN(len(docs))], 0, 0)
			events += 2
		case n < 70:
			w.read(sub(), fmt.Sprintf("internal/some/package/file%03d.go", r.IntN(300)), 0, 0)
			events += 2
		case n < 98:
			w.play(sub(), act{tool: write(event.Edit, event.OpWrite, fmt.Sprintf("internal/some/package/file%03d.go", r.IntN(300)))})
			events += 2
		case n < 99:
			of := ""
			if r.IntN(8) == 0 { // few subagents live that long
				of = sub()
			}
			w.compact(of)
			events += 3
		default:
			w.prompt(fmt.Sprintf("绝不%d%s。", events, strings.Repeat("界", 300)))
			events++
		}
		if events%100 > 2 {
			continue
		}
		raw, err := json.Marshal(w.session)
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, len(raw))
	}
	if most >= 64<<10 {
		t.Errorf("the state has %d bytes", most)
	}
}
