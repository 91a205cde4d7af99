package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/wire"
)

// What the recording hook of docs/extending.md refuses, and the file that its reason names.
const (
	conformanceRefused = "mbgate-refuse"
	conformanceReason  = "mbgate-reason"
)

// newConformanceCmd is for authors of harnesses: it judges what a host sent to its hooks.
func newConformanceCmd(a *app) *cobra.Command {
	var o hookOptions
	cmd := &cobra.Command{
		Use:   "conformance FILE",
		Short: "Judge a recording of a host's hooks: what would hold there, and what would not",
		Long: `Reads the payloads that a host sent to its hooks, one JSON object a line in their order, and says which of mbgate's gates
would hold there. docs/extending.md shows the hook that makes the recording.

EXIT STATUS
  0 all holds · 1 something does not, or mbgate's own failure · 64 wrong usage`,
		Example: `  mbgate conformance --shape claude hooks.jsonl`,
		RunE: a.work(func(args []string) error {
			if o.shape != "" {
				o.agent = agents.ShapeAgent(o.shape)
			}
			return a.conformance(args[0], o.agent)
		}),
	}
	cmd.Flags().StringVar(&o.shape, "shape", "", "claude: the host copies Claude Code's hooks")
	cmd.Flags().StringVar(&o.agent, "agent", "", "the agent whose hooks these are, where its events do not tell")
	cmd.MarkFlagsMutuallyExclusive("shape", "agent")
	return cmd
}

func (a *app) conformance(file, agent string) error {
	if _, ok := agents.Facts(agent); agent != "" && !ok {
		return unknownAgent(agent, agentNames())
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	r := recording{sessions: map[string]bool{}}
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			ev, err := agents.Decode(line, wire.Options{Subcommand: "hook", Agent: agent, Getenv: a.getenv})
			r.see(ev, string(line), err)
		}
	}
	failed := false
	for _, c := range r.checks() {
		mark := "✓"
		if !c.holds {
			mark, failed = "✗", true
		}
		if err := a.print(fmt.Sprintf("%s %-36s %s\n", mark, c.name, c.says)); err != nil {
			return err
		}
	}
	if failed {
		return &quietError{exitFailure}
	}
	return nil
}

// recording is what was seen in the payloads so far.
type recording struct {
	bad                              []string
	before, after, results           int
	sessions                         map[string]bool
	last                             string // the session of the event before
	compactions                      []string
	moved, refused, ran, told, early bool
}

func (r *recording) see(ev event.Event, line string, err error) {
	if err != nil {
		r.bad = append(r.bad, err.Error())
		return
	}
	switch ev.Kind {
	case event.ToolBefore:
		r.before++
		r.told = r.told || r.refused && strings.Contains(line, conformanceReason)
		r.refused = r.refused || strings.Contains(line, conformanceRefused)
	case event.ToolAfter:
		r.after++
		r.early = r.early || r.before == 0
		r.ran = r.ran || r.refused && strings.Contains(line, conformanceRefused) && (ev.Result == nil || !ev.Result.Failed)
		if ev.Tool.Class == event.Read && ev.Result != nil && (ev.Result.HasText || len(ev.Result.Shown) > 0) {
			r.results++
		}
	case event.Compacted:
		if !slices.Contains(r.compactions, ev.Name) {
			r.compactions = append(r.compactions, ev.Name)
		}
		r.moved = r.moved || r.last != "" && r.last != ev.Session
	}
	r.sessions[ev.Session], r.last = true, ev.Session
}

// conformanceCheck is one line of the list.
type conformanceCheck struct {
	name  string
	holds bool
	says  string
}

func (r *recording) checks() []conformanceCheck {
	list := []conformanceCheck{
		{"every payload is understood", len(r.bad) == 0, strings.Join(r.bad, "; ")},
		{"a call is announced before it runs", r.before > 0 && !r.early, fmt.Sprintf("%d announced, %d finished", r.before, r.after)},
		{"a refused call does not run", r.refused && !r.ran, ""},
		{"the reason reaches the model", r.told, ""},
		{"a read's result is visible", r.results > 0, "without it a call to read counts as a read"},
		{"a compaction is seen", len(r.compactions) > 0, strings.Join(r.compactions, ", ")},
		{"the session id outlives a compaction", len(r.compactions) > 0 && !r.moved, fmt.Sprintf("%d sessions", len(r.sessions))},
	}
	if !r.refused {
		list[2].says = "no call with " + conformanceRefused + " was announced"
	}
	if !r.told {
		list[3].says = "no call with " + conformanceReason + " followed"
	}
	if r.results > 0 {
		list[4].says = ""
	}
	if len(r.compactions) == 0 {
		list[5].says = "the recovery gate never closes there"
	}
	return list
}
