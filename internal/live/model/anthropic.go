package model

import (
	"encoding/json"
	"net/http"
	"strings"
)

// anthropic is the messages API of Anthropic: Claude Code.
type anthropic struct{}

func (anthropic) parse(path string, body []byte) (Request, bool) {
	if !strings.HasSuffix(path, "/v1/messages") {
		return Request{}, false
	}
	var in struct {
		Model    string
		Stream   bool
		System   json.RawMessage
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Tools []struct{ Name string }
	}
	if json.Unmarshal(body, &in) != nil {
		return Request{}, false
	}
	r := Request{Model: in.Model, System: text(in.System), stream: in.Stream}
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, t.Name)
	}
	turns := make([]turn, 0, len(in.Messages))
	for _, m := range in.Messages {
		t := turn{own: m.Role == "assistant"}
		var blocks []struct {
			Type    string
			Text    string
			Content json.RawMessage
		}
		if json.Unmarshal(m.Content, &blocks) != nil {
			t.text = text(m.Content)
		}
		for _, b := range blocks {
			switch b.Type {
			case "text":
				t.text += b.Text + "\n"
			case "tool_result":
				t.results = append(t.results, text(b.Content))
			}
		}
		turns = append(turns, t)
	}
	r.fill(turns)
	return r, true
}

func (anthropic) write(w http.ResponseWriter, r Request, s Step) {
	var blocks []map[string]any
	if s.Text != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": s.Text})
	}
	for _, c := range s.Calls {
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": id("toolu"), "name": c.Name, "input": c.Args})
	}
	stop := "end_turn"
	if len(s.Calls) > 0 {
		stop = "tool_use"
	}
	usage := map[string]any{"input_tokens": s.Tokens, "output_tokens": 5}
	message := map[string]any{
		"id": id("msg"), "type": "message", "role": "assistant", "model": r.Model, "content": blocks,
		"stop_reason": stop, "stop_sequence": nil, "usage": usage,
	}
	if !r.stream {
		reply(w, http.StatusOK, message)
		return
	}
	message["content"], message["stop_reason"] = []any{}, nil
	list := []event{{"message_start", map[string]any{"type": "message_start", "message": message}}}
	for i, b := range blocks {
		start, delta := b, map[string]any{"type": "text_delta", "text": b["text"]}
		if b["type"] == "text" {
			start = map[string]any{"type": "text", "text": ""}
		} else {
			raw, err := json.Marshal(b["input"])
			if err != nil {
				panic(err)
			}
			start = map[string]any{"type": "tool_use", "id": b["id"], "name": b["name"], "input": map[string]any{}}
			delta = map[string]any{"type": "input_json_delta", "partial_json": string(raw)}
		}
		list = append(
			list,
			event{"content_block_start", map[string]any{"type": "content_block_start", "index": i, "content_block": start}},
			event{"content_block_delta", map[string]any{"type": "content_block_delta", "index": i, "delta": delta}},
			event{"content_block_stop", map[string]any{"type": "content_block_stop", "index": i}},
		)
	}
	list = append(
		list,
		event{"message_delta", map[string]any{
			"type": "message_delta", "delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": usage,
		}},
		event{"message_stop", map[string]any{"type": "message_stop"}},
	)
	events(w, list...)
}
