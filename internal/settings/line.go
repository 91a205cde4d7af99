package settings

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"
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

// LineOf looks for a status line in a file.
func (c Client) LineOf(data []byte, o Options) (l Line, ok bool, err error) {
	if c.StatusLine == "" || data == nil {
		return l, false, nil
	}
	d, err := parse(data)
	if err != nil {
		return l, false, err
	}
	v, err := c.line(d)
	if err != nil || v == nil {
		return l, false, err
	}
	return lineOf(v, o), true, nil
}

// line is the value of the status line's key, nil if there is none.
func (c Client) line(d *document) (*hujson.Value, error) {
	if c.StatusLine == "" || d.top.Value == nil {
		return nil, nil
	}
	if d.top.Value.Kind() != '{' {
		return nil, d.wrong(&d.top, "the file must hold an object, { … }")
	}
	return get(&d.top, c.StatusLine), d.once(&d.top, c.StatusLine)
}

func lineOf(v *hujson.Value, o Options) Line {
	command, ok := text(get(v, "command"))
	if !ok {
		return Line{Command: raw(v)}
	}
	l := Line{Command: command}
	for _, words := range commands(command, o) {
		for i := range len(words) - 1 {
			if b := base(words[i]); words[i+1] == lineWord && (b == "mbgate" || mayBeOurs(b, o)) {
				l.Runs = true
				// As LineCommand writes it, for whatever binary, or as people do: nothing else is in the line.
				path, _ := strings.CutSuffix(strings.TrimSpace(command), " "+lineWord)
				l.Ours = l.Ours || slices.Contains([]string{words[i], quote(words[i], false), quote(words[i], true)}, path)
			}
		}
	}
	return l
}

// putLine sets the status line, where that is asked for and where it is ours already.
func (c Client) putLine(d *document, o Options) (changed bool, err error) {
	v, err := c.line(d)
	switch {
	case c.StatusLine == "":
		return false, nil
	case err != nil && !o.StatusLine:
		return false, nil // a broken status line does not keep the hooks out
	case err != nil:
		return false, err
	case v == nil && o.StatusLine:
		d.add(&d.top, c.StatusLine, object{{"type", "command"}, {"command", LineCommand(o)}})
		return true, nil
	case v == nil:
		return false, nil
	}
	l := lineOf(v, o)
	switch {
	case l.Ours && l.Command != LineCommand(o):
		get(v, "command").Value = hujson.String(LineCommand(o))
		return true, nil
	case !l.Runs && o.StatusLine:
		return false, &LineError{l}
	}
	return false, nil
}

// dropLine takes the status line out if it is ours.
func (c Client) dropLine(d *document, o Options) (changed bool) {
	v, err := c.line(d)
	if err != nil || v == nil || !lineOf(v, o).Ours {
		return false // a broken status line stays
	}
	all := members(&d.top)
	containerOf(&d.top).drop(slices.IndexFunc(all, func(m hujson.ObjectMember) bool { return name(m) == c.StatusLine }))
	return true
}
