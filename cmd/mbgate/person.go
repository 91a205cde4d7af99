package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"golang.org/x/term"
)

// forPeople is nil at a terminal outside of any agent, where a person sits (R6). what names the command.
func (a *app) forPeople(what, remedy string) error {
	if err := a.outsideAgents(what, remedy); err != nil {
		return err
	}
	if a.stdin == nil || !term.IsTerminal(int(a.stdin.Fd())) {
		return fmt.Errorf("%s is for people, and standard input is not a terminal; %s", what, remedy)
	}
	if program := typist(a.ancestors()); program != "" {
		return fmt.Errorf("%s is for people, and %s opened this terminal; %s", what, program, remedy)
	}
	return nil
}

// outsideAgents is nil where no agent runs this. It suits what people's scripts may do as well.
func (a *app) outsideAgents(what, remedy string) error {
	if agent, variable := marked(a.getenv); agent != "" {
		return fmt.Errorf("%s is for people, and this runs inside %s (%s is set); %s", what, agent, variable, remedy)
	}
	if agent := parented(a.ancestors()); agent != "" {
		return fmt.Errorf("%s is for people, and this runs inside %s (one of the processes above is it); %s", what, agent, remedy)
	}
	return nil
}

// confirm asks a question on standard error; anything but y or yes is a no.
func (a *app) confirm(question string) bool {
	answer := a.ask(question + " (y/N)")
	return answer == "y" || answer == "yes"
}

// ask asks a question on standard error. The answer is in lower case; where the input ends without one it is "none".
func (a *app) ask(question string) string {
	fmt.Fprintf(a.stderr, "%s ", question)
	answer, err := bufio.NewReader(io.LimitReader(a.stdin, 64)).ReadString('\n')
	if err != nil {
		fmt.Fprintln(a.stderr)
		if answer == "" {
			return "none"
		}
	}
	return strings.ToLower(strings.TrimSpace(answer))
}
