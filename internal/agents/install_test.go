package agents

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tailscale/hujson"

	"github.com/mbgate/mbgate/internal/settings"
)

var plain = settings.Options{Binary: "/usr/local/bin/mbgate"}

// paths are binaries whose names a shell or JSON would break if they were not quoted.
var paths = []string{
	"/usr/local/bin/mbgate", "/home/d v/it's $HOME/\"q\"/mbgate", "/tmp/ü ☃/`x`/\\n/mbgate", "/opt/a;b&c|d/(e)/mbgate-1.2", "/x/!1 #/gate",
}

// files are configuration files as people have them; nil is none at all.
func files(t testing.TB) map[string][]byte {
	all := map[string][]byte{"missing": nil}
	names, err := filepath.Glob("testdata/messy/*.json")
	if err != nil || len(names) < 15 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(name)] = data
	}
	return all
}

func hookClients() []settings.Client {
	var list []settings.Client
	for _, c := range Installable() {
		if c.Plugin == nil {
			list = append(list, c)
		}
	}
	return list
}

func install(t testing.TB, c settings.Client, data []byte, o settings.Options) []byte {
	t.Helper()
	out, err := c.Install(data, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func remove(t testing.TB, c settings.Client, data, before []byte, o settings.Options) []byte {
	t.Helper()
	out, err := c.Remove(data, before, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sameFile compares files; a missing one is not an empty one.
func sameFile(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

// takes reports whether the client reads such a file at all.
func takes(c settings.Client, data []byte) bool {
	return !c.Strict || len(bytes.TrimSpace(data)) == 0 || json.Valid(data)
}

// Codex CLI 0.169.0 drops the whole of a hooks.json that is not plain JSON, so nothing is installed into one.
func TestWhatAClientIgnoresIsLeftAlone(t *testing.T) {
	c, _ := SettingsOf("codex")
	refused := 0
	for name, data := range files(t) {
		if takes(c, data) {
			continue
		}
		refused++
		if out, err := c.Install(data, plain); err == nil || out != nil {
			t.Errorf("%s: installed into %q", name, data)
		}
	}
	if refused < 2 {
		t.Errorf("only %d files are not plain JSON", refused)
	}
}

func TestRemoveGivesBackTheBytes(t *testing.T) {
	for _, c := range Installable() {
		for name, data := range files(t) {
			if c.Plugin != nil && data != nil || !takes(c, data) {
				continue
			}
			for _, path := range paths {
				for i := range 4 {
					o := settings.Options{Binary: path, FailClosed: i%2 == 1, StatusLine: i > 1}
					in := install(t, c, data, o)
					if out := remove(t, c, in, data, o); !sameFile(out, data) {
						t.Errorf("%s, %s, %s: %q became %q\nthrough %s", c.Name, name, path, data, out, in)
					}
					if again := install(t, c, in, o); !sameFile(in, again) {
						t.Errorf("%s, %s, %s: a second installation changed\n%s\ninto\n%s", c.Name, name, path, in, again)
					}
				}
			}
		}
	}
}

// What a person changes after the installation stays: with it there, only our entries go, and containers that are empty
// without them.
func TestRemoveKeepsLaterChanges(t *testing.T) {
	identical := 0
	for _, c := range hookClients() {
		for name, data := range files(t) {
			if len(decode(t, data)) == 0 && !bytes.Contains(data, []byte("{")) || !takes(c, data) {
				continue
			}
			later := func(data []byte) []byte { return patch(t, data, `"/later"`, `"x"`) }
			want := later(data)
			got := remove(t, c, later(install(t, c, data, plain)), data, plain)
			if bytes.Equal(got, want) {
				identical++
				continue
			}
			left, wanted := withoutEmpty(decode(t, got)), withoutEmpty(decode(t, want))
			if wanted["version"] == nil {
				delete(left, "version") // it says the format of the file, whoever wrote it
			}
			if !reflect.DeepEqual(left, wanted) {
				t.Errorf("%s, %s: left is\n%s\nwant\n%s", c.Name, name, got, want)
			}
			for comment := range strings.FieldsFuncSeq(string(want), func(r rune) bool { return r == '\n' || r == '\r' }) {
				if _, text, ok := strings.Cut(comment, "//"); ok && !strings.Contains(string(got), text) {
					t.Errorf("%s, %s: the comment %q is gone:\n%s", c.Name, name, text, got)
				}
			}
		}
	}
	if identical < 40 {
		t.Errorf("only %d files are what they were, byte for byte", identical)
	}
}

// withoutEmpty takes the empty containers out of a decoded object.
func withoutEmpty(v map[string]any) map[string]any {
	for key, inner := range v {
		switch inner := inner.(type) {
		case map[string]any:
			if withoutEmpty(inner); len(inner) == 0 {
				delete(v, key)
			}
		case []any:
			if len(inner) == 0 {
				delete(v, key)
			}
		}
	}
	return v
}

func TestAnotherVersionIsBroughtUpToDate(t *testing.T) {
	for _, c := range Installable() {
		for name, data := range files(t) {
			if c.Plugin != nil && data != nil || !takes(c, data) {
				continue
			}
			now := install(t, c, data, plain)
			for _, old := range []settings.Options{{Binary: "/old place/mbgate"}, {Binary: "/usr/local/bin/mbgate", FailClosed: true}, {Binary: "/old/mbgate", StatusLine: true}} {
				updated := install(t, c, install(t, c, data, old), plain)
				if !old.FailClosed && !old.StatusLine && !sameFile(updated, now) {
					t.Errorf("%s, %s: from %v:\n%s\nwant\n%s", c.Name, name, old, updated, now)
				}
				if out := remove(t, c, updated, data, plain); !sameFile(out, data) {
					t.Errorf("%s, %s: %q became %q", c.Name, name, data, out)
				}
			}
		}
	}
}

// A person who followed an older README has the hooks by hand, in forms that install never writes.
func TestEntriesWrittenByHandAreKnown(t *testing.T) {
	c, _ := SettingsOf("claude")
	by := `{"hooks": {
  "SessionStart": [{"hooks": [{"type": "command", "command": "mbgate hook claude-code", "timeout": 10}]}],
  "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}, {"type": "command", "command": "env X=1 \"$HOME/bin/mbgate\" tool-before --agent claude-code || true"}]}],
  "SubagentStop": [{"hooks": [{"type": "command", "command": "mbgate hook"}]}],
  "Stop": [{"hooks": [{"type": "command", "command": "notify mbgate.txt hook"}]}]
}}`
	in := install(t, c, []byte(by), plain)
	entries, err := c.Entries(in, plain)
	if err != nil || len(entries) != len(c.Events) {
		t.Fatalf("%d entries: %v, %v\n%s", len(entries), entries, err, in)
	}
	for _, e := range entries {
		if !e.Current || e.Command != plain.Binary || strings.Join(e.Args, " ") != "hook claude-code" || e.Line < 1 {
			t.Errorf("%+v", e)
		}
	}
	if bytes.Contains(in, []byte("SubagentStop")) {
		t.Errorf("an event that is of no use is still hooked:\n%s", in)
	}
	want := `{"hooks": {
  "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]}],
  "Stop": [{"hooks": [{"type": "command", "command": "notify mbgate.txt hook"}]}]
}}`
	if out := remove(t, c, in, nil, plain); string(out) != want {
		t.Errorf("%s", out)
	}
}

func TestPathsThatCannotBeInstalled(t *testing.T) {
	for _, p := range []string{"", "mbgate", "./mbgate", "/a\nb/mbgate", "/a\x7f/mbgate", `C:\mbgate.exe`} {
		for _, c := range Installable() {
			if _, err := c.Install(nil, settings.Options{Binary: p}); err == nil {
				t.Errorf("%s: %q was installed", c.Name, p)
			}
		}
	}
}

func TestFilesThatCannotBeEdited(t *testing.T) {
	c, _ := SettingsOf("gemini")
	for _, r := range []struct {
		text, says string
		line, col  int
	}{
		{`{"a": 1,, }`, "invalid character ','", 1, 9},
		{"{\n  \"a\": tru\n}", "invalid literal: tru", 2, 8},
		{"{\n  'a': 1\n}", "invalid character '\\''", 2, 3},
		{"{\"a\": 'x'}", "at start of value", 1, 7},
		{"{\"ü\": [1 2]}", "expecting ',' or ']'", 1, 11},
		{"{\"a\" 1}", "after object name", 1, 6},
		{"{\"a\":", "unexpected EOF", 2, 1},
		{"{\"a\": 1", "unexpected EOF", 2, 1},
		{"{\"a\": \"x\n\"}", "invalid literal", 1, 7},
		{"{\"a\": \"\\q\"}", "invalid literal", 1, 7},
		{"{\"a\": \"x", "parsing string: unexpected EOF", 2, 1},
		{"{} /* x", "parsing comment", 1, 4},
		{"{} {}", "after top-level value", 1, 4},
		{"# yaml: 1", "invalid character '#'", 1, 1},
		{"\xef\xbb\xbf{\"a\" 1}", "after object name", 1, 6},
		{"\xff\xfe{\x00", `invalid character '\xff'`, 1, 1},
		{strings.Repeat("[", 100_000), "nested more than", 0, 0},
		{"[]", "must hold an object", 1, 1},
		{"\"hooks\"", "must hold an object", 1, 1},
		{"{\n \"hooks\": null}", "must be an object of events", 2, 11},
		{"{\"hooks\": []}", "must be an object of events", 1, 11},
		{"{\"hooks\": {}, \"hooks\": {}}", "occurs twice", 1, 15},
		{"{\"hooks\": {\"BeforeTool\": [], \"BeforeTool\": []}}", "occurs twice", 1, 30},
		{"{\"hooks\": {\"BeforeTool\": {}}}", "must be an array", 1, 26},
	} {
		out, err := c.Install([]byte(r.text), plain)
		if err == nil || out != nil {
			t.Errorf("%.40q: %q, %v", r.text, out, err)
			continue
		}
		if place := fmt.Sprintf("line %d, column %d: ", r.line, r.col); !strings.Contains(err.Error(), r.says) || r.line > 0 && !strings.HasPrefix(err.Error(), place) {
			t.Errorf("%.40q: %v", r.text, err)
		}
	}
}

// Whatever else stands in a file stays what it is, by what encoding/json reads in it.
func TestOnlyOurEntriesDiffer(t *testing.T) {
	for _, c := range hookClients() {
		for name, data := range files(t) {
			if !takes(c, data) {
				continue
			}
			onlyOurs(t, c, name, data, install(t, c, data, plain))
		}
	}
}

// onlyOurs checks that a file differs from the one before by our entries only.
func onlyOurs(t testing.TB, c settings.Client, name string, before, after []byte) {
	t.Helper()
	was, now := decode(t, before), decode(t, after)
	holder := cmp.Or(c.Holder, "hooks")
	if c.Holder == "." {
		was, now = map[string]any{holder: was}, map[string]any{holder: now}
	}
	hooks, _ := now[holder].(map[string]any)
	count := 0
	for event, v := range hooks {
		groups, ok := v.([]any)
		if !ok {
			continue
		}
		var kept []any
		for _, g := range groups {
			text, _ := json.Marshal(g)
			if bytes.Contains(text, []byte(plain.Binary)) {
				count++
				checkTimeout(t, c, event, g)
				continue
			}
			kept = append(kept, g)
		}
		if kept == nil {
			kept = []any{}
		}
		if hooks[event] = kept; len(kept) == 0 {
			if h, ok := was[holder].(map[string]any); !ok || h[event] == nil {
				delete(hooks, event)
			}
		}
	}
	if count != len(c.Events) {
		t.Errorf("%s, %s: %d entries, want %d", c.Name, name, count, len(c.Events))
	}
	if _, ok := was[holder]; !ok && len(hooks) == 0 {
		delete(now, holder)
		if _, ok := was["version"]; !ok && len(was) == 0 {
			delete(now, "version")
		}
	}
	if !reflect.DeepEqual(was, now) {
		t.Errorf("%s, %s: %v became %v", c.Name, name, was, now)
	}
}

// checkTimeout holds every entry against SPEC §18: 8 s at least, or the most that the client gives.
func checkTimeout(t testing.TB, c settings.Client, event string, group any) {
	t.Helper()
	g := group.(map[string]any)
	if inner, ok := g["hooks"].([]any); ok {
		g = inner[0].(map[string]any)
	}
	least := cmp.Or(map[string]float64{"gemini": 8000}[c.Name], 8)
	if c.Name == "codex" && event == "SessionEnd" {
		least = 3
	}
	v, _ := g[cmp.Or(c.TimeoutKey, "timeout")].(float64)
	if v < least || v > 10*least {
		t.Errorf("%s: a timeout of %v", c.Name, v)
	}
}

// decode reads a file by encoding/json, with comments and trailing commas taken out by another hand than parse.
func decode(t testing.TB, data []byte) map[string]any {
	t.Helper()
	text := strip(strings.TrimPrefix(string(data), byteOrderMark))
	if strings.TrimSpace(text) == "" {
		return map[string]any{}
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	return v
}

// strip takes comments and trailing commas out, character by character.
func strip(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			j := i + 1
			for j < len(s) && s[j] != '"' {
				if s[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j, len(s)-1)
			b.WriteString(s[i : j+1])
			i = j
		case strings.HasPrefix(s[i:], "//"):
			for i < len(s) && s[i] != '\n' {
				i++
			}
			b.WriteByte('\n')
		case strings.HasPrefix(s[i:], "/*"):
			if n := strings.Index(s[i+2:], "*/"); n >= 0 {
				i += n + 3
			}
			b.WriteByte(' ')
		case s[i] == '}' || s[i] == ']':
			kept := strings.TrimRight(b.String(), " \t\r\n")
			if cut, ok := strings.CutSuffix(kept, ","); ok {
				b.Reset()
				b.WriteString(cut)
			}
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// Other tools install and remove their own hooks between ours; whatever the order, theirs and ours live side by side.
func TestOthersSurviveInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range hookClients() {
		for name, data := range files(t) {
			if !takes(c, data) {
				continue
			}
			for range 4 {
				text := data
				present := false
				for range 6 {
					if r.IntN(2) == 0 {
						text, present = install(t, c, text, settings.Options{Binary: paths[r.IntN(len(paths))]}), true
					} else {
						text = another(t, text, c, r)
					}
				}
				others := strings.Count(string(text), "other tool")
				text = remove(t, c, text, data, settings.Options{Binary: paths[4]})
				if got := strings.Count(string(text), "other tool"); got != others {
					t.Fatalf("%s, %s: %d of %d entries of others are left:\n%s", c.Name, name, got, others, text)
				}
				if e, err := c.Entries(text, settings.Options{Binary: paths[4]}); err != nil || present && len(e) > 0 {
					t.Fatalf("%s, %s: %v %v:\n%s", c.Name, name, e, err, text)
				}
				decode(t, text)
			}
		}
	}
}

// another adds what another tool would: a handler of its own, in an event of ours or another, at the front or the end.
func another(t testing.TB, data []byte, c settings.Client, r *rand.Rand) []byte {
	const theirs = `{"hooks": [{"type": "command", "command": "other tool"}]}`
	event := "Other"
	if r.IntN(3) > 0 {
		event = c.Events[r.IntN(len(c.Events))].Event
	}
	hooks, _ := decode(t, data)["hooks"].(map[string]any)
	groups, ok := hooks[event].([]any)
	switch {
	case len(bytes.TrimSpace(data)) == 0 || !json.Valid([]byte(strip(strings.TrimPrefix(string(data), byteOrderMark)))):
		return append(bytes.Clone(data), `{"hooks": {"Other": [`+theirs+`]}}`...)
	case hooks == nil:
		return patch(t, data, `"/hooks"`, `{"`+event+`": [`+theirs+`]}`)
	case !ok:
		return patch(t, data, `"/hooks/`+event+`"`, `[`+theirs+`]`)
	case r.IntN(2) == 0 && len(groups) > 0:
		return patch(t, data, `"/hooks/`+event+`/0"`, theirs)
	}
	return patch(t, data, `"/hooks/`+event+`/-"`, theirs)
}

// patch adds a value at a path, with the editor that package settings builds on.
func patch(t testing.TB, data []byte, path, value string) []byte {
	t.Helper()
	body, bom := bytes.CutPrefix(data, []byte(byteOrderMark))
	v, err := hujson.Parse(append(bytes.Clone(body), '\n'))
	if err == nil {
		err = v.Patch([]byte(`[{"op": "add", "path": ` + path + `, "value": ` + value + `}]`))
	}
	if err != nil {
		t.Fatal(err)
	}
	out := bytes.TrimSuffix(v.Pack(), []byte("\n"))
	if bom {
		out = append([]byte(byteOrderMark), out...)
	}
	return out
}

const byteOrderMark = "\xef\xbb\xbf"

func TestFiveMegabytes(t *testing.T) {
	var b strings.Builder
	b.WriteString("{\n  \"projects\": {\n")
	for i := range 40_000 {
		fmt.Fprintf(&b, "    \"/home/dev/project-%d\": { \"history\": [\"%s\"], \"trusted\": true }, // %d\n", i, strings.Repeat("x", 70), i)
	}
	b.WriteString("  },\n  \"hooks\": { \"Stop\": [] }\n}\n")
	data := []byte(b.String())
	if len(data) < 5<<20 {
		t.Fatal(len(data))
	}
	c, _ := SettingsOf("claude")
	in := install(t, c, data, plain)
	if out := remove(t, c, in, data, plain); !sameFile(out, data) {
		t.Error("it did not come back")
	}
}

func TestHooksThatAreTurnedOff(t *testing.T) {
	for _, r := range []struct {
		client, text string
		says         int
	}{
		{"claude", `{"disableAllHooks": true}`, 1},
		{"claude", `{"disableAllHooks": false}`, 0},
		{"gemini", `{"hooksConfig": {"enabled": false, "disabled": ["x", "mbgate"]}}`, 2},
		{"gemini", `{"hooksConfig": {"disabled": ["x"]}}`, 0},
		{"gemini", `{"hooksConfig": 1}`, 0},
		{"qwen", `{"disableAllHooks": true}`, 1},
		{"codex", `{`, 0},
	} {
		c, _ := SettingsOf(r.client)
		if got := c.SwitchedOff([]byte(r.text)); len(got) != r.says {
			t.Errorf("%s: %q", r.text, got)
		}
	}
}

// SPEC §18: the client's own fail-closed switch only with fail = "closed", and never on a tool that can read.
func TestFailClosed(t *testing.T) {
	for _, c := range hookClients() {
		if in := install(t, c, nil, plain); bytes.Contains(in, []byte("onFailure")) {
			t.Errorf("%s is closed without being asked", c.Name)
		}
	}
	c, _ := SettingsOf("claude")
	in := install(t, c, nil, settings.Options{Binary: plain.Binary, FailClosed: true})
	groups := decode(t, in)["hooks"].(map[string]any)["PreToolUse"].([]any)
	if len(groups) != 2 {
		t.Fatalf("%s", in)
	}
	closed, open := groups[0].(map[string]any), groups[1].(map[string]any)
	if closed["matcher"] != "Write|Edit|MultiEdit|NotebookEdit" || open["matcher"] != "^(?!(?:Write|Edit|MultiEdit|NotebookEdit)$)" {
		t.Errorf("%s", in)
	}
	if open["hooks"].([]any)[0].(map[string]any)["onFailure"] != nil || closed["hooks"].([]any)[0].(map[string]any)["onFailure"] != "block" {
		t.Errorf("%s", in)
	}
	if n := bytes.Count(in, []byte("onFailure")); n != 1 {
		t.Errorf("%d switches", n)
	}
}

func FuzzInstall(f *testing.F) {
	for _, data := range files(f) {
		f.Add(data)
	}
	f.Add([]byte("{\"hooks\":{/**/\"Stop\" :[1 ,/* */],}//\n,}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if data == nil {
			data = []byte{}
		}
		for _, c := range hookClients() {
			in, err := c.Install(data, plain)
			if err != nil {
				continue
			}
			if again := install(t, c, in, plain); !sameFile(again, in) {
				t.Fatalf("%s: twice is not once:\n%s\n%s", c.Name, in, again)
			}
			if e, _ := c.Entries(data, plain); len(e) > 0 || bytes.Contains(data, []byte(plain.Binary)) {
				continue
			}
			if out := remove(t, c, in, data, plain); !sameFile(out, data) {
				t.Fatalf("%s: %q became %q through %q", c.Name, data, out, in)
			}
			onlyOurs(t, c, "fuzz", data, in)
		}
	})
}
