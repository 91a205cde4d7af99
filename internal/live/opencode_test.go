//go:build live

package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/cpu"

	"github.com/mbgate/mbgate/internal/live/model"
)

// opencode is OpenCode, driven through the HTTP interface of `opencode serve`. The zero value is the client as most
// people have it; the fields are what single stories need.
type opencode struct {
	byName
	model string // the name of the model, "fake" for ""; the client chooses its tools by it
	extra string // further members of opencode.json, each with a comma at its end
	below string // the folder of the project that the server is started in
	kilo  bool   // it is Kilo, its fork
}

func (o opencode) name() string {
	if o.kilo {
		return "kilo"
	}
	return "opencode"
}

// variable is the client's own name of an environment variable.
func (o opencode) variable(name string) string { return strings.ToUpper(o.name()) + "_" + name }

// settings is the client's configuration, below the home folder.
func (o opencode) settings() string { return ".config/" + o.name() + "/" + o.name() + ".json" }

func (o opencode) traits() traits {
	name := o.name()
	return traits{
		reader: "memory-reader", writer: "memory-bank-writer",
		sharesPrompts: "a plugin can only put another text in a prompt's place", passesOn: true,
		stops:  "a plugin learns that an agent has stopped when it has",
		folder: ".config/" + name, variable: "XDG_CONFIG_HOME", below: name,
		config: []string{"plugin/mbgate.js", name + ".json", "agent/memory-reader.md"},
		beside: []string{
			"../.config/" + name + "/" + name + ".json", "../.config/" + name + "/plugin/other.js", "../.config/" + name + "/plugins/other.ts",
			"." + name + "/plugin/other.js",
		},
		apart:       ".local/",
		long:        2500,
		nested:      []string{name + " run --continue mb:clear", o.variable("PURE=1 ") + name + " run hello"},
		readerLacks: []string{"bash", "edit", "write", "apply_patch", "task", "webfetch"},
		writerLacks: []string{"bash", "task", "webfetch"},
	}
}

// contextLimit is how many tokens the scripted model is said to have.
const contextLimit = 200_000

// configure writes a file as people have them: with comments, a trailing comma, tabs and an own key.
func (o opencode) configure(w *world) {
	models := ""
	for _, name := range []string{"fake", "gpt-5-fake"} {
		models += fmt.Sprintf("\t\t\t\t%q: {\"name\": %q, \"tool_call\": true, \"limit\": {\"context\": %d, \"output\": 8000}},\n", name, name, contextLimit)
	}
	w.homeFile(o.settings(), `// my own settings
{
	/* do not touch */ "autoupdate": false,
	"share": "disabled", "snapshot": false, // nothing leaves this machine
	"permission": {"external_directory": "allow", "doom_loop": "allow"}, // nobody is there to be asked
	`+o.extra+`
	"model": "fake/`+o.modelName()+`", "small_model": "fake/fake",
	"provider": {
		"fake": {
			"npm": "@ai-sdk/openai-compatible", "name": "Made up",
			"options": {"baseURL": "`+w.model.URL()+`/v1", "apiKey": "made-up"},
			"models": {
`+models+`			},
		},
	},
}
`)
	w.homeFile(".npmrc", "registry="+w.model.URL()+"/\nfetch-retries=0\n")
	w.model.Kind = func(r model.Request) string {
		switch {
		case strings.HasPrefix(r.First, "mb:"): // a subagent's prompt that can carry no marker
			return "sub:word"
		case len(r.Tools) > 0:
			return ""
		case strings.Contains(r.System, "title generator"):
			return model.Side
		}
		return model.Summary
	}
}

func (o opencode) modelName() string {
	if o.model == "" {
		return "fake"
	}
	return o.model
}

func (opencode) trust(*world) {}

func (o opencode) fill(w *world) []model.Step {
	return []model.Step{{Calls: []model.Call{o.readAll(w, "src/app.go")}, Tokens: contextLimit - 1000}}
}

func (o opencode) addServer(w *world, name, node, script string) {
	w.amend(o.settings(), `"share": "disabled",`, fmt.Sprintf(`"mcp": {%q: {"type": "local", "command": [%q, %q]}},
	"share": "disabled",`, name, node, script))
}

func (opencode) ofServer(server, tool string, args map[string]any) model.Call {
	return model.Call{Name: server + "_" + tool, Args: args}
}

// program is the client's binary for this machine.
func (o opencode) program() string {
	if o.kilo {
		return clientFile("@kilocode/cli-linux-x64/bin/kilo")
	}
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if runtime.GOARCH == "amd64" && !cpu.X86.HasAVX2 {
		arch += "-baseline"
	}
	return clientFile("opencode-linux-" + arch + "/bin/opencode")
}

// opencodeEnv keeps the client from waiting for what is on the network: plugins, the list of models, language servers.
func (o opencode) env(w *world) []string {
	return []string{
		"npm_config_registry=" + w.model.URL() + "/", "NPM_CONFIG_REGISTRY=" + w.model.URL() + "/",
		o.variable("DISABLE_DEFAULT_PLUGINS=1"), o.variable("DISABLE_AUTOUPDATE=1"), o.variable("DISABLE_MODELS_FETCH=1"),
		o.variable("DISABLE_LSP_DOWNLOAD=1"),
	}
}

