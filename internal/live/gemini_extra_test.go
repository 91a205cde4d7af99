//go:build live

package live

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestGeminiBeside has the main conversation read beside a subagent that it starts in the same answer: that read is its
// own, whatever the subagent does meanwhile, and the subagent gets out by its own reads.
func TestGeminiBeside(t *testing.T) {
	t.Parallel()
	d := gemini{}
	w, s := pending(t, d)
	w.model.Script(
		"sub:writes",
		model.Do(d.create(w, "src/sub.go", "package app\n")),
		model.Step{From: printed(d)},
		model.Do(d.create(w, "src/sub.go", "package app\n")),
		model.Say("it is done"),
	)
	mark := w.model.Count()
	got := results(t, s.turn(
		"both",
		model.Do(d.delegate(w, "", model.Marker("writes")+" change it")),
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
	), 2)
	var sub []string
	for _, r := range w.model.Since(mark) {
		if r.Kind == "sub:writes" {
			sub = append(sub, r.Last)
		}
	}
	if len(sub) != 4 {
		t.Fatalf("the subagent sent %d requests, want 4:\n%s", len(sub), strings.Join(sub, "\n---\n"))
	}
	refused(t, "a write by a subagent that read nothing", sub[1])
	contains(t, "the subagent's refusal", sub[1], requirement, "you have not read")
	passed(t, "the subagent's read", sub[2], "REQ-1 line 60:")
	passed(t, "the subagent's write", sub[3])
	if w.read("src/sub.go") != "package app\n" {
		t.Errorf("the subagent's write did not happen: %s", w.read("src/sub.go"))
	}
	refused(t, "the main conversation's edit", got[1])

	w.model.Script("sub:lists", model.Do(d.shell(w, "ls")), model.Say("it is listed"))
	got = results(t, s.turn(
		"both again",
		model.Do(d.delegate(w, "", model.Marker("lists")+" list it"), d.readAll(w, requirement)),
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
	), 2)
	passed(t, "the read beside a subagent", got[0], "REQ-1 line 60:", "it is listed")
	passed(t, "the edit after it", got[1])
	changed(t, w, "B = 20", "the edit after a read beside a subagent")
}

// TestGeminiWarns lets the gate remind only: the reminder reaches the model with the call's result, which is the only
// place of a call where it can.
func TestGeminiWarns(t *testing.T) {
	t.Parallel()
	d := gemini{}
	w := setUp(t, d)
	w.write(".mbgate.toml", "recovery = \"warn\"\n")
	s := d.open(w, opening{})
	results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement))), 1)
	s.compact()
	got := results(t, s.turn("go on", model.Do(d.shell(w, "echo x > made.txt")), model.Do(d.readAll(w, requirement)), model.Do(d.shell(w, "echo y > made.txt"))), 3)
	passed(t, "a write", got[0], "mbgate reminder 1: mbgate does not refuse this call", requirement, "Next: read_file")
	lacks(t, "a write after the read", got[2], "mbgate reminder 2")
	if w.read("made.txt") != "y\n" {
		t.Errorf("the writes did not happen: %q", w.read("made.txt"))
	}
}

// TestGeminiLongRead has a requirement that is longer than what one call shows, with lines that are longer than what the
// client shows of a line: the printed calls lead through it.
func TestGeminiLongRead(t *testing.T) {
	t.Parallel()
	d := gemini{}
	w := setUp(t, d)
	long := strings.Replace(numbered("REQ-1", 2100), "thing number 2050.", strings.Repeat("thing ", 400)+"2050.", 1)
	w.write(requirement, long)
	w.write(".mbgate.toml", "required_budget = 1000000\n")
	s := d.open(w, opening{})
	results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement))), 1)
	s.compact()
	got := results(t, s.turn(
		"go on",
		model.Do(d.readAll(w, requirement)),
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
		model.Step{From: printed(d)},
		model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")),
	), 4)
	contains(t, "a read of all", got[0], "REQ-1 line 2000:")
	lacks(t, "a read of all", got[0], "REQ-1 line 2001:")
	refused(t, "an edit after it", got[1])
	contains(t, "the refusal", got[1], "2000 of 2100 lines read", `"start_line": 2001`)
	passed(t, "the printed call", got[2], "REQ-1 line 2100:")
	passed(t, "an edit after that", got[3])
	changed(t, w, "B = 20", "an edit after a long read")
}

// TestGeminiACP shows what stays open with this client: in the mode in which editors start it, no tool asks a hook.
func TestGeminiACP(t *testing.T) {
	t.Parallel()
	d := gemini{}
	w := setUp(t, d)
	note := "memory-bank/details/new.md"
	p := w.start("gemini-acp", nodeDir()+"/bin/node", []string{
		clientFile("@google/gemini-cli/bundle/gemini.js"), "--acp", "--yolo", "--skip-trust", "--model", "gemini-2.5-flash",
	}, geminiEnv(w)...)
	defer p.end()
	call := func(id int, method string, params map[string]any) map[string]any {
		p.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		answer := p.until("the answer to "+method, func(m map[string]any) bool { return m["id"] == float64(id) })
		result, ok := answer["result"].(map[string]any)
		if !ok {
			t.Fatalf("%s: %v", method, answer)
		}
		return result
	}
	call(1, "initialize", map[string]any{"protocolVersion": 1, "clientCapabilities": map[string]any{}})
	id := call(2, "session/new", map[string]any{"cwd": w.dir, "mcpServers": []any{}})["sessionId"]
	w.model.Script(model.Main, model.Do(d.create(w, note, "by the main conversation\n")))
	call(3, "session/prompt", map[string]any{"sessionId": id, "prompt": []any{map[string]any{"type": "text", "text": "write it down"}}})
	if text := w.read(note); text != "by the main conversation\n" {
		t.Errorf("a write in ACP mode was kept back, so that hooks run there now: say so in the adapter. The file holds %q", text)
	}
}

