package audit

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/project"
)

// tapes is a record of n parts, each with a document, a compaction, 20 calls that print 8 kB and 20 edits, made as it is read.
// Public sessions have a call in each 14 kB, too.
type tapes struct {
	t    tape
	left int
	r    strings.Reader
}

func (s *tapes) Read(p []byte) (int, error) {
	if s.r.Len() == 0 {
		if s.left--; s.left < 0 {
			return 0, io.EOF
		}
		s.t.b.Reset()
		s.t.say("go on")
		s.t.read(spec, text, 1, 4, 4)
		s.t.compact("auto")
		for range 20 {
			s.t.call("Bash", `{"command":"go test ./..."}`, fmt.Sprintf(`{"stdout":%q}`, strings.Repeat("ok  \tpackage\n", 600)), false)
			s.t.edit(false)
			s.t.line("progress", `"data":"`+strings.Repeat("x", 16<<10)+`"`)
		}
		s.r.Reset(s.t.b.String())
	}
	return s.r.Read(p)
}

// BenchmarkAudit tells the throughput, with the making of the record in it, and the memory that the process took from the
// system. An operation is 0.6 MB, all in one record: -benchtime 4000x tries 2 GB.
func BenchmarkAudit(b *testing.B) {
	a := Audit{Project: func(cwd string) (gate.Policy, project.Root) {
		return gate.Policy{Budget: 60_000}, project.Root{Dir: cwd}
	}}
	claude, _ := agents.ByName("claude-code")
	a.File(claude, "", &tapes{left: b.N})
	r := a.Report()
	if r.Sum.Compactions != b.N || r.Damaged > 0 {
		b.Fatalf("%+v", r.Sum)
	}
	b.SetBytes(r.Bytes / int64(b.N))
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/1e6, "MB-memory")
}
