//go:build live

package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/mbgate/mbgate/internal/live/model"
)

// codex is Codex CLI, driven by its app-server: JSON-RPC on the standard streams, as its own terminal and the editors'
// extensions drive it.
type codex struct {
	// scripts is set for a model that writes scripts (code mode): its one tool runs JavaScript, which calls the tools.
	scripts bool
}

func (codex) name() string { return "codex" }

// way tells the stories in code mode from the others.
func (d codex) way() string {
	if d.scripts {
		return "-scripts"
	}
	return ""
}

func (codex) traits() traits {
	return traits{
		reader: "memory-reader", writer: "memory-bank-writer",
		folder: ".codex", variable: "CODEX_HOME",
		config: []string{"hooks.json", "config.toml", "agents/memory-reader.toml"},
		beside: []string{".codex/hooks.json"},
		long:   2500,
		nested: []string{"codex exec resume --last mb:clear", "codex --disable hooks exec hello"},
	}
}

func (d codex) attacks(w *world) []model.Call {
	return []model.Call{d.patch("*** Begin Patch\n*** Delete File: " + filepath.Join(w.home, ".codex/hooks.json") + "\n*** End Patch")}
}

func (d codex) fill(w *world) []model.Step {
	return []model.Step{{Calls: []model.Call{d.shell(w, "true")}, Tokens: codexWindow + 1}}
}

func (codex) addServer(w *world, name, node, script string) {
	w.amend(".codex/config.toml", "[analytics]", fmt.Sprintf("[mcp_servers.%s]\ncommand = %q\nargs = [%q]\n\n[analytics]", name, node, script))
}

func (d codex) ofServer(server, tool string, args map[string]any) model.Call {
	if d.scripts {
		return codexScript("text(JSON.stringify(await tools.mcp__"+server+"__"+tool+"(%s)))", args)
	}
	return model.Call{Name: tool, Space: "mcp__" + server, Args: args}
}

// The models: of those that Codex 0.169.0 knows by itself one alone calls tools directly.
const (
	codexDirect  = "gpt-5.5"
	codexScripts = "gpt-5.6-sol"
)

// codexWindow is how many tokens the model may say that a request took before Codex compacts by itself.
const codexWindow = 200_000

// The prompts by which Codex asks a model for the summary of a conversation, and for its title.
var (
	codexSummary = regexp.MustCompile(`CONTEXT CHECKPOINT COMPACTION`)
	codexTitle   = regexp.MustCompile(`Generate a concise, single-line task title`)
)

func (d codex) configure(w *world) {
	slug := codexDirect
	if d.scripts {
		slug = codexScripts
	}
	w.homeFile(".codex/config.toml", fmt.Sprintf(`# A person's own words stay.
model = %q
model_provider = "scripted"
model_auto_compact_token_limit = %d
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "Scripted"
base_url = "%s/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[projects.%q]
trust_level = "trusted"
`, slug, codexWindow, w.model.URL(), w.dir))
	w.model.Kind = func(r model.Request) string {
		switch {
		case codexSummary.MatchString(r.Last):
			return model.Summary
		case codexTitle.MatchString(r.Last):
			return model.Side
		case model.MarkerOf(r.Whole) != "": // the first message of a conversation is Codex's own
			return "sub:" + model.MarkerOf(r.Whole)
		}
		return ""
	}
}

// trust is "trust all" where Codex says that hooks need review: it writes the hashes that it has computed itself.
func (codex) trust(w *world) {
	w.t.Helper()
	r := w.codexServer("codex-trust")
	defer r.end()
	state := map[string]any{}
	for _, hook := range r.hooks() {
		state[hook.Key] = map[string]any{"trusted_hash": hook.CurrentHash}
	}
	r.call("config/batchWrite", map[string]any{"edits": []any{
		map[string]any{"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"},
	}})
	for _, hook := range r.hooks() {
		if hook.TrustStatus != "trusted" {
			w.t.Errorf("%s is %s after it was trusted", hook.Key, hook.TrustStatus)
		}
	}
}

func (codex) open(w *world, how opening) session {
	w.t.Helper()
	s := &codexSession{codexRPC: w.codexServer("codex")}
	in := map[string]any{"cwd": w.dir}
	method := "thread/start"
	switch {
	case how.resume != "":
		method, in["threadId"] = "thread/resume", how.resume
	case how.fork != "":
		method, in["threadId"] = "thread/fork", how.fork
	}
	var out struct{ Thread struct{ ID string } }
	s.ask(method, in, &out)
	s.thread = out.Thread.ID
	return s
}

