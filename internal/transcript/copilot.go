package transcript

import (
	"time"

	"github.com/mbgate/mbgate/internal/jsonscan"
)

// Copilot reads a line of Copilot CLI's record, as observed with 1.0.102; false where it is damaged. The session and its folder
// stand in the first record alone.
func Copilot(line []byte) (Record, bool) {
	o, ok := object(line)
	if !ok {
		return Record{}, false
	}
	data, _ := jsonscan.Members(o.Get("data"))
	r := Record{ID: o.Text("id"), Sub: o.Text("agentId")}
	r.At, _ = time.Parse(time.RFC3339, o.Text("timestamp"))
	switch o.Text("type") {
	case "session.start":
		place, _ := jsonscan.Members(data.Get("context"))
		r.Session, r.Cwd = data.Text("sessionId"), place.Text("cwd")
	case "user.message":
		r.say(data.Text("content"), true, false)
	case "tool.execution_start":
		r.Kind, r.Calls = Work, []Call{{ID: data.Text("toolCallId"), Name: data.Text("toolName"), Input: data.Get("arguments")}}
	case "tool.execution_complete":
		result, _ := jsonscan.Members(data.Get("result"))
		r.Kind = Work
		r.Results = []Result{{ID: data.Text("toolCallId"), Response: result.Get("content"), Failed: string(data.Get("success")) != "true"}}
	case "session.compaction_start":
		r.Kind, r.Trigger = Compaction, data.Text("trigger")
	case "session.compaction_complete":
		r.Kind, r.Text = Summary, data.Text("summaryContent")
	}
	return r, true
}

// Pi reads a line of pi's record, as observed with 0.87.1; false where it is damaged. The session and its folder stand in the
// first record alone; ids have 32 bits.
func Pi(line []byte) (Record, bool) {
	o, ok := object(line)
	if !ok {
		return Record{}, false
	}
	r := Record{ID: o.Text("id") + " " + o.Text("timestamp")}
	r.At, _ = time.Parse(time.RFC3339, o.Text("timestamp"))
	switch o.Text("type") {
	case "session":
		r.Session, r.Cwd = o.Text("id"), o.Text("cwd")
	case "compaction":
		r.Kind, r.Text = Compaction, o.Text("summary")
	case "message":
		m, _ := jsonscan.Members(o.Get("message"))
		switch m.Text("role") {
		case "user":
			r.say(geminiText(m.Get("content")), true, false)
		case "assistant":
			blocks, _ := jsonscan.Elements(m.Get("content"))
			for _, v := range blocks {
				if b, _ := jsonscan.Members(v); b.Text("type") == "toolCall" {
					r.Kind = Work
					r.Calls = append(r.Calls, Call{ID: b.Text("id"), Name: b.Text("name"), Input: b.Get("arguments")})
				}
			}
		case "toolResult":
			r.Kind = Work
			result := append(append([]byte(`{"content":`), m.Get("content")...), '}')
			r.Results = []Result{{ID: m.Text("toolCallId"), Response: result, Failed: string(m.Get("isError")) == "true"}}
		}
	}
	return r, true
}
