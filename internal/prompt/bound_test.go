package prompt

import (
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"testing"
)

// figures are how Bounds does on marked prompts.
type figures struct{ prompts, sentences, bounds, found, wrong int }

// TestBounds holds Bounds against prompts that were marked before its table was written, in two halves by a hash: the table was
// made with the first half in view, the second was kept aside. docs/capsule.md states the figures.
func TestBounds(t *testing.T) {
	raw, err := os.ReadFile("testdata/bounds.txt")
	if err != nil {
		t.Fatal(err)
	}
	var halves [2]figures
	for _, p := range strings.Split(strings.TrimSpace(string(raw)), "\n\n")[1:] {
		h := fnv.New32a()
		h.Write([]byte(p))
		f := &halves[h.Sum32()>>8&1]
		f.prompts++
		var sentences []string
		for line := range strings.Lines(p) {
			sentences = append(sentences, strings.TrimSpace(line[2:]))
		}
		got := Bounds(strings.Join(sentences, "\n"))
		for i, line := range strings.Split(p, "\n") {
			f.sentences++
			marked := line[0] == '+'
			found := slices.Contains(got, strings.TrimRight(sentences[i], ".。"))
			switch {
			case marked && found:
				f.found++
			case found:
				f.wrong++
			}
			if marked {
				f.bounds++
			}
		}
	}
	for i, f := range halves {
		t.Logf("half %d: %+v", i+1, f)
		if 10*f.found < 9*f.bounds {
			t.Errorf("half %d: %d of %d bounds found, which is less than nine in ten", i+1, f.found, f.bounds)
		}
		if 10*f.wrong > f.found+f.wrong {
			t.Errorf("half %d: %d of %d kept sentences set no bound, which is more than one in ten", i+1, f.wrong, f.found+f.wrong)
		}
	}
}
