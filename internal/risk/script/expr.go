package script

import (
	"strconv"
	"strings"
)

// expr evaluates an expression.
func (ev *eval) expr(n *node) value {
	if ev.depth++; ev.depth > maxNest {
		ev.depth--
		ev.opaque("the script nests too deeply to follow")
		return value{}
	}
	defer func() { ev.depth-- }()
	ev.steps++
	switch n.kind {
	case nUnit:
		if n.text == "" {
			return value{}
		}
		return value{k: vNone}
	case nStr:
		return text(n.text)
	case nNum:
		return value{k: vNum, s: n.text, known: true}
	case nBool:
		return value{k: vBool, s: n.text}
	case nInterp:
		v := text("")
		for _, k := range n.kids {
			v = concat(v, ev.asText(ev.expr(k)))
		}
		return v
	case nName:
		return ev.name(n)
	case nAttr:
		return ev.attrNode(n)
	case nIndex:
		return ev.index(n)
	case nCall:
		return ev.callNode(n)
	case nList:
		return ev.list(n)
	case nDict:
		if items, ok := plainItems(n); ok {
			return ev.list(items)
		}
		v := value{k: vDict}
		for i := 0; i+1 < len(n.kids); i += 2 {
			key := ev.expr(n.kids[i])
			val := ev.expr(n.kids[i+1])
			if s, known := key.plain(); known && len(v.keys) < maxItems {
				v.keys = append(v.keys, s)
				v.items = append(v.items, val)
				continue
			}
			v.open = true
			v.flows = mergeFlows(v.flows, mergeFlows(key.allFlows(), val.allFlows()))
		}
		return v
	case nBin:
		return ev.bin(n)
	case nUn:
		if ev.lang == Awk && n.text == "$" {
			return ev.awkField(n)
		}
		return ev.un(n)
	case nPrint:
		return ev.printNode(n)
	case nCond:
		ev.expr(n.kid(0))
		var a, b value
		m1 := ev.branch(func() { a = ev.expr(n.kid(1)) })
		m2 := ev.branch(func() { b = ev.expr(n.kid(2)) })
		ev.merge([]map[string]value{m1, m2}, true)
		return either(a, b)
	case nFunc:
		if n.text != "" {
			ev.set(n.text, value{k: vFunc, fn: n})
		}
		return value{k: vFunc, fn: n}
	case nAssign:
		return ev.assignNode(n)
	case nShell:
		v := ev.expr(n.kid(0))
		out := value{}
		for _, r := range ev.shell(v, string(ev.lang)+"'s backticks") {
			out = ev.run(r)
		}
		return out
	case nComp:
		return ev.comp(n)
	case nSpread:
		return ev.expr(n.kid(0))
	case nReadline:
		return ev.perlReadline(n.text)
	case nRegex:
		for _, k := range n.kids {
			ev.expr(k)
		}
		if (n.text == "s" || n.text == "tr") && ev.lang == Perl {
			if v, ok := ev.get("$_"); ok {
				ev.set("$_", value{flows: changed(v.allFlows())})
			}
		}
		return value{k: vBool, s: "regex"}
	}
	return ev.stmt(n)
}

// plainItems are the items of a literal in braces that has no keys: a set, or lua's list.
func plainItems(n *node) (*node, bool) {
	if len(n.kids) == 0 {
		return nil, false
	}
	list := mk(nList, "")
	for i := 0; i+1 < len(n.kids); i += 2 {
		if n.kids[i].kind != nUnit || n.kids[i].text != "" {
			return nil, false
		}
		list.kids = append(list.kids, n.kids[i+1])
	}
	return list, true
}

// asText is a value inside a string: an object that stands for a path is its path.
func (ev *eval) asText(v value) value {
	if v.k == vObj || v.k == vFile {
		return value{}
	}
	return v
}

