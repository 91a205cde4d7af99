package audit

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/project"
	"github.com/mbgate/mbgate/internal/render"
)

// tape writes a record as Claude Code does: a record each minute.
type tape struct {
	b    strings.Builder
	n    int
	side bool
}

const (
	root = "/gone/repo"
	spec = root + "/docs/plans/limiter.md"
	text = `# Limiter\none: a.go\ntwo\n`
)

func (t *tape) line(kind, fields string) {
	t.n++
	fmt.Fprintf(&t.b, `{"type":%q,"uuid":"u%d","isSidechain":%v,"sessionId":"s1","cwd":%q,"timestamp":%q,%s}`+"\n",
		kind, t.n, t.side, root, time.Date(2026, 3, 1, 12, t.n, 0, 0, time.UTC).Format(time.RFC3339), fields)
}

// call is a call with its result.
func (t *tape) call(tool, input, response string, failed bool) {
	id := fmt.Sprintf("c%d", t.n)
	t.line("assistant", fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}`, id, tool, input))
	t.line("user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"is_error":%v,"content":"x"}]},"toolUseResult":%s`, id, failed, response))
}

func (t *tape) read(file, text string, first, lines, total int) {
	t.call("Read", fmt.Sprintf(`{"file_path":%q}`, file), fmt.Sprintf(`{"type":"text","file":{"content":"%s","startLine":%d,"numLines":%d,"totalLines":%d}}`, text, first, lines, total), false)
}

func (t *tape) edit(failed bool) {
	t.call("Edit", fmt.Sprintf(`{"file_path":%q,"old_string":"a","new_string":"b"}`, root+"/a.go"), `{"filePath":"a.go"}`, failed)
}

func (t *tape) shell(command string) {
	t.call("Bash", fmt.Sprintf(`{"command":%q}`, command), `{"stdout":"","stderr":""}`, false)
}

func (t *tape) say(text string) {
	t.line("user", fmt.Sprintf(`"message":{"role":"user","content":%q}`, text))
}

func (t *tape) compact(trigger string) {
	t.line("system", fmt.Sprintf(`"subtype":"compact_boundary","compactMetadata":{"trigger":%q}`, trigger))
}

func (t *tape) audit(change func(*Audit)) render.Audit {
	a := Audit{Project: func(cwd string) (gate.Policy, project.Root) {
		return gate.Policy{Budget: 60_000}, project.Root{Dir: cwd}
	}}
	if change != nil {
		change(&a)
	}
	claude, _ := agents.ByName("claude-code")
	a.File(claude, "", strings.NewReader(t.b.String()))
	return a.Report()
}

func TestAudit(t *testing.T) {
	t1 := &tape{}
	t1.say("work on the limiter")
	t1.read(spec, text, 1, 4, 4)
	t1.say("go on")
	t1.compact("auto")
	t1.line("user", `"isCompactSummary":true,"message":{"role":"user","content":"the plan is docs/plans/limiter.md; {\"subtype\":\"compact_boundary\"}"}`)
	t1.shell("go test ./...")
	t1.edit(true)
	t1.edit(false)
	t1.shell("sed -i s/a/b/ a.go && echo done")
	t1.shell("some-deploy-tool --all && python3 -c 'import os; f(os)'")
	t1.read(spec, `# Limiter\n`, 1, 2, 4)
	t1.edit(false)
	t1.read(spec, `one: a.go\ntwo\n`, 2, 3, 4)
	t1.edit(false)
	fmt.Fprintln(&t1.b, `{"type":"user", damaged`)
	r := t1.audit(nil)
	if len(r.Sessions) != 1 || len(r.Sessions[0].Compactions) != 1 || r.Damaged != 1 {
		t.Fatalf("%+v", r)
	}
	c := r.Sessions[0].Compactions[0]
	if c.Trigger != "auto" || c.Writes != 4 || c.WritesUnread != 3 || c.Calls != 2 {
		t.Errorf("%+v", c)
	}
	d := c.Documents[0]
	if len(c.Documents) != 1 || d.Path != "docs/plans/limiter.md" || d.Lines != 3 || d.ReadAgain != 8 || d.PutBack || !d.InSummary || d.InPrompts || !d.NamesWritten || d.Prompts != 1 {
		t.Errorf("%+v", d)
	}
	if s := r.Sum; s.Automatic != 1 || s.Unread != 1 || s.NeverRead != 0 || s.Refusals != 1 || s.Reads != 1 || s.Tokens != 6 {
		t.Errorf("%+v", s)
	}
	if len(r.Proposal) != 1 || r.Proposal[0] != "docs/plans/limiter.md" || r.Given {
		t.Errorf("proposed: %v", r.Proposal)
	}
}

