package settings

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// lineWord is the subcommand that a status line runs.
const lineWord = "statusline"

// Line is the command of the status line that a file sets; ok is false if it sets none. Ours is set where it is one that
// mbgate wrote. Another one may run mbgate all the same, among other things; that is its owner's.
type Line struct {
	Command string
	Ours    bool
	// Runs is set where the command runs mbgate's status line, ours or not.
	Runs bool
}

// LineError says that a file has a status line which is not ours, so that it is left alone.
type LineError struct{ Line }

// Error is one line.
func (e *LineError) Error() string {
	return "there is a status line already, and it is not mbgate's: " + e.Command
}

// LineCommand is the command line that an installation gives the status line.
func LineCommand(o Options) string { return quote(o.Binary, o.Windows) + " " + lineWord }

// LineOf looks for a status line in a file. The error is a *SyntaxError.
func (c Client) LineOf(data []byte, o Options) (l Line, ok bool, err error) {
	if c.StatusLine == "" || data == nil {
		return l, false, nil
	}
	d, err := parse(data)
	if err != nil {
		return l, false, err
	}
	n, err := c.line(d)
	if err != nil || n == nil {
		return l, false, err
	}
	return d.lineOf(n, o), true, nil
}

// line is the value of the status line's key, nil if there is none.
func (c Client) line(d *document) (*node, error) {
	if d.top == nil {
		return nil, nil
	}
	if d.top.kind != kindObject {
		return nil, d.wrong(d.top, "the file must hold an object, { … }")
	}
	if at := d.top.twice(c.StatusLine); at >= 0 {
		return nil, d.twice(at, c.StatusLine)
	}
	return d.top.member(c.StatusLine), nil
}

func (d *document) lineOf(n *node, o Options) Line {
	command, ok := d.text(n.member("command"))
	if !ok {
		return Line{Command: d.raw(n)}
	}
	l := Line{Command: command}
	find(command, o, func(words []string) bool {
		for i := range len(words) - 1 {
			b := base(words[i])
			l.Runs = l.Runs || (b == "mbgate" || kin(b, o)) && words[i+1] == lineWord
		}
		return l.Runs
	})
	l.Ours = l.Runs && onlyLine(command, o)
	return l
}

// onlyLine reports whether a command line is as LineCommand writes it, for whatever binary.
func onlyLine(line string, o Options) bool {
	if o.Windows {
		words := plainWords(line)
		return len(words) == 2 && words[1] == lineWord
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil || len(file.Stmts) != 1 {
		return false
	}
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	return ok && len(call.Assigns) == 0 && len(call.Args) == 2 && len(file.Stmts[0].Redirs) == 0
}

// installLine sets the status line, where that is asked for and where it is ours already.
func (c Client) installLine(data []byte, o Options) ([]byte, error) {
	if c.StatusLine == "" {
		return data, nil
	}
	d, err := parse(data)
	if err != nil {
		return nil, err
	}
	n, err := c.line(d)
	switch {
	case err != nil && !o.StatusLine:
		return data, nil // what is wrong with it is not in the way of the hooks
	case err != nil:
		return nil, err
	case n == nil && !o.StatusLine:
		return data, nil
	case n == nil:
		return d.add(d.top, c.StatusLine, object{{"type", "command"}, {"command", LineCommand(o)}}, false), nil
	}
	l := d.lineOf(n, o)
	switch {
	case l.Ours && l.Command != LineCommand(o):
		return d.replace(n.member("command"), LineCommand(o)), nil
	case !l.Runs && o.StatusLine:
		return nil, &LineError{l}
	}
	return data, nil
}

// removeLine takes the status line out if it is ours.
func (c Client) removeLine(data []byte, o Options) ([]byte, error) {
	if c.StatusLine == "" || data == nil {
		return data, nil
	}
	d, err := parse(data)
	if err != nil {
		return nil, err
	}
	n, err := c.line(d)
	if err != nil || n == nil || !d.lineOf(n, o).Ours {
		return data, nil // what is wrong with it is not in the way
	}
	return d.drop(n.parent, n.index), nil
}
