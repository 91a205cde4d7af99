package transcript

import (
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/jsonscan"
)

// Codex reads a line of Codex CLI's record, as observed with 0.169.0; false where it is damaged. The session and its folder stand
// in the first record alone, and records have no ids. A subagent has a file of its own, under the session that began it.
func Codex(line []byte) (Record, bool) {
	o, ok := object(line)
	if !ok {
		return Record{}, false
	}
	p, _ := jsonscan.Members(o.Get("payload"))
	var r Record
	r.At, _ = time.Parse(time.RFC3339, o.Text("timestamp"))
	switch o.Text("type") {
	case "session_meta":
		r.Kind, r.Session, r.Cwd = Begin, p.Text("id"), p.Text("cwd")
		if main := p.Text("session_id"); main != "" && p.Has("parent_thread_id") {
			r.Session, r.Sub = main, r.Session
		}
	case "compacted":
		r.Kind, r.Text = Compaction, p.Text("message")
	case "event_msg":
		switch p.Text("type") {
		case "user_message":
			r.Kind, r.Text = Prompt, p.Text("message")
		case "item_completed":
			r.scripted(p.Get("item"))
		}
	case "response_item":
		switch p.Text("type") {
		case "function_call", "custom_tool_call":
			if c, ok := codexCall(p); ok {
				r.Kind, r.Calls = Work, []Call{c}
			}
		case "function_call_output", "custom_tool_call_output":
			r.Kind, r.Results = Work, []Result{codexOutput(p)}
		}
	}
	return r, true
}

// scripted reads a call that a script of the code mode made: one whose id begins with exec-, since the calls of the model itself
// have items too. One that was refused has none.
func (r *Record) scripted(v []byte) {
	item, _ := jsonscan.Members(v)
	id := item.Text("id")
	if !strings.HasPrefix(id, "exec-") {
		return
	}
	name, text := "Bash", ""
	switch item.Text("type") {
	case "CommandExecution":
		text = lastWord(item.Get("command"))
	case "FileChange":
		name = "apply_patch"
		changes, _ := jsonscan.Members(item.Get("changes"))
		var patch strings.Builder
		patch.WriteString("*** Begin Patch\n")
		for _, c := range changes {
			kind, _ := jsonscan.Members(c.Value)
			header := map[string]string{"add": "Add", "delete": "Delete"}[kind.Text("type")]
			if header == "" {
				header = "Update"
			}
			patch.WriteString("*** " + header + " File: " + c.Key + "\n")
		}
		text = patch.String() + "*** End Patch\n"
	}
	if text == "" {
		return
	}
	input := append(jsonscan.AppendText([]byte(`{"command":`), text, false), '}')
	r.Kind, r.Calls = Work, []Call{{ID: id, Name: name, Input: input}}
	r.Results = []Result{{ID: id, Response: item.Get("aggregated_output")}}
}

// lastWord is what a shell was given to run: bash -lc COMMAND.
func lastWord(v []byte) string {
	words, _ := jsonscan.Elements(v)
	if len(words) == 0 {
		return ""
	}
	return jsonscan.Unquote(words[len(words)-1])
}

// codexOutput is what a call brought. Of a command the record has a head (Chunk ID, Wall time …) that hooks are not told.
func codexOutput(p jsonscan.Object) Result {
	r := Result{ID: p.Text("call_id"), Response: p.Get("output")}
	text := p.Text("output")
	r.Failed = strings.HasPrefix(text, "Command blocked by PreToolUse hook")
	if _, output, ok := strings.Cut(text, "\nOutput:\n"); ok && p.Text("type") == "function_call_output" {
		r.Response = jsonscan.AppendText(nil, output, false)
	}
	return r
}

// codexCall is a call as Codex' hooks are told it: Bash for what runs a command, whatever the tool of that model is called.
func codexCall(p jsonscan.Object) (Call, bool) {
	c := Call{ID: p.Text("call_id"), Name: p.Text("name")}
	text := p.Text("input")
	if c.Name != "apply_patch" {
		args, _ := jsonscan.Members([]byte(p.Text("arguments")))
		if text = args.Text("cmd"); text == "" {
			text = args.Text("command")
		}
		if words := lastWord(args.Get("command")); words != "" {
			text = words
		}
		c.Name = "Bash"
	}
	c.Input = append(jsonscan.AppendText([]byte(`{"command":`), text, false), '}')
	return c, text != ""
}
