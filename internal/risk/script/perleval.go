package script

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// perlCall handles the functions whose syntax no table line can say.
func (ev *eval) perlCall(n *node) (value, bool) {
	switch name := n.kid(0).text; name {
	case deref + "map", deref + "grep", deref + "sort", deref + "first", deref + "any", deref + "all", deref + "none":
		return ev.perlMap(strings.TrimPrefix(name, deref), n), true
	case "shift", "pop":
		return ev.perlShift(n, name), true
	case "open":
		return ev.perlOpen(n), true
	case "close", "binmode", "opendir", "closedir", "flock", "fileno", "eof":
		for _, k := range n.kids[1:] {
			if k.kind != nName {
				ev.expr(k)
			}
		}
		return value{k: vBool}, true
	case "readline":
		return ev.perlReadline(n.kid(1).text), true
	case "push", "unshift":
		a := ev.callArgs(&node{kind: nCall, kids: append([]*node{n.kid(0)}, n.kids[min(2, len(n.kids)):]...)})
		target := n.kid(1)
		old := ev.expr(target)
		v := value{k: vList, open: a.vague}
		if old.k == vList {
			v.items, v.open, v.flows = append(v.items, old.items...), v.open || old.open, old.flows
		}
		v.items = append(v.items, a.vals...)
		if old.k == vUnknown && old.open {
			v = value{flows: old.flows}
			for _, x := range a.vals {
				v.flows = mergeFlows(v.flows, ev.gather(x.allFlows()))
			}
		}
		if len(v.items) <= maxItems {
			ev.assign(target, v)
		}
		return value{}, true
	case "unlink", "rmdir", "mkdir":
		if len(n.kids) == 1 {
			line, _ := ev.get("$_")
			r, _ := ev.row(name)
			return ev.apply(r, value{}, []value{line}, nil, false), true
		}
	case "chomp", "chop":
		if len(n.kids) > 1 {
			return ev.expr(n.kid(1)), true
		}
		return value{}, true
	case "do":
		if len(n.kids) > 1 {
			ev.scriptFile(ev.expr(n.kid(1)), "perl do")
			return value{}, true
		}
	}
	return value{}, false
}

// perlMap evaluates map, grep and sort with a block.
func (ev *eval) perlMap(name string, n *node) value {
	list := ev.iterable(ev.expr(n.kid(2)))
	ev.done[n.kid(1)] = true
	body := n.kid(1).kid(0)
	each, any := ev.elements(list, name != "map")
	if list.k != vList && len(list.flows) == 0 {
		any = value{}
	}
	old, had := ev.get("$_")
	out := value{k: vList}
	if each != nil {
		for _, it := range each {
			ev.set("$_", it)
			ev.last = value{}
			v := ev.stmt(body)
			if name == "map" {
				out.items = append(out.items, v)
			}
		}
		if name != "map" {
			out = list
			out.open = true
		}
	} else {
		ev.set("$_", any)
		v := ev.stmt(body)
		out = value{flows: ev.gather(v.allFlows())}
		if name != "map" {
			out = value{flows: partly(list.allFlows()), class: list.class}
			if name == "sort" {
				out.flows = changed(list.allFlows())
			}
		}
	}
	if had {
		ev.set("$_", old)
	}
	return out
}

// perlShift takes an item from an array: @_ in a function, @ARGV outside.
func (ev *eval) perlShift(n *node, name string) value {
	target := "@ARGV"
	if ev.calls > 0 {
		target = "@_"
	}
	if len(n.kids) > 1 && varName(n.kid(1)) != "" {
		target = varName(n.kid(1))
	}
	v, ok := ev.get(target)
	if !ok {
		v = ev.property(target)
	}
	if v.k != vList || len(v.items) == 0 {
		return value{flows: partly(v.allFlows())}
	}
	i := 0
	rest := v
	rest.items = v.items[1:]
	if name == "pop" {
		i = len(v.items) - 1
		rest.items = v.items[:i]
	}
	ev.set(target, rest)
	return v.items[i]
}

