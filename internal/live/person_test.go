//go:build live

package live

import (
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// shower is a session that knows what the client showed the person in its last turn.
type shower interface{ shown() string }

// TestClear ends a recovery by the prompt mb:clear, after mb:status told of it. The model sees neither, where the client can
// keep a prompt from it.
func TestClear(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		w, s := pending(t, d)
		defer s.close()
		const cleared = "the recovery of this session has ended"
		shares := d.traits().sharesPrompts
		if shares != "" {
			t.Logf("the prompts reach the model: %s", shares)
		}
		for _, c := range []struct{ prompt, answer string }{{"mb:status", requirement}, {"mb:clear", cleared}} {
			seen := s.turn(c.prompt)
			if shares != "" {
				if len(seen) == 0 {
					t.Errorf("%s did not reach the model: the client can keep a prompt from it now", c.prompt)
				}
				if d.traits().passesOn {
					told(t, "the answer to "+c.prompt, seen, "for word") // it is to be passed on
					told(t, "the answer to "+c.prompt, seen, c.answer)
				}
			} else if len(seen) > 0 {
				t.Errorf("%s reached the model: %s", c.prompt, seen[0].Last)
			}
			if s, ok := s.(shower); ok {
				contains(t, "what the person is shown after "+c.prompt, s.shown(), c.answer)
			}
		}
		seen := s.turn("go on", model.Do(d.readAll(w, "src/app.go")), model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")))
		passed(t, "an edit after mb:clear", results(t, seen, 2)[1])
		changed(t, w, "B = 20", "an edit after mb:clear")
		for _, r := range seen {
			lacks(t, "the conversation after mb:clear", r.All(), cleared)
		}
		if shares == "" {
			// The refusal of before names the prompt; the prompts themselves are not there.
			whole := strings.ReplaceAll(seen[0].Whole, "the prompt mb:clear", "")
			lacks(t, "the conversation", whole, "mb:clear")
			lacks(t, "the conversation", whole, "mb:status")
		}
	})
}

// TestReminder has the agent stop after it wrote code: it is asked once to propose an update of the memory bank, at once or,
// where the client cannot be kept from stopping, with the next prompt. That is no prompt of a person's.
func TestReminder(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		w := setUp(t, d)
		s := d.open(w, opening{})
		defer s.close()
		const once = "mbgate reminder"
		steps := []model.Step{model.Do(d.readAll(w, "src/app.go")), model.Do(d.edit(w, "src/app.go", "A = 1", "A = 10"))}
		late := d.traits().stops
		if late != "" {
			t.Logf("the agent is asked with the next prompt: %s", late)
			got := results(t, s.turn("work", steps...), 2)
			contains(t, "the first write of a turn", got[1], once, "patterns.md")
			s.compact() // which changes nothing of it
			told(t, "what the agent is to propose", s.turn("and then?", steps[0]), proposes)
			for _, r := range s.turn("what is left?", steps[0]) {
				lacks(t, "what a later turn says", r.All(), proposes)
			}
		} else {
			seen := s.turn("work", append(steps, model.Say("It is done."), model.Do(d.edit(w, "src/app.go", "C = 3", "C = 30")))...)
			got := results(t, seen, 4)
			if n := strings.Count(seen[len(seen)-1].Whole, proposes); n != 1 {
				t.Errorf("the reminder stands in the conversation %d times", n)
			}
			contains(t, "the first write of a turn", got[1], once, "patterns.md")
			contains(t, "what an agent is told that wrote code and stops", got[2], proposes, "src/app.go", "mb:write")
			lacks(t, "what an agent is told that wrote code and stops", got[2], "calls the subagent") // what mb:write would have it told
			lacks(t, "the next write of that turn", got[3], once)
			changed(t, w, "C = 30", "an edit after the reminder")
			for _, r := range s.turn("what is left?", model.Do(d.readAll(w, "src/app.go")), model.Do(d.edit(w, "src/app.go", "D = 4", "D = 40"))) {
				lacks(t, "what is said at the next stop", r.Last, proposes)
			}
			changed(t, w, "D = 40", "an edit in a later turn")
			seen = s.turn("mb:write please")
			if why := d.traits().mutePrompts; why != "" {
				t.Logf("the model is not told what to do after mb:write: %s", why)
			} else if writer := d.traits().writer; writer != "" {
				told(t, "what is to be done after mb:write", seen, "call the subagent "+writer)
			} else {
				told(t, "what is to be done after mb:write", seen, "The user answered mb:write")
			}
			for _, r := range s.turn("thanks") {
				lacks(t, "what is said at a stop after that", r.Last, proposes)
			}
		}
		contains(t, "the log", w.run(w.mbgate, "log", "--json"), `"proposal"`)
	})
}
