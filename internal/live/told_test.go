//go:build live

package live

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// next finds the printed call: a tool with its arguments, or a command for the shell of a client without a tool that reads.
var next = regexp.MustCompile(`Next: (?:(\w+) (\{.*\})|(.+))`)

// printed is a step that makes the call that the last refusal in the request printed.
func printed(d driver) func(model.Request) model.Step {
	return func(r model.Request) model.Step {
		call, err := printedCall(d, r.Last)
		if err != nil {
			return model.Say(err.Error())
		}
		return model.Do(call)
	}
}

func printedCall(d driver, refusal string) (model.Call, error) {
	all := next.FindAllStringSubmatch(refusal, -1)
	if len(all) == 0 {
		return model.Call{}, fmt.Errorf("there is no printed call in: %s", refusal)
	}
	last := all[len(all)-1]
	if last[3] != "" {
		return d.printed(last[3], nil), nil
	}
	var args map[string]any
	if err := json.Unmarshal([]byte(last[2]), &args); err != nil {
		return model.Call{}, fmt.Errorf("the printed call has no JSON: %s", last[2])
	}
	return d.printed(last[1], args), nil
}

// proposes stands in what mbgate says to a model that wants to stop after it wrote code (SPEC §11); where a client has it
// go on, there is a request more than was scripted.
const proposes = "If something of it is worth keeping, propose an update"

// results are what the model was told after each scripted step of the main conversation, as one text each.
func results(t *testing.T, seen []model.Request, want int) []string {
	t.Helper()
	var got []string
	for _, r := range seen {
		if r.Kind == model.Main {
			got = append(got, r.Last)
		}
	}
	if len(got) > 0 {
		got = got[1:] // the prompt
	}
	for len(got) > want && strings.Contains(got[len(got)-1], proposes) {
		got = got[:len(got)-1]
	}
	if len(got) != want {
		t.Fatalf("the model was asked again %d times, and %d steps were scripted; it was told:\n%s", len(got), want, strings.Join(got, "\n---\n"))
	}
	return got
}

// of are the requests of one kind.
func of(kind string, seen []model.Request) []model.Request {
	return slices.DeleteFunc(slices.Clone(seen), func(r model.Request) bool { return r.Kind != kind })
}

// compacted are the requests of a compaction: one of them at least asks for a summary.
func (w *world) compacted(seen []model.Request) []model.Request {
	w.t.Helper()
	if len(of(model.Summary, seen)) == 0 {
		w.t.Fatalf("the compaction asked for no summary, but sent %d requests", len(seen))
	}
	return seen
}

// told asserts that one of the requests of the main conversation says this, wherever.
func told(t *testing.T, what string, seen []model.Request, words string) {
	t.Helper()
	for _, r := range seen {
		if r.Kind == model.Main && strings.Contains(r.All(), words) {
			return
		}
	}
	t.Errorf("%s did not reach the model: %q is in none of its %d requests", what, words, len(seen))
}

// isRefused tells a refusal of mbgate's.
func isRefused(text string) bool { return strings.Contains(text, "mbgate refused") }

func refused(t *testing.T, what, result string) {
	t.Helper()
	if !isRefused(result) {
		t.Errorf("%s was not refused; the model was told:\n%s", what, result)
	}
}

func passed(t *testing.T, what, result string, words ...string) {
	t.Helper()
	if isRefused(result) {
		t.Errorf("%s was refused:\n%s", what, result)
		return
	}
	contains(t, what, result, words...)
}

func contains(t *testing.T, what, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%s: %q is missing in:\n%s", what, word, text)
		}
	}
}

func lacks(t *testing.T, what, text, word string) {
	t.Helper()
	if strings.Contains(text, word) {
		t.Errorf("%s: %q should not be in:\n%s", what, word, text)
	}
}

// changed asserts that src/app.go holds a text.
func changed(t *testing.T, w *world, words, what string) {
	t.Helper()
	if !strings.Contains(w.read("src/app.go"), words) {
		t.Errorf("%s did not happen; src/app.go holds:\n%s", what, w.read("src/app.go"))
	}
}