// perlOpen is open with two, three or more arguments.
func (ev *eval) perlOpen(n *node) value {
	const why = "perl open"
	if len(n.kids) < 3 {
		return value{}
	}
	target := n.kid(1)
	mode := ev.expr(n.kid(2))
	m, known := mode.plain()
	m = strings.TrimLeft(m, " ")
	if !known && m == "" {
		known = false
	}
	var h value
	if len(n.kids) > 3 {
		m = strings.TrimSpace(m)
		var args []value
		for _, k := range n.kids[3:] {
			args = append(args, ev.expr(k))
		}
		base, _, _ := strings.Cut(m, ":")
		base = strings.TrimSpace(base)
		switch {
		case base == "-|" || base == "|-":
			cmd := args[0]
			if len(args) > 1 {
				cmd = value{k: vList, items: args}
			}
			h = ev.popen(cmd, text(map[string]string{"-|": "r", "|-": "w"}[base]), why)
		case n.kid(3).kind == nUn || args[0].k == vUnknown && n.kid(3).kind == nName && strings.HasPrefix(n.kid(3).text, "$") && ev.isBuffer(n.kid(3)):
			h = value{}
		case strings.HasPrefix(base, "<&"), strings.HasPrefix(base, ">&"):
			h = ev.openFile(text("/dev/null"), text("w"), why)
			if s := args[0].s; strings.Contains(base, ">") && (s == "STDOUT" || s == "1") {
				h = ev.openFile(text("/dev/stdout"), text("w"), why)
			}
		default:
			h = ev.openFile(args[0], perlMode(base, known), why)
		}
		ev.assign(handleTarget(target), h)
		return value{k: vBool}
	}
	// Two arguments: the mode stands before the name.
	cut := func(n int) value {
		v := mode
		if v.k == vAlt {
			return value{}
		}
		v.s = strings.TrimLeft(m[n:], " ")
		v.k = vStr
		return v
	}
	trimmed := strings.TrimRight(m, " ")
	switch {
	case mode.k == vAlt || !known && m == "":
		h = ev.openFile(mode, value{}, why)
	case strings.HasPrefix(m, "+<"), strings.HasPrefix(m, "+>"):
		h = ev.openFile(cut(2), text("r+"), why)
	case strings.HasPrefix(m, ">&"), strings.HasPrefix(m, "<&"):
		h = value{}
		if strings.HasPrefix(m, ">&") {
			h = ev.openFile(text("/dev/stdout"), text("w"), why)
		}
	case strings.HasPrefix(m, ">>"):
		h = ev.openFile(cut(2), text("a"), why)
	case strings.HasPrefix(m, ">"):
		h = ev.openFile(cut(1), text("w"), why)
	case strings.HasPrefix(m, "<"):
		h = ev.openFile(cut(1), text("r"), why)
	case strings.HasPrefix(m, "|"):
		h = ev.popen(cut(1), text("w"), why)
	case known && strings.HasSuffix(trimmed, "|"):
		h = ev.popen(text(strings.TrimSuffix(trimmed, "|")), text("r"), why)
	default:
		h = ev.openFile(mode, text("r"), why)
		if !known {
			ev.opaque("perl open of a computed name may run a command or write")
		}
	}
	ev.assign(handleTarget(target), h)
	return value{k: vBool}
}

// isBuffer reports whether a variable is opened as a file in memory (open my $fh, '<', \$text).
func (ev *eval) isBuffer(*node) bool { return false }

// handleTarget is the variable or bare word that holds the handle.
func handleTarget(n *node) *node {
	if n.kind == nStr {
		return mk(nName, n.text)
	}
	return n
}

// perlMode turns perl's modes into those of fopen.
func perlMode(m string, known bool) value {
	switch m {
	case "<":
		return text("r")
	case ">":
		return text("w")
	case ">>":
		return text("a")
	case "+<", "+>", "+>>":
		return text("r+")
	}
	if known && m != "" {
		return text(m)
	}
	return value{}
}