func (ev *eval) list(n *node) value {
	v := value{k: vList}
	for i, k := range n.kids {
		if k.kind == nSpread || ev.lang == Perl && isSigil(k.text) && k.kind == nName && k.text[0] == '@' {
			in := ev.iterable(ev.expr(k))
			if in.k == vList {
				v.items = append(v.items, in.items...)
				v.open = v.open || in.open
			} else {
				v.open = true
			}
			v.flows = mergeFlows(v.flows, in.allFlows())
			continue
		}
		it := ev.expr(k)
		if k.kind == nComp {
			return it
		}
		if i >= maxItems {
			v.open = true
			v.flows = mergeFlows(v.flows, it.allFlows())
			continue
		}
		if ev.lang == Perl && it.k == vList {
			v.items = append(v.items, it.items...)
			v.open = v.open || it.open
			v.flows = mergeFlows(v.flows, it.flows)
			continue
		}
		v.items = append(v.items, it)
	}
	return v
}

// comp evaluates a comprehension.
func (ev *eval) comp(n *node) value {
	in := ev.iterable(ev.expr(n.kid(1)))
	filtered := n.kid(3).kind != nUnit
	each, any := ev.elements(in, filtered)
	ev.push(false)
	defer ev.pop()
	out := value{k: vList}
	if each != nil {
		for _, it := range each {
			ev.assign(n.kid(0), it)
			ev.expr(n.kid(3))
			v := ev.expr(n.kid(2))
			if filtered {
				out.open = true
				out.flows = mergeFlows(out.flows, partly(v.allFlows()))
			}
			out.items = append(out.items, v)
		}
		return out
	}
	ev.assign(n.kid(0), any)
	ev.expr(n.kid(3))
	v := ev.expr(n.kid(2))
	out = value{k: vUnknown, class: v.class, flows: ev.gather(v.allFlows())}
	if out.class == "path" {
		out.class = "paths"
	}
	return out
}

// gather turns items of a loop into the list of all of them.
func (ev *eval) gather(fs []flow) []flow {
	out := append([]flow(nil), fs...)
	for i := range out {
		if out[i].elem && out[i].cond == ev.cond {
			out[i].elem, out[i].lines = false, true
		} else if out[i].elem {
			out[i] = flow{ref: out[i].ref}
		}
	}
	return out
}

func (ev *eval) assignNode(n *node) value {
	if n.text == "=" || n.text == ":=" {
		v := ev.expr(n.kid(1))
		if n.kid(1).kind == nReadline && strings.HasPrefix(n.kid(0).text, "$") && !ev.refs["$/"] {
			if ev.iterating {
				_, v = ev.elements(v, false)
			} else {
				v = value{flows: partly(v.flows)}
			}
		}
		ev.assign(n.kid(0), v)
		return v
	}
	old := ev.expr(n.kid(0))
	v := ev.expr(n.kid(1))
	switch n.text {
	case "+=", ".=", "..=":
		fs := ev.gather(v.allFlows())
		switch {
		case old.k == vList && v.k == vList:
			v = value{k: vList, items: append(append([]value(nil), old.items...), v.items...), open: old.open || v.open, flows: mergeFlows(old.flows, fs)}
			if len(v.items) > maxItems {
				v.items, v.open = v.items[:maxItems], true
			}
		case n.text == "+=" && old.k == vNum && v.k == vNum:
			v = arith("+", old, v)
		default:
			v = concat(old, v)
			v.flows = mergeFlows(old.flows, fs)
		}
	case "||=", "??=", "//=":
		if _, ok := ev.get(varName(n.kid(0))); ok && n.text != "//=" {
			v = either(old, v)
		}
	case "/=":
		if old.class == "path" {
			v = joinPath([]value{old, v}, true)
			v.class = "path"
		}
	default:
		v = value{flows: mergeFlows(old.allFlows(), v.allFlows())}
	}
	ev.assign(n.kid(0), v)
	return v
}

