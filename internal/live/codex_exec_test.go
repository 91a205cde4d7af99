//go:build live

package live

import (
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestCodexExec is the loop with `codex exec` and `codex exec resume`, one process a turn, and a compaction by a context
// that is full.
func TestCodexExec(t *testing.T) {
	t.Parallel()
	loop(t, setUp(t, codexExec{}), codexExec{})
}

// codexExec is Codex CLI, driven by `codex exec`: it is set up by the same files.
type codexExec struct{ codex }

func (codexExec) open(w *world, how opening) session {
	return &codexExecSession{w: w, thread: how.resume}
}

type codexExecSession struct {
	w      *world
	thread string
}

func (s *codexExecSession) id() string { return s.thread }

func (s *codexExecSession) turn(prompt string, steps ...model.Step) []model.Request {
	s.w.t.Helper()
	s.w.model.Script(model.Main, steps...)
	mark := s.w.model.Count()
	args := []string{"exec", "--json"}
	if s.thread != "" {
		args = append(args, "resume", s.thread)
	}
	p := s.w.start("codex-exec", codexProgram(), append(args, prompt))
	_ = p.in.Close() // else it waits for more of the prompt
	p.until("the end of the turn: "+prompt, func(m map[string]any) bool {
		if id, ok := m["thread_id"].(string); ok {
			s.thread = id
		}
		return m["type"] == "turn.completed"
	})
	p.end()
	return s.w.model.Since(mark)
}

func (s *codexExecSession) compact() []model.Request {
	s.w.t.Helper()
	d := codex{}
	seen := s.turn("fill the context", model.Step{Calls: []model.Call{d.shell(s.w, "true")}, Tokens: codexWindow + 1})
	return s.w.compacted(seen)
}

func (s *codexExecSession) close() {}
