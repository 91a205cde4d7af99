package model

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync/atomic"
)

// turn is one message of a conversation, whatever the dialect.
type turn struct {
	// own is set for what the model itself said.
	own     bool
	text    string
	results []string
}

// fill derives the texts of a request from its conversation.
func (r *Request) fill(turns []turn) {
	var whole []string
	last := 0
	for i, t := range turns {
		if t.own {
			last = i + 1
			continue
		}
		whole = append(whole, t.all())
	}
	r.Whole = strings.Join(whole, "\n")
	if len(whole) > 0 {
		r.First = whole[0]
	}
	var ends []string
	for _, t := range turns[last:] {
		ends = append(ends, t.all())
		r.Results = append(r.Results, t.results...)
	}
	r.Last = strings.Join(ends, "\n")
}

func (t turn) all() string {
	return strings.TrimSpace(strings.Join(append([]string{t.text}, t.results...), "\n"))
}

// text is the text of a content that is a string, an object or a list of either, as all dialects have it.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		parts := make([]string, 0, len(list))
		for _, item := range list {
			if t := text(item); t != "" {
				parts = append(parts, t)
			}
		}
		return strings.Join(parts, "\n")
	}
	var object struct {
		Text    *string         `json:"text"`
		Content json.RawMessage `json:"content"`
		Sealed  *string         `json:"encrypted_content"` // nothing seals it here
	}
	if json.Unmarshal(raw, &object) == nil {
		if object.Text != nil {
			return *object.Text
		}
		if object.Sealed != nil {
			return *object.Sealed
		}
		if object.Content != nil {
			return text(object.Content)
		}
	}
	return ""
}

var count atomic.Int64

// id is a new identifier.
func id(prefix string) string { return prefix + "_" + strconv.FormatInt(1_000_000+count.Add(1), 10) }