func arith(op string, a, b value) value {
	x, err1 := strconv.Atoi(a.s)
	y, err2 := strconv.Atoi(b.s)
	if err1 != nil || err2 != nil || x > 1<<40 || y > 1<<40 || x < -1<<40 || y < -1<<40 {
		return value{}
	}
	switch op {
	case "+":
		x += y
	case "-":
		x -= y
	default:
		return value{}
	}
	return value{k: vNum, s: strconv.Itoa(x), known: true}
}

// bin evaluates a binary operator. Chains to the left are walked in a loop, they can be as long as the script.
func (ev *eval) bin(n *node) value {
	var spine []*node
	for n.kind == nBin {
		spine = append(spine, n)
		n = n.kid(0)
	}
	v := ev.expr(n)
	for i := len(spine) - 1; i >= 0; i-- {
		v = ev.binOp(spine[i].text, v, spine[i])
	}
	return v
}

func (ev *eval) binOp(op string, a value, n *node) value {
	ev.steps++
	right := n.kid(1)
	switch op {
	case "||", "or", "//", "??":
		if op == "//" && ev.lang != Perl {
			break
		}
		var b value
		m := ev.branch(func() { b = ev.expr(right) })
		ev.merge([]map[string]value{m}, false)
		switch s, known := a.plain(); {
		case a.k == vNone:
			return b
		case known && s != "" && a.k == vStr:
			return a
		case a.k == vUnknown && len(a.flows) == 0 && a.class == "":
			return either(value{}, b)
		case a.k == vFile || a.k == vList || a.k == vBool || right.kind == nCall && b.k != vStr:
			return a
		}
		return either(a, b)
	case "&&", "and":
		var b value
		m := ev.branch(func() { b = ev.expr(right) })
		ev.merge([]map[string]value{m}, false)
		return b
	}
	if op == "=~" || op == "!~" {
		return ev.match(a, n)
	}
	b := ev.expr(right)
	switch op {
	case "+", ".", "..":
		if op == ".." && ev.lang != Lua {
			return value{flows: mergeFlows(a.allFlows(), b.allFlows())}
		}
		if op == "+" && a.k == vNum && b.k == vNum {
			return arith(op, a, b)
		}
		if a.k == vList && b.k == vList {
			items := append(append([]value(nil), a.items...), b.items...)
			if len(items) > maxItems {
				items = items[:maxItems]
			}
			return value{k: vList, items: items, open: a.open || b.open, flows: mergeFlows(a.flows, b.flows)}
		}
		if a.class == "path" && ev.lang == Ruby {
			v := joinPath([]value{a, b}, true)
			v.class = "path"
			return v
		}
		if a.k == vList || b.k == vList {
			return value{k: vList, items: a.items, open: true, flows: mergeFlows(a.allFlows(), b.allFlows())}
		}
		return concat(ev.asText(a), ev.asText(b))
	case "-":
		if a.k == vNum && b.k == vNum {
			return arith(op, a, b)
		}
		return value{}
	case "/":
		if a.class == "path" || b.class == "path" {
			v := joinPath([]value{a, b}, true)
			v.class = "path"
			return v
		}
		return value{}
	case "%":
		if a.k == vStr {
			items := []value{b}
			if b.k == vList {
				items = b.items
			}
			return sprintf(a, items, b.k == vDict || b.k == vUnknown || b.open)
		}
		return value{}
	case "|":
		if a.k == vObj && b.k == vObj || a.class == "flags" {
			return value{k: vStr, known: true, class: "flags", s: a.s + "|" + b.s}
		}
		return value{}
	case "<<":
		return ev.shift(a, b, n)
	case "*", "x":
		return value{flows: mergeFlows(a.allFlows(), b.allFlows())}
	}
	return value{k: vBool}
}

