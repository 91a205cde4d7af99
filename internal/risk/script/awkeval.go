package script

import "github.com/mbgate/mbgate/internal/event"

// awkField is $n: the whole line or a part of it.
func (ev *eval) awkField(n *node) value {
	line, _ := ev.get("$0")
	k := n.kid(0)
	if k.kind == nNum && k.text == "0" {
		return line
	}
	ev.expr(k)
	return value{flows: partly(line.flows)}
}

// awkPrintNode is print or printf, to standard output, a file or a command.
func (ev *eval) awkPrintNode(n *node) value {
	var vs []value
	for _, k := range n.kids[min(2, len(n.kids)):] {
		vs = append(vs, ev.expr(k))
	}
	if len(vs) == 0 {
		line, _ := ev.get("$0")
		vs = []value{line}
	}
	why := "awk " + n.text
	switch n.kid(0).text {
	case "":
		ev.printed(vs...)
	case ">", ">>":
		op := event.OpWrite
		if n.kid(0).text == ">>" {
			op = event.OpAppend
		}
		target := ev.expr(n.kid(1))
		for _, t := range target.alternatives() {
			if s, known := t.plain(); known && special(s) == 'o' {
				ev.printed(vs...)
				continue
			}
			if t.k == vNum {
				t = text(t.s)
			}
			ev.touch(op, t, false, why)
		}
	case "|", "|&":
		out := text("")
		for i, v := range vs {
			if i > 0 {
				out = concat(out, text(" "))
			}
			out = concat(out, v)
		}
		if n.text == "print" {
			out = concat(out, text("\n"))
		}
		for _, r := range ev.shell(ev.expr(n.kid(1)), why+" into a command") {
			ev.feed(ev.pipe(r), out)
		}
	}
	return value{}
}

// pipe finds the command that an earlier print started, or starts it: awk keeps one process for one text.
func (ev *eval) pipe(r Run) int {
	for i := range ev.out.Runs {
		if i > 32 {
			break
		}
		if u := ev.out.Runs[i]; r.Known && u.HasInput && u.Shell == r.Shell && u.Why == r.Why {
			return i
		}
	}
	r.Printed = true
	v := ev.run(r)
	if len(v.flows) == 0 {
		return -1
	}
	return ^v.flows[0].ref
}

// awkCall handles the functions whose effect on $0 or on files no table line can say.
func (ev *eval) awkCall(n *node) (value, bool) {
	switch n.kid(0).text {
	case "getline":
		var got value
		switch n.kid(1).text {
		case "":
			line, _ := ev.get("$0")
			got = value{flows: partly(line.flows)}
			for i := range line.flows { // the loop no longer sees every line
				line.flows[i] = flow{ref: line.flows[i].ref}
			}
		case "<":
			f := ev.openFile(ev.expr(n.kid(2)), text("r"), "awk getline")
			got = ev.content(f, "line")
		case "|":
			for _, r := range ev.shell(ev.expr(n.kid(2)), "awk getline from a command") {
				got = ev.run(r)
			}
		}
		if len(n.kids) > 3 {
			ev.assign(n.kid(3), got)
		} else {
			ev.set("$0", got)
		}
		return value{k: vBool}, true
	case "sub", "gsub":
		for _, k := range n.kids[1:] {
			ev.expr(k)
		}
		target := n.kid(3)
		if len(n.kids) > 3 && target.kind == nName {
			v := ev.expr(target)
			ev.set(target.text, value{flows: changed(v.allFlows())})
			return value{k: vNum}, true
		}
		ev.awkChanged()
		return value{k: vNum}, true
	case "split":
		v := ev.expr(n.kid(2))
		ev.assign(n.kid(1), value{flows: partly(v.allFlows())})
		ev.assign(n.kid(2), value{flows: partly(v.allFlows())})
		return value{k: vNum}, true
	}
	return value{}, false
}

// awkChanged notes that the line is no longer as it was.
func (ev *eval) awkChanged() {
	line, _ := ev.get("$0")
	ev.set("$0", value{flows: changed(line.flows)})
}
