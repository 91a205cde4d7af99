package render

import "time"

// auditSchema is the number of the report's layout.
const auditSchema = 1

// Audit is what the records of sessions tell (SPEC §19). Times are UTC; tokens are bytes divided by four.
type Audit struct {
	Schema   int            `json:"schema"`
	Sessions []AuditSession `json:"sessions"`
	Sum      AuditSum       `json:"sum"`
	// Anchors are the patterns that documents were told by; Given is set where the project or the person named them.
	Anchors []string `json:"anchors"`
	Given   bool     `json:"anchors_given"`
	// Proposal are patterns for `anchors`: the documents that were read before compactions.
	Proposal []string `json:"proposal"`
	// Files and Bytes were read; Damaged lines were skipped, Repeated records counted once.
	Files    int   `json:"files"`
	Bytes    int64 `json:"bytes"`
	Damaged  int   `json:"damaged_lines"`
	Repeated int   `json:"repeated_records"`
}

// AuditSum are the counts of all sessions. Documents are those that frame a task; with and without them are compactions.
type AuditSum struct {
	Compactions   int `json:"compactions"`
	Automatic     int `json:"automatic"`
	WithDocuments int `json:"with_documents"`
	// Written are compactions with documents after which risky writes were made, Unread those of them with a write while a
	// document was unread, NeverRead those after which no document was read again before the next compaction.
	Written   int `json:"written"`
	Unread    int `json:"unread"`
	NeverRead int `json:"never_read"`
	// Writes are the risky writes after compactions with documents, WritesUnread those made while one was unread.
	Writes       int `json:"writes"`
	WritesUnread int `json:"writes_unread"`
	// What mbgate would have cost: refusals (one for each compaction with a write), reads and tokens; of Unknown documents the
	// length is not known. Harmless are refused calls that changed nothing in the project, as far as it can be told.
	Refusals int `json:"refusals"`
	Reads    int `json:"reads"`
	Tokens   int `json:"tokens"`
	Unknown  int `json:"unknown_documents"`
	Harmless int `json:"harmless_refused"`
	PutBack  int `json:"put_back"`
}

// AuditSession is one session of an agent.
type AuditSession struct {
	Agent       string       `json:"agent"`
	ID          string       `json:"session_id"`
	Root        string       `json:"root"`
	Compactions []Compaction `json:"compactions"`
}

// Compaction is one compaction of a context, and what followed until the next.
type Compaction struct {
	At      time.Time `json:"at"`
	Trigger string    `json:"trigger"`
	Sub     string    `json:"subagent,omitempty"`
	// Documents are those that the gate would have asked for.
	Documents []AuditDocument `json:"documents"`
	// Calls is how many calls came before the first risky write, -1 where there was none.
	Calls        int `json:"calls_before_write"`
	Writes       int `json:"writes"`
	WritesUnread int `json:"writes_unread"`
	Harmless     int `json:"harmless_refused"`
	// First is when the first write was made while a document was unread.
	First time.Time `json:"first_unread_write,omitzero"`
}

// AuditDocument is a document that was read before a compaction, with what may tell whether it is about the work at hand.
type AuditDocument struct {
	Path string `json:"path"`
	// Lines and Tokens are those that were known when it was compacted, 0 where its length is not known.
	Lines  int `json:"lines"`
	Tokens int `json:"tokens"`
	// ReadAgain is after how many calls all of it was read again, -1 for never; PutBack where the client showed it by itself.
	ReadAgain int  `json:"read_again_after"`
	PutBack   bool `json:"put_back"`
	// Hours and Prompts lie between the last read and the compaction.
	Hours   float64 `json:"hours_since_read"`
	Prompts int     `json:"prompts_since_read"`
	// InSummary and InPrompts: its name is in the summary, in a later prompt. NamesWritten: it names a file that was written
	// afterwards, as far as its text is known. Own: this session wrote it.
	InSummary    bool `json:"named_in_summary"`
	InPrompts    bool `json:"named_in_prompts"`
	NamesWritten bool `json:"names_written_file"`
	Own          bool `json:"written_by_session"`
}

// Count fills in what follows from the sessions.
func (r *Audit) Count() {
	r.Schema = auditSchema
	r.Sum = AuditSum{}
	for _, s := range r.Sessions {
		for _, c := range s.Compactions {
			r.Sum.add(c)
		}
	}
}

func (s *AuditSum) add(c Compaction) {
	s.Compactions++
	if c.Trigger == "auto" {
		s.Automatic++
	}
	if len(c.Documents) == 0 {
		return
	}
	s.WithDocuments++
	s.Writes += c.Writes
	s.WritesUnread += c.WritesUnread
	s.Harmless += c.Harmless
	again := false
	for _, d := range c.Documents {
		again = again || d.ReadAgain >= 0
		if d.PutBack {
			s.PutBack++
		}
	}
	if c.Writes > 0 {
		s.Written++
		if !again {
			s.NeverRead++
		}
	}
	if c.WritesUnread == 0 {
		return
	}
	s.Unread++
	s.Refusals++
	for _, d := range c.Documents {
		if d.Lines == 0 {
			s.Unknown++
		}
		s.Reads++
		s.Tokens += d.Tokens
	}
}
