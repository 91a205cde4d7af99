package gate

import (
	"maps"
	"slices"
)

// Clone is a copy that shares nothing that a decision changes.
func (s Session) Clone() Session {
	s.Contexts = maps.Clone(s.Contexts)
	for id, c := range s.Contexts {
		s.Contexts[id] = c.clone()
	}
	s.Changed = maps.Clone(s.Changed)
	s.Seen = slices.Clone(s.Seen)
	s.Notes = slices.Clone(s.Notes)
	s.Writes = slices.Clone(s.Writes)
	s.Hooks = slices.Clone(s.Hooks)
	s.Routed = slices.Clone(s.Routed)
	s.Bracket = s.Bracket.clone()
	s.Proposals.Written = slices.Clone(s.Proposals.Written)
	s.Proposals.Signed = slices.Clone(s.Proposals.Signed)
	return s
}

func (c *Context) clone() *Context {
	out := *c
	out.Anchors = slices.Clone(c.Anchors)
	out.Reads = maps.Clone(c.Reads)
	out.Sources = slices.Clone(c.Sources)
	out.Recovery = c.Recovery.clone()
	if c.Deferred != nil {
		out.Deferred = &Deferred{Dropped: slices.Clone(c.Deferred.Dropped)}
	}
	if c.Reader != nil {
		out.Reader = &ReaderCall{Call: c.Reader.Call, Recovery: c.Reader.Recovery.clone()}
	}
	return &out
}

func (r *Recovery) clone() *Recovery {
	if r == nil {
		return nil
	}
	out := *r
	out.Required = slices.Clone(r.Required)
	for i, q := range out.Required {
		if q.Printed != nil {
			p := *q.Printed
			out.Required[i].Printed = &p
		}
	}
	out.Also = slices.Clone(r.Also)
	return &out
}
