// Package audit lets the gate judge what agents did in the past: it reads the records that they keep of their sessions, makes of
// them the events that hooks would have seen, and counts what followed each compaction (SPEC §19). It changes nothing.
//
// It may import what stands below it. Start with Audit.File; render.Audit says what is counted, disk.go what
// is known of files that have changed since, run.go how a session is played.
package audit

import (
	"hash/maphash"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/jsonscan"
	"github.com/mbgate/mbgate/internal/project"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/transcript"
)

// maxSeen bounds the records that are remembered to tell repeated ones, at about 40 bytes each. Sessions that repeat one another
// lie beside each other, so that a full memory is begun anew.
const maxSeen = 500_000

// Audit reads records. Set the fields before the first File.
type Audit struct {
	// Anchors are the patterns that tell documents; nil takes those of the project, else of every known layout.
	Anchors []string
	// Project is the project of a folder, and how it wants to be guarded, as far as it is still there.
	Project func(cwd string) (gate.Policy, project.Root)
	// Since leaves out compactions before; Within sessions that worked outside of this folder, "" none.
	Since  time.Time
	Within string

	report render.Audit
	seed   maphash.Seed
	seen   map[uint64]int // which file had the record first
	read   map[string]int // documents that a compaction asked for, by path
	// counted are the compactions by their ids: a fork that repeats one goes on after it.
	counted map[string]counted
}

// File reads one record of an agent, as far as it can be read. cwd is the folder of the session, "" where the record says it.
func (a *Audit) File(agent agents.Agent, cwd string, in io.Reader) {
	if a.seen == nil {
		a.seed, a.seen, a.read = maphash.MakeSeed(), map[uint64]int{}, map[string]int{}
		a.counted = map[string]counted{}
	}
	a.report.Files++
	lines := transcript.NewLines(in)
	r := run{audit: a, agent: agent}
	for line, ok := lines.Next(); ok; line, ok = lines.Next() {
		if len(line) == 0 || !transcript.Wanted(line) {
			continue
		}
		rec, ok := agent.Records.Read(line)
		if !ok {
			a.report.Damaged++
			continue
		}
		first := a.first(rec.ID)
		if r.repeats = first > 0; r.repeats {
			a.report.Repeated++
		}
		if first == a.report.Files {
			continue
		}
		if rec.Cwd == "" && !r.started {
			rec.Cwd = cwd
		}
		if !r.take(rec) {
			a.report.Files--
			return
		}
	}
	a.report.Bytes += lines.Bytes
	a.report.Damaged += lines.Skipped
	r.close()
}

// first is the number of the file that had a record before, 0 for none.
func (a *Audit) first(id string) int {
	if id == "" {
		return 0
	}
	key := maphash.String(a.seed, id)
	n := a.seen[key]
	if n == 0 {
		if len(a.seen) >= maxSeen {
			clear(a.seen)
		}
		a.seen[key] = a.report.Files
	}
	return n
}

// Report is what was read so far.
func (a *Audit) Report() render.Audit {
	r := a.report
	r.Anchors, r.Given = a.Anchors, len(a.Anchors) > 0
	if !r.Given {
		r.Anchors = Framing()
	}
	r.Proposal = proposal(a.read)
	if r.Sessions == nil {
		r.Sessions = []render.AuditSession{}
	}
	r.Count()
	return r
}

// Framing are patterns of documents that frame a task in any layout.
func Framing() []string {
	var list []string
	for _, p := range config.Presets() {
		list = append(list, p.Anchors...)
	}
	return append(list, "docs/**/*.md", "**/*{plan,spec,design,requirement,architecture,roadmap,PLAN,SPEC,DESIGN,REQUIREMENT,ARCHITECTURE,ROADMAP}*.md")
}

// proposal names the folders in which several documents were read, and the others one by one, those first that were read
// before most compactions.
func proposal(read map[string]int) []string {
	const most = 8
	folders := map[string]int{}
	for p := range read {
		folders[path.Dir(p)]++
	}
	counts := map[string]int{}
	for p, n := range read {
		if dir := path.Dir(p); folders[dir] > 1 && dir != "." {
			p = dir + "/**"
		}
		counts[p] += n
	}
	list := []string{}
	for p := range counts {
		list = append(list, p)
	}
	slices.SortFunc(list, func(x, y string) int {
		if counts[x] != counts[y] {
			return counts[y] - counts[x]
		}
		return strings.Compare(x, y)
	})
	return list[:min(len(list), most)]
}

// payload is a hook's payload. What agents call differently stands there under each name, since each reads its own.
func payload(name string, r transcript.Record, call transcript.Call, response []byte) jsonscan.Object {
	var o jsonscan.Object
	add := func(value []byte, keys string) {
		for key := range strings.FieldsSeq(keys) {
			o = append(o, jsonscan.Member{Key: key, Value: value})
		}
	}
	quote := func(s string) []byte { return jsonscan.AppendText(nil, s, false) }
	add(quote(name), "hook_event_name hook")
	add(quote(r.Session), "session_id")
	add(quote(r.Cwd), "cwd directory")
	add(quote(call.ID), "tool_use_id call_id")
	add(quote(call.Name), "tool_name tool")
	add(call.Input, "tool_input args")
	if response != nil {
		add(response, "tool_response tool_result result")
	}
	if r.Sub != "" {
		add(quote(r.Sub), "agent_id")
	}
	return o
}
