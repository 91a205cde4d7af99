package state

import (
	"encoding/json"
	"fmt"

	"github.com/mbgate/mbgate/internal/gate"
)

// migration turns the bytes of one schema into those of the next.
type migration func(raw []byte) ([]byte, error)

// migrations gives the step that leads from a schema to the next one, nil if there is none. Schema 1 is the first that
// was ever released, so there is no step yet; the first change of layout adds `case 1: return from1`.
func migrations(schema int) migration {
	switch schema {
	default:
		return nil
	}
}

// decode turns the bytes of a state file into a Session of today's schema, step by step. The error is a
// *NewerSchemaError without a path, or says why the bytes are no state.
func decode(raw []byte, step func(int) migration) (gate.Session, error) {
	if s, ok := unmarshal(raw); ok && s.Schema == gate.Schema {
		return s, nil
	}
	for {
		// The layout may be another one: believe nothing but the number.
		var head struct {
			Schema *int `json:"schema"`
		}
		if e := json.Unmarshal(raw, &head); e != nil {
			return gate.Session{}, fmt.Errorf("is not JSON of a state: %w", e)
		}
		switch {
		case head.Schema == nil:
			return gate.Session{}, fmt.Errorf("has no schema number")
		case *head.Schema > gate.Schema:
			return gate.Session{}, &NewerSchemaError{Schema: *head.Schema, Known: gate.Schema}
		case *head.Schema == gate.Schema:
			var s gate.Session
			if err := json.Unmarshal(raw, &s); err != nil {
				return gate.Session{}, fmt.Errorf("has a field of a wrong type: %w", err)
			}
			return s, nil
		}
		next := step(*head.Schema)
		if next == nil {
			return gate.Session{}, fmt.Errorf("has the unknown schema %d", *head.Schema)
		}
		moved, err := next(raw)
		if err != nil {
			return gate.Session{}, fmt.Errorf("cannot be brought from schema %d to the next: %w", *head.Schema, err)
		}
		var after struct {
			Schema int `json:"schema"`
		}
		if err := json.Unmarshal(moved, &after); err != nil || after.Schema <= *head.Schema {
			return gate.Session{}, fmt.Errorf("cannot be brought from schema %d to the next", *head.Schema)
		}
		raw = moved
	}
}

// encode gives the bytes of a state file. The same Session always gives the same bytes: maps are sorted, times lose
// their monotonic reading, and the Session's own times their zone. Times deeper inside must be kept in UTC by whoever
// sets them, else an unchanged Session may be saved once more.
func encode(s gate.Session) ([]byte, error) {
	raw, err := marshal(s)
	if err != nil {
		return nil, err
	}
	return append(raw, '\n'), nil
}
