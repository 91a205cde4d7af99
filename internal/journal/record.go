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

// ExcerptLength is how much of a command is kept, in characters.
const ExcerptLength = 200

// cutMark stands where something was cut away.
const cutMark = "…"

// Record is one decision. Every field but At may be empty. Append bounds all of them, takes control characters out and
// masks secrets in Target, Excerpt and Reason; content of files has no place here.
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
	// Target is the file that decided, as a canonical path where it has one. Of a long one the end is kept.
	Target string `json:"target,omitempty"`
	// Excerpt is the beginning of a command, at most ExcerptLength characters. Give the whole command: secrets are
	// masked before it is cut.
	Excerpt string `json:"excerpt,omitempty"`
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

// clean is the record as it may be written down.
func (r Record) clean() Record {
	r.At = r.At.UTC()
	r.Excerpt = Excerpt(r.Excerpt)
	r.Target = tail(plain(maskAll(window(r.Target), false)), 1024)
	r.Reason = head(plain(Mask(window(r.Reason))), 600)
	r.Root = Root(r.Root)
	r.Session = head(plain(r.Session), 1024)
	for _, s := range []*string{&r.Agent, &r.Sub, &r.Event, &r.Tool, &r.Decision, &r.Risk, &r.Rule} {
		*s = head(plain(*s), 128)
	}
	return r
}

// texts are all fields but the time.
func (r *Record) texts() [12]*string {
	return [...]*string{
		&r.Agent, &r.Session, &r.Sub, &r.Event, &r.Tool, &r.Target, &r.Excerpt, &r.Decision, &r.Risk, &r.Rule, &r.Reason, &r.Root,
	}
}

// Root is a project's folder as records name it.
func Root(dir string) string { return tail(plain(dir), 1024) }

// line is the record as one line of at most maxLine bytes.
func (r Record) line() ([]byte, error) {
	r = r.clean()
	for {
		b, err := r.encode()
		if err != nil || len(b) <= maxLine {
			return b, err
		}
		// Quotes and backslashes double; only absurd names come here.
		longest := &r.Root
		for _, s := range []*string{&r.Target, &r.Session, &r.Reason, &r.Excerpt} {
			if len(*s) > len(*longest) {
				longest = s
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
	for _, f := range [...]struct{ name, value string }{
		{"agent", r.Agent},
		{"session_id", r.Session},
		{"sub", r.Sub},
		{"event", r.Event},
		{"tool", r.Tool},
		{"target", r.Target},
		{"excerpt", r.Excerpt},
		{"decision", r.Decision},
		{"risk", r.Risk},
		{"rule", r.Rule},
		{"reason", r.Reason},
		{"root", r.Root},
	} {
		if f.value != "" {
			b = append(append(append(b, `,"`...), f.name...), `":`...)
			b = jsonscan.AppendText(b, f.value, false)
		}
	}
	return append(b, "}\n"...), nil
}

// Excerpt is the beginning of a command with its secrets masked, fit for one line: at most ExcerptLength characters.
func Excerpt(command string) string {
	s := plain(Mask(window(command)))
	n := 0
	for i := range s {
		if n == ExcerptLength-1 && utf8.RuneCountInString(s[i:]) > 1 {
			return s[:i] + cutMark
		}
		n++
	}
	return s
}

// window is as much of a text as is looked at. A word that does not fit is left out whole: half a secret might not be
// known for one.
func window(s string) string {
	const most = 2048
	if len(s) <= most {
		return s
	}
	s = s[:most]
	if i := strings.LastIndexAny(s, " \t\n"); i > 0 {
		return s[:i] + " " + cutMark
	}
	return cutMark
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
