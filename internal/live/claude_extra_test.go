//go:build live

package live

import (
	"path/filepath"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestClaudePutsBack: of the documents that Claude Code itself puts back after a compaction, those that it shows whole are not
// asked for again; one that it only names is, and so is one of which a person's prompt brings a part.
func TestClaudePutsBack(t *testing.T) {
	for name, c := range map[string]struct {
		lines        int // of REQ-1
		prompt, told string
		asked        string // what the refusal says of REQ-1, "" where the write passes
	}{
		"whole":   {60, "go on", "60\tREQ-1 line 60:", ""},
		"by name": {900, "go on", "was read before the last conversation was summarized", "900 lines"},
		"a part":  {900, "go on with @" + requirement + "#L1-100", "100\tREQ-1 line 100:", "100 of 900 lines read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := claude{}
			w := newWorld(t)
			d.configure(w)
			w.write(requirement, numbered("REQ-1", c.lines))
			w.write(second, numbered("REQ-2", 20))
			w.run(w.mbgate, "install", d.name())
			s := d.open(w, opening{})
			defer s.close()
			results(t, s.turn("work on both", model.Do(d.readAll(w, requirement)), model.Do(d.readAll(w, second)), model.Do(d.readAll(w, "src/app.go"))), 3)
			s.turn("/compact")
			seen := s.turn(c.prompt, model.Do(d.shell(w, "echo 'var E = 5' >> src/app.go")))
			got := results(t, seen, 1)
			told(t, "what the client puts back", seen, c.told)
			told(t, "what the client puts back", seen, "20\tREQ-2 line 20:")
			if c.asked == "" {
				passed(t, "a write", got[0])
				changed(t, w, "E = 5", "a write")
				return
			}
			refused(t, "a write", got[0])
			contains(t, "the refusal", got[0], requirement+" ("+c.asked)
			lacks(t, "the refusal", got[0], second)
		})
	}
}

// TestClaudePlugin installs the plugin from this repository as a marketplace: the loop and the subagents are as with an
// installation, with one besides an event counts once, and after its removal nothing is held.
func TestClaudePlugin(t *testing.T) {
	d := claude{}
	w := newWorld(t)
	d.configure(w)
	w.vars = append(w.vars, "PATH="+filepath.Dir(w.mbgate)+":/usr/local/bin:/usr/bin:/bin")
	client := clientFile("@anthropic-ai/claude-code-linux-x64/claude")
	market, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	w.run(client, "plugin", "validate", "--strict", market)
	w.run(client, "plugin", "validate", "--strict", filepath.Join(market, "plugins", d.name()))
	w.run(client, "plugin", "marketplace", "add", market)
	w.run(client, "plugin", "install", "mbgate@mbgate")
	loop(t, w, d)
	writerAndReader(t, w, claudePlugin{})

	w.run(w.mbgate, "install", d.name())
	s := d.open(w, opening{})
	results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement))), 1)
	s.compact()
	write := model.Do(d.shell(w, "echo more >> src/app.go"))
	got := results(t, s.turn("go on", write, write), 2)
	contains(t, "with an installation besides", got[0], "refusal 1")
	contains(t, "with an installation besides", got[1], "refusal 2")
	s.close()
	w.run(w.mbgate, "uninstall", d.name())

	w.run(client, "plugin", "uninstall", "mbgate@mbgate")
	w.run(client, "plugin", "marketplace", "remove", "mbgate")
	lacks(t, "the settings after the removal", string(w.tree()[".claude/settings.json"]), "mbgate")
	s = d.open(w, opening{resume: s.id()})
	defer s.close()
	passed(t, "a write after the removal", results(t, s.turn("go on", write), 1)[0])
	changed(t, w, "more", "a write after the removal")
}

// claudePlugin names the subagents as the plugin has them.
type claudePlugin struct{ claude }

func (d claudePlugin) delegate(w *world, kind, prompt string) model.Call {
	if kind == d.traits().reader || kind == d.traits().writer {
		kind = "mbgate:" + kind
	}
	return d.claude.delegate(w, kind, prompt)
}