// codexRPC is a running app-server.
type codexRPC struct {
	*process
	last int
	// seen is every notification so far.
	seen []map[string]any
}

func codexProgram() string {
	for _, name := range []string{"codex-linux-x64/vendor/x86_64", "codex-linux-arm64/vendor/aarch64"} {
		file := clientFile("@openai/" + name + "-unknown-linux-musl/bin/codex")
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return "codex"
}

func (w *world) codexServer(stream string) *codexRPC {
	w.t.Helper()
	r := &codexRPC{process: w.start(stream, codexProgram(), []string{"app-server"})}
	r.call("initialize", map[string]any{"clientInfo": map[string]any{"name": "live", "title": "live", "version": "1"}})
	r.send(map[string]any{"method": "initialized"})
	return r
}

// call sends a request and gives back what was answered; an error is fatal.
func (r *codexRPC) call(method string, params any) map[string]any {
	r.w.t.Helper()
	r.last++
	id := float64(r.last)
	r.send(map[string]any{"id": r.last, "method": method, "params": params})
	answer := r.until("the answer of "+method, func(m map[string]any) bool { return r.note(m) && m["id"] == id })
	if answer["error"] != nil {
		r.w.t.Fatalf("%s: %v%s", method, answer["error"], r.tail())
	}
	result, _ := answer["result"].(map[string]any)
	return result
}

// ask is call with the answer in a value.
func (r *codexRPC) ask(method string, params, out any) {
	r.w.t.Helper()
	data, err := json.Marshal(r.call(method, params))
	if err == nil {
		err = json.Unmarshal(data, out)
	}
	if err != nil {
		r.w.t.Fatalf("%s: %v", method, err)
	}
}

// note keeps a notification and reports whether the line is an answer.
func (r *codexRPC) note(m map[string]any) bool {
	if _, is := m["method"]; is {
		r.seen = append(r.seen, m)
		if _, asks := m["id"]; asks {
			r.w.t.Fatalf("Codex asks the person: %v", m)
		}
		return false
	}
	return true
}

// await waits until a notification of that name and thread has come since the mark.
func (r *codexRPC) await(mark int, method, thread string) {
	r.w.t.Helper()
	is := func(m map[string]any) bool {
		params, _ := m["params"].(map[string]any)
		return m["method"] == method && params["threadId"] == thread
	}
	for _, m := range r.seen[mark:] {
		if is(m) {
			return
		}
	}
	r.until(method, func(m map[string]any) bool { r.note(m); return is(m) })
}

// codexHook is a hook as Codex sees it.
type codexHook struct {
	Key, EventName, CurrentHash, TrustStatus, Command string
	TimeoutSec                                        int
	Enabled                                           bool
}

// hooks are the hooks that Codex finds in the project; its warnings are errors of the test.
func (r *codexRPC) hooks() []codexHook {
	r.w.t.Helper()
	var out struct {
		Data []struct {
			Hooks    []codexHook
			Warnings []string
			Errors   []any
		}
	}
	r.ask("hooks/list", map[string]any{"cwds": []string{r.w.dir}}, &out)
	var all []codexHook
	for _, entry := range out.Data {
		all = append(all, entry.Hooks...)
		if len(entry.Warnings)+len(entry.Errors) > 0 {
			r.w.t.Errorf("Codex complains of the hooks: %v %v", entry.Warnings, entry.Errors)
		}
	}
	return all
}

type codexSession struct {
	*codexRPC
	thread string
	// begun is how much was seen before the last turn.
	begun int
}

// shown is what hooks said to the person in the last turn.
func (s *codexSession) shown() string {
	var shown []string
	for _, m := range s.seen[s.begun:] {
		if m["method"] == "hook/completed" {
			params, _ := m["params"].(map[string]any)
			shown = append(shown, fmt.Sprint(params["run"]))
		}
	}
	return strings.Join(shown, "\n")
}

func (s *codexSession) id() string { return s.thread }

func (s *codexSession) turn(prompt string, steps ...model.Step) []model.Request {
	s.w.t.Helper()
	chain := &codexChain{}
	s.w.model.Script(model.Main, chain.steps(steps)...)
	mark := s.w.model.Count()
	s.begun = len(s.seen)
	s.call("turn/start", map[string]any{
		"threadId": s.thread, "input": []any{map[string]any{"type": "text", "text": prompt, "text_elements": []any{}}},
	})
	s.await(s.begun, "turn/completed", s.thread)
	return chain.without(s.w.model.Since(mark))
}

func (s *codexSession) compact() []model.Request {
	s.w.t.Helper()
	mark, notes := s.w.model.Count(), len(s.seen)
	s.call("thread/compact/start", map[string]any{"threadId": s.thread})
	s.await(notes, "turn/completed", s.thread)
	return s.w.compacted(s.w.model.Since(mark))
}

func (s *codexSession) close() { s.end() }

// codexChain makes one step of a delegation that takes two calls: Codex starts a subagent with one tool and waits for it
// with another.
type codexChain struct {
	mu      sync.Mutex
	between [][]byte // the requests that answer the first of the two
}

func (c *codexChain) steps(steps []model.Step) []model.Step {
	var all []model.Step
	for _, step := range steps {
		all = append(all, step)
		if len(step.Calls) == 1 && step.Calls[0].Name == codexSpawn {
			all = append(all, model.Step{From: func(r model.Request) model.Step {
				c.mu.Lock()
				c.between = append(c.between, r.Body)
				c.mu.Unlock()
				return codexWait(step.Calls[0], r)
			}})
		}
	}
	return all
}

// codexWait is the call that waits for the subagent that a call started.
func codexWait(start model.Call, r model.Request) model.Step {
	args := map[string]any{"timeout_ms": 60_000}
	if start.Space == codexOne {
		var started struct {
			ID string `json:"agent_id"`
		}
		if err := json.Unmarshal([]byte(r.Last), &started); err != nil || started.ID == "" {
			return model.Say("no subagent was started: " + r.Last)
		}
		args["targets"] = []string{started.ID}
	}
	return model.Do(model.Call{Name: "wait_agent", Space: start.Space, Args: args})
}

func (c *codexChain) without(seen []model.Request) []model.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	var rest []model.Request
	for _, r := range seen {
		ours := false
		for _, body := range c.between {
			ours = ours || bytes.Equal(body, r.Body)
		}
		if !ours {
			rest = append(rest, r)
		}
	}
	return rest
}

