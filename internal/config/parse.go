package config

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// maxProblems is how many problems of one file are listed; the rest is counted.
const maxProblems = 20

// document is one file while it is read.
type document struct {
	file     File
	parser   unstable.Parser
	offset   int // up to where lines were counted
	line     int // the line at offset
	layer    assignments
	problems []Problem
	left     int // problems beyond maxProblems
}

// parseFile reads a file into a layer. The layer counts only if there is no problem.
func parseFile(f File) (assignments, []Problem) {
	d := document{file: f, line: 1}
	if f.Err != nil {
		what, remedy := reason(f.Err)
		d.problem(0, "", "cannot be read: "+plain(what), remedy)
		return d.layer, d.problems
	}
	if len(f.Data) > maxFile {
		d.problem(0, "", tooLarge, remedyTooLarge)
		return d.layer, d.problems
	}
	// Editors on Windows put a byte order mark in front; TOML knows none.
	d.parser.Reset(bytes.TrimPrefix(f.Data, []byte("\xef\xbb\xbf")))
	table := false
	for d.parser.NextExpression() {
		switch e := d.parser.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = true
			name, line := d.key(e)
			d.problem(line, "["+name+"]", "is a table, and there are none here",
				"remove the header and write its keys at the top of the file")
		case unstable.KeyValue:
			if !table { // what follows a header belongs to it, and the header was reported
				d.keyValue(e)
			}
		}
	}
	if err := d.parser.Error(); err != nil {
		d.syntax(err)
	}
	if d.left > 0 {
		d.problems = append(d.problems, Problem{
			Origin: Origin{Kind: FromFile, Name: f.Path},
			What:   "has " + strconv.Itoa(d.left) + " more problems",
			Remedy: "fix those above first",
		})
	}
	return d.layer, d.problems
}

// syntax says where the file stops being TOML.
func (d *document) syntax(err error) {
	line, what := 0, err.Error()
	var at *unstable.ParserError
	if errors.As(err, &at) {
		what = at.Message
		d.offset, d.line = 0, 1
		line = d.lineOf(d.parser.Range(at.Highlight))
	}
	d.problem(line, "", "is not valid TOML: "+plain(what), "fix this line; quote strings, and put lists in [ ]")
}

func (d *document) problem(line int, key, what, remedy string) {
	if len(d.problems) == maxProblems {
		d.left++
		return
	}
	d.problems = append(d.problems, Problem{
		Origin: Origin{Kind: FromFile, Name: d.file.Path, Line: line}, Key: key, What: what, Remedy: remedy,
	})
}

// lineOf is the line that a part of the file begins in. Parts are asked for in their order, so that the file is gone
// through once.
func (d *document) lineOf(r unstable.Range) int {
	to := int(r.Offset)
	if to < d.offset {
		d.offset, d.line = 0, 1
	}
	d.line += bytes.Count(d.parser.Data()[d.offset:to], []byte{'\n'})
	d.offset = to
	return d.line
}

// key is the name of an expression, its parts joined by dots, and its line.
func (d *document) key(e *unstable.Node) (string, int) {
	var parts []string
	line := 0
	for it := e.Key(); it.Next(); {
		if line == 0 {
			line = d.lineOf(it.Node().Raw)
		}
		parts = append(parts, string(it.Node().Data))
	}
	return strings.Join(parts, "."), line
}

func (d *document) keyValue(e *unstable.Node) {
	name, line := d.key(e)
	i, ok := find(name)
	if !ok && len(d.problems) == maxProblems {
		d.left++ // before a remedy is searched for: a file may hold 250,000 unknown keys
		return
	}
	if !ok {
		if name == "" {
			name = emptyKey
		}
		d.problem(line, name, "is not a key", remedyUnknown(name))
		return
	}
	if first := d.layer[i]; first != nil {
		d.problem(line, name, "is set twice, first in line "+strconv.Itoa(first.origin.Line), "keep one of the two lines")
		return
	}
	v := &value{origin: Origin{Kind: FromFile, Name: d.file.Path, Line: line}}
	d.layer[i] = v
	key := &table[i]
	if !d.value(key, v, e.Value(), line) {
		return
	}
	for _, f := range key.check(v) {
		at := line
		if f.element >= 0 && f.element < len(v.lines) {
			at = v.lines[f.element]
		}
		d.problem(at, name, f.what, f.remedy)
	}
}

// value takes the value of a node, or reports that it has the wrong type.
func (d *document) value(key *Key, v *value, n *unstable.Node, line int) bool {
	wrong := func(what string) bool {
		remedy := "write " + key.Name + " = " + key.Example
		switch {
		case key.Allowed != nil:
			remedy = key.oneOf()
		case key.Type.list() && n.Kind == unstable.String && len(n.Data) <= shown:
			remedy = "write " + key.Name + " = [" + literal(string(n.Data)) + "]"
		}
		d.problem(line, key.Name, "is "+what+" and must be "+string(key.Type), remedy)
		return false
	}
	switch {
	case key.Type.list() && n.Kind == unstable.Array:
		ok := true
		for it := n.Children(); it.Next(); {
			e := it.Node()
			if e.Kind != unstable.String {
				d.problem(line, key.Name, "has an element that is "+typeName(e.Kind)+" and must be a string",
					"put it in quotation marks")
				ok = false
				continue
			}
			v.list = append(v.list, string(e.Data))
			v.lines = append(v.lines, d.lineOf(e.Raw))
		}
		return ok
	case key.Type == Names && n.Kind == unstable.String:
		if len(n.Data) > 0 {
			v.list = []string{string(n.Data)}
		}
		return true
	case key.Type == Number && n.Kind == unstable.Integer:
		// The parser checked the spelling. Base 0 takes the prefixes 0x, 0o, 0b; no other number begins with 0.
		number, err := strconv.ParseInt(string(n.Data), 0, 0)
		if err != nil {
			return wrong("a number out of range")
		}
		v.number = int(number)
		return true
	case key.Type == Text && n.Kind == unstable.String, key.Type == Switch && n.Kind == unstable.Bool:
		v.text = string(n.Data)
		return true
	}
	return wrong(typeName(n.Kind))
}

func typeName(k unstable.Kind) string {
	switch k {
	case unstable.String:
		return "a string"
	case unstable.Integer:
		return "a whole number"
	case unstable.Float:
		return "a number with a fraction"
	case unstable.Bool:
		return "true or false"
	case unstable.Array:
		return "a list"
	case unstable.InlineTable:
		return "a table"
	}
	return "a date or time"
}