// shift is ruby's "append to": a list, a string or an open file.
func (ev *eval) shift(a, b value, n *node) value {
	switch {
	case a.k == vFile:
		ev.put(a, b)
	case a.k == vObj && (a.s == "$stdout" || a.s == "STDOUT"):
		ev.printed(b)
	case ev.lang == Ruby && varName(n.kid(0)) != "":
		v := value{k: vUnknown, flows: mergeFlows(a.allFlows(), ev.gather(b.allFlows())), class: a.class}
		if a.k == vList && len(a.items) < maxItems {
			v = value{k: vList, items: append(append([]value(nil), a.items...), b), open: a.open, flows: v.flows}
		}
		ev.assign(n.kid(0), v)
		return v
	}
	return a
}

// match is a regular expression applied to a value; a substitution changes it.
func (ev *eval) match(a value, n *node) value {
	right := n.kid(1)
	if right.kind == nRegex {
		for _, k := range right.kids {
			ev.expr(k)
		}
	} else {
		ev.expr(right)
	}
	fs := partly(a.allFlows())
	for _, k := range []string{"$1", "$2", "$3", "$&", "$~"} {
		if len(fs) > 0 {
			ev.set(k, value{flows: fs})
		}
	}
	if right.kind == nRegex && (right.text == "s" || right.text == "tr") {
		if name := varName(n.kid(0)); name != "" {
			ev.set(name, value{flows: changed(a.allFlows())})
		} else if n.kid(0).kind == nAssign {
			ev.assign(n.kid(0).kid(0), value{flows: changed(a.allFlows())})
		}
	}
	return value{k: vBool, flows: fs}
}

func (ev *eval) un(n *node) value {
	v := ev.expr(n.kid(0))
	switch n.text {
	case "-":
		if v.k == vNum {
			return value{k: vNum, s: "-" + v.s, known: true}
		}
		return value{}
	case "~":
		return value{}
	case "delete", "typeof":
		return value{k: vBool}
	}
	return value{k: vBool}
}

// index evaluates v[k].
func (ev *eval) index(n *node) value {
	if name := varName(n); name != "" {
		if v, ok := ev.get(name); ok {
			return v
		}
	}
	v := value{}
	if base := n.kid(0); ev.lang == Perl && base.kind == nName && strings.HasPrefix(base.text, "$") && len(base.text) > 1 {
		v = ev.perlContainer(base)
	} else {
		v = ev.expr(base)
	}
	if k := n.kid(1); k.kind == nSlice {
		return ev.slice(v, k)
	}
	k := ev.expr(n.kid(1))
	if v.k == vObj && v.s == "Dir" && ev.lang == Ruby {
		return below(k)
	}
	if k.k == vList && len(k.items) == 2 && ev.lang == Ruby { // x[first, length]
		if a, b := k.items[0], k.items[1]; a.k == vNum && b.k == vNum {
			return ev.between(v, a, arith("+", a, b), false, false)
		}
	}
	if n.kid(1).kind == nBin && (n.kid(1).text == ".." || n.kid(1).text == "...") && ev.lang == Ruby {
		lo, hi := ev.expr(n.kid(1).kid(0)), ev.expr(n.kid(1).kid(1))
		if n.kid(1).text == ".." && hi.k == vNum && hi.s != "-1" {
			hi = arith("+", hi, value{k: vNum, s: "1"})
		}
		return ev.between(v, lo, hi, false, hi.s == "-1" || hi.k != vNum)
	}
	return ev.item(v, k)
}

// perlContainer is the array or hash of which $x[0] or $x{a} is an item, or what the reference $x points to.
func (ev *eval) perlContainer(n *node) value {
	name := n.text[1:]
	for _, sigil := range []string{"%", "@"} {
		if v, ok := ev.get(sigil + name); ok {
			return v
		}
		if _, ok := ev.row(sigil + name); ok {
			return ev.property(sigil + name)
		}
	}
	return ev.expr(n)
}

