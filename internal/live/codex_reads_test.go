//go:build live

package live

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestCodexReadsThatShowNothing makes the printed read in ways that do not show the document: the gate stays closed, and
// the refusals lead on.
func TestCodexReadsThatShowNothing(t *testing.T) {
	t.Parallel()
	d := codex{}
	w, s := pending(t, d)
	defer s.close()
	write := model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))
	got := results(t, s.turn(
		"pretend",
		model.Do(d.shell(w, "cat "+requirement+" > /dev/null")), write,
		model.Do(d.shell(w, "cat "+requirement+" | wc -l")), write,
		model.Do(d.shell(w, "cat "+requirement+"x")), write, // it fails
		model.Do(d.shell(w, "grep -c limiter "+requirement)), write,
		model.Do(model.Call{Name: "exec_command", Args: map[string]any{"cmd": "cat " + requirement, "max_output_tokens": 100}}), write,
		model.Step{From: printed(d)}, write,
	), 12)
	for i := 1; i < 11; i += 2 {
		refused(t, fmt.Sprintf("an edit after read %d that shows nothing", i/2), got[i])
	}
	contains(t, "the read of 100 tokens", got[8], "truncated")
	contains(t, "the refusal after a part", got[9], "Next: sed -n ")
	passed(t, "the printed call", got[10], "REQ-1 line 30:")
	passed(t, "an edit after the rest", got[11])
	changed(t, w, "B = 20", "an edit after the rest")
}

// TestCodexShowsNothing has Codex cut the very command that a refusal printed to nothing, again and again: the next
// refusal prints a range instead, and in the end nobody is locked in.
func TestCodexShowsNothing(t *testing.T) {
	t.Parallel()
	d := codex{}
	w, s := pending(t, d)
	defer s.close()
	write := model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))
	starved := model.Step{From: func(r model.Request) model.Step {
		call, err := printedCall(d, r.Last)
		if err != nil {
			return model.Say(err.Error())
		}
		call.Args["max_output_tokens"] = 0
		return model.Do(call)
	}}
	got := results(t, s.turn("read", write, starved, write, starved, write, starved, write), 7)
	for i, words := range []string{"Next: cat ", "Next: sed -n '1,60p' ", "Next: sed -n '1,30p' "} {
		refused(t, "an edit before it was shown", got[2*i])
		contains(t, fmt.Sprintf("refusal %d", i+1), got[2*i], words)
		lacks(t, "the printed call", got[2*i+1], "REQ-1 line")
	}
	passed(t, "an edit after three reads in vain", got[6], requirement+" is no longer required")
	changed(t, w, "B = 20", "an edit after three reads in vain")
}

// TestCodexLargeDocument has a requirement that is longer than one call shows: the printed calls bring all of it, none of
// them is cut, and it takes no more of them than it must.
func TestCodexLargeDocument(t *testing.T) {
	t.Parallel()
	d := codex{}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	w.write(requirement, numbered("REQ-1", 1000)) // 50 kB
	results(t, s.turn("work", model.Do(d.readLines(w, requirement, 1, 500)), model.Do(d.readLines(w, requirement, 501, 1000))), 2)
	s.compact()
	write := model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))
	var shown string
	for i := range 6 {
		result := results(t, s.turn("go on", write), 1)[0]
		if !isRefused(result) {
			if i != 2 {
				t.Errorf("it took %d calls", i)
			}
			break
		}
		call, err := printedCall(d, result)
		if err != nil {
			t.Fatal(err)
		}
		part := results(t, s.turn("read", model.Do(call)), 1)[0]
		lacks(t, "a printed call", part, "truncated")
		shown += part
	}
	contains(t, "what was shown", shown, "REQ-1 line 1:", "REQ-1 line 500:", "REQ-1 line 1000:")
	changed(t, w, "B = 20", "an edit after reading")
}

// TestCodexPatterns reminds the model before a risky write in a turn in which patterns.md was not read; in block mode it
// is refused until it is read.
func TestCodexPatterns(t *testing.T) {
	for _, mode := range []string{"warn", "block"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			d := codex{}
			w := newWorld(t)
			w.write(".mbgate.toml", fmt.Sprintf("guard_mode = %q\n", mode))
			d.configure(w)
			w.run(w.mbgate, "install", d.name())
			d.trust(w)
			s := d.open(w, opening{})
			defer s.close()
			risky := model.Do(d.create(w, "package.json", "{}\n"))
			seen := s.turn("go", risky, model.Step{From: printed(d)}, model.Do(d.create(w, "go.mod", "module x\n")))
			got := results(t, seen, 3)
			if mode == "block" {
				refused(t, "a risky write", got[0])
			} else {
				passed(t, "a risky write", got[0], "patterns.md")
				contains(t, "package.json", w.read("package.json"), "{}")
			}
			passed(t, "the printed call", got[1], "Keep it simple")
			passed(t, "a risky write after the read", got[2])
			lacks(t, "a risky write after the read", got[2], "patterns.md")
			contains(t, "go.mod", w.read("go.mod"), "module x")
		})
	}
}

// TestCodexOddNames has documents whose names a shell takes apart: the command that a refusal prints is one word of them
// nevertheless.
func TestCodexOddNames(t *testing.T) {
	for _, odd := range [][]string{
		{"it's REQ.md", "a $(touch made.txt) `b`.md", "\"quoted\" \\ back.md", "-n.md"},
		{"要求 ü.md", "#no; false & comment!.md", "tab\there.md"},
	} {
		t.Run(odd[0], func(t *testing.T) {
			t.Parallel()
			oddNames(t, odd)
		})
	}
}

func oddNames(t *testing.T, odd []string) {
	t.Helper()
	d := codex{}
	w := setUp(t, d)
	s := d.open(w, opening{})
	defer s.close()
	var steps []model.Step
	for i, name := range odd {
		name = "memory-bank/details/requirements/" + name
		w.write(name, numbered(fmt.Sprintf("ODD-%d", i), 5))
		steps = append(steps, model.Do(d.shell(w, "cat '"+strings.ReplaceAll(name, "'", `'\''`)+"'")))
	}
	results(t, s.turn("work", steps...), len(steps))
	s.compact()
	steps = nil
	write := model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))
	for range odd {
		steps = append(steps, write, model.Step{From: printed(d)})
	}
	got := results(t, s.turn("go on", append(steps, write)...), len(steps)+1)
	for i := range odd {
		refused(t, fmt.Sprintf("edit %d", i), got[2*i])
		contains(t, fmt.Sprintf("the printed call %d", i), got[2*i+1], "ODD-", " line 5:")
	}
	passed(t, "the edit after all of them", got[len(got)-1])
	changed(t, w, "B = 20", "the edit after all of them")
	if _, err := os.Stat(w.path("made.txt")); err == nil {
		t.Error("a name was run as a command")
	}
}
