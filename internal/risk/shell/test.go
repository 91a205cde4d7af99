package shell

import (
	"strconv"

	"github.com/mbgate/mbgate/internal/place"
	"mvdan.cc/sh/v3/syntax"
)

// testExpr evaluates [[ … ]] as far as it is known.
func (w *walker) testExpr(st *shell, x syntax.TestExpr) outcome {
	switch x := x.(type) {
	case *syntax.Word:
		return textVerdict(w.single(st, x).s, true)
	case *syntax.ParenTest:
		return w.testExpr(st, x.X)
	case *syntax.UnaryTest:
		if x.Op == syntax.TsNot {
			return not(w.testExpr(st, x.X))
		}
		if word, ok := x.X.(*syntax.Word); ok {
			return w.testUnary(st, x.Op.String(), w.single(st, word).s)
		}
		w.walkSubsts(st, x.X)
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.AndTest, syntax.OrTest:
			a, b := w.testExpr(st, x.X), w.testExpr(st, x.Y)
			return combine(a, b, x.Op == syntax.AndTest)
		case syntax.TsMatchShort, syntax.TsMatch, syntax.TsNoMatch:
			a, okA := x.X.(*syntax.Word)
			b, okB := x.Y.(*syntax.Word)
			if !okA || !okB {
				break
			}
			s, pat := w.single(st, a).s, w.pattern(st, b)
			if !isKnown(s) || !isKnown(pat) || len(s) > maxOperand {
				return unsure
			}
			return verdict(match(pat, s) == (x.Op != syntax.TsNoMatch), true)
		}
		a, okA := x.X.(*syntax.Word)
		b, okB := x.Y.(*syntax.Word)
		if okA && okB {
			return testBinary(w.single(st, a).s, x.Op.String(), w.single(st, b).s)
		}
		w.walkSubsts(st, x)
	}
	return unsure
}

func not(o outcome) outcome {
	switch o {
	case success:
		return failure
	case failure:
		return success
	}
	return unsure
}

func combine(a, b outcome, and bool) outcome {
	stop, pass := success, failure
	if and {
		stop, pass = failure, success
	}
	switch {
	case a == stop || b == stop:
		return stop
	case a == pass && b == pass:
		return pass
	}
	return unsure
}

// textVerdict is [ -n s ], or [ -z s ].
func textVerdict(s string, full bool) outcome {
	if !isKnown(s) {
		if len(s) > 1 { // some of it is known, so it is not empty
			return verdict(full, true)
		}
		return unsure
	}
	return verdict((s != "") == full, true)
}

func (w *walker) testUnary(st *shell, op, s string) outcome {
	switch op {
	case "-n":
		return textVerdict(s, true)
	case "-z":
		return textVerdict(s, false)
	case "-e", "-f", "-d", "-s", "-r", "-a":
		if !isKnown(s) || st.cwd == "" || st.alt != "" || w.dirty {
			return unsure
		}
		kind := w.kindOf(w.env.Files.Locate(st.cwd, s))
		switch {
		case kind == place.Unknown || w.made != nil && kind != place.Missing && op == "-s":
			return unsure
		case kind == place.Missing:
			return unsure // another call of the same message may make it first
		case op == "-f" || op == "-s":
			if op == "-s" && kind == place.File {
				return unsure
			}
			return verdict(kind == place.File, true)
		case op == "-d":
			return verdict(kind == place.Folder, true)
		}
		return likely
	}
	return unsure
}

func testBinary(a, op, b string) outcome {
	if !isKnown(a) || !isKnown(b) {
		return unsure
	}
	switch op {
	case "=", "==":
		return verdict(a == b, true)
	case "!=":
		return verdict(a != b, true)
	case "<":
		return verdict(a < b, true)
	case ">":
		return verdict(a > b, true)
	}
	n, err1 := strconv.Atoi(a)
	m, err2 := strconv.Atoi(b)
	if err1 != nil || err2 != nil {
		return unsure
	}
	value, known := calculate(map[string]syntax.BinAritOperator{
		"-eq": syntax.Eql, "-ne": syntax.Neq, "-lt": syntax.Lss, "-le": syntax.Leq, "-gt": syntax.Gtr, "-ge": syntax.Geq,
	}[op], n, m)
	return verdict(value != 0, known)
}

// testArgs is the builtin test, or [ without its last word.
func (w *walker) testArgs(st *shell, args []arg) outcome {
	if len(args) > 0 && args[0].s == "!" {
		return not(w.testArgs(st, args[1:]))
	}
	for i, a := range args {
		if i > 0 && (a.s == "-a" || a.s == "-o") && len(args) > 3 {
			return combine(w.testArgs(st, args[:i]), w.testArgs(st, args[i+1:]), a.s == "-a")
		}
	}
	switch len(args) {
	case 0:
		return failure
	case 1:
		return textVerdict(args[0].s, true)
	case 2:
		return w.testUnary(st, args[0].s, args[1].s)
	case 3:
		return testBinary(args[0].s, args[1].s, args[2].s)
	}
	return unsure
}
