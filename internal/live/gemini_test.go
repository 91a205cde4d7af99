//go:build live

package live

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/live/model"
)

// gemini is Gemini CLI in its headless mode: a process for each turn, which takes the conversation up again. Its ACP mode
// would keep one process, but runs tools without a hook (0.61.0).
type gemini struct{ byName }

func (gemini) name() string { return "gemini" }

func (gemini) traits() traits {
	return traits{
		reader: "memory-reader", writer: "memory-bank-writer",
		trusting:    []string{"GEMINI_CLI_TRUST_WORKSPACE=true"},
		noAutomatic: "every compaction in these stories is one by a context that runs full in the middle of a turn",
		folder:      ".gemini", variable: "GEMINI_CLI_HOME", below: ".gemini",
		config:      []string{"settings.json", "agents/memory-reader.md"},
		beside:      []string{".gemini/settings.json"},
		keepsBack:   "no file is made outside of the project",
		long:        2500,
		nested:      []string{"gemini -p mb:clear --resume latest"},
		readerLacks: []string{"run_shell_command", "replace", "write_file", "invoke_agent"},
	}
}

// geminiFull is a count of tokens above half of what the model takes, where the client compresses.
const geminiFull = 600_000

func (gemini) configure(w *world) {
	w.homeFile(".gemini/settings.json", `{
  // what a person has here
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false}
}
`)
	summary := regexp.MustCompile(`Generate a new <state_snapshot>|A previous <state_snapshot> exists|the <state_snapshot> you just generated`)
	w.model.Kind = func(r model.Request) string {
		if summary.MatchString(r.Last) {
			return model.Summary
		}
		return ""
	}
}

// trust: the hooks of the user's own settings need none; the folder is trusted by --skip-trust.
func (gemini) trust(*world) {}

func (gemini) fill(*world) []model.Step { return nil }

func (gemini) addServer(w *world, name, node, script string) {
	w.amend(".gemini/settings.json", `  "telemetry"`, fmt.Sprintf(`  "mcpServers": {%q: {"command": %q, "args": [%q], "trust": true}},
  "telemetry"`, name, node, script))
}

func (gemini) ofServer(server, tool string, args map[string]any) model.Call {
	return model.Call{Name: "mcp_" + server + "_" + tool, Args: args}
}

func (gemini) open(w *world, how opening) session {
	return &geminiSession{w: w, conversation: how.resume, fork: how.fork}
}

type geminiSession struct {
	w            *world
	conversation string
	// fork is the conversation whose file the first turn begins with.
	fork        string
	compactions int
	// below is the folder of the project that the client is started in, "" for the project.
	below string
}

func (s *geminiSession) id() string { return s.conversation }

func (s *geminiSession) turn(prompt string, steps ...model.Step) []model.Request {
	s.w.t.Helper()
	s.w.model.Script(model.Main, steps...)
	mark := s.w.model.Count()
	s.run(prompt)
	return s.w.model.Since(mark)
}

// run plays one turn in a process of its own and gives back what the client said of its end.
func (s *geminiSession) run(prompt string) map[string]any {
	s.w.t.Helper()
	args := []string{
		clientFile("@google/gemini-cli/bundle/gemini.js"), "-p", prompt, "-o", "stream-json", "--yolo", "--skip-trust",
		"--model", "gemini-2.5-flash",
	}
	switch {
	case s.conversation != "":
		args = append(args, "--resume", s.conversation)
	case s.fork != "":
		files, err := filepath.Glob(filepath.Join(s.w.home, ".gemini/tmp/*/chats/session-*"+s.fork[:8]+".jsonl"))
		if err != nil || len(files) == 0 {
			s.w.t.Fatalf("the file of the conversation %s: %v %v", s.fork, files, err)
		}
		// The name has the minute in it. A resume in a later minute makes another file beside, and goes on in the first.
		slices.Sort(files)
		args = append(args, "--session-file", files[0])
	}
	program := nodeDir() + "/bin/node"
	if s.below != "" {
		program, args = "/usr/bin/env", append([]string{"-C", s.w.path(s.below), program}, args...)
	}
	p := s.w.start("gemini", program, args, geminiEnv(s.w)...)
	_ = p.in.Close() // it reads its standard input to the end before it begins
	last := p.until("the end of the turn: "+prompt, func(m map[string]any) bool {
		if id, ok := m["session_id"].(string); ok {
			s.conversation = id
		}
		return m["type"] == "result"
	})
	p.end()
	return last
}

// geminiEnv is what the client needs to find the scripted model and nothing else.
func geminiEnv(w *world) []string {
	return []string{
		"GOOGLE_GEMINI_BASE_URL=" + w.model.URL(), "GEMINI_API_KEY=made-up", "GEMINI_CLI_NO_RELAUNCH=true",
		"GEMINI_FORCE_FILE_STORAGE=true", "NODE_COMPILE_CACHE=" + clientFile("../node-compile-cache"),
	}
}

// compact has the model say in the middle of a turn that the context is more than half full: the client compresses
// what came before that turn's prompt, and goes on.
func (s *geminiSession) compact() []model.Request {
	s.w.t.Helper()
	step := model.Do(model.Call{Name: "list_directory", Args: map[string]any{"dir_path": s.w.dir}})
	step.Tokens = geminiFull
	// The second request has the model look at its own summary once more.
	s.compactions++
	summary := model.Say(fmt.Sprintf("<scratchpad>x</scratchpad>\n<state_snapshot>We edited files, part %d. Of the requirements nothing is said here.</state_snapshot>", s.compactions))
	s.w.model.Script(model.Summary, summary, summary)
	seen := s.turn("look around", step)
	return s.w.compacted(seen)
}

func (s *geminiSession) close() {} // every turn's process has ended

func (gemini) readAll(w *world, path string) model.Call {
	return model.Call{Name: "read_file", Args: map[string]any{"file_path": w.path(path)}}
}

func (gemini) readLines(w *world, path string, from, to int) model.Call {
	return model.Call{Name: "read_file", Args: map[string]any{"file_path": w.path(path), "start_line": from, "end_line": to}}
}

func (gemini) edit(w *world, path, old, new string) model.Call {
	return model.Call{Name: "replace", Args: map[string]any{
		"file_path": w.path(path), "instruction": "change " + old, "old_string": old, "new_string": new,
	}}
}

func (gemini) create(w *world, path, content string) model.Call {
	return model.Call{Name: "write_file", Args: map[string]any{"file_path": w.path(path), "content": content}}
}

func (gemini) shell(_ *world, command string) model.Call {
	return model.Call{Name: "run_shell_command", Args: map[string]any{"command": command, "description": "a command"}}
}

// printed is a command of the shell in every other refusal, since the client can hide a read from the hooks.
func (d gemini) printed(name string, args map[string]any) model.Call {
	if args == nil {
		return d.shell(nil, name)
	}
	return d.byName.printed(name, args)
}

func (gemini) delegate(_ *world, kind, prompt string) model.Call {
	if kind == "" {
		kind = "generalist"
	}
	return model.Call{Name: "invoke_agent", Args: map[string]any{"agent_name": kind, "prompt": strings.TrimSpace(prompt)}}
}
