package shell

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// jq prints what its filter selects; `.` is everything.
func (c *cmd) jq() bool {
	rest := c.rest
	filter := "."
	if len(rest) > 0 && !c.has("f", "from-file") {
		filter, rest = rest[0].s, rest[1:]
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

// base64 decodes text that is known: commands hidden in base64 are often piped into a shell.
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
