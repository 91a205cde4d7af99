package journal

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mbgate/mbgate/internal/jsonscan"
)

// maxLine is the most one record takes, in bytes with its newline. One page: small enough that no system splits it.
const maxLine = 4096

// cutMark replaces what was cut away.
const cutMark = "…"

// Record is one decision. Every field but At may be empty. Append bounds all of them and takes control characters out.
// No field may hold the text of a command, a file, a prompt or a note: nothing here looks for secrets.
type Record struct {
	// At is when it was decided. It must stay the first field: Read finds by it where a record begins.
	At time.Time `json:"at"`
	// Agent is the client's name, Session the session id, Sub the subagent's id.
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session_id,omitempty"`
	Sub     string `json:"sub,omitempty"`
	// Event is the canonical event (SPEC §3), Tool the tool as the client spells it.
	Event string `json:"event,omitempty"`
	Tool  string `json:"tool,omitempty"`
	// Programs are the programs that a command runs, with their subcommands and without folders and arguments: "git
	// checkout, rm".
	Programs string `json:"programs,omitempty"`
	// Target is the file that decided, as a canonical path where it has one. Of a long one the end is kept.
	Target string `json:"target,omitempty"`
	// Decision is allow, warn or block (SPEC §19), or what else happened (arm, open, clear, drop).
	Decision string `json:"decision,omitempty"`
	Risk     string `json:"risk,omitempty"`
	// Rule is the number of the rule in SPEC that decided ("R3").
	Rule string `json:"rule,omitempty"`
	// Reason is one sentence for people.
	Reason string `json:"reason,omitempty"`
	// Root is the absolute folder of the project. Of a long one the end is kept.
	Root string `json:"root,omitempty"`
}

// field is one text of a record: its name in JSON, where it is, and how many bytes of it are kept.
type field struct {
	name string
	text *string
	most int
	// end keeps the end of a long text instead of its beginning.
	end bool
}

// fields are all fields but the time, in the order of the struct.
func (r *Record) fields() [12]field {
	return [...]field{
		{"agent", &r.Agent, 128, false},
		{"session_id", &r.Session, 1024, false},
		{"sub", &r.Sub, 128, false},
		{"event", &r.Event, 128, false},
		{"tool", &r.Tool, 128, false},
		{"programs", &r.Programs, 256, false},
		{"target", &r.Target, 1024, true},
		{"decision", &r.Decision, 128, false},
		{"risk", &r.Risk, 128, false},
		{"rule", &r.Rule, 128, false},
		{"reason", &r.Reason, 600, false},
		{"root", &r.Root, maxRoot, true},
	}
}

const maxRoot = 1024

// Root is a project's folder as records name it.
func Root(dir string) string { return tail(plain(dir), maxRoot) }

// line is the record as one line of at most maxLine bytes.
func (r Record) line() ([]byte, error) {
	r.At = r.At.UTC()
	for _, f := range r.fields() {
		if *f.text = plain(*f.text); f.end {
			*f.text = tail(*f.text, f.most)
		} else {
			*f.text = head(*f.text, f.most)
		}
	}
	for {
		b, err := r.encode()
		if err != nil || len(b) <= maxLine {
			return b, err
		}
		// Quotes and backslashes double; only absurd names come here.
		longest := &r.Root
		for _, f := range r.fields() {
			if len(*f.text) > len(*longest) {
				longest = f.text
			}
		}
		*longest = head(*longest, len(*longest)/2)
	}
}

// encode is what encoding/json makes of the record, with <, > and & as they are, and a newline. It is not encoding/json
// because that would first build an encoder for the type, in every hook that writes a record.
func (r Record) encode() ([]byte, error) {
	b, err := r.At.AppendText(append(make([]byte, 0, maxLine), `{"at":"`...))
	if err != nil {
		return nil, err
	}
	b = append(b, '"')
	for _, f := range r.fields() {
		if *f.text != "" {
			b = append(append(append(b, `,"`...), f.name...), `":`...)
			b = jsonscan.AppendText(b, *f.text, false)
		}
	}
	return append(b, "}\n"...), nil
}

// plain makes a text fit for a line on a terminal: blanks become spaces, what is invisible or steers a terminal or the
// direction of writing becomes U+FFFD.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\r':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == '\u2028', r == '\u2029':
			return utf8.RuneError
		}
		return r
	}, s)
}

// head keeps at most n bytes from the beginning, tail from the end; neither cuts a character.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(n-len(cutMark), 0)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + cutMark
}

func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s) - max(n-len(cutMark), 0)
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return cutMark + s[i:]
}
