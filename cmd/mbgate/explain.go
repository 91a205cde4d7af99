package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/place"
	proj "github.com/mbgate/mbgate/internal/project"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/wire"
)

type explainOptions struct {
	root, cwd, session, agent string
	tool, input               string
	json, jsonl               bool
	command                   []string
	asked                     bool // a command, even an empty one, was given
	flags                     []config.Flag
}

func newExplainCmd(a *app) *cobra.Command {
	var o explainOptions
	cmd := &cobra.Command{
		Use:   "explain [flags] [-- COMMAND...]",
		Short: "Say what the gate would decide for a command or a tool call, and why",
		Long: `Judges a shell command, or with --tool any tool call, and says what it would change, what it would show, how
risky it is, and what the gate would answer. Nothing is run and nothing is changed.

Without --session it judges as if the fallback anchors existed and a recovery with them were pending. One word after
-- is taken as a whole command line, several are joined with blanks. Paths are relative to the folder you are in; --cwd
names another one, relative to the project root.

With --jsonl the questions come on standard input, one object a line, and the answers leave in the same order:
  {"id":"1","command":"rm -rf build","cwd":"src"}
  {"id":"2","tool_name":"Write","tool_input":{"file_path":"a.go","content":""}}
A line that is no question gets an object with "error", and the next line is read.

EXIT STATUS
  0 answered, whatever the answer · 1 mbgate's own failure · 64 wrong usage`,
		Example: `  mbgate explain -- sed -i s/a/b/ src/main.go
  mbgate explain 'cat go.mod > /tmp/copy'
  mbgate explain --json --tool Write --input '{"file_path":"go.mod"}'
  mbgate explain --session 6d06b814 -- git checkout -- .`,
		PreRunE: func(_ *cobra.Command, args []string) error {
			o.command, o.asked = args, len(args) > 0
			return o.check()
		},
		RunE: a.work(func([]string) error { return a.explain(o) }),
	}
	f := cmd.Flags()
	f.SetInterspersed(false)
	rootFlag(f, &o.root, "the project root, instead of finding it")
	textFlag(f, &o.cwd, "cwd", "dir", "the folder the call starts in, relative to the root")
	sessionFlag(f, &o.session, "judge it in the state of this session")
	f.StringVar(&o.tool, "tool", "", "a tool instead of a command, as the agent spells it")
	textFlag(f, &o.input, "input", "json", "the tool's arguments, a JSON object")
	f.StringVar(&o.agent, "agent", "", "the agent whose tool it is (default "+agents.Default().Name()+", or the session's)")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVar(&o.jsonl, "jsonl", false, "answer the questions on standard input, one object a line")
	cmd.MarkFlagsMutuallyExclusive("tool", "jsonl")
	configFlags(cmd, &o.flags)
	return cmd
}

// check finds what is wrong with the command line.
func (o explainOptions) check() error {
	switch {
	case !o.asked && o.tool == "" && !o.jsonl:
		return &usageError{problem: "explain what? give a command after --, or --tool with --input, or --jsonl"}
	case o.asked && (o.tool != "" || o.jsonl):
		return &usageError{problem: "a command excludes --tool and --jsonl; give one of them"}
	case o.input != "" && o.tool == "":
		return &usageError{problem: "--input goes with --tool; name the tool"}
	}
	if o.agent != "" {
		if _, ok := agents.Facts(o.agent); !ok {
			return unknownAgent(o.agent, agentNames())
		}
	}
	return nil
}

// question is one thing to judge; the tags are those of --jsonl (SPEC §19).
type question struct {
	ID      json.RawMessage `json:"id"`
	Command *string         `json:"command"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"tool_input"`
	Cwd     string          `json:"cwd"`
}

func (a *app) explain(o explainOptions) error {
	x, err := a.explainer(o)
	if err != nil {
		return err
	}
	if o.jsonl {
		return x.stream(a.stdin)
	}
	q := question{Tool: o.tool}
	if o.asked {
		command := strings.Join(o.command, " ")
		q.Command = &command
	} else if o.input != "" {
		q.Input = json.RawMessage(o.input)
	}
	if !o.json && !x.project.inert() {
		d := x.project.documents()
		x.documents = &d
	}
	e, err := x.answer(q)
	if err != nil {
		return err
	}
	return a.show(o.json, e.JSON(), e.Text(a.screen()))
}

