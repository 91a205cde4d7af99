// Package gate decides. Given what is remembered of a session, one event and the facts about the disk, it says what to
// remember next and what to answer. It is pure: no clock, no files, no text for people; package render turns a Decision
// into words and package state keeps the Session.
package gate

import "time"

// Schema is the number of the state's layout. A file with a larger one was written by a newer mbgate (S1).
const Schema = 1

// Session is everything that is remembered of one session of one agent (S5). It is a plain value that encodes to JSON.
type Session struct {
	Schema int    `json:"schema"`
	ID     string `json:"id"`
	Agent  string `json:"agent,omitempty"`
	// Root is the absolute folder the session is pinned to (P1), "" while it is not.
	Root      string    `json:"root,omitempty"`
	StartedAt time.Time `json:"started_at"`
	// LastAt is the last event that changed anything.
	LastAt time.Time `json:"last_at"`
	// EndedAt is set when the client said that the session ended; the next event takes it back (S4).
	EndedAt time.Time `json:"ended_at,omitzero"`
	// Damaged is set by the store when the file could not be read and this is the previous generation, or nothing at
	// all: the next event turns it into a recovery (S3).
	Damaged bool `json:"damaged,omitempty"`
}
