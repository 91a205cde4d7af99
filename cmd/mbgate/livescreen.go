package main

import (
	"bytes"
	"os"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"golang.org/x/term"

	"github.com/mbgate/mbgate/internal/render"
)

// liveScreen is a terminal that is drawn on again and again.
type liveScreen struct {
	in, out *os.File
	// was is how the terminal was set before, nil if keys come from elsewhere; on is set from enter to leave.
	was   *term.State
	on    bool
	plain func() error
	// shown are the lines on the screen, which has that size.
	shown         []string
	width, height int
}

const (
	enterScreen = ansi.SetAltScreenSaveCursorMode + ansi.HideCursor + ansi.EraseEntireScreen
	leaveScreen = ansi.ResetStyle + ansi.ShowCursor + ansi.ResetAltScreenSaveCursorMode
	// What is between the two appears at once, where a terminal knows them (DEC mode 2026); others ignore them.
	beginUpdate = ansi.SetSynchronizedOutputMode
	endUpdate   = ansi.ResetSynchronizedOutputMode
)

// enter takes the terminal over: another screen, no cursor, keys at once and unseen.
func (s *liveScreen) enter() error {
	s.was = nil
	if s.in != nil && term.IsTerminal(int(s.in.Fd())) {
		was, err := term.MakeRaw(int(s.in.Fd()))
		if err != nil {
			return err
		}
		s.was = was
	}
	// Windows wants to be asked before it obeys.
	s.plain, _ = termenv.EnableVirtualTerminalProcessing(termenv.NewOutput(s.out))
	s.on = true
	s.forget()
	_, err := s.out.WriteString(enterScreen)
	if err != nil {
		s.leave()
	}
	return err
}

// leave restores the terminal. A second call does nothing.
func (s *liveScreen) leave() {
	if !s.on {
		return
	}
	s.on = false
	_, _ = s.out.WriteString(endUpdate + leaveScreen)
	if s.plain != nil {
		_ = s.plain()
	}
	if s.was != nil {
		_ = term.Restore(int(s.in.Fd()), s.was)
	}
}

// forget makes the next show draw everything.
func (s *liveScreen) forget() { s.width = 0 }

// resized reports whether the screen has another size than what was drawn on it.
func (s *liveScreen) resized() bool {
	width, height, err := term.GetSize(int(s.out.Fd()))
	return s.width == 0 || err == nil && (width != s.width || height != s.height)
}

// show draws the lines of a text that differ from those on the screen, and end in the last line. It writes nothing where
// none differs.
func (s *liveScreen) show(text, end string) error {
	var b bytes.Buffer
	if s.resized() {
		width, height, err := term.GetSize(int(s.out.Fd()))
		if err != nil || width <= 0 || height <= 0 {
			width, height = 80, 24
		}
		s.width, s.height, s.shown = width, height, nil
		b.WriteString(ansi.ResetStyle + ansi.EraseEntireScreen)
	}
	lines := render.Frame(text, s.width, s.height, end)
	for i := range max(len(lines), len(s.shown)) {
		now, before := "", ""
		if i < len(lines) {
			now = lines[i]
		}
		if i < len(s.shown) {
			before = s.shown[i]
		}
		if now != before {
			b.WriteString(ansi.CursorPosition(1, i+1) + ansi.EraseEntireLine + now)
		}
	}
	s.shown = lines
	if b.Len() == 0 {
		return nil
	}
	_, err := s.out.WriteString(beginUpdate + b.String() + endUpdate)
	return err
}
