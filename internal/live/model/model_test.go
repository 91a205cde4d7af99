package model_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestDialects sends each dialect's request of a conversation that has a prompt, a call and its result, and looks at what
// is read of it and at the answer.
func TestDialects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, path, body, answer string }{
		{
			"anthropic", "/v1/messages",
			`{"model":"m","stream":true,"system":[{"type":"text","text":"SYSTEM"}],"tools":[{"name":"Read"}],"messages":[` +
				`{"role":"user","content":"PROMPT"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"Read","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"RESULT"}]}]}]}`,
			`"partial_json":"{\"path\":\"a\"}"`,
		},
		{
			"chat", "/v1/chat/completions",
			`{"model":"m","stream":true,"tools":[{"type":"function","function":{"name":"Read"}}],"messages":[` +
				`{"role":"system","content":"SYSTEM"},{"role":"user","content":"PROMPT"},{"role":"assistant","content":null,"tool_calls":[]},` +
				`{"role":"tool","tool_call_id":"1","content":"RESULT"}]}`,
			`"arguments":"{\"path\":\"a\"}"`,
		},
		{
			"responses", "/v1/responses",
			`{"model":"m","stream":true,"instructions":"SYSTEM","tools":[{"type":"function","name":"Read"}],"input":[` +
				`{"type":"message","role":"user","content":[{"type":"input_text","text":"PROMPT"}]},{"type":"function_call","name":"Read"},` +
				`{"type":"function_call_output","call_id":"1","output":"RESULT"}]}`,
			`"arguments":"{\"path\":\"a\"}"`,
		},
		{
			"gemini", "/v1beta/models/m:streamGenerateContent",
			`{"systemInstruction":{"parts":[{"text":"SYSTEM"}]},"tools":[{"functionDeclarations":[{"name":"Read"}]}],"contents":[` +
				`{"role":"user","parts":[{"text":"PROMPT"}]},{"role":"model","parts":[{"functionCall":{"name":"Read","args":{}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"Read","response":{"output":"RESULT"}}}]}]}`,
			`"args":{"path":"a"}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := model.Listen()
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			s.Script(model.Main, model.Do(model.Call{Name: "Read", Args: map[string]any{"path": "a"}}))
			got := post(t, s.URL()+c.path, c.body)
			if !strings.Contains(got, c.answer) {
				t.Errorf("the answer lacks %s:\n%s", c.answer, got)
			}
			if got := post(t, s.URL()+c.path, c.body); !strings.Contains(got, "done") {
				t.Errorf("without a script the answer is not done:\n%s", got)
			}
			seen := s.Since(0)
			if len(seen) != 2 {
				t.Fatalf("%d requests were kept, want 2", len(seen))
			}
			r := seen[0]
			if r.Kind != model.Main || r.Model != "m" || strings.TrimSpace(r.System) != "SYSTEM" || r.First != "PROMPT" ||
				r.Last != "RESULT" || r.Whole != "PROMPT\nRESULT" || strings.Join(r.Results, "|") != "RESULT" || strings.Join(r.Tools, "|") != "Read" {
				t.Errorf("read as %+v", r)
			}
		})
	}
}

// TestKinds sorts requests by the marker of a subagent's prompt, by the lack of tools, and by the test's own sign.
func TestKinds(t *testing.T) {
	t.Parallel()
	s, err := model.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Kind = func(r model.Request) string {
		if strings.Contains(r.Last, "summarise") {
			return model.Summary
		}
		return ""
	}
	const tools = `"tools":[{"function":{"name":"Read"}}],`
	for _, c := range []struct{ body, kind string }{
		{`{` + tools + `"messages":[{"role":"user","content":"hello"}]}`, model.Main},
		{`{"messages":[{"role":"user","content":"hello"}]}`, model.Side},
		{`{` + tools + `"messages":[{"role":"user","content":"` + model.Marker("reader") + ` hello"}]}`, "sub:reader"},
		{`{` + tools + `"messages":[{"role":"user","content":"hello"},{"role":"user","content":"summarise"}]}`, model.Summary},
	} {
		post(t, s.URL()+"/chat/completions", c.body)
		if got := s.Since(s.Count() - 1)[0].Kind; got != c.kind {
			t.Errorf("%s is %q, want %q", c.body, got, c.kind)
		}
	}
}

func post(t *testing.T, url, body string) string {
	t.Helper()
	answer, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
