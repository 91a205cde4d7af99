package shell

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/mbgate/mbgate/internal/risk/reason"
)

func (w *walker) stmts(st *shell, list []*syntax.Stmt) {
	for _, s := range list {
		w.stmt(st, s)
	}
}

// stmt runs one statement with its redirections.
func (w *walker) stmt(st *shell, s *syntax.Stmt) {
	if w.depth++; w.depth > maxSyntax {
		w.unknown(reason.TooDeep, "", "")
		w.depth--
		return
	}
	defer func() { w.depth-- }()
	if s.Background || s.Coprocess {
		st = st.fork()
		w.ownShell(st, func() { w.foreground(st, s) })
		return
	}
	w.foreground(st, s)
}

// foreground runs a statement in st itself.
func (w *walker) foreground(st *shell, s *syntax.Stmt) {
	saved, outer := st.fds, w.part
	w.part = w.typed(s)
	defer func() { w.part = outer }()
	w.redirect(st, s.Redirs)
	st.status = success
	keep := false
	switch {
	case s.Cmd == nil:
	case absentInput(st, s):
		// Nothing is run, unless another call of the same message makes the file first.
		branch := st.fork()
		w.perhaps(true, func() { w.command(branch, s.Cmd) })
		st.merge(st.fork(), branch)
	default:
		keep = w.command(st, s.Cmd)
	}
	if !keep && len(s.Redirs) > 0 { // without any, what differs was opened by an exec within
		st.fds = saved
	}
	if s.Negated {
		st.status = not(st.status)
	}
}

// absentInput reports whether a redirection of a statement reads from a file that is missing.
func absentInput(st *shell, s *syntax.Stmt) bool {
	for _, r := range s.Redirs {
		if in := st.fds.get(0).in; r.Op == syntax.RdrIn && in != nil && in.absent {
			return true
		}
	}
	return false
}

// command runs one command; it returns true if its redirections stay in force, as those of a bare `exec` do.
func (w *walker) command(st *shell, cmd syntax.Command) bool {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		return w.call(st, c)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			w.pipeline(st, c)
		} else {
			w.andOr(st, c)
		}
	case *syntax.Block:
		w.stmts(st, c.Stmts)
	case *syntax.Subshell:
		sub := st.fork()
		w.ownShell(sub, func() { w.stmts(sub, c.Stmts) })
		st.status = sub.status
	case *syntax.IfClause:
		w.ifClause(st, c)
	case *syntax.WhileClause:
		w.while(st, c.Cond, c.Do, c.Until)
	case *syntax.ForClause:
		w.forClause(st, c)
	case *syntax.CaseClause:
		w.caseClause(st, c)
	case *syntax.FuncDecl:
		if c.Name != nil && c.Body != nil {
			st.define(c.Name.Value, c.Body)
		}
	case *syntax.ArithmCmd:
		n, ok := w.arith(st, c.X)
		st.status = verdict(n != 0, ok)
	case *syntax.LetClause:
		for _, e := range c.Exprs {
			w.arith(st, e)
		}
		st.status = unsure
	case *syntax.TestClause:
		st.status = w.testExpr(st, c.X)
	case *syntax.DeclClause:
		w.declare(st, c)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			w.stmt(st, c.Stmt)
		}
	case *syntax.CoprocClause:
		if c.Stmt != nil {
			sub := st.fork()
			sub.fds = sub.fds.with(fd{n: 1}).with(fd{n: 0, in: &content{text: anyText}})
			w.stmt(sub, c.Stmt)
		}
	default:
		w.walkSubsts(st, cmd)
		w.unknown(reason.UnknownText, "", "")
	}
	return false
}

func verdict(yes, known bool) outcome {
	switch {
	case !known:
		return unsure
	case yes:
		return success
	}
	return failure
}

