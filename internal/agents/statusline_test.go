package agents

import (
	"errors"
	"strings"
	"testing"

	"github.com/tailscale/hujson"

	"github.com/mbgate/mbgate/internal/settings"
)

// Whose a status line is, by its command.
func TestWhoseStatusLine(t *testing.T) {
	c, _ := SettingsOf("claude-code")
	for command, want := range map[string]settings.Line{
		"'/usr/local/bin/mbgate' statusline":                  {Ours: true, Runs: true},
		"'/it'\\''s here/mbgate' statusline":                  {Ours: true, Runs: true},
		"/opt/mbgate_linux_amd64 statusline":                  {Ours: true, Runs: true},
		"mbgate statusline":                                   {Ours: true, Runs: true},
		"mbgate statusline --plain":                           {Runs: true},
		"mbgate statusline; date":                             {Runs: true},
		"mbgate statusline > /dev/null":                       {Runs: true},
		"X=1 mbgate statusline":                               {Runs: true},
		"i=$(cat); echo $i | me; echo $i | mbgate statusline": {Runs: true},
		"~/.claude/statusline.sh":                             {},
		"echo mbgate":                                         {},
		"mbgate status":                                       {},
		"claude-statusline statusline":                        {},
		"broken 'quote":                                       {},
	} {
		data := []byte(`{"statusLine": {"type": "command", "command": ` + jsonText(command) + `}}`)
		got, ok, err := c.LineOf(data, plain)
		if want.Command = command; !ok || err != nil || got != want {
			t.Errorf("%s: %+v, %v, %v, want %+v", command, got, ok, err, want)
		}
	}
}

func jsonText(s string) string { return string(hujson.String(s)) }

func TestStatusLine(t *testing.T) {
	c, _ := SettingsOf("claude-code")
	with := plain
	with.StatusLine = true
	line := settings.LineCommand(plain)
	for name, data := range map[string]string{
		"a string": `{"statusLine": "date"}`, "another": `{"statusLine": {"type": "command", "command": "date"}}`, "null": `{"statusLine": null}`,
	} {
		var foreign *settings.LineError
		if _, err := c.Install([]byte(data), with); !errors.As(err, &foreign) {
			t.Errorf("%s: %v", name, err)
		}
		in := install(t, c, []byte(data), plain)
		if out := remove(t, c, in, []byte(data), plain); string(out) != data {
			t.Errorf("%s: %q became %q", name, data, out)
		}
	}
	// Its owner's padding stays, and so does what runs mbgate among other things.
	was := `{"statusLine": {"type": "command", "command": "'/old/mbgate' statusline", "padding": 2}}`
	if now := string(install(t, c, []byte(was), plain)); !strings.Contains(now, `"command": `+jsonText(line)+`, "padding": 2`) {
		t.Errorf("another path: %s", now)
	}
	both := `{"statusLine": {"type": "command", "command": "me; mbgate statusline"}}`
	if out := remove(t, c, install(t, c, []byte(both), with), []byte(both), with); string(out) != both {
		t.Errorf("a command that runs mbgate, too, became %s", out)
	}
	if _, err := c.Install([]byte(`{"statusLine": {}, "statusLine": {}}`), with); err == nil || !strings.Contains(err.Error(), "occurs twice") {
		t.Errorf("a key that is there twice: %v", err)
	}
	// Nobody else has one.
	for _, other := range Installable() {
		if other.StatusLine != "" && other.Name != c.Name {
			t.Errorf("%s has a status line: has anybody seen it work?", other.Name)
		}
		if text := string(install(t, other, nil, with)); strings.Contains(text, "statusline") != (other.Name == c.Name) {
			t.Errorf("%s: %s", other.Name, text)
		}
	}
}