// explainer judges calls in one project.
type explainer struct {
	app     *app
	client  event.Client
	project *project
	gate    gate.Gate
	cwd     string
	// session is asked about if it is not nil.
	session *gate.Session
	// documents are what a compaction could really require, for people.
	documents *proj.Documents
}

func (a *app) explainer(o explainOptions) (*explainer, error) {
	x := &explainer{app: a, client: *agents.Default().Facts()}
	cwd, err := a.getwd()
	if err != nil && o.root == "" {
		return nil, err
	}
	from := start{flag: o.root, cwd: filepath.ToSlash(cwd), flags: o.flags}
	if o.session != "" {
		store, err := a.openStore()
		if err != nil {
			return nil, err
		}
		s, err := usable(store, o.session)
		if err != nil {
			return nil, err
		}
		x.session, x.client, from.pinned = &s, clientOf(s.Agent), s.Root
	}
	if o.agent != "" {
		x.client = clientOf(o.agent)
	}
	if x.project, err = a.project(from); err != nil {
		return nil, err
	}
	x.gate = x.project.gate(&x.client)
	x.cwd = x.project.root.Dir
	switch {
	case o.cwd != "":
		x.cwd = x.folder(o.cwd)
	case from.cwd != "" && x.project.disk.Locate(x.cwd, from.cwd).Inside():
		x.cwd = from.cwd
	}
	return x, nil
}

// folder is a folder that a question names, relative to the root.
func (x *explainer) folder(cwd string) string {
	cwd = filepath.ToSlash(cwd)
	if cwd == "" || path.IsAbs(cwd) || filepath.IsAbs(filepath.FromSlash(cwd)) {
		return cwd
	}
	return place.Join(x.project.root.Dir, cwd)
}

// answer judges one call. Nothing is saved.
func (x *explainer) answer(q question) (render.Explanation, error) {
	cwd := x.cwd
	if q.Cwd != "" {
		cwd = x.folder(q.Cwd)
	}
	e := render.Explanation{ID: q.ID, Client: x.client, Fallback: x.gate.Policy.Fallback}
	ev, err := x.event(q, cwd)
	if err != nil {
		return e, err
	}
	if q.Command != nil {
		e.Call = *q.Command
	} else {
		e.Call = q.Tool + " " + string(q.Input)
	}
	if x.session == nil {
		e.Decision = x.gate.Suppose(ev.Tool, ev.Cwd)
		e.Documents = x.documents
		return e, nil
	}
	e.Session = x.session.ID
	e.Progress = x.gate.Progress(*x.session, "", &x.client)
	_, e.Decision = x.gate.Handle(*x.session, ev)
	return e, nil
}

// event is the call as the agent would announce it. A tool's class and arguments are read by the agent's own adapter,
// so the answer is the one that its hook would get.
func (x *explainer) event(q question, cwd string) (event.Event, error) {
	if q.Command != nil {
		if q.Tool != "" {
			return event.Event{}, errors.New("command and tool_name exclude each other; give one of them")
		}
		command := *q.Command
		if strings.TrimSpace(command) == "" {
			command = ":" // does as little; a call without any text would be one that lacks its command
		}
		return event.Event{
			Kind: event.ToolBefore, Client: &x.client, Session: "explain", Cwd: cwd,
			Tool: event.Tool{Name: "shell", Class: event.Shell, Command: command},
		}, nil
	}
	if q.Tool == "" {
		return event.Event{}, errors.New("there is nothing to judge; give command, or tool_name with tool_input")
	}
	payload, err := callPayload(x.client, q, cwd)
	if err != nil {
		return event.Event{}, err
	}
	ev, err := agents.Decode(payload, wire.Options{Subcommand: "tool-before", Agent: x.client.Name})
	if err != nil {
		return event.Event{}, err
	}
	ev.Client, ev.Kind = &x.client, event.ToolBefore
	return ev, nil
}

// callPayload is the payload with which a client announces a call.
func callPayload(c event.Client, q question, cwd string) ([]byte, error) {
	input := q.Input
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	if !json.Valid(input) {
		return nil, fmt.Errorf("the arguments of %s are no JSON; give an object, like {\"file_path\":\"a.go\"}", render.Safe(q.Tool))
	}
	if t := bytes.TrimSpace(input); t[0] != '{' {
		return nil, fmt.Errorf("the arguments of %s must be a JSON object, like {\"file_path\":\"a.go\"}", render.Safe(q.Tool))
	}
	a, _ := agents.ByName(c.Name)
	return a.Announce(q.Tool, input, cwd)
}
