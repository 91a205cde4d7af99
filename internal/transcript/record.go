package transcript

import (
	"bytes"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
)

// Kind says what a record tells.
type Kind int

// The kinds. The zero Kind is a record that mbgate has no use for.
const (
	Nothing    Kind = iota
	Begin           // Session and Sub are those of all records that follow
	Prompt          // Text is what a person sent
	Summary         // Text is the summary that a context begins with
	Work            // Calls and Results
	Compaction      // Trigger is auto or manual, as far as the client says; Text is the summary, where it is told here
	PutBack         // File is what the client showed by itself
)

// Record is one line of a session's record. Zero values are what it does not say.
type Record struct {
	Kind Kind
	At   time.Time
	// ID identifies the record, also where a resumed or forked session repeats it.
	ID string
	// Session and Sub name the context, Cwd the folder that it works in.
	Session, Sub, Cwd string
	Text, Trigger     string
	Calls             []Call
	Results           []Result
	File              event.Shown
}

// Call is a call of a tool; Input is JSON.
type Call struct {
	ID, Name string
	Input    []byte
}

// Result is what a call brought: Response as the client's hooks are told it, or Error where it failed.
type Result struct {
	ID       string
	Response []byte
	Failed   bool
	Error    string
}

// Claude reads a line of Claude Code's record, as observed with 2.1.17 to 2.1.330; false where it is damaged.
func Claude(line []byte) (Record, bool) {
	o, ok := object(line)
	if !ok {
		return Record{}, false
	}
	r := Record{ID: o.Text("uuid"), Session: o.Text("sessionId"), Cwd: o.Text("cwd")}
	r.At, _ = time.Parse(time.RFC3339, o.Text("timestamp"))
	if string(o.Get("isSidechain")) == "true" {
		r.Sub = o.Text("agentId")
		if r.Sub == "" {
			r.Sub = "sidechain" // older versions do not tell one from another
		}
	}
	switch o.Text("type") {
	case "attachment":
		if file, ok := attached(o.Get("attachment")); ok {
			r.Kind, r.File = PutBack, file
		}
	case "system":
		if o.Text("subtype") == "compact_boundary" {
			meta, _ := jsonscan.Members(o.Get("compactMetadata"))
			r.Kind, r.Trigger = Compaction, meta.Text("trigger")
		}
	case "user", "assistant":
		r.message(o)
	}
	return r, true
}

// object is the object that a line holds, and nothing else.
func object(line []byte) (jsonscan.Object, bool) {
	s := jsonscan.Scanner{Data: line}
	var o jsonscan.Object
	ok := s.Peek() == '{' && s.Object(&o) && s.Pos == len(line)
	return o, ok
}

// message reads a turn of the conversation.
func (r *Record) message(o jsonscan.Object) {
	m, _ := jsonscan.Members(o.Get("message"))
	content := m.Get("content")
	own := o.Text("type") == "user" && string(o.Get("isMeta")) != "true"
	if len(content) > 0 && content[0] == '"' {
		r.say(jsonscan.Unquote(content), own, string(o.Get("isCompactSummary")) == "true")
		return
	}
	blocks, _ := jsonscan.Elements(content)
	for _, v := range blocks {
		b, _ := jsonscan.Members(v)
		switch b.Text("type") {
		case "tool_use":
			r.Kind = Work
			r.Calls = append(r.Calls, Call{ID: b.Text("id"), Name: b.Text("name"), Input: b.Get("input")})
		case "tool_result":
			r.Kind = Work
			res := Result{ID: b.Text("tool_use_id"), Response: o.Get("toolUseResult"), Failed: string(b.Get("is_error")) == "true"}
			if v := b.Get("content"); res.Failed && len(v) > 0 && v[0] == '"' {
				res.Error = jsonscan.Unquote(v)
			}
			r.Results = append(r.Results, res)
		case "text":
			if r.Kind == Nothing {
				r.say(b.Text("text"), own, string(o.Get("isCompactSummary")) == "true")
			}
		}
	}
}

// say takes a text that is a person's own or a summary.
func (r *Record) say(text string, own, summary bool) {
	switch {
	case summary:
		r.Kind, r.Text = Summary, text
	case own && text != "" && !strings.HasPrefix(text, "<"): // the client marks its own words so
		r.Kind, r.Text = Prompt, text
	}
}

// Wanted reports whether a line may tell something, before it is read: most of a record's bytes are progress and snapshots.
func Wanted(line []byte) bool {
	head := line[:min(len(line), 512)]
	return !bytes.Contains(head, []byte(`"type":"progress"`)) && !bytes.HasPrefix(line, []byte(`{"type":"file-history-snapshot"`))
}