// pipeline runs the commands of a pipeline, each in a shell of its own, one feeding the next.
func (w *walker) pipeline(st *shell, c *syntax.BinaryCmd) {
	var parts []*syntax.Stmt
	var all []bool
	var flatten func(s *syntax.Stmt)
	flatten = func(s *syntax.Stmt) {
		// A pipeline nests to one side as deep as it is long.
		var right []*syntax.BinaryCmd
		for {
			b, ok := s.Cmd.(*syntax.BinaryCmd)
			if !ok || b.Op != syntax.Pipe && b.Op != syntax.PipeAll || len(s.Redirs) > 0 || s.Negated {
				break
			}
			right = append(right, b)
			s = b.X
		}
		parts, all = append(parts, s), append(all, false)
		for i := len(right) - 1; i >= 0; i-- {
			all[len(all)-1] = right[i].Op == syntax.PipeAll
			flatten(right[i].Y)
		}
	}
	flatten(&syntax.Stmt{Cmd: c})
	in := st.stdin()
	out := st.fds.get(1).out
	for i, p := range parts {
		sub := st.fork()
		saved := st.fds
		if i == len(parts)-1 && st.opts.lastpipe {
			sub = st
		}
		if i > 0 {
			sub.fds = sub.fds.with(fd{n: 0, in: in})
		}
		next := &content{}
		if i < len(parts)-1 {
			sub.fds = sub.fds.with(fd{n: 1, out: next})
			if all[i] {
				sub.fds = sub.fds.with(fd{n: 2, out: next})
			}
		} else {
			sub.fds = sub.fds.with(fd{n: 1, out: out})
		}
		if sub == st {
			w.stmt(sub, p)
		} else {
			w.ownShell(sub, func() { w.stmt(sub, p) })
		}
		in = next
		st.status = sub.status
		st.fds = saved
	}
}

// andOr runs a list of && and ||.
func (w *walker) andOr(st *shell, c *syntax.BinaryCmd) {
	var chain []*syntax.BinaryCmd
	first := &syntax.Stmt{Cmd: c}
	for {
		b, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op != syntax.AndStmt && b.Op != syntax.OrStmt || len(first.Redirs) > 0 || first.Negated || first.Background {
			break
		}
		chain = append(chain, b)
		first = b.X
	}
	w.stmt(st, first)
	for i := len(chain) - 1; i >= 0; i-- {
		b := chain[i]
		and := b.Op == syntax.AndStmt
		switch {
		case and && st.status == failure, !and && st.status == success:
			continue
		case and && (st.status == success || st.status == likely), !and && st.status == failure:
			sure := st.status != likely
			if !sure {
				w.chained++
			}
			w.stmt(st, b.Y)
			if !sure {
				w.chained--
				if st.status == success {
					st.status = likely // what stands behind the next || runs if either of the two fails
				}
			}
			continue
		}
		before := st.status
		branch := st.fork()
		if before == absent {
			if and {
				branch.cwd = st.alt
			}
			branch.alt = ""
		}
		w.maybe++
		w.doubt++
		w.stmt(branch, b.Y)
		w.maybe--
		w.doubt--
		switch {
		case and && before == absent:
			st.merge(st.fork(), branch)
			st.status = absent // what comes behind the next && runs there too, or not at all
		case !and && before == likely:
			st.status = likely // `a || b` goes on with a's effects, whatever b would have done
		default:
			st.merge(st.fork(), branch)
		}
	}
}

func (w *walker) ifClause(st *shell, c *syntax.IfClause) {
	var branches []*shell
	at := st
	for ; c != nil; c = c.Else {
		if len(c.Cond) == 0 { // else
			branch := at.fork()
			w.branch(branch, c.Then, len(branches) > 0)
			branches = append(branches, branch)
			at = nil
			break
		}
		w.stmts(at, c.Cond)
		status := at.status
		if status == failure {
			continue
		}
		if status == success {
			branch := at.fork()
			w.branch(branch, c.Then, len(branches) > 0)
			branches = append(branches, branch)
			at = nil
			break
		}
		branch := at.fork()
		w.branch(branch, c.Then, true)
		branches = append(branches, branch)
	}
	if at != nil {
		branches = append(branches, at.fork())
	}
	last := branches[0].status
	st.merge(branches...)
	if len(branches) == 1 {
		st.status = last
	}
}

// branch runs statements that may not be run at all, if maybe.
func (w *walker) branch(st *shell, list []*syntax.Stmt, maybe bool) {
	if maybe {
		w.maybe++
		w.doubt++
		defer func() { w.maybe--; w.doubt-- }()
	}
	w.stmts(st, list)
}

func (w *walker) caseClause(st *shell, c *syntax.CaseClause) {
	word := w.single(st, c.Word)
	var branches []*shell
	sure := isKnown(word.s) && len(word.s) < maxOperand
	for _, item := range c.Items {
		hit := !sure
		for _, p := range item.Patterns {
			pat := w.pattern(st, p)
			hit = hit || !isKnown(pat) || match(pat, word.s)
		}
		if !hit {
			continue
		}
		branch := st.fork()
		w.branch(branch, item.Stmts, !sure)
		branches = append(branches, branch)
		if sure && item.Op == syntax.Break {
			break
		}
	}
	if !sure || len(branches) == 0 {
		branches = append(branches, st.fork())
	}
	st.merge(branches...)
}
