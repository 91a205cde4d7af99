package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// operate applies the operators that change a value.
func (w *walker) operate(st *shell, e *syntax.Expansion, s string) string {
	pat := w.pattern(st, e.Word)
	switch e.Op {
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return trim(s, pat, true, e.Op == syntax.RemLargeSuffix)
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		r := trim(s, pat, false, e.Op == syntax.RemLargePrefix)
		if e.Op == syntax.RemLargePrefix && pat == "*/" {
			r = strings.ReplaceAll(r, anyText, anyName)
		}
		return r
	case syntax.UpperAll:
		return strings.ToUpper(s)
	case syntax.LowerAll:
		return strings.ToLower(s)
	case syntax.UpperFirst:
		if s != "" {
			return strings.ToUpper(s[:1]) + s[1:]
		}
	case syntax.LowerFirst:
		if s != "" {
			return strings.ToLower(s[:1]) + s[1:]
		}
	case syntax.OtherParamOps:
		if pat != "Q" {
			return anyText
		}
	}
	return s
}

// maxOperand bounds the text that patterns are matched against at every position.
const maxOperand = 4096

// trim removes what a pattern matches at the beginning or, with end, at the end of s: the shortest or the largest part.
func trim(s, pat string, end, large bool) string {
	if len(s) > maxOperand {
		return anyText
	}
	for i := range len(s) + 1 {
		n := i // how much is removed
		if large {
			n = len(s) - i
		}
		if end && match(pat, s[len(s)-n:]) {
			return s[:len(s)-n]
		}
		if !end && match(pat, s[:n]) {
			return s[n:]
		}
	}
	return s
}

func (w *walker) replace(st *shell, r *syntax.Replace, s string) string {
	pat, with := w.pattern(st, r.Orig), w.single(st, r.With).s
	if !isKnown(s) || !isKnown(pat) || len(s) > maxOperand {
		return anyText
	}
	// A pattern, also one bound to an end by # or %, is not followed.
	lit := unescape(pat)
	switch {
	case strings.ContainsAny(pat, "*?[") || strings.HasPrefix(pat, "#") || strings.HasPrefix(pat, "%"):
		return anyText
	case lit == "":
		return s
	case r.All:
		return strings.ReplaceAll(s, lit, with)
	}
	return strings.Replace(s, lit, with, 1)
}

func (w *walker) slice(st *shell, sl *syntax.Slice, v *value, list []string, all, positional bool) (*value, []string) {
	from, ok1 := 0, true
	if sl.Offset != nil {
		from, ok1 = w.arith(st, sl.Offset)
	}
	size := len(v.s)
	if all {
		if positional { // ${@:1} begins with $1
			list = append([]string{anyText}, list...)
		}
		size = len(list)
	}
	count, ok2 := size, true
	if sl.Length != nil {
		count, ok2 = w.arith(st, sl.Length)
	}
	if from < 0 {
		from += size
	}
	if !ok1 || !ok2 || from < 0 || !all && !isKnown(v.s) {
		return &value{s: anyText, reads: filtered(v.reads)}, []string{anyText}
	}
	from = min(from, size)
	end := size
	if count < 0 {
		end = max(size+count, from)
	} else if count < size-from {
		end = from + count
	}
	if all {
		return v, list[from:end]
	}
	return &value{s: v.s[from:end], reads: filtered(v.reads)}, nil
}