func (ev *eval) item(v, k value) value {
	if v.k == vFile {
		v = ev.content(v, "lines")
	}
	if v.class == "env" {
		return ev.env(k)
	}
	s, known := k.plain()
	switch v.k {
	case vList:
		if _, err := strconv.Atoi(s); err != nil && known && ev.lang == Perl {
			for i := 0; i+1 < len(v.items); i += 2 { // a hash
				if v.items[i].s == s {
					return v.items[i+1]
				}
			}
		}
		if i, err := strconv.Atoi(s); err == nil && known {
			if i < 0 && !v.open {
				i += len(v.items)
			}
			if i >= 0 && i < len(v.items) {
				return v.items[i]
			}
			if !v.open {
				return value{k: vNone, flows: v.flows}
			}
			return value{flows: partly(v.allFlows())}
		}
		if v.open || len(v.items) == 0 {
			return value{flows: partly(v.allFlows())}
		}
		out := v.items[0]
		for _, it := range v.items[1:min(len(v.items), 2*maxAlt)] {
			out = either(out, it)
		}
		if len(v.items) > 2*maxAlt {
			return value{flows: partly(v.allFlows())}
		}
		return out
	case vDict:
		for i := range v.keys {
			if known && v.keys[i] == s {
				return v.items[i]
			}
		}
		if !known && !v.open && len(v.items) > 0 {
			out := v.items[0]
			for _, it := range v.items[1:min(len(v.items), 2*maxAlt)] {
				out = either(out, it)
			}
			return out
		}
	case vObj:
		if known {
			return ev.attr(v, s)
		}
		if r, ok := ev.row(v.s + ".*"); ok {
			return ev.apply(r, v, nil, nil, true)
		}
	case vAlt:
		out := ev.item(v.items[0], k)
		for _, it := range v.items[1:] {
			out = either(out, ev.item(it, k))
		}
		return out
	}
	fs := partly(v.allFlows())
	if i, err := strconv.Atoi(s); err == nil && known {
		for j, f := range v.allFlows() {
			if f.lines && f.full && i >= 0 {
				fs[j].spans, fs[j].verbatim = [][2]int{{i + 1, i + 1}}, f.verbatim
			} else if f.lines && f.full {
				fs[j].spans, fs[j].verbatim = [][2]int{{i, i}}, f.verbatim
				if i == -1 {
					fs[j].spans = [][2]int{{-1, 0}}
				} else {
					fs[j].spans = nil
				}
			}
		}
	}
	return value{flows: fs, class: itemClass(v.class)}
}

// itemClass is what the items of a container are.
func itemClass(class string) string {
	if class == "paths" {
		return "path"
	}
	return ""
}

// slice evaluates v[a:b].
func (ev *eval) slice(v value, k *node) value {
	lo, hi := ev.expr(k.kid(0)), ev.expr(k.kid(1))
	if len(k.kids) > 2 {
		ev.expr(k.kid(2))
		return value{flows: partly(v.allFlows()), class: v.class}
	}
	return ev.between(v, lo, hi, k.kid(0).kind == nUnit, k.kid(1).kind == nUnit)
}

// between is the part of v from lo up to but without hi.
func (ev *eval) between(v, lo, hi value, fromStart, toEnd bool) value {
	if v.k == vFile {
		v = ev.content(v, "lines")
	}
	a, b := 0, 0
	ok := true
	if !fromStart {
		n, err := strconv.Atoi(lo.s)
		a, ok = n, err == nil && lo.k == vNum
	}
	if !toEnd {
		n, err := strconv.Atoi(hi.s)
		b, ok = n, ok && err == nil && hi.k == vNum
	}
	switch v.k {
	case vStr:
		if ok && v.known && v.class == "" {
			n := len(v.s)
			if toEnd {
				b = n
			}
			if a < 0 {
				a = max(0, a+n)
			}
			if b < 0 {
				b = max(0, b+n)
			}
			a, b = min(a, n), min(b, n)
			return text(v.s[a:max(a, b)])
		}
		return value{flows: partly(v.allFlows())}
	case vList:
		if ok && !v.open {
			n := len(v.items)
			if toEnd {
				b = n
			}
			if a < 0 {
				a = max(0, a+n)
			}
			if b < 0 {
				b = max(0, b+n)
			}
			a, b = min(a, n), min(b, n)
			return value{k: vList, items: v.items[a:max(a, b)]}
		}
	}
	fs := partly(v.allFlows())
	for i, f := range v.allFlows() {
		if !f.lines || !f.full || !ok {
			continue
		}
		switch {
		case a >= 0 && (toEnd || b > a):
			fs[i].spans = [][2]int{{a + 1, b}}
			if a == 0 && toEnd {
				fs[i] = f
				continue
			}
		case a < 0 && toEnd:
			fs[i].spans = [][2]int{{a, 0}}
		default:
			continue
		}
		fs[i].verbatim, fs[i].full, fs[i].lines = f.verbatim, true, true
	}
	return value{flows: fs, class: v.class}
}

