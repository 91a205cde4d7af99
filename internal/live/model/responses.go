package model

import (
	"encoding/json"
	"net/http"
	"strings"
)

// responses is the responses API of OpenAI: Codex CLI.
type responses struct{}

func (responses) parse(path string, body []byte) (Request, bool) {
	if !strings.HasSuffix(path, "/responses") {
		return Request{}, false
	}
	var in struct {
		Model        string
		Stream       bool
		Instructions string
		Input        []struct {
			Type    string
			Role    string
			Content json.RawMessage
			Output  json.RawMessage
			Tools   []responsesTool
		}
		Tools []responsesTool
	}
	if json.Unmarshal(body, &in) != nil {
		return Request{}, false
	}
	r := Request{Model: in.Model, System: in.Instructions, stream: in.Stream}
	r.offer(in.Tools)
	var turns []turn
	for _, item := range in.Input {
		switch item.Type {
		case "additional_tools": // the tools of a model that writes scripts
			r.offer(item.Tools)
		case "function_call_output", "custom_tool_call_output":
			turns = append(turns, turn{results: []string{text(item.Output)}})
		case "message", "agent_message", "": // the second is what agents of one team send each other
			turns = append(turns, turn{own: item.Role == "assistant", text: text(item.Content)})
		default: // a call, or what it reasoned
			turns = append(turns, turn{own: true})
		}
	}
	r.fill(turns)
	return r, true
}

// responsesTool is a tool, or a namespace of tools.
type responsesTool struct {
	Type, Name string
	Tools      []responsesTool
}

func (r *Request) offer(tools []responsesTool) {
	for _, t := range tools {
		if len(t.Tools) > 0 {
			r.offer(t.Tools)
			continue
		}
		if t.Name == "" {
			t.Name = t.Type
		}
		r.Tools = append(r.Tools, t.Name)
	}
}

func (responses) write(w http.ResponseWriter, r Request, s Step) {
	var items []map[string]any
	if s.Text != "" {
		items = append(items, map[string]any{
			"type": "message", "id": id("msg"), "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": s.Text, "annotations": []any{}}},
		})
	}
	for _, c := range s.Calls {
		if c.Args == nil {
			items = append(items, map[string]any{
				"type": "custom_tool_call", "id": id("ctc"), "call_id": id("call"), "name": c.Name, "input": c.Text, "status": "completed",
			})
			continue
		}
		raw, err := json.Marshal(c.Args)
		if err != nil {
			panic(err)
		}
		item := map[string]any{
			"type": "function_call", "id": id("fc"), "call_id": id("call"), "name": c.Name, "arguments": string(raw), "status": "completed",
		}
		if c.Space != "" {
			item["namespace"] = c.Space
		}
		items = append(items, item)
	}
	whole := map[string]any{
		"id": id("resp"), "object": "response", "created_at": 1, "status": "in_progress", "model": r.Model, "output": []any{},
	}
	list := []event{{"response.created", map[string]any{"type": "response.created", "response": whole}}}
	for i, item := range items {
		list = append(
			list,
			event{"response.output_item.added", map[string]any{"type": "response.output_item.added", "output_index": i, "item": item}},
			event{"response.output_item.done", map[string]any{"type": "response.output_item.done", "output_index": i, "item": item}},
		)
	}
	done := map[string]any{}
	for k, v := range whole {
		done[k] = v
	}
	done["status"], done["output"] = "completed", items
	done["usage"] = map[string]any{
		"input_tokens": s.Tokens, "input_tokens_details": map[string]any{"cached_tokens": 0},
		"output_tokens": 5, "output_tokens_details": map[string]any{"reasoning_tokens": 0}, "total_tokens": s.Tokens + 5,
	}
	if !r.stream {
		reply(w, http.StatusOK, done)
		return
	}
	events(w, append(list, event{"response.completed", map[string]any{"type": "response.completed", "response": done}})...)
}
