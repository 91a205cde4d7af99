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

func TestBoundsAreVerbatim(t *testing.T) {
	for text, want := range map[string][]string{
		"- Do not touch `api.go`, it is Anna's.\n2) never `rm -rf`":                                     {"Do not touch `api.go`, it is Anna's", "never `rm -rf`"},
		"```\nnever do this\n```\n> you must not\n<log>\nno new files\n</log>\nHe said \"never push\".": nil,
		"Must we keep it? Is that not allowed?":                                                         nil,
		"The password must be hunter2. The API key is never AKIA0123456789ABCDEF.":                      nil,
		"Never use https://u:geheim@example.org/x. Never push. never push":                              {"Never push", "never push"},
		"Never " + strings.Repeat("界", 300):                                                             {"Never " + strings.Repeat("界", 233) + "…"},
	} {
		if got := Bounds(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPlanOf(t *testing.T) {
	long := strings.Repeat("and so on ", 120)
	for text, want := range map[string]string{
		"Do this, never push.\n\n# One\n" + long + "\n## Two\nx": "Do this, never push.\n\n",
		"1. a\n2. b " + long + "\n3) c":                          "",
		"第一步 a\n第二步 b\n" + long:                                  "",
	} {
		if plan, words := PlanOf(text); plan != text+"\n" || words != want {
			t.Errorf("%.20q: %.20q, %q", text, plan, words)
		}
	}
	for _, text := range []string{"1. a\n2. b\n3. c", long, "```\n# a\n# b\n1. a\n```\n" + long, "# a\n# b\npassword: hunter2\n" + long} {
		if plan, _ := PlanOf(text); plan != "" {
			t.Errorf("%.20q is a plan", text)
		}
	}
	if plan, _ := PlanOf("# a\n# b\n" + strings.Repeat("界", 40_000)); len(plan) > MaxPlan+1 {
		t.Errorf("%d bytes", len(plan))
	}
}
