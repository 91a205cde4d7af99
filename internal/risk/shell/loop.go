package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

// maxRounds bounds how often one loop is gone through when its rounds can be told apart.
const maxRounds = 256

// while runs a loop round by round as long as its condition is known to hold; if that is not known, once for all
// rounds, with the variables that a round changes unknown.
func (w *walker) while(st *shell, cond, body []*syntax.Stmt, until bool) {
	last := success // of the body
	for range maxRounds {
		if w.budget <= 0 {
			break
		}
		w.inCond = true
		w.stmts(st, cond)
		w.inCond = false
		status := st.status
		if until && status == success || !until && status == failure {
			st.status = last
			return
		}
		if until && status != failure || !until && status != success {
			break
		}
		if leaves(body) {
			break
		}
		w.stmts(st, body)
		last = st.status
	}
	w.maybe++
	defer func() { w.maybe-- }()
	w.forget(st, cond, body)
	w.stmts(st, cond)
	w.stmts(st, body)
	w.forget(st, cond, body)
	st.status = unsure
}

// leaves reports whether a loop's body may end the loop.
func leaves(body []*syntax.Stmt) bool {
	found := false
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
				switch call.Args[0].Lit() {
				case "break", "exit", "return":
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// forget makes the variables unknown that statements assign.
func (w *walker) forget(st *shell, lists ...[]*syntax.Stmt) {
	lose := func(name string) {
		if v := st.lookup(name); v != nil {
			st.set(name, &value{s: anyText, reads: v.reads})
		}
	}
	for _, list := range lists {
		for _, s := range list {
			syntax.Walk(s, func(n syntax.Node) bool {
				switch n := n.(type) {
				case *syntax.Assign:
					if n.Name != nil {
						lose(n.Name.Value)
					}
				case *syntax.UnaryArithm:
					lose(arithName(n.X))
				case *syntax.BinaryArithm:
					if n.Op >= syntax.Assgn {
						lose(arithName(n.X))
					}
				}
				return true
			})
		}
	}
}

func (w *walker) forClause(st *shell, c *syntax.ForClause) {
	switch loop := c.Loop.(type) {
	case *syntax.WordIter:
		var items []arg
		if loop.InPos.IsValid() {
			items = w.fields(st, loop.Items)
		} else {
			items = st.pos
		}
		if c.Select {
			items = []arg{{s: anyText}}
		}
		open := false
		for _, item := range items {
			if w.budget <= 0 {
				w.unknown(reason.TooLongLoop, "", "")
				return
			}
			reads := item.reads
			st.set(loop.Name.Value, &value{s: item.s, reads: reads})
			unsureItem := strings.Contains(item.s, anyText)
			if unsureItem {
				w.maybe++
				open = true
			}
			w.stmts(st, c.Do)
			if unsureItem {
				w.maybe--
			}
		}
		if open {
			w.forget(st, c.Do)
		}
	case *syntax.CStyleLoop:
		if loop.Init != nil {
			w.arith(st, loop.Init)
		}
		for range maxRounds {
			n, ok := 1, true
			if loop.Cond != nil {
				n, ok = w.arith(st, loop.Cond)
			}
			if ok && n == 0 {
				return
			}
			if !ok || w.budget <= 0 || leaves(c.Do) {
				break
			}
			w.stmts(st, c.Do)
			if loop.Post != nil {
				w.arith(st, loop.Post)
			}
		}
		for _, e := range []syntax.ArithmExpr{loop.Init, loop.Post} {
			if e != nil {
				syntax.Walk(e, func(n syntax.Node) bool {
					if x, ok := n.(syntax.ArithmExpr); ok {
						if name := arithName(x); name != "" {
							st.set(name, &value{s: anyName})
						}
					}
					return true
				})
			}
		}
		w.maybe++
		w.forget(st, c.Do)
		w.stmts(st, c.Do)
		w.maybe--
	}
}
