package shell

import (
	"path"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// findNode is a part of the expression: 'o'r, 'a'nd, '!', 't'est, 'x' for an action, 'p'rune.
type findNode struct {
	op     byte
	l, r   *findNode
	test   string
	arg    string
	action int
}

func (f *finder) peek() string {
	if len(f.args) == 0 {
		return ""
	}
	return f.args[0].s
}

func (f *finder) next() string {
	s := f.peek()
	if len(f.args) > 0 {
		f.args = f.args[1:]
	}
	return s
}

func (f *finder) or() *findNode {
	l := f.and()
	for f.peek() == "-o" || f.peek() == "-or" || f.peek() == "," {
		f.next()
		l = &findNode{op: 'o', l: l, r: f.and()}
	}
	return l
}

func (f *finder) and() *findNode {
	var l *findNode
	for len(f.args) > 0 {
		switch f.peek() {
		case "-o", "-or", ",", ")":
			return l
		case "-a", "-and":
			f.next()
			continue
		}
		r := f.primary()
		if r == nil {
			continue
		}
		if l == nil {
			l = r
		} else {
			l = &findNode{op: 'a', l: l, r: r}
		}
	}
	return l
}

func (f *finder) primary() *findNode {
	switch s := f.next(); s {
	case "(":
		if f.level++; f.level > maxSyntax {
			f.args = nil
			return nil
		}
		n := f.or()
		f.level--
		if f.peek() == ")" {
			f.next()
		}
		return n
	case "!", "-not":
		if f.level++; f.level > maxSyntax || len(f.args) == 0 {
			return nil
		}
		n := f.primary()
		f.level--
		return &findNode{op: '!', l: n}
	case "-maxdepth":
		f.max, _ = number(f.next(), 10, 6)
	case "-mindepth":
		f.min, _ = number(f.next(), 10, 6)
	case "-depth", "-d", "-xdev", "-mount", "-noleaf", "-daystart", "-follow", "-warn", "-nowarn", "-true":
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-type", "-xtype":
		return &findNode{op: 't', test: s, arg: f.next()}
	case "-empty", "-executable", "-readable", "-writable", "-nouser", "-nogroup", "-false":
		return &findNode{op: 't', test: s}
	case "-prune":
		return &findNode{op: 'p'}
	case "-quit":
	case "-delete", "-print", "-print0", "-ls":
		return f.action(s)
	case "-fprint", "-fprint0", "-fls", "-printf":
		return f.action(s, arg{s: f.next()})
	case "-fprintf":
		n := f.action(s, arg{s: f.next()})
		f.next()
		return n
	case "-exec", "-execdir", "-ok", "-okdir":
		var words []arg
		for len(f.args) > 0 {
			a := f.args[0]
			f.args = f.args[1:]
			if a.s == ";" {
				break
			}
			words = append(words, a)
			if a.s == "+" && len(words) > 1 && words[len(words)-2].s == "{}" {
				break
			}
		}
		return f.action(s, words...)
	default: // a test that cannot be told, with its value
		if f.peek() != "" && !strings.HasPrefix(f.peek(), "-") && f.peek() != ")" && f.peek() != "(" && f.peek() != "!" || strings.HasPrefix(f.peek(), "-") && len(f.peek()) > 1 && f.peek()[1] >= '0' && f.peek()[1] <= '9' {
			f.next()
		}
		return &findNode{op: 't', test: s}
	}
	return nil
}

func (f *finder) action(name string, args ...arg) *findNode {
	f.actions = append(f.actions, findAction{name: name, args: args})
	return &findNode{op: 'x', action: len(f.actions) - 1}
}

// eval evaluates the expression for one path and notes the actions that it comes to. known is false if the answer
// cannot be told; then both are possible.
func (f *finder) eval(n *findNode, p string, kind place.Kind, sure bool) (yes, known bool) {
	if n == nil {
		return true, true
	}
	switch n.op {
	case 'a', 'o':
		l, lk := f.eval(n.l, p, kind, sure)
		if lk && l == (n.op == 'o') {
			return l, true
		}
		r, rk := f.eval(n.r, p, kind, sure && lk)
		if lk {
			return r, rk
		}
		return r, rk && r == (n.op == 'o')
	case '!':
		l, lk := f.eval(n.l, p, kind, sure)
		return !l, lk
	case 'p':
		f.prune = f.prune || sure
		return true, true
	case 'x':
		a := &f.actions[n.action]
		a.hits = append(a.hits, findHit{path: p, sure: sure})
		return true, true
	}
	return f.test(n, p, kind)
}

func (f *finder) test(n *findNode, p string, kind place.Kind) (yes, known bool) {
	pat := n.arg
	if !isKnown(pat) || len(pat) > maxOperand {
		return true, false
	}
	switch n.test {
	case "-name":
		return match(pat, path.Base(p)), true
	case "-iname":
		return match(strings.ToLower(pat), strings.ToLower(path.Base(p))), true
	case "-path", "-wholename":
		return match(pat, p), true
	case "-ipath", "-iwholename":
		return match(strings.ToLower(pat), strings.ToLower(p)), true
	case "-false":
		return false, true
	case "-type":
		hit := false
		for _, t := range strings.Split(pat, ",") {
			switch t {
			case "f":
				hit = hit || kind == place.File && !f.isLink(p)
			case "d":
				hit = hit || kind == place.Folder && !f.isLink(p)
			case "l":
				hit = hit || f.isLink(p)
			default:
				hit = hit || kind == place.Special
			}
		}
		return hit, kind != place.Unknown
	case "-empty":
		if kind == place.Folder {
			names, ok := f.c.w.names(f.c.st, strings.TrimSuffix(p, "/")+"/")
			return len(names) == 0, ok
		}
		b, ok := f.c.w.env.Files.Text(f.c.w.env.Files.Locate(f.c.st.cwd, p).Abs, 1)
		return ok && len(b) == 0, kind == place.File
	}
	return true, false
}
