package script

import (
	"slices"
)

// Branches and loops: every branch is taken, loops over what is known are followed round by round.

func (ev *eval) push(overlay bool) { ev.scopes = append(ev.scopes, scope{overlay: overlay}) }

func (ev *eval) pop() map[string]value {
	s := ev.scopes[len(ev.scopes)-1]
	ev.scopes = ev.scopes[:len(ev.scopes)-1]
	return s.vars
}

// branch evaluates a part that runs only perhaps.
func (ev *eval) branch(f func()) map[string]value {
	ev.push(true)
	ev.cond++
	f()
	ev.cond--
	return ev.pop()
}

// merge joins the assignments of branches into the scope around them; complete says that one of them certainly ran.
func (ev *eval) merge(branches []map[string]value, complete bool) {
	var names []string
	for _, b := range branches {
		for k := range b {
			names = append(names, k)
		}
	}
	slices.Sort(names)
	for _, k := range slices.Compact(names) {
		old, had := ev.get(k)
		var v value
		first := true
		missing := !complete
		for _, b := range branches {
			bv, ok := b[k]
			switch {
			case !ok:
				missing = true
			case first:
				v, first = bv, false
			default:
				v = either(v, bv)
			}
		}
		if missing && had {
			v = either(old, v)
		}
		ev.set(k, v)
	}
}

// assigned are the names that a part of the script assigns.
func assigned(n *node, into map[string]bool) {
	work := []*node{n}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n.kind == nAssign || n.kind == nFor {
			t := n.kid(0)
			if t.kind == nList || t.kind == nDict {
				for _, k := range t.kids {
					into[varName(k)] = true
				}
			}
			into[varName(t)] = true
		}
		if n.kind == nFunc {
			continue
		}
		work = append(work, n.kids...)
	}
}

// havoc forgets what a loop may have changed.
func (ev *eval) havoc(body ...*node) {
	names := map[string]bool{}
	for _, b := range body {
		assigned(b, names)
	}
	for k := range names {
		if k == "" {
			continue
		}
		if v, ok := ev.get(k); ok && v.k != vFile && v.k != vFunc && v.k != vObj {
			ev.set(k, value{flows: v.allFlows(), class: v.class, open: true})
		}
	}
}

// jumps reports whether a loop's body may leave or skip an iteration.
func jumps(n *node) bool {
	work := []*node{n}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		switch n.kind {
		case nJump, nReturn:
			if n.kind == nJump || n.text == "return" {
				return true
			}
		case nFunc:
			continue
		}
		work = append(work, n.kids...)
	}
	return false
}

// elements are what a loop over v yields: a list of values to follow one by one, or one value for all.
func (ev *eval) elements(v value, leaks bool) (each []value, any value) {
	if v.k == vList && !v.open && len(v.items) <= maxUnroll && ev.steps < maxSteps {
		return v.items, value{}
	}
	fs := slices.Clone(v.allFlows())
	for i := range fs {
		whole := fs[i].full && !leaks
		fs[i] = flow{ref: fs[i].ref, full: whole, verbatim: whole && fs[i].verbatim, elem: whole, cond: ev.cond, spans: fs[i].spans}
		if leaks {
			fs[i].spans = nil
		}
	}
	any = value{flows: fs, class: v.class}
	switch v.class {
	case "paths":
		any.class = "path"
		if v.k == vStr {
			any.k, any.s = vStr, v.s
		}
	case "file", "lines":
		any.class = ""
	}
	if v.k == vList || v.k == vAlt {
		for i, it := range v.items {
			if i >= maxAlt {
				any = value{flows: fs, class: it.class}
				break
			}
			if i == 0 && !v.open {
				any = it
			} else if i == 0 {
				any.class = it.class
			} else if !v.open {
				any = either(any, it)
			}
		}
	}
	if v.k == vList && !v.open && len(v.items) > maxUnroll || v.k == vList && ev.steps >= maxSteps {
		any = value{flows: fs, class: any.class}
		ev.giveUp()
	}
	return nil, any
}

// giveUp notes that not every round of a loop or call of a function was followed.
func (ev *eval) giveUp() {
	if !ev.tired {
		ev.tired = true
		ev.opaque("the script is too long to follow every loop and call")
	}
}

// iterable is what a value yields in a loop: an open file its lines.
func (ev *eval) iterable(v value) value {
	if v.k == vFile {
		return ev.content(v, "lines")
	}
	return v
}

func (ev *eval) forStmt(n *node) {
	v := ev.expr(n.kid(1))
	body := n.kid(2)
	each, any := ev.elements(ev.iterable(v), jumps(body))
	if each != nil {
		for _, it := range each {
			if ev.steps >= maxSteps {
				ev.giveUp()
				break
			}
			ev.assign(n.kid(0), it)
			ev.block(body)
		}
		if ev.steps < maxSteps || len(each) == 0 {
			return
		}
		any = value{}
	}
	ev.havoc(body)
	ev.assign(n.kid(0), any)
	ev.block(body)
	any.flows = partly(any.flows)
	if t := n.kid(0); t.kind == nName {
		ev.set(t.text, any)
	}
}

func (ev *eval) whileStmt(n *node) {
	ev.havoc(n.kid(0), n.kid(1), n.kid(2))
	old := ev.iterating
	ev.iterating = !jumps(n.kid(1))
	v := ev.expr(n.kid(0))
	if n.kid(0).kind == nReadline {
		_, line := ev.elements(v, !ev.iterating)
		ev.set("$_", line)
	}
	ev.iterating = old
	ev.block(n.kid(1))
	if len(n.kids) > 2 {
		ev.expr(n.kid(2))
	}
}

func (ev *eval) ifStmt(n *node) value {
	if ev.lineCondition(n) {
		return value{}
	}
	ev.expr(n.kid(0))
	var branches []map[string]value
	complete := false
	var v value
	for i, k := range n.kids[min(1, len(n.kids)):] {
		branches = append(branches, ev.branch(func() {
			ev.block(k)
			if i == 0 {
				v = ev.last
			} else {
				v = either(v, ev.last)
			}
		}))
		complete = i > 0 && n.text != "open"
	}
	ev.merge(branches, complete)
	return v
}
