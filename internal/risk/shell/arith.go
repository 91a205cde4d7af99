package shell

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// arithText is the value of $((…)) as text.
func (w *walker) arithText(st *shell, x syntax.ArithmExpr) string {
	if n, ok := w.arith(st, x); ok {
		return strconv.Itoa(n)
	}
	return anyName
}

// arith evaluates an arithmetic expression as far as it is known. Both sides are always walked, since a command
// substitution may stand in either.
func (w *walker) arith(st *shell, x syntax.ArithmExpr) (int, bool) {
	w.depth++
	defer func() { w.depth-- }()
	if w.depth > maxSyntax {
		return 0, false
	}
	switch x := x.(type) {
	case *syntax.Word:
		return w.arithWord(st, w.single(st, x).s, 8)
	case *syntax.ParenArithm:
		return w.arith(st, x.X)
	case *syntax.UnaryArithm:
		return w.arithUnary(st, x)
	case *syntax.BinaryArithm:
		return w.arithBinary(st, x)
	}
	return 0, false
}

func (w *walker) arithWord(st *shell, s string, hops int) (int, bool) {
	if s == "" {
		return 0, true
	}
	if n, err := strconv.ParseInt(s, 0, 62); err == nil {
		return int(n), true
	}
	if hops > 0 && syntax.ValidName(s) {
		if v := w.variable(st, s); !v.array && isKnown(v.s) {
			return w.arithWord(st, v.s, hops-1)
		}
	}
	return 0, false
}

func arithName(x syntax.ArithmExpr) string {
	if word, ok := x.(*syntax.Word); ok && syntax.ValidName(word.Lit()) {
		return word.Lit()
	}
	return ""
}

func (w *walker) assignNumber(st *shell, x syntax.ArithmExpr, n int, ok bool) {
	name := arithName(x)
	if name == "" {
		return
	}
	if ok {
		st.set(name, &value{s: strconv.Itoa(n)})
	} else {
		st.set(name, &value{s: anyName})
	}
}

func (w *walker) arithUnary(st *shell, x *syntax.UnaryArithm) (int, bool) {
	n, ok := w.arith(st, x.X)
	switch x.Op {
	case syntax.Not:
		return oneIf(n == 0), ok
	case syntax.BitNegation:
		return ^n, ok
	case syntax.Minus:
		return -n, ok
	case syntax.Inc, syntax.Dec:
		next := n + 1
		if x.Op == syntax.Dec {
			next = n - 1
		}
		w.assignNumber(st, x.X, next, ok)
		if x.Post {
			return n, ok
		}
		return next, ok
	}
	return n, ok
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (w *walker) arithBinary(st *shell, x *syntax.BinaryArithm) (int, bool) {
	if x.Op == syntax.Assgn {
		n, ok := w.arith(st, x.Y)
		w.assignNumber(st, x.X, n, ok)
		return n, ok
	}
	a, ok1 := w.arith(st, x.X)
	b, ok2 := w.arith(st, x.Y)
	n, ok := calculate(x.Op, a, b)
	if name := arithName(x.X); !ok && name != "" && x.Op > syntax.Assgn { // x += 1 and the like
		st.set(name, &value{s: anyName})
	}
	return n, ok && ok1 && ok2
}

func calculate(op syntax.BinAritOperator, a, b int) (int, bool) {
	switch op {
	case syntax.Add:
		return a + b, true
	case syntax.Sub:
		return a - b, true
	case syntax.Mul:
		return a * b, true
	case syntax.Quo, syntax.Rem:
		if b == 0 {
			return 0, false
		}
		if op == syntax.Quo {
			return a / b, true
		}
		return a % b, true
	case syntax.Eql:
		return oneIf(a == b), true
	case syntax.Neq:
		return oneIf(a != b), true
	case syntax.Gtr:
		return oneIf(a > b), true
	case syntax.Lss:
		return oneIf(a < b), true
	case syntax.Geq:
		return oneIf(a >= b), true
	case syntax.Leq:
		return oneIf(a <= b), true
	case syntax.AndArit:
		return oneIf(a != 0 && b != 0), true
	case syntax.OrArit:
		return oneIf(a != 0 || b != 0), true
	}
	return 0, false
}
