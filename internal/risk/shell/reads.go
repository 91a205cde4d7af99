package shell

import (
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// file is the content of the file that a names, as a program sees it that opens it: the text only when the command
// itself made the file, since nothing else is looked up; the read when the file is in the project.
func (w *walker) file(st *shell, a arg) *content {
	s := a.s
	switch s {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		return st.stdin()
	}
	if m := w.made[s]; m != nil && strings.HasPrefix(s, "/dev/fd/") {
		return m.body // a process substitution
	}
	if s == "" || isDevice(s) {
		return &content{}
	}
	if !isKnown(s) || st.cwd == "" && !strings.HasPrefix(s, "/") {
		return &content{text: anyText}
	}
	pl := w.env.Files.Locate(st.cwd, s)
	if m := w.made[pl.Abs]; m != nil {
		if m.body == nil {
			return &content{text: anyText}
		}
		return m.body
	}
	c := &content{absent: pl.Kind == place.Missing}
	if pl.Kind == place.File || pl.Kind == place.Unknown {
		c.text = anyText
		c.reads = []Read{{Place: pl, Full: true, Verbatim: true}}
	}
	return c
}

// textOf is the text of c, looked up if c is exactly one whole file, since that text decides which commands run.
func (w *walker) textOf(c *content) string {
	if c.pos == 0 && c.text == anyText {
		return w.fileText(c.text, c.reads)
	}
	return c.rest()
}

// fileText replaces an unknown text by that of the file it came from, if it is all of that file.
func (w *walker) fileText(text string, reads []Read) string {
	if text != anyText || len(reads) != 1 || !reads[0].Full || !reads[0].Verbatim {
		return text
	}
	if b, ok := w.env.Files.Text(reads[0].Place.Abs, maxText); ok && w.made[reads[0].Place.Abs] == nil {
		return string(b)
	}
	return text
}

func (st *shell) stdin() *content {
	if in := st.fds.get(0).in; in != nil {
		return in
	}
	return &content{}
}

// emit sends text and reads to a descriptor.
func (w *walker) emit(st *shell, n int, text string, reads []Read) {
	out := st.fds.get(n).out
	if out == nil {
		return
	}
	if w.doubt > 0 {
		reads = partial(reads)
	}
	out.add(text, reads)
}

// partial is the same reads when an unknown part of each is shown.
func partial(reads []Read) []Read {
	out := append([]Read(nil), reads...)
	for i := range out {
		out[i].Full, out[i].Spans = false, nil
	}
	return out
}

// filtered is the same reads when lines are chosen or changed.
func filtered(reads []Read) []Read {
	out := partial(reads)
	for i := range out {
		out[i].Verbatim = false
	}
	return out
}

// changed is the same reads when all of the content passes, but not as it stands.
func changed(reads []Read) []Read {
	out := append([]Read(nil), reads...)
	for i := range out {
		out[i].Verbatim = false
	}
	return out
}

// spans cuts the reads down to ranges of lines. Of several files behind one another only the first lines of the first
// can be told.
func (w *walker) spans(reads []Read, cut []Span) []Read {
	if len(reads) == 1 && len(cut) == 1 && !reads[0].Full && len(reads[0].Spans) == 1 {
		if s, ok := within(reads[0].Spans[0], cut[0]); ok {
			r := reads[0]
			r.Spans = []Span{s}
			return []Read{r}
		}
	}
	if len(reads) != 1 || !reads[0].Full || len(reads[0].Spans) > 0 {
		if len(reads) > 1 && len(cut) == 1 && cut[0].First == 1 && cut[0].Last > 0 {
			return w.firstLines(reads, cut[0].Last)
		}
		return partial(reads)
	}
	r := reads[0]
	total, known := w.lines(r.Place)
	if known && !w.moved {
		covered := fromStart(cut, total)
		if len(covered) == 0 {
			return nil // past the end: nothing is shown
		}
		if covers(covered, total) {
			return []Read{r}
		}
	}
	r.Full, r.Spans = false, cut
	return []Read{r}
}

// within is the range that is left of a when lines b of it are taken; only for ranges counted from the start.
func within(a, b Span) (Span, bool) {
	if a.First < 1 || a.Last < 0 || b.First < 1 || b.Last < 0 {
		return Span{}, false
	}
	s := Span{First: a.First + b.First - 1, Last: a.Last}
	if b.Last > 0 && (a.Last == 0 || a.First+b.Last-1 < a.Last) {
		s.Last = a.First + b.Last - 1
	}
	return s, s.Last == 0 || s.Last >= s.First
}

// firstLines shares n lines out among files that follow one another.
func (w *walker) firstLines(reads []Read, n int) []Read {
	var out []Read
	for _, r := range reads {
		total, known := w.lines(r.Place)
		if !known || !r.Full || n <= 0 {
			if n > 0 {
				out = append(out, partial([]Read{r})...)
			}
			continue
		}
		out = append(out, w.spans([]Read{r}, []Span{{1, n}})...)
		n -= total
	}
	return out
}

// lines is the number of lines of a small file; a last line without a newline counts, an empty one does not.
func (w *walker) lines(pl place.Place) (int, bool) {
	b, ok := w.env.Files.Text(pl.Abs, maxText)
	if !ok {
		return 0, false
	}
	s := string(b)
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n, true
}

// covers reports whether ranges cover the lines 1 to total.
func covers(spans []Span, total int) bool {
	next := 1
	for moved := true; moved && next <= total; {
		moved = false
		for _, s := range spans {
			if s.First <= next && (s.Last == 0 || s.Last >= next) {
				if s.Last == 0 {
					return true
				}
				next, moved = s.Last+1, true
			}
		}
	}
	return next > total
}

// mergeReads makes one read of several of the same file: parts of it that together show all make a full one.
func (w *walker) mergeReads(reads []Read) []Read {
	var out []Read
	at := map[string]int{}
	for _, r := range reads {
		if !r.Place.Inside() {
			continue
		}
		i, ok := at[r.Place.Key]
		if !ok {
			at[r.Place.Key] = len(out)
			r.Spans = append([]Span(nil), r.Spans...)
			out = append(out, r)
			continue
		}
		o := &out[i]
		switch {
		case r.Full && r.Verbatim || r.Full && !o.Verbatim && !o.Full:
			*o = r
		case o.Full:
		case r.Verbatim && !o.Verbatim:
			*o = r
		case r.Verbatim == o.Verbatim && len(r.Spans) > 0:
			o.Spans = append(o.Spans, r.Spans...)
		}
	}
	for i := range out {
		r := &out[i]
		if total, ok := w.lines(r.Place); !r.Full && r.Verbatim && len(r.Spans) > 1 && ok && covers(fromStart(r.Spans, total), total) {
			r.Full, r.Spans = true, nil
		}
	}
	return out
}

// fromStart counts ranges from the start of a file of so many lines, and drops those that hold none of them.
func fromStart(spans []Span, total int) (out []Span) {
	for _, s := range spans {
		if s.First < 0 {
			s.First = max(total+s.First+1, 1)
		}
		if s.Last < 0 {
			if s.Last += total; s.Last < 1 {
				continue
			}
		}
		if s.First <= total && (s.Last == 0 || s.Last >= s.First) {
			out = append(out, s)
		}
	}
	return out
}