// TestGeminiCompress types /compress in the client's own screen: one that comes to nothing closes no gate, one that
// compresses is told by the next request.
func TestGeminiCompress(t *testing.T) {
	t.Parallel()
	d := gemini{}
	w := setUp(t, d)
	screen := openScreen(w)
	turn := func(prompt string, steps ...model.Step) []model.Request {
		t.Helper()
		w.model.Script(model.Main, steps...)
		mark := w.model.Count()
		screen.enter(prompt)
		screen.until("the end of the turn: "+prompt, func() bool { return len(of(model.Main, w.model.Since(mark))) > len(steps) })
		return w.model.Since(mark)
	}
	compress := func() {
		t.Helper()
		summary := model.Say("<state_snapshot>We looked at files.</state_snapshot>")
		w.model.Script(model.Summary, summary, summary)
		mark := w.model.Count()
		screen.enter("/compress")
		screen.until("the compression", func() bool { return len(of(model.Summary, w.model.Since(mark))) == 2 })
	}
	turn("work on REQ-1", model.Do(d.readAll(w, requirement)))
	compress()
	screen.until("that it was in vain", func() bool { return strings.Contains(screen.text(), "not beneficial") })
	w.model.Tokens = 50_000 // before, the summary was longer than what it stands for
	got := results(t, turn("go on after nothing was compressed", model.Do(d.shell(w, "echo x > made.txt"))), 1)
	passed(t, "a write after nothing was compressed", got[0])

	compress()
	seen := turn(
		"go on",
		model.Do(d.shell(w, "ls src")),
		model.Do(d.shell(w, "echo y > made.txt")),
		model.Do(d.readAll(w, requirement)),
		model.Do(d.shell(w, "echo z > made.txt")),
	)
	got = results(t, seen, 4)
	passed(t, "a call after /compress", got[0], "app.go", armed)
	refused(t, "a write after /compress", got[1])
	passed(t, "a write after the read", got[3])
	if w.read("made.txt") != "z\n" {
		t.Errorf("made.txt holds %q", w.read("made.txt"))
	}
	mark := w.model.Count()
	screen.enter("mb:status")
	screen.until("the status", func() bool { return strings.Contains(screen.text(), "Not covered with Gemini CLI") })
	if n := len(w.model.Since(mark)); n > 0 {
		t.Errorf("mb:status reached the model in %d requests", n)
	}
}

// screen is the client in a terminal, by the program script (util-linux).
type screen struct {
	w *world
	p *process
}

func openScreen(w *world) *screen {
	w.t.Helper()
	log := filepath.Join(w.root, "screen")
	command := fmt.Sprintf(
		"stty cols 200 rows 50; exec '%s/bin/node' '%s' --yolo --skip-trust --model gemini-2.5-flash",
		nodeDir(), clientFile("@google/gemini-cli/bundle/gemini.js"),
	)
	p := w.start("gemini-screen", "script", []string{"-qfec", command, log}, append(geminiEnv(w), "TERM=xterm-256color", "SHELL=/bin/sh")...)
	s := &screen{w, p}
	s.until("its prompt", func() bool { return strings.Contains(s.text(), "Type your message") })
	return s
}

// text is all that was drawn so far.
func (s *screen) text() string {
	data, _ := os.ReadFile(filepath.Join(s.w.root, "screen"))
	return string(data)
}

// enter types a line; the return key comes a little later, since what comes in one piece counts as pasted.
func (s *screen) enter(line string) {
	s.w.t.Helper()
	for _, keys := range []string{line, "\r"} {
		time.Sleep(500 * time.Millisecond)
		if _, err := s.p.in.Write([]byte(keys)); err != nil {
			s.w.t.Fatal(err)
		}
	}
}

// until waits; from time to time it presses return, which an empty line ignores and a list of commands swallows.
func (s *screen) until(what string, ok func() bool) {
	s.w.t.Helper()
	for i := 1; !ok(); i++ {
		if time.Duration(i)*50*time.Millisecond > patience {
			text := s.text()
			s.w.t.Fatalf("the client did not get to %s within %v; its screen ends:\n%s", what, patience, text[max(0, len(text)-3000):])
		}
		if i%60 == 0 {
			_, _ = s.p.in.Write([]byte("\r"))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestGeminiBelow starts the client in a folder of the project: its read tool turns the documents above it down before any
// hook, and the second refusal prints a command of the shell, which opens the gate.
func TestGeminiBelow(t *testing.T) {
	t.Parallel()
	d := gemini{}
	w := setUp(t, d)
	s := &geminiSession{w: w, below: "src"}
	write := model.Do(d.create(w, "src/new.go", "package app\n"))
	results(t, s.turn("work on REQ-1", model.Do(d.shell(w, "cat "+w.path(requirement)))), 1)
	s.compact()
	got := results(t, s.turn("go on", write, model.Do(d.readAll(w, requirement)), write), 3)
	contains(t, "the first refusal", got[0], "Next: read_file ")
	lacks(t, "a read above the workspace", got[1], "REQ-1 line 60:")
	refused(t, "a write after that read", got[2])
	contains(t, "the second refusal", got[2], "Next: cat ")
	got = results(t, s.turn("go on", model.Do(d.shell(w, "cat "+w.path(requirement))), write), 2)
	passed(t, "a write after the shell's read", got[1])
}