// Codex has two sets of tools for subagents; the model decides which. The second is no part of a script.
const (
	codexSpawn = "spawn_agent"
	codexOne   = "multi_agent_v1"
	codexTwo   = "collaboration"
)

func (d codex) shell(_ *world, command string) model.Call {
	if d.scripts {
		return codexScript("text((await tools.exec_command(%s)).output)", map[string]any{"cmd": command})
	}
	return model.Call{Name: "exec_command", Args: map[string]any{"cmd": command}}
}

// codexScript is a call of the one tool of code mode: a script, with a value in the place of %s.
func codexScript(script string, value any) model.Call {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return model.Call{Name: "exec", Text: fmt.Sprintf(script, data)}
}

func (d codex) patch(text string) model.Call {
	if d.scripts {
		return codexScript("text(await tools.apply_patch(%s))", text)
	}
	return model.Call{Name: "apply_patch", Text: text}
}

func (d codex) readAll(w *world, path string) model.Call { return d.shell(w, "cat "+path) }

func (d codex) readLines(w *world, path string, from, to int) model.Call {
	return d.shell(w, fmt.Sprintf("sed -n '%d,%dp' %s", from, to, path))
}

// edit changes the line that holds the old text now, when the step is made.
func (d codex) edit(w *world, path, old, new string) model.Call {
	w.t.Helper()
	for line := range strings.SplitSeq(w.read(path), "\n") {
		if strings.Contains(line, old) {
			return d.patch(fmt.Sprintf("*** Begin Patch\n*** Update File: %s\n@@\n-%s\n+%s\n*** End Patch", path, line, strings.Replace(line, old, new, 1)))
		}
	}
	w.t.Fatalf("%s does not hold %q", path, old)
	return model.Call{}
}

func (d codex) create(_ *world, path, content string) model.Call {
	lines := strings.Split(strings.TrimSuffix(content, "\n"), "\n")
	return d.patch(fmt.Sprintf("*** Begin Patch\n*** Add File: %s\n+%s\n*** End Patch", path, strings.Join(lines, "\n+")))
}

// printed runs the command line that was printed, as it was printed.
func (d codex) printed(command string, _ map[string]any) model.Call { return d.shell(nil, command) }

func (d codex) delegate(_ *world, kind, prompt string) model.Call {
	call := model.Call{Name: codexSpawn, Space: codexOne, Args: map[string]any{"message": prompt}}
	if d.scripts {
		call.Space = codexTwo
		call.Args["task_name"], call.Args["fork_turns"] = "task_"+model.MarkerOf(prompt), "none"
	}
	if kind != "" {
		call.Args["agent_type"] = kind
	}
	return call
}
