package doctor

import (
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/wire"
)

// The samples must be what the clients send: recognised without a hint, but for Copilot's events, which do not name
// themselves.
func TestSamplesAreTheClients(t *testing.T) {
	for _, c := range agents.Installable() {
		known, _ := agents.ByName(c.Name)
		s := known.Samples()
		for _, x := range []struct {
			sample, command string
			kinds           []event.Kind
		}{
			{s.Read, "tool-before", []event.Kind{event.ToolBefore}},
			{s.Write, "tool-before", []event.Kind{event.ToolBefore}},
			{s.Compaction, "compact", []event.Kind{event.Compacted, event.Compacting, event.Notice}},
		} {
			if x.sample == "" {
				continue // no event tells of a compaction
			}
			o := wire.Options{Subcommand: "hook"}
			if c.Name == "copilot" {
				o = wire.Options{Subcommand: x.command, Agent: "copilot"}
			}
			ev, err := agents.Decode([]byte(fill(x.sample, `s"1`, "/home/dev", `/tmp/a "b"`)), o)
			ok := false
			for _, k := range x.kinds {
				ok = ok || ev.Kind == k && (k != event.Notice || ev.Summary != "")
			}
			if err != nil || ev.Client.Name != c.Name || !ok || !strings.HasSuffix(ev.Session, `s"1`) {
				t.Errorf("%s: %s: %v, %v, kind %s", c.Name, x.sample, err, ev.Client.Name, ev.Kind)
			}
		}
	}
}

func TestVersionsOfClients(t *testing.T) {
	for text, want := range map[string]string{
		"2.1.328 (Claude Code)\n": "2.1.328", "codex-cli 0.169.0": "0.169.0", "v1.0.102.": "1.0.102", "1.18.33\n": "1.18.33",
		"GitHub Copilot CLI 1.0.102.\nRun 'copilot update'": "1.0.102", "no version": "", "1.2": "", "1..2": "",
	} {
		if got := versionIn(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"2.1.328", "2.1.328", 0}, {"2.1.99", "2.1.328", -1}, {"2.10.0", "2.9.9", 1}, {"0.170.0", "0.169.0", 1}} {
		if got := compareVersions(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %d", c.a, c.b, got)
		}
	}
}

func TestHomeIsShownShort(t *testing.T) {
	r := run{Options: Options{Env: install.Env{Home: func() (string, error) { return "/root", nil }}}}
	for text, want := range map[string]string{
		"/root": "~", "/root/a": "~/a", "in /root/a and (/root/b): /rooted/c": "in ~/a and (~/b): /rooted/c", "/mnt/root/a": "/mnt/root/a",
		"chmod 700 '/root/my state'": "chmod 700 '/root/my state'",
	} {
		d := r.shortenHome(render.Doctor{Groups: []render.Examined{{Findings: []render.Finding{{Says: text, Remedy: text}}}}})
		if f := d.Groups[0].Findings[0]; f.Says != want || f.Remedy != want {
			t.Errorf("%s: %s, %s", text, f.Says, f.Remedy)
		}
	}
}
