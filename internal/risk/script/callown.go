package script

import (
	"slices"
	"strings"
)

// Calls of the script's own functions.

// call follows a function of the script.
func (ev *eval) call(fn *node, self *value, args []value, keys []string) value {
	if ev.calls >= maxCalls || ev.steps >= maxSteps && ev.done[fn] {
		if ev.steps >= maxSteps {
			ev.giveUp()
		}
		fs := []flow(nil)
		for _, a := range args {
			fs = mergeFlows(fs, partly(a.allFlows()))
		}
		return value{flows: fs}
	}
	ev.done[fn] = true
	ev.calls++
	ev.push(false)
	ev.returns = append(ev.returns, value{class: "unset"})
	ps := fn.keys
	for i, pattern := range fn.kids[min(1, len(fn.kids)):] {
		if i < len(args) && pattern.kind != nName {
			ev.assign(pattern, args[i])
		}
	}
	if self != nil && len(ps) > 0 && (ev.lang == Python || ev.lang == Perl) {
		ev.set(ps[0], *self)
		ps = ps[1:]
	}
	pos := 0
	for _, p := range ps {
		name := strings.TrimLeft(p, "*&")
		if strings.HasPrefix(p, "*") {
			rest := value{k: vList}
			rest.items = append(rest.items, args[min(pos, len(args)):]...)
			ev.set(name, rest)
			pos = len(args)
			continue
		}
		v := value{}
		if i := slices.Index(keys, name); i >= 0 && name != "" && i < len(args) {
			v = args[i]
		} else {
			for pos < len(args) && pos < len(keys) && keys[pos] != "" {
				pos++
			}
			if pos < len(args) {
				v = args[pos]
			}
			pos++
		}
		ev.set(name, v)
	}
	if ev.lang == Perl {
		all := value{k: vList, items: args}
		if self != nil {
			all.items = append([]value{*self}, args...)
		}
		ev.set("@_", all)
	}
	ev.block(fn.kid(0))
	ret := ev.returns[len(ev.returns)-1]
	ev.returns = ev.returns[:len(ev.returns)-1]
	if ret.class == "unset" {
		ret = value{}
		if ev.lang == Ruby || ev.lang == Perl {
			ret = ev.last
		}
	} else if ev.lang == Ruby && fn.text == "" {
		ret = either(ret, ev.last)
	}
	vars := ev.pop()
	ev.calls--
	if ev.lang != Python && len(ev.scopes) > 0 {
		for k, v := range vars {
			if strings.HasPrefix(k, "this.") || strings.HasPrefix(k, "@") && k != "@_" || strings.HasPrefix(k, "$this.") || strings.HasPrefix(k, "self.") {
				ev.set(k, v)
				continue
			}
			if old, ok := ev.get(k); ok && !slices.Contains(fn.keys, k) && k != "@_" && !same(old, v) {
				ev.set(k, either(old, v))
			}
		}
	} else {
		for k, v := range vars {
			if strings.HasPrefix(k, "self.") {
				ev.set(k, v)
			}
		}
	}
	return ret
}

// callback follows a function value that something calls at a time of its own, with unknown arguments but for those given.
func (ev *eval) callback(f value, args ...value) value {
	switch f.k {
	case vFunc:
		return ev.call(f.fn, nil, args, nil)
	case vObj:
		if r, ok := ev.row(f.s); ok {
			return ev.apply(r, value{}, args, nil, len(args) == 0)
		}
	case vAlt:
		var v value
		for _, it := range f.items {
			v = ev.callback(it, args...)
		}
		return v
	}
	return value{}
}

// leftovers follows the functions that nobody called but the script mentions: something may call them.
func (ev *eval) leftovers() {
	for range 3 {
		var todo []*node
		for name, fs := range ev.funcs {
			for _, f := range fs {
				if !ev.done[f] && (ev.refs[name] || name == anonymous || strings.HasPrefix(name, "__") || f.text == "always" || ev.heirs[f]) {
					todo = append(todo, f)
				}
			}
		}
		if len(todo) == 0 {
			return
		}
		slices.SortFunc(todo, func(a, b *node) int { return strings.Compare(a.text, b.text) })
		for _, f := range todo {
			ev.done[f] = false
			ev.call(f, nil, nil, nil)
			ev.done[f] = true
		}
	}
}
