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
		return trimSuffix(s, pat, e.Op == syntax.RemLargeSuffix)
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		r := trimPrefix(s, pat, e.Op == syntax.RemLargePrefix)
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

func trimSuffix(s, pat string, large bool) string {
	if len(s) > maxOperand {
		return anyText
	}
	for i := range len(s) + 1 {
		at := len(s) - i
		if large {
			at = i
		}
		if match(pat, s[at:]) {
			return s[:at]
		}
	}
	return s
}

func trimPrefix(s, pat string, large bool) string {
	if len(s) > maxOperand {
		return anyText
	}
	for i := range len(s) + 1 {
		at := i
		if large {
			at = len(s) - i
		}
		if match(pat, s[:at]) {
			return s[at:]
		}
	}
	return s
}

func (w *walker) replace(st *shell, r *syntax.Replace, s string) string {
	pat, with := w.pattern(st, r.Orig), w.single(st, r.With).s
	if !isKnown(s) || !isKnown(pat) || len(s) > maxOperand {
		return anyText
	}
	switch {
	case strings.HasPrefix(pat, "#"):
		if t := trimPrefix(s, pat[1:], true); t != s {
			return with + t
		}
		return s
	case strings.HasPrefix(pat, "%"):
		if t := trimSuffix(s, pat[1:], true); t != s {
			return t + with
		}
		return s
	}
	if !strings.ContainsAny(pat, "*?[") {
		if lit := unescape(pat); lit != "" {
			if r.All {
				return strings.ReplaceAll(s, lit, with)
			}
			return strings.Replace(s, lit, with, 1)
		}
		return s
	}
	if len(s) > 256 {
		return anyText
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		n := 0
		for j := len(s); j > i; j-- {
			if match(pat, s[i:j]) {
				n = j - i
				break
			}
		}
		if n == 0 {
			b.WriteByte(s[i])
			i++
			continue
		}
		b.WriteString(with)
		i += n
		if !r.All {
			return b.String() + s[i:]
		}
	}
	return b.String()
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
