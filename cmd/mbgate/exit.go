package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/mbgate/mbgate/internal/render"
)

// status is an exit status.
type status int

// The exit statuses (SPEC §2). Nothing but a refusal ever ends in 2, because agents take a 2 for one.
const (
	exitOK      status = 0
	exitFailure status = 1 // mbgate's own failure, or a "no" to a person
	exitRefused status = 2
	exitUsage   status = 64
)

// refusedError ends a hook command whose call is refused. It is the only error that becomes exit status 2.
type refusedError struct{ text string }

func (e *refusedError) Error() string { return e.text }

// usageError is a wrong command line.
type usageError struct {
	problem string
	// command is the command that was called, as `mbgate help` takes it; "" for none.
	command string
}

func (e *usageError) Error() string { return e.problem }

// quietError ends a command with a status when all has been said.
type quietError struct{ status status }

func (e *quietError) Error() string { return "" }

// conclude turns the error that a command ended with into an exit status, and says it: the one place that does.
func conclude(stderr io.Writer, err error) status {
	var refused *refusedError
	var usage *usageError
	var quiet *quietError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &refused):
		_, _ = io.WriteString(stderr, refused.text)
		return exitRefused
	case errors.As(err, &usage):
		text := render.Clean(usage.problem)
		if !strings.HasSuffix(text, "?") { // that names the right thing
			text += "; run `" + strings.TrimSpace("mbgate help "+usage.command) + "`"
		}
		complain(stderr, text)
		return exitUsage
	case errors.As(err, &quiet):
		return quiet.status
	}
	text := err.Error()
	if errors.Is(err, fs.ErrPermission) && !strings.Contains(text, "; ") {
		text += "; look at who owns it and who may write it"
	}
	complain(stderr, render.Safe(text))
	return exitFailure
}

// complain says what went wrong, in lines that fit where a person reads it, in one line for programs.
func complain(stderr io.Writer, text string) {
	text = "mbgate: " + text + "\n"
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		text = render.NewScreen(stderr, os.Getenv).Prose(0, text)
	}
	_, _ = io.WriteString(stderr, text)
}
