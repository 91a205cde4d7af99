package shell

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// split writes files whose names begin with a prefix: x, or xx for csplit.
func (c *cmd) split() bool {
	if c.has("n") && strings.HasPrefix(c.nth("n"), "l/") && strings.Count(c.nth("n"), "/") == 2 {
		return true // -n l/K/N prints a part
	}
	if f, ok := c.value("filter"); ok {
		sub := c.st.fork()
		sub.set("FILE", &value{s: c.prefix(1, "x") + anyName})
		c.w.evalSub(sub, f.s, nil)
		return true
	}
	p := ""
	if c.row.name == "csplit" {
		p = "xx"
		if v, ok := c.value("f", "prefix"); ok {
			p = v.s
		}
	} else {
		p = c.prefix(1, "x")
	}
	c.w.perhaps(len(c.rest) > 0 && c.rest[0].s != "-" && !c.exists(c.rest[0]), func() {
		c.role("create", arg{s: p + anyName}, true)
	})
	return true
}

func (c *cmd) nth(name string) string {
	v, _ := c.value(name)
	return v.s
}

func (c *cmd) prefix(i int, other string) string {
	if len(c.rest) > i {
		return c.rest[i].s
	}
	return other
}

func (c *cmd) dos2unix() bool {
	newFile := c.has("n", "newfile")
	for i, a := range c.rest {
		if newFile {
			if i%2 == 1 {
				c.role("write", a, true)
			}
			continue
		}
		if !c.has("O", "to-stdout", "i", "info") {
			c.role("edit", a, true)
		}
	}
	return true
}

// jq prints what its filter selects; `.` is everything.
func (c *cmd) jq() bool {
	rest := c.rest
	filter := "."
	if len(rest) > 0 && !c.has("f", "from-file") {
		if c.row.do == "yq" && (rest[0].s == "eval" || rest[0].s == "e") {
			rest = rest[1:]
		}
		if len(rest) > 0 {
			filter, rest = rest[0].s, rest[1:]
		}
	}
	if c.has("i", "inplace", "in-place") && c.row.do == "yq" {
		for _, a := range rest {
			c.role("edit", a, true)
		}
		return true
	}
	if c.has("n", "null-input") {
		c.w.emit(c.st, 1, anyText, nil)
		return true
	}
	var reads []Read
	for _, in := range c.inputs(rest) {
		reads = append(reads, in.reads...)
	}
	if filter == "." {
		reads = changed(reads)
	} else if strings.HasSuffix(filter, "length") || strings.HasSuffix(filter, "keys") {
		reads = nil
	} else {
		reads = filtered(reads)
	}
	c.w.emit(c.st, 1, anyText, reads)
	return true
}

// seq prints numbers: up to a bound each, beyond it one that stands for all.
func (c *cmd) seq() {
	n := []int{1, 1, 0} // first, step, last
	for i, a := range c.args {
		v, err := strconv.Atoi(a.s)
		if err != nil || len(c.args) > 3 {
			c.w.emit(c.st, 1, anyName+"\n", nil)
			return
		}
		switch {
		case i == len(c.args)-1:
			n[2] = v
		case i == 0:
			n[0] = v
		default:
			n[1] = v
		}
	}
	if n[1] <= 0 || (n[2]-n[0])/n[1] > maxRounds {
		c.w.emit(c.st, 1, anyName+"\n", nil)
		return
	}
	var b strings.Builder
	for i := n[0]; i <= n[2]; i += n[1] {
		b.WriteString(strconv.Itoa(i) + "\n")
	}
	c.w.emit(c.st, 1, b.String(), nil)
}

// base64 decodes text that is known: what is hidden in it is run often enough.
func (c *cmd) base64() bool {
	if !c.has("d", "D", "decode") {
		return false
	}
	text := anyText
	if in := c.inputs(c.rest); len(in) == 1 && isKnown(in[0].text) {
		clean := strings.Map(func(r rune) rune {
			if r == '\n' || r == ' ' || r == '\r' || r == '=' {
				return -1
			}
			return r
		}, in[0].text)
		if b, err := base64.RawStdEncoding.DecodeString(clean); err == nil {
			text = string(b)
		}
	}
	c.w.emit(c.st, 1, text, nil)
	return true
}
