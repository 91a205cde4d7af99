package model

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// gemini is the generateContent API of Google: Gemini CLI.
type gemini struct{}

func (gemini) parse(path string, body []byte) (Request, bool) {
	stream := strings.HasSuffix(path, ":streamGenerateContent")
	if !stream && !strings.HasSuffix(path, ":generateContent") {
		return Request{}, false
	}
	type part struct {
		Text             string
		FunctionCall     json.RawMessage
		FunctionResponse *struct {
			Name     string
			Response map[string]json.RawMessage
		}
	}
	type content struct {
		Role  string
		Parts []part
	}
	var in struct {
		SystemInstruction content
		Contents          []content
		Tools             []struct{ FunctionDeclarations []struct{ Name string } }
	}
	if json.Unmarshal(body, &in) != nil {
		return Request{}, false
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	r := Request{Model: name[:strings.IndexByte(name, ':')], stream: stream}
	for _, p := range in.SystemInstruction.Parts {
		r.System += p.Text + "\n"
	}
	for _, t := range in.Tools {
		for _, f := range t.FunctionDeclarations {
			r.Tools = append(r.Tools, f.Name)
		}
	}
	turns := make([]turn, 0, len(in.Contents))
	for _, c := range in.Contents {
		t := turn{own: c.Role == "model"}
		for _, p := range c.Parts {
			if p.FunctionResponse == nil {
				t.text += p.Text + "\n"
				continue
			}
			var texts []string
			for _, key := range []string{"error", "output"} {
				if raw, ok := p.FunctionResponse.Response[key]; ok {
					texts = append(texts, text(raw))
				}
			}
			t.results = append(t.results, strings.Join(texts, "\n"))
		}
		turns = append(turns, t)
	}
	r.fill(turns)
	return r, true
}

// completed is the text with which a subagent of Gemini CLI ends: by a tool that takes a text, or an object with one in it.
func completed(body []byte, text string) any {
	var in struct {
		Tools []struct {
			FunctionDeclarations []struct {
				Name                             string
				Parameters, ParametersJSONSchema struct {
					Properties struct{ Result struct{ Type string } }
				}
			}
		}
	}
	_ = json.Unmarshal(body, &in)
	for _, t := range in.Tools {
		for _, f := range t.FunctionDeclarations {
			kind := f.Parameters.Properties.Result.Type + f.ParametersJSONSchema.Properties.Result.Type
			if f.Name == "complete_task" && strings.EqualFold(kind, "object") {
				return map[string]any{"response": text}
			}
		}
	}
	return text
}

func (gemini) write(w http.ResponseWriter, r Request, s Step) {
	var parts []map[string]any
	if s.Text != "" {
		parts = append(parts, map[string]any{"text": s.Text})
	}
	calls := s.Calls
	if len(calls) == 0 && slices.Contains(r.Tools, "complete_task") {
		calls = []Call{{Name: "complete_task", Args: map[string]any{"result": completed(r.Body, s.Text)}}}
	}
	for _, c := range calls {
		parts = append(parts, map[string]any{"functionCall": map[string]any{"name": c.Name, "args": c.Args}})
	}
	answer := map[string]any{
		"candidates": []any{map[string]any{
			"index": 0, "finishReason": "STOP", "content": map[string]any{"role": "model", "parts": parts},
		}},
		"usageMetadata": map[string]any{
			"promptTokenCount": s.Tokens, "candidatesTokenCount": 5, "totalTokenCount": s.Tokens + 5,
		},
		"modelVersion": r.Model, "responseId": id("resp"),
	}
	if !r.stream {
		reply(w, http.StatusOK, answer)
		return
	}
	events(w, event{"", answer})
}