// perlReadline is <FH>: the lines of an open file, or of the operands.
func (ev *eval) perlReadline(name string) value {
	switch name {
	case "STDIN", "$STDIN":
		return ev.content(ev.openFile(text(Stdin), text("r"), "standard input"), "lines")
	case "", "ARGV":
		var v value
		files := operands(ev.argv, ev.opt)
		if list, ok := ev.get("@ARGV"); ok && list.k == vList {
			files = nil
			for _, it := range list.items {
				s, _ := it.plain()
				files = append(files, s)
			}
		}
		for _, t := range inputTouches(files, true, output{}, string(ev.lang)) {
			p := text(t.Path)
			if !t.Known {
				p = value{}
			}
			v.flows = mergeFlows(v.flows, ev.content(ev.openFile(p, text("r"), t.Why), "lines").flows)
			if suffix, ok := ev.get("$^I"); ok && suffix.k != vNone && ev.lang == Perl { // in place
				ev.touch(event.OpWrite, p, false, "perl $^I")
				ev.opt.Inplace = true
			}
		}
		v.class = "lines"
		return v
	}
	v, ok := ev.get(name)
	if !ok {
		v, ok = ev.get("$" + strings.TrimPrefix(name, "$"))
	}
	if !ok || v.k != vFile {
		return value{flows: v.flows}
	}
	return ev.content(v, "lines")
}

// perlPrintNode is print, printf or say.
func (ev *eval) perlPrintNode(n *node) value {
	var vs []value
	for _, k := range n.kids[1:] {
		vs = append(vs, ev.expr(k))
	}
	if len(vs) == 0 {
		line, _ := ev.get("$_")
		vs = []value{line}
	}
	h := n.kid(0)
	if h.kind == nUnit || h.text == "STDOUT" {
		ev.printed(vs...)
		return value{k: vBool}
	}
	if h.text == "STDERR" {
		return value{k: vBool}
	}
	f := ev.expr(h)
	if n.text == "say" {
		vs = append(vs, text("\n"))
	}
	ev.put(f, vs...)
	return value{k: vBool}
}

// lineLoop judges a script that runs once for every line of its operands (perl -n, ruby -n).
func (ev *eval) lineLoop(tree *node) {
	if ev.lang == Perl || ev.lang == Ruby {
		ev.beginEnd(tree)
	}
	files := operands(ev.argv, ev.opt)
	base := len(ev.out.Touches)
	ev.out.Touches = append(ev.out.Touches, inputTouches(files, true, output{}, string(ev.lang))...)
	var line value
	for i := base; i < len(ev.out.Touches); i++ {
		line.flows = append(line.flows, flow{ref: i, full: true, verbatim: true, elem: true})
	}
	leaks := jumps(tree)
	if leaks {
		line.flows = partly(line.flows)
	}
	ev.set("$_", line)
	ev.havoc(tree)
	ev.set("$_", line)
	ev.block(tree)
	if ev.opt.Print {
		v, _ := ev.get("$_")
		ev.printed(v)
	}
	for i := range ev.out.Touches {
		ev.out.Touches[i].Spans = joinSpans(ev.out.Touches[i].Spans)
	}
}

// beginEnd is a hook for blocks that run before the loop; they are followed in place, which is the same here.
func (ev *eval) beginEnd(*node) {}

// lineCondition follows a branch whose condition selects lines by their number: print if 1..5.
func (ev *eval) lineCondition(n *node) bool {
	if !ev.opt.Lines && !ev.opt.Print || len(n.kids) != 2 {
		return false
	}
	s, ok, _ := lineRange(n.kid(0))
	line, has := ev.get("$_")
	if !ok || !has || len(line.flows) == 0 || !line.flows[0].elem || len(line.flows[0].spans) > 0 {
		return false
	}
	in := value{flows: append([]flow(nil), line.flows...)}
	for i := range in.flows {
		in.flows[i].spans = [][2]int{s}
		if i > 0 {
			in.flows[i] = flow{ref: in.flows[i].ref}
		}
	}
	ev.set("$_", in)
	ev.block(n.kid(1))
	ev.set("$_", line)
	return true
}
