package transcript

import (
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/jsonscan"
)

// Codex reads a line of Codex CLI's record, as observed with 0.169.0; false where it is damaged. The session and its folder stand
// in the first record alone, and records have no ids. What a script of its code mode did is not read.
func Codex(line []byte) (Record, bool) {
	s := jsonscan.Scanner{Data: line}
	var o jsonscan.Object
	if s.Peek() != '{' || !s.Object(&o) || s.Pos != len(line) {
		return Record{}, false
	}
	p, _ := jsonscan.Members(o.Get("payload"))
	var r Record
	r.At, _ = time.Parse(time.RFC3339, o.Text("timestamp"))
	switch o.Text("type") {
	case "session_meta":
		r.Session, r.Cwd = p.Text("id"), p.Text("cwd")
	case "compacted":
		r.Kind = Compaction
	case "event_msg":
		if p.Text("type") == "user_message" {
			r.Kind, r.Text = Prompt, p.Text("message")
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
		if words, ok := jsonscan.Elements(args.Get("command")); ok && len(words) > 0 {
			text = jsonscan.Unquote(words[len(words)-1]) // bash -lc COMMAND
		}
		c.Name = "Bash"
	}
	c.Input = append(jsonscan.AppendText([]byte(`{"command":`), text, false), '}')
	return c, text != ""
}