var listening = regexp.MustCompile(`listening on (http://\S+)`)

func (o opencode) open(w *world, how opening) session {
	w.t.Helper()
	before, _ := filepath.Glob(filepath.Join(w.root, o.name()+"-*.out"))
	name := fmt.Sprintf("%s-%d", o.name(), len(before))
	program, args := o.program(), []string{"serve", "--hostname", "127.0.0.1", "--port", "0", "--print-logs"}
	if o.below != "" {
		program, args = "/usr/bin/env", append([]string{"-C", w.path(o.below), program}, args...)
	}
	p := w.start(name, program, args, o.env(w)...)
	s := &opencodeSession{process: p, model: o.modelName()}
	end := time.Now().Add(patience)
	for s.url == "" {
		said, _ := os.ReadFile(filepath.Join(w.root, name+".out"))
		if found := listening.FindSubmatch(said); found != nil {
			s.url = string(found[1])
		} else if time.Now().After(end) {
			w.t.Fatalf("opencode serve does not listen%s", p.tail())
		} else {
			time.Sleep(20 * time.Millisecond)
		}
	}
	switch {
	case how.resume != "":
		s.session = how.resume
	case how.fork != "":
		s.session, _ = s.call("POST", "/session/"+how.fork+"/fork", map[string]any{})["id"].(string)
	default:
		s.session, _ = s.call("POST", "/session", map[string]any{})["id"].(string)
	}
	if s.session == "" {
		w.t.Fatalf("opencode made no session%s", p.tail())
	}
	return s
}

type opencodeSession struct {
	*process
	url, session, model string
}

func (s *opencodeSession) id() string { return s.session }

// call sends one request to the server and gives back the object that it answers.
func (s *opencodeSession) call(method, path string, body any) map[string]any {
	s.w.t.Helper()
	status, answer := s.try(method, path, body)
	if status != http.StatusOK {
		s.w.t.Fatalf("%s %s: status %d: %v%s", method, path, status, answer, s.tail())
	}
	return answer
}

func (s *opencodeSession) try(method, path string, body any) (int, map[string]any) {
	s.w.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		s.w.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, s.url+path, bytes.NewReader(data))
	if err != nil {
		s.w.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.w.t.Fatalf("%s %s: %v%s", method, path, err, s.tail())
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		s.w.t.Fatalf("%s %s: %v%s", method, path, err, s.tail())
	}
	var answer map[string]any
	_ = json.Unmarshal(raw, &answer)
	return response.StatusCode, answer
}

func (s *opencodeSession) turn(prompt string, steps ...model.Step) []model.Request {
	s.w.t.Helper()
	return s.say([]any{map[string]any{"type": "text", "text": prompt}}, steps...)
}

// say is a turn whose prompt has these parts.
func (s *opencodeSession) say(parts []any, steps ...model.Step) []model.Request {
	s.w.t.Helper()
	s.w.model.Script(model.Main, steps...)
	mark := s.w.model.Count()
	s.call("POST", "/session/"+s.session+"/message", map[string]any{
		"parts": parts, "model": map[string]any{"providerID": "fake", "modelID": s.model},
	})
	return s.w.model.Since(mark)
}

func (s *opencodeSession) compact() []model.Request {
	s.w.t.Helper()
	mark := s.w.model.Count()
	s.try("POST", "/session/"+s.session+"/summarize", map[string]any{"providerID": "fake", "modelID": s.model})
	return s.w.compacted(s.w.model.Since(mark))
}

// close ends the server as a service manager or ^C does, and what it left running.
func (s *opencodeSession) close() {
	s.w.t.Helper()
	pid := s.cmd.Process.Pid
	_ = syscall.Kill(pid, syscall.SIGTERM)
	s.end()
	_ = syscall.Kill(-pid, syscall.SIGKILL)
}

func (opencode) readAll(w *world, path string) model.Call {
	return model.Call{Name: "read", Args: map[string]any{"filePath": w.path(path)}}
}

func (opencode) readLines(w *world, path string, from, to int) model.Call {
	return model.Call{Name: "read", Args: map[string]any{"filePath": w.path(path), "offset": from, "limit": to - from + 1}}
}

func (opencode) edit(w *world, path, old, new string) model.Call {
	return model.Call{Name: "edit", Args: map[string]any{"filePath": w.path(path), "oldString": old, "newString": new}}
}

func (opencode) create(w *world, path, content string) model.Call {
	return model.Call{Name: "write", Args: map[string]any{"filePath": w.path(path), "content": content}}
}

func (opencode) shell(_ *world, command string) model.Call {
	return model.Call{Name: "bash", Args: map[string]any{"command": command, "description": "a command"}}
}

func (opencode) delegate(_ *world, kind, prompt string) model.Call {
	if kind == "" {
		kind = "general"
	}
	return model.Call{Name: "task", Args: map[string]any{"description": "a part of the work", "prompt": prompt, "subagent_type": kind}}
}
