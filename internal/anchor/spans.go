package anchor

import "sort"

// Span is a range of lines, 1-based and inclusive.
type Span struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

// Spans is a set of lines as sorted ranges that neither overlap nor touch. The zero value is the empty set. The
// methods never change their receiver.
type Spans []Span

// Of is the set of the lines first to last; it is empty when last is before first.
func Of(first, last int) Spans {
	if first < 1 {
		first = 1
	}
	if last < first {
		return nil
	}
	return Spans{{first, last}}
}

// Count is the number of lines in the set.
func (s Spans) Count() int {
	n := 0
	for _, r := range s {
		n += r.Last - r.First + 1
	}
	return n
}

// has reports whether the set holds line n.
func (s Spans) has(n int) bool {
	i := sort.Search(len(s), func(i int) bool { return s[i].Last >= n })
	return i < len(s) && s[i].First <= n
}

// Union is the set of the lines in s or in t.
func (s Spans) Union(t Spans) Spans {
	all := make(Spans, 0, len(s)+len(t))
	all = append(append(all, s...), t...)
	sort.Slice(all, func(i, j int) bool { return all[i].First < all[j].First })
	var out Spans
	for _, r := range all {
		if n := len(out); n > 0 && r.First <= out[n-1].Last+1 {
			out[n-1].Last = max(out[n-1].Last, r.Last)
			continue
		}
		out = append(out, r)
	}
	return out
}

// Minus is the set of the lines in s but not in t.
func (s Spans) Minus(t Spans) Spans {
	var out Spans
	j := 0
	for _, r := range s {
		for j < len(t) && t[j].Last < r.First {
			j++
		}
		first := r.First
		for k := j; k < len(t) && t[k].First <= r.Last; k++ {
			if t[k].First > first {
				out = append(out, Span{first, t[k].First - 1})
			}
			first = max(first, t[k].Last+1)
		}
		if first <= r.Last {
			out = append(out, Span{first, r.Last})
		}
	}
	return out
}

// And is the set of the lines in both s and t.
func (s Spans) And(t Spans) Spans { return s.Minus(s.Minus(t)) }

// index gives the position of line n in the enumeration of the set's lines, -1 when it is not in it.
func (s Spans) index(n int) int {
	at := 0
	for _, r := range s {
		if n < r.First {
			return -1
		}
		if n <= r.Last {
			return at + n - r.First
		}
		at += r.Last - r.First + 1
	}
	return -1
}

// line is the inverse of index: the number of the line at position i, 0 when there is none.
func (s Spans) line(i int) int {
	for _, r := range s {
		n := r.Last - r.First + 1
		if i < n {
			return r.First + i
		}
		i -= n
	}
	return 0
}

// builder collects single lines in rising order.
type builder struct{ s Spans }

func (b *builder) add(n int) {
	if k := len(b.s); k > 0 && b.s[k-1].Last == n-1 {
		b.s[k-1].Last = n
		return
	}
	b.s = append(b.s, Span{n, n})
}