// TestWhatIsNoWriteUnread: each world has a compaction after a document was read, and no write that the gate would have refused.
func TestWhatIsNoWriteUnread(t *testing.T) {
	for name, play := range map[string]func(t *tape){
		"put back": func(t *tape) {
			t.line("attachment", fmt.Sprintf(`"attachment":{"type":"file","filename":%q,"content":{"type":"text","file":{"content":"%s","startLine":1,"numLines":4,"totalLines":4}}}`, spec, text))
			t.edit(false)
		},
		"read again": func(t *tape) { t.read(spec, text, 1, 4, 4); t.edit(false) },
		"by a command": func(t *tape) {
			t.call("Bash", `{"command":"cat docs/plans/limiter.md"}`, `{"stdout":"# Limiter\none: a.go\ntwo\n"}`, false)
			t.edit(false)
		},
		"of a subagent":    func(t *tape) { t.side = true; t.say("x") },
		"outside":          func(t *tape) { t.shell("echo x > /tmp/other") },
		"a document of it": func(t *tape) { t.shell("go test ./...") },
	} {
		w := &tape{}
		w.read(spec, text, 1, 4, 4)
		w.compact("manual")
		play(w)
		r := w.audit(nil)
		if c := r.Sessions[0].Compactions[0]; c.WritesUnread != 0 || len(c.Documents) != 1 || c.Documents[0].PutBack != (name == "put back") {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// TestRepeatedRecordsCountOnce: a resumed session repeats its records, in another file too.
func TestRepeatedRecordsCountOnce(t *testing.T) {
	w := &tape{}
	w.read(spec, text, 1, 4, 4)
	w.compact("auto")
	w.edit(false)
	once := w.b.String()
	w.b.WriteString(once)
	r := w.audit(nil)
	if r.Sum.Compactions != 1 || r.Sum.WritesUnread != 1 || r.Repeated != 5 {
		t.Errorf("%+v", r.Sum)
	}
}

// TestForkGoesOn: a fork repeats the records of its parent in a file of its own, in which the document was read, too. What it
// writes counts, what it repeats does not.
func TestForkGoesOn(t *testing.T) {
	w := &tape{}
	w.read(spec, text, 1, 4, 4)
	w.compact("auto")
	w.edit(false)
	parent := w.b.String()
	w.edit(false)
	w.compact("auto")
	w.edit(false)
	a := Audit{Project: func(cwd string) (gate.Policy, project.Root) {
		return gate.Policy{Budget: 60_000}, project.Root{Dir: cwd}
	}}
	claude, _ := agents.ByName("claude-code")
	for _, file := range []string{parent, w.b.String()} {
		a.File(claude, "", strings.NewReader(file))
	}
	r := a.Report()
	if s := r.Sum; s.Compactions != 2 || s.WithDocuments != 2 || s.Writes != 3 || s.WritesUnread != 3 || len(r.Sessions) != 2 || r.Repeated != 5 {
		t.Errorf("%+v", r)
	}
}

func TestAuditIsNarrowed(t *testing.T) {
	w := &tape{}
	w.read(spec, text, 1, 4, 4)
	w.compact("auto")
	w.edit(false)
	for name, c := range map[string]struct {
		change func(*Audit)
		want   int // compactions, and those with documents
		docs   int
	}{
		"by the folder":      {func(a *Audit) { a.Within = "/elsewhere" }, 0, 0},
		"by its own folder":  {func(a *Audit) { a.Within = "/gone" }, 1, 1},
		"by the time":        {func(a *Audit) { a.Since = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC) }, 0, 0},
		"by other documents": {func(a *Audit) { a.Anchors = []string{"adr/**"} }, 1, 0},
	} {
		if r := w.audit(c.change); r.Sum.Compactions != c.want || r.Sum.WithDocuments != c.docs {
			t.Errorf("%s: %+v", name, r.Sum)
		}
	}
}

// TestAuditOfCodexScripts: in code mode the calls of a script stand in the record as items (0.169.0, with shorter texts), and a
// subagent has a record of its own, whose reads are not those of the session.
func TestAuditOfCodexScripts(t *testing.T) {
	item := func(kind, id, rest string) string {
		return fmt.Sprintf(`{"timestamp":"2026-03-01T12:00:00.000Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":%q,"id":%q,%s}}}`, kind, id, rest)
	}
	read := func(id string) string {
		return item("CommandExecution", id, `"command":["/bin/bash","-lc","cat docs/plans/limiter.md"],"status":"completed","aggregated_output":"# Limiter\none\n","exit_code":0`)
	}
	meta := `{"timestamp":"2026-03-01T12:00:00.000Z","type":"session_meta","payload":{"session_id":"x1","id":"x1","cwd":"` + root + `"}}`
	compacted := `{"timestamp":"2026-03-01T12:01:00.000Z","type":"compacted","payload":{"message":"a summary"}}`
	write := item("FileChange", "exec-2", `"changes":{"`+root+`/a.go":{"type":"update","unified_diff":"@@ -1 +1 @@\n-a\n+b\n"}},"status":"completed"`)
	a := Audit{Project: func(cwd string) (gate.Policy, project.Root) {
		return gate.Policy{Budget: 60_000}, project.Root{Dir: cwd}
	}}
	codex, _ := agents.ByName("codex")
	for _, file := range [][]string{
		{meta, read("exec-1"), compacted, write, read("exec-3"), write, read("call_1")},
		{strings.Replace(meta, `"id":"x1"`, `"id":"x2","parent_thread_id":"x1"`, 1), read("exec-4"), compacted, write},
	} {
		a.File(codex, "", strings.NewReader(strings.Join(file, "\n")+"\n"))
	}
	r := a.Report()
	if len(r.Sessions) != 2 || r.Sessions[1].ID != "x1" {
		t.Fatalf("%+v", r)
	}
	for i, want := range []render.Compaction{{Writes: 2, WritesUnread: 1}, {Writes: 1, WritesUnread: 1, Sub: "x2"}} {
		c := r.Sessions[i].Compactions[0]
		if c.Writes != want.Writes || c.WritesUnread != want.WritesUnread || c.Sub != want.Sub || len(c.Documents) != 1 {
			t.Errorf("%d: %+v", i, c)
		}
	}
}

// TestAuditOfCodex: Codex reads and writes through its shell and by patches.
func TestAuditOfCodex(t *testing.T) {
	var b strings.Builder
	n := 0
	line := func(kind, payload string) {
		n++
		fmt.Fprintf(&b, `{"timestamp":"2026-03-01T12:%02d:00.000Z","type":%q,"payload":%s}`+"\n", n, kind, payload)
	}
	call := func(tool, arguments, output string) {
		line("response_item", fmt.Sprintf(`{"type":"function_call","name":%q,"arguments":%q,"call_id":"c%d"}`, tool, arguments, n))
		line("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":%q}`, n-1, output))
	}
	line("session_meta", fmt.Sprintf(`{"id":"x1","cwd":%q}`, root))
	call("exec_command", `{"cmd":"cat docs/plans/limiter.md"}`, "Chunk ID: 1\nWall time: 0 seconds\nOutput:\n# Limiter\none\ntwo\n")
	line("compacted", `{"message":"a summary"}`)
	call("shell", `{"command":["bash","-lc","sed -i s/x/y/ a.go"]}`, "Command blocked by PreToolUse hook: no")
	call("shell", `{"command":["bash","-lc","sed -i s/a/b/ a.go"]}`, "")
	line("response_item", `{"type":"custom_tool_call","name":"apply_patch","call_id":"p1","input":"*** Begin Patch\n*** Add File: b.go\n+x\n*** End Patch\n"}`)
	line("response_item", `{"type":"custom_tool_call_output","call_id":"p1","output":"Exit code: 0\n"}`)
	call("exec_command", `{"cmd":"cat docs/plans/limiter.md"}`, "# Limiter\none: a.go\ntwo\n")
	call("exec_command", `{"cmd":"echo x > c.go"}`, "")
	a := Audit{Project: func(cwd string) (gate.Policy, project.Root) {
		return gate.Policy{Budget: 60_000}, project.Root{Dir: cwd}
	}}
	codex, _ := agents.ByName("codex")
	a.File(codex, "", strings.NewReader(b.String()))
	r := a.Report()
	if len(r.Sessions) != 1 || r.Sessions[0].ID != "x1" {
		t.Fatalf("%+v", r)
	}
	c := r.Sessions[0].Compactions[0]
	if c.Writes != 3 || c.WritesUnread != 2 || len(c.Documents) != 1 || c.Documents[0].ReadAgain != 4 || c.Documents[0].Lines != 3 {
		t.Errorf("%+v", c)
	}
}

// TestAuditOfOtherRecords plays records that were captured from each client, with shorter texts: a document is read, the context
// compacted, four writes are refused, the document is read again in two parts, and two writes are made. Without the reads
// these are made with it unread.
func TestAuditOfOtherRecords(t *testing.T) {
	for _, name := range []string{"gemini", "qwen", "copilot", "pi"} {
		agent, _ := agents.ByName(name)
		data, err := os.ReadFile("testdata/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for _, again := range []bool{true, false} {
			var lines []string
			parts := 0
			for line := range strings.Lines(string(data)) {
				if strings.Contains(line, "REQ-1 line") && !(strings.Contains(line, "REQ-1 line 1") && strings.Contains(line, "REQ-1 line 4")) {
					if parts++; !again {
						continue
					}
				}
				lines = append(lines, line)
			}
			a := Audit{Project: func(cwd string) (gate.Policy, project.Root) {
				return gate.Policy{Budget: 60_000}, project.Root{Dir: cwd}
			}}
			a.File(agent, "/gone/project", strings.NewReader(strings.Join(lines, "")))
			r := a.Report()
			if len(r.Sessions) != 1 || len(r.Sessions[0].Compactions) != 1 || len(r.Sessions[0].Compactions[0].Documents) != 1 {
				t.Fatalf("%s: %+v", name, r)
			}
			c := r.Sessions[0].Compactions[0]
			d := c.Documents[0]
			if r.Sessions[0].ID == "" || c.Writes != 2 || (c.WritesUnread == 0) != again || (d.ReadAgain > 0) != again || d.Lines != 4 || parts == 0 {
				t.Errorf("%s, read again %v: %+v", name, again, c)
			}
		}
	}
}