// name evaluates a name.
func (ev *eval) name(n *node) value {
	if v, ok := ev.get(n.text); ok {
		return v
	}
	if fs := ev.funcs[strings.TrimPrefix(n.text, "&")]; len(fs) > 0 {
		if ev.lang == Ruby {
			return ev.call(fs[0], nil, nil, nil)
		}
		return value{k: vFunc, fn: fs[0]}
	}
	if ev.lang == Ruby {
		if r, ok := ev.row(n.text); ok && r.acts[0].verb != "value" && n.text[0] >= '_' {
			return ev.apply(r, value{}, nil, nil, false)
		}
	}
	if ev.class[n.text] != nil {
		return value{k: vObj, s: n.text}
	}
	for _, m := range ev.stars {
		if r, ok := ev.row(m + "." + n.text); ok && !r.method() {
			return ev.property(m + "." + n.text)
		}
	}
	if ev.lang == Ruby && n.text != "" && n.text[0] >= 'a' && n.text[0] <= 'z' {
		return value{}
	}
	return ev.property(n.text)
}

// property is what a qualified name holds.
func (ev *eval) property(q string) value {
	if r, ok := ev.row(q); ok && len(r.acts) > 0 && r.acts[0].verb == "value" {
		return ev.apply(r, value{}, nil, nil, false)
	}
	return object(q)
}

func (ev *eval) attrNode(n *node) value {
	if d := n.dotted(); d != "" {
		if v, ok := ev.get(d); ok {
			return v
		}
	}
	obj := ev.expr(n.kid(0))
	if ev.lang == Ruby && obj.k == vObj && n.text != "" && n.text[0] >= 'A' && n.text[0] <= 'Z' { // a constant
		return ev.property(obj.s + "." + n.text)
	}
	if ev.lang == Ruby || ev.lang == Perl {
		return ev.invoke(n, obj, n.text, nil, nil, false)
	}
	return ev.attr(obj, n.text)
}

// attr is a member of a value.
func (ev *eval) attr(obj value, name string) value {
	switch {
	case obj.class == "env":
		return ev.env(text(name))
	case obj.k == vObj:
		return ev.property(obj.s + "." + name)
	case obj.k == vDict:
		for i, k := range obj.keys {
			if k == name {
				return obj.items[i]
			}
		}
	case obj.k == vAlt:
		out := ev.attr(obj.items[0], name)
		for _, it := range obj.items[1:] {
			out = either(out, ev.attr(it, name))
		}
		return out
	}
	if obj.class != "" {
		if r, ok := ev.row(obj.class + "." + name); ok && len(r.acts) > 0 {
			if r.acts[0].verb == "value" {
				return ev.apply(r, obj, nil, nil, false)
			}
			return value{k: vObj, s: obj.class + "." + name, items: []value{obj}, flows: obj.flows}
		}
	}
	if obj.k == vList && name == "length" {
		return value{k: vNum, s: strconv.Itoa(len(obj.items))}
	}
	return value{flows: partly(obj.allFlows())}
}

// env is an environment variable.
func (ev *eval) env(k value) value {
	s, known := k.plain()
	if v, ok := ev.opt.Env[s]; ok && known {
		return text(v)
	}
	return value{}
}
