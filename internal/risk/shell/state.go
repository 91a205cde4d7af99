package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// A string that a judgement follows may hold two marks for what is not known. Judge takes them out of the command, and the
// parser keeps them in a text that was computed, as it would not keep NUL.
const (
	anyText = "\x02" // any text, slashes too: the value of an unknown variable, a line of a file
	anyName = "\x01" // any text that has no slash and is no option: a number, a date, a base name
)

func isKnown(s string) bool { return !strings.ContainsAny(s, anyText+anyName) }

const (
	opWrite  = event.OpWrite
	opAppend = event.OpAppend
	opCreate = event.OpCreate
	opDelete = event.OpDelete
	opMove   = event.OpMove
	opMode   = event.OpMode
	opLink   = event.OpLink
)

// arg is a word after expansion. reads are the files whose content is in it ("$(cat f)").
type arg struct {
	s      string
	reads  []Read
	quoted bool         // some of it was quoted: an alias or a keyword no more
	unset  bool         // nothing but a variable that the command does not set
	word   *syntax.Word // what was written, of a word that is not known: for reasons
}

// content is what flows through a pipe or stands in a file: its text as far as known, and which files' contents are in
// it.
type content struct {
	text   string
	reads  []Read
	pos    int              // how much of text `read` has taken
	loose  bool             // the lines are known, but not their order
	absent bool             // it is the content of a file that is missing now
	grown  *strings.Builder // holds text while it grows, so that appending copies nothing
}

func (c *content) add(text string, reads []Read) {
	if c == nil {
		return
	}
	switch {
	case text == "", text == anyText && strings.HasSuffix(c.text, anyText): // as unknown as before
	case c.text == "" && len(text) <= maxText:
		c.text = text
	case len(c.text)+len(text) <= maxText/8:
		if c.grown == nil || c.grown.String() != c.text { // the same pointer, or text that came from elsewhere
			c.grown = &strings.Builder{}
			c.grown.WriteString(c.text)
		}
		c.grown.WriteString(text)
		c.text = c.grown.String()
	case !strings.HasSuffix(c.text, anyText):
		c.text += anyText
	}
	if len(c.reads)+len(reads) <= maxFields {
		c.reads = append(c.reads, reads...)
	}
}

// rest is what of the text has not been read yet.
func (c *content) rest() string {
	if c == nil || c.pos >= len(c.text) {
		return ""
	}
	return c.text[c.pos:]
}

// fd is one open file descriptor. A nil in is an empty input, a nil out discards.
type fd struct {
	n   int
	in  *content
	out *content
}

type fdTable []fd

func (t fdTable) get(n int) fd {
	for _, f := range t {
		if f.n == n {
			return f
		}
	}
	return fd{n: n}
}

// with returns a copy of the table in which descriptor f.n is f.
func (t fdTable) with(f fd) fdTable {
	c := make(fdTable, 0, len(t)+1)
	for _, old := range t {
		if old.n != f.n {
			c = append(c, old)
		}
	}
	return append(c, f)
}

// walker is one judgement.
type walker struct {
	env       Env
	rep       Report
	out       *content // what reaches the command's standard output
	tty       *content // standard input as the agent leaves it: empty, or a terminal
	budget    int      // commands that may still be run
	looks     int      // names that finds may still look at
	finds     int      // finds that run the command that is walked
	depth     int      // of syntax
	level     int      // of texts and wrappers
	spent     int      // bytes that expansions have made
	moved     bool     // files of the working tree have changed: their lengths are not known
	own       int      // programs run that the tables do not know, the project's among them
	maybe     int      // > 0 while the commands that are walked may not run
	src       string   // the text that is walked, "" in a function, whose body may stand in another
	part      string   // the simple command that is walked, as it is written
	inside    string   // which text within the command is walked, for reasons: "bash -c"
	chained   int      // > 0 behind an && whose left side will succeed, but may not
	doubt     int      // > 0 while not even a full read may be credited
	inCond    bool
	active    []activation
	exported  []string // functions that are exported
	dirty     bool     // something ran whose effects are not known: files may have come into being
	made      map[string]*madeFile
	kids      map[string][]string // folder → names of what was made in it
	seen      map[string]int      // effect → its index
	rows      map[string]*row
	traps     []trap
	procs     int // process substitutions so far
	links     []link
	following bool // links are being followed
}

// madeFile is a file or folder that the command itself made.
type madeFile struct {
	kind  place.Kind
	body  *content
	built bool // by a build, of files of the project alone
}

// link is a link that the command itself made: absolute paths.
type link struct{ name, to string }

// within walks a text within the command; reasons say that it is in it.
func (w *walker) within(label string, walk func()) {
	outer := w.inside
	w.inside = label
	if outer != "" {
		w.inside = outer + ": " + label
	}
	walk()
	w.inside = outer
}

func (w *walker) unknown(kind reason.Kind, by, object string) {
	w.rep.Unknown = addOnce(w.rep.Unknown, reason.Reason{Kind: kind, By: by, Object: object, Part: firstLine(w.part)})
}

func (w *walker) unbounded(why reason.Reason) {
	why.Part = firstLine(w.part)
	w.rep.Unbounded = addOnce(w.rep.Unbounded, why)
}

// typed is the text of a simple command, or of a compound one with redirections; of other statements what it was before.
func (w *walker) typed(s *syntax.Stmt) string {
	if _, simple := s.Cmd.(*syntax.CallExpr); !simple && s.Cmd != nil && len(s.Redirs) == 0 {
		return w.part
	}
	if from, to := int(s.Pos().Offset()), int(s.End().Offset()); from < to && to <= len(w.src) {
		return w.src[from:min(to, from+maxPart)]
	}
	return w.part
}

// maxPart bounds what a reason quotes of a command, and with it what each of many reasons costs.
const maxPart = 200

func firstLine(s string) string {
	line, _, more := strings.Cut(s, "\n")
	if line = show(line); more {
		line += " …"
	}
	return line
}

// maxReasons bounds the lists of reasons; more of them say nothing new.
const maxReasons = 32

func addOnce[T comparable](list []T, s T) []T {
	if len(list) >= maxReasons {
		return list
	}
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// maxOwn bounds the list of different uses of mbgate.
const maxOwn = 512

// special notes a command of special interest. The list is bounded, but nothing hides behind many others: one of each
// kind is always kept, and what is said of more uses of mbgate than the list holds is a use that nobody knows, which is
// refused.
func (w *walker) special(kind SpecialKind, args []arg) {
	sp := Special{Kind: kind, Part: firstLine(w.part), Args: knownTexts(args)}
	if kind == Mbgate && len(w.rep.Specials) >= maxOwn {
		sp.Args = []string{"mbgate", ""}
	}
	alike := 0
	for _, o := range w.rep.Specials {
		if o.Kind == sp.Kind {
			alike++
			if slices.Equal(o.Args, sp.Args) {
				return
			}
		}
	}
	if kind != Mbgate && alike >= maxReasons {
		return
	}
	w.rep.Specials = append(w.rep.Specials, sp)
}
