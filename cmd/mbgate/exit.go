package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

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
		fmt.Fprintf(stderr, "mbgate: %s; run `%s`\n", render.Clean(usage.problem), strings.TrimSpace("mbgate help "+usage.command))
		return exitUsage
	case errors.As(err, &quiet):
		return quiet.status
	}
	fmt.Fprintf(stderr, "mbgate: %s\n", render.Safe(err.Error()))
	return exitFailure
}
