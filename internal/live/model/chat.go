package model

import (
	"encoding/json"
	"net/http"
	"strings"
)

// chat is the chat completions API of OpenAI: OpenCode, Qwen Code, Copilot CLI with a key of one's own.
type chat struct{}

func (chat) parse(path string, body []byte) (Request, bool) {
	if !strings.HasSuffix(path, "/chat/completions") {
		return Request{}, false
	}
	var in struct {
		Model    string
		Stream   bool
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Tools []struct{ Function struct{ Name string } }
	}
	if json.Unmarshal(body, &in) != nil {
		return Request{}, false
	}
	r := Request{Model: in.Model, stream: in.Stream}
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, t.Function.Name)
	}
	var turns []turn
	for _, m := range in.Messages {
		switch t := text(m.Content); m.Role {
		case "system", "developer":
			r.System += t + "\n"
		case "tool":
			turns = append(turns, turn{results: []string{t}})
		default:
			turns = append(turns, turn{own: m.Role == "assistant", text: t})
		}
	}
	r.fill(turns)
	return r, true
}

func (chat) write(w http.ResponseWriter, r Request, s Step) {
	var calls []map[string]any
	for i, c := range s.Calls {
		raw, err := json.Marshal(c.Args)
		if err != nil {
			panic(err)
		}
		calls = append(calls, map[string]any{
			"index": i, "id": id("call"), "type": "function",
			"function": map[string]any{"name": c.Name, "arguments": string(raw)},
		})
	}
	message := map[string]any{"role": "assistant", "content": s.Text}
	finish := "stop"
	if len(calls) > 0 {
		message["tool_calls"], finish = calls, "tool_calls"
	}
	usage := map[string]any{"prompt_tokens": s.Tokens, "completion_tokens": 5, "total_tokens": s.Tokens + 5}
	out := func(kind string, choices ...any) map[string]any {
		if choices == nil {
			choices = []any{}
		}
		return map[string]any{"id": id("chatcmpl"), "object": kind, "created": 1, "model": r.Model, "choices": choices}
	}
	if !r.stream {
		whole := out("chat.completion", map[string]any{"index": 0, "message": message, "finish_reason": finish})
		whole["usage"] = usage
		reply(w, http.StatusOK, whole)
		return
	}
	const chunk = "chat.completion.chunk"
	last := out(chunk)
	last["usage"] = usage
	events(
		w,
		event{"", out(chunk, map[string]any{"index": 0, "delta": message, "finish_reason": nil})},
		event{"", out(chunk, map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": finish})},
		event{"", last},
		event{"", "[DONE]"},
	)
}
