package wire

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/jsonscan"
)

// Printed is the text that a tool's result holds, whatever the tool: a string, a list of parts as MCP has them
// ({"type":"text","text":…}), or an object with one of these in a usual place. It is false where the result has no
// text at all (an image, a bare status).
func Printed(v []byte) (string, bool) {
	if len(v) == 0 {
		return "", false
	}
	switch v[0] {
	case '"':
		return jsonscan.Unquote(v), true
	case '[':
		list, _ := jsonscan.Elements(v)
		var parts []string
		for _, e := range list {
			if e[0] == '"' {
				parts = append(parts, jsonscan.Unquote(e))
				continue
			}
			if part, ok := jsonscan.Members(e); ok && part.Get("text") != nil {
				parts = append(parts, part.Text("text"))
			}
		}
		return strings.Join(parts, "\n"), parts != nil
	case '{':
		o, _ := jsonscan.Members(v)
		for _, key := range [...]string{"output", "stdout", "content", "text", "result", "data"} {
			if inner := o.Get(key); inner != nil && (inner[0] == '"' || inner[0] == '[') {
				if s, ok := Printed(inner); ok {
					return s, true
				}
			}
		}
	}
	return "", false
}

// TextResult is a result of which only the printed text is looked at, and that only for tools that can show a file, and for
// subagents.
func TextResult(c event.Class, v []byte) *event.Result {
	r := &event.Result{}
	switch c {
	case event.Read, event.Shell, event.MCP, event.Subagent, event.Unclassified:
		r.Text, r.HasText = Printed(v)
	}
	if c != event.Shell {
		r.Text += inner(r.Text)
	}
	return r
}

// inner are the texts in a result that is JSON itself: Claude Code 2.1.328 gives the structuredContent of an MCP server so,
// to hooks and to the model.
func inner(text string) string {
	if !strings.HasPrefix(text, "{") {
		return ""
	}
	o, bad := Parse([]byte(text))
	if bad != nil {
		return ""
	}
	var b strings.Builder
	for _, m := range o {
		addTexts(&b, m.Value)
	}
	return b.String()
}

func addTexts(b *strings.Builder, v []byte) {
	switch v[0] {
	case '"':
		b.WriteString("\n" + jsonscan.Unquote(v))
	case '[':
		list, _ := jsonscan.Elements(v)
		for _, e := range list {
			addTexts(b, e)
		}
	case '{':
		o, _ := jsonscan.Members(v)
		for _, m := range o {
			addTexts(b, m.Value)
		}
	}
}
