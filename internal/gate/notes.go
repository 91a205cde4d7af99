package gate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// Caps of the notes of one session (S5). No note pushes a deny out: only a person drops one.
const (
	maxNotes = 64
	// maxAnswered is how many answered questions are kept.
	maxAnswered = 16
	// MaxNoteText is how many bytes of a note are kept.
	MaxNoteText = 2000
	maxPhase    = 100
	maxPaths    = 16
	maxPathText = 256
)

// NoteKind is the kind of a note.
type NoteKind string

// The kinds of notes.
const (
	NoteDeny     NoteKind = "deny"
	NoteQuestion NoteKind = "question"
	// NoteAnswer answers a question of the run file, which mbgate does not write.
	NoteAnswer NoteKind = "answer"
	NoteNext   NoteKind = "next"
)

// Note is what an agent or a person wants to survive a compaction (C6).
type Note struct {
	ID   string    `json:"id"`
	Kind NoteKind  `json:"kind"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
	// Agent is set when an agent made the note, as far as that can be told.
	Agent bool `json:"agent,omitempty"`
	// Paths are the globs that a deny refuses changes of; a deny without them is shown and refuses nothing.
	Paths []string `json:"paths,omitempty"`
	// Blocking is set for a question that risky writes wait for, after the next compaction.
	Blocking bool `json:"blocking,omitempty"`
	// Phase is the phase of the work that a question or a next action belongs to.
	Phase string `json:"phase,omitempty"`
	// Answer is set once a question is answered.
	Answer     string    `json:"answer,omitempty"`
	AnsweredAt time.Time `json:"answered_at,omitzero"`
	// Suspended is set from a person's clear until the next compaction. What is noted meanwhile is not.
	Suspended bool `json:"suspended,omitempty"`
}

// Open reports whether a note still counts: it is no answer and not answered.
func (n Note) Open() bool { return n.Kind != NoteAnswer && n.AnsweredAt.IsZero() }

// denies reports whether a note is a deny that refuses something now.
func (n Note) denies() bool { return n.Kind == NoteDeny && len(n.Paths) > 0 && !n.Suspended }

// blocks reports whether a note is an open blocking question that was noted at or before a time.
func (n Note) blocks(since time.Time) bool {
	return n.Kind == NoteQuestion && n.Blocking && n.Open() && !n.At.After(since)
}

// AddNote adds a note and gives it an id. A new next action takes the place of the old one. The text is kept up to
// MaxNoteText; cut says that it was longer.
func (s *Session) AddNote(n Note, now time.Time) (id string, cut bool, err error) {
	if n.Text, cut = trimText(n.Text); n.Text == "" {
		return "", false, fmt.Errorf("the text of a %s is blank; say what it is", n.Kind)
	}
	if n.Phase, _ = trimText(n.Phase); len(n.Phase) > maxPhase {
		return "", false, fmt.Errorf("the phase is longer than %d bytes; name it shortly", maxPhase)
	}
	if n.Paths, err = cleanPaths(n.Paths, n.Agent); err != nil {
		return "", false, err
	}
	notes := slices.Clone(s.Notes)
	if n.Kind == NoteNext {
		notes = slices.DeleteFunc(notes, func(o Note) bool { return o.Kind == NoteNext })
	}
	open := 0
	for _, o := range notes {
		if o.Kind == n.Kind && o.Open() {
			open++
		}
	}
	if open >= maxNotes {
		remedy := "answer some of them with `mbgate note answer ID TEXT`"
		what := "questions"
		if n.Kind == NoteDeny {
			what, remedy = "denies", "a person drops those that no longer hold with `mbgate note drop ID`"
		}
		return "", false, fmt.Errorf("%d open %s are noted already, which is the most; %s", open, what, remedy)
	}
	s.Seq++
	n.ID, n.At = string(n.Kind[0])+strconv.Itoa(s.Seq), now
	s.Notes = append(notes, n)
	return n.ID, cut, nil
}

// AnswerNote answers an open question. An id that is no note's is taken for a question of the run file if foreign is
// set.
func (s *Session) AnswerNote(id, answer string, foreign bool, now time.Time) error {
	if answer, _ = trimText(answer); answer == "" {
		return fmt.Errorf("the answer is blank; say what it is")
	}
	notes := slices.Clone(s.Notes)
	i := slices.IndexFunc(notes, func(n Note) bool { return n.ID == id && n.Kind == NoteQuestion })
	switch {
	case i >= 0:
		notes[i].Answer, notes[i].AnsweredAt = answer, now
	case foreign:
		notes = slices.DeleteFunc(notes, func(n Note) bool { return n.Kind == NoteAnswer && n.ID == id })
		notes = append(notes, Note{ID: id, Kind: NoteAnswer, Text: "a question of the run file", At: now, Answer: answer, AnsweredAt: now})
	default:
		return &noNoteError{ID: id, What: "question"}
	}
	// The oldest answered ones go first.
	answered := 0
	for j := len(notes) - 1; j >= 0; j-- {
		if notes[j].Open() {
			continue
		}
		if answered++; answered > maxAnswered {
			notes = slices.Delete(notes, j, j+1)
		}
	}
	s.Notes = notes
	return nil
}

// Drop forgets a note.
func (s *Session) Drop(id string) (Note, error) {
	i := slices.IndexFunc(s.Notes, func(n Note) bool { return n.ID == id })
	if i < 0 {
		return Note{}, &noNoteError{ID: id, What: "note"}
	}
	n := s.Notes[i]
	s.Notes = slices.Delete(slices.Clone(s.Notes), i, i+1)
	return n, nil
}

// noNoteError is why a note could not be answered or dropped.
type noNoteError struct{ ID, What string }

func (e *noNoteError) Error() string {
	return fmt.Sprintf("there is no %s %s in this session; `mbgate note list` shows what there is", e.What, strconv.Quote(e.ID))
}

// trimText is a text without blanks around it, valid and bounded; cut says that there was more.
func trimText(s string) (text string, cut bool) {
	s = strings.TrimSpace(strings.ToValidUTF8(s, "\ufffd"))
	if len(s) <= MaxNoteText {
		return s, false
	}
	end := MaxNoteText
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end], true
}

// cleanPaths checks the globs of a deny. An agent's deny may not cover everything: only a person lifts a deny, so the
// project would be locked until one comes.
func cleanPaths(paths []string, agent bool) ([]string, error) {
	if len(paths) > maxPaths {
		return nil, fmt.Errorf("%d paths are more than the %d that one deny can have; use wider patterns", len(paths), maxPaths)
	}
	var out []string
	for _, p := range paths {
		g := strings.TrimPrefix(strings.TrimSpace(p), "./")
		if strings.HasSuffix(g, "/") {
			g += "**"
		}
		q := strconv.Quote(p[:min(len(p), 80)])
		switch {
		case g == "" || len(g) > maxPathText || !utf8.ValidString(g):
			return nil, fmt.Errorf("the path %s is blank, too long or no UTF-8; write a pattern of at most %d bytes relative to the project root", q, maxPathText)
		case strings.HasPrefix(g, "/") || g == ".." || strings.HasPrefix(g, "../") || strings.Contains(g, "/../") || strings.HasPrefix(g, "~"):
			return nil, fmt.Errorf("the path %s does not lie in the project; write a pattern relative to the project root, as in src/**", q)
		case !doublestar.ValidatePattern(g):
			return nil, fmt.Errorf("the path %s is not a valid pattern; write one like src/** or **/*.sql", q)
		case agent && coversAll(g):
			return nil, fmt.Errorf("the path %s covers the whole project, and only a person drops a deny: name the folders or kinds of files that are meant, or ask the person", q)
		}
		if !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out, nil
}

// coversAll reports whether a glob matches files of any name anywhere, by names that no project has.
func coversAll(glob string) bool {
	if glob == "." {
		return true
	}
	for _, name := range [...]string{"zq7", "zq7/xk3.jw9", "wv5/zq7/xk3.ph2", ".zq7/.xk3"} {
		if denies(glob, name) {
			return true
		}
	}
	return false
}

// denies reports whether the glob of a deny holds for a canonical path: it matches the path or a folder above it.
func denies(glob, name string) bool {
	return doublestar.MatchUnvalidated(glob, name) || doublestar.MatchUnvalidated(strings.TrimSuffix(glob, "/")+"/**", name)
}

// deniesBelow reports whether the glob of a deny may hold for something below a folder.
func deniesBelow(glob, dir string) bool {
	fixed := glob
	if i := strings.IndexAny(glob, `*?[{\`); i >= 0 {
		fixed = glob[:strings.LastIndexByte(glob[:i], '/')+1]
	}
	fixed = strings.TrimSuffix(fixed, "/")
	return dir == "." || fixed == "" || fixed == dir || strings.HasPrefix(fixed, dir+"/") || strings.HasPrefix(dir, fixed+"/")
}
