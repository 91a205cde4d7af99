package transcript

import (
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/jsonscan"
)

// Gemini reads a line of Gemini CLI's record, as observed with 0.61.0; false where it is damaged. The folder stands in a file
// beside the records. A message is written again once its calls have results, and the whole list of messages where a
// session is resumed or compressed.
func Gemini(line []byte) (Record, bool) {
	o, ok := object(line)
	if !ok {
		return Record{}, false
	}
	r := Record{ID: o.Text("id"), Session: o.Text("sessionId")}
	r.At, _ = time.Parse(time.RFC3339, o.Text("timestamp"))
	switch {
	case r.Session != "":
		if r.Kind = Begin; o.Text("kind") == "subagent" {
			r.Sub = r.Session
		}
	case o.Get("toolCalls") != nil:
		r.Kind = Work
		calls, _ := jsonscan.Elements(o.Get("toolCalls"))
		for _, v := range calls {
			c, _ := jsonscan.Members(v)
			r.ID += " " + c.Text("id")
			r.Calls = append(r.Calls, Call{ID: c.Text("id"), Name: c.Text("name"), Input: c.Get("args")})
			parts, _ := jsonscan.Elements(c.Get("result"))
			r.respond(parts, c.Text("status") != "success")
		}
	case o.Text("type") == "user":
		r.say(geminiText(o.Get("content")), true, false)
	case o.Has("$set"):
		set, _ := jsonscan.Members(o.Get("$set"))
		r.compressed(set)
	}
	return r, true
}

// compressed finds the summary that a compression puts behind the client's own first message.
func (r *Record) compressed(set jsonscan.Object) {
	list, _ := jsonscan.Elements(set.Get("messages"))
	for _, v := range list[:min(len(list), 2)] {
		m, _ := jsonscan.Members(v)
		if text := geminiText(m.Get("content")); m.Text("type") == "user" && strings.Contains(text, "<state_snapshot>") {
			r.Kind, r.ID, r.Text = Compaction, m.Text("id"), text
			r.At, _ = time.Parse(time.RFC3339, m.Text("timestamp"))
		}
	}
}

// respond takes the results among the parts of a message.
func (r *Record) respond(parts [][]byte, failed bool) {
	for _, v := range parts {
		part, _ := jsonscan.Members(v)
		f, ok := jsonscan.Members(part.Get("functionResponse"))
		if !ok {
			continue
		}
		response, _ := jsonscan.Members(f.Get("response"))
		result := jsonscan.AppendText([]byte(`{"llmContent":`), response.Text("output"), false)
		r.Results = append(r.Results, Result{ID: f.Text("id"), Response: append(result, '}'), Failed: failed || response.Has("error")})
	}
}

// geminiText is the text of a message's parts.
func geminiText(v []byte) string {
	var b strings.Builder
	parts, _ := jsonscan.Elements(v)
	for _, v := range parts {
		part, _ := jsonscan.Members(v)
		b.WriteString(part.Text("text"))
	}
	return b.String()
}

// Qwen reads a line of Qwen Code's record, as observed with 0.24.4; false where it is damaged.
func Qwen(line []byte) (Record, bool) {
	o, ok := object(line)
	if !ok {
		return Record{}, false
	}
	r := Record{ID: o.Text("uuid"), Session: o.Text("sessionId"), Cwd: o.Text("cwd"), Sub: o.Text("agentId")}
	r.At, _ = time.Parse(time.RFC3339, o.Text("timestamp"))
	m, _ := jsonscan.Members(o.Get("message"))
	parts, _ := jsonscan.Elements(m.Get("parts"))
	switch o.Text("type") {
	case "user":
		r.say(geminiText(m.Get("parts")), o.Text("provenance") != "system", false)
	case "assistant":
		for _, v := range parts {
			part, _ := jsonscan.Members(v)
			if c, ok := jsonscan.Members(part.Get("functionCall")); ok {
				r.Kind = Work
				r.Calls = append(r.Calls, Call{ID: c.Text("id"), Name: c.Text("name"), Input: c.Get("args")})
			}
		}
	case "tool_result":
		r.Kind = Work
		result, _ := jsonscan.Members(o.Get("toolCallResult"))
		r.respond(parts, result.Text("status") != "success")
	case "system":
		if o.Text("subtype") == "chat_compression" {
			payload, _ := jsonscan.Members(o.Get("systemPayload"))
			info, _ := jsonscan.Members(payload.Get("info"))
			history, _ := jsonscan.Elements(payload.Get("compressedHistory"))
			r.Kind, r.Trigger = Compaction, info.Text("triggerReason")
			if len(history) > 0 {
				first, _ := jsonscan.Members(history[0])
				r.Text = geminiText(first.Get("parts"))
			}
		}
	}
	return r, true
}
