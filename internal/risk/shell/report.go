// Package shell judges a shell command the way a shell would run it: which files it writes, which it shows, and what
// about it cannot be known (SPEC §9). The command is parsed with a real shell parser; nothing is ever run. Knowledge
// about programs is data in tables, not code.
//
// Where to read, in the order in which a command passes: judge.go parses it and bounds everything. control.go, loop.go and
// subst.go walk statements, in the states of shellstate.go. word.go, param.go, brace.go, glob.go and arith.go expand words.
// redirect.go opens files. run.go finds out what a word runs: a function, a builtin (builtin.go, declare.go, io.go, trap.go)
// or a program. table.go finds the row of a program and option.go sorts its options. apply.go and role.go do what the row
// says: the head of tables/files.tbl describes its fields. Programs that fields cannot describe have a handler; handle.go
// names them all. effects.go records what is changed, built.go which of it a build puts out, and
// reads.go what is shown. Why something is judged so is a reason.Reason; no sentence is made here.
//
// Two marks stand for what is not known, and travel inside strings: anyText for any text at all, anyName for text without
// a slash. So "log-$(date).txt" is still a file in this folder, and "/tmp/$x" still lies outside. Four counters of the walker
// say how sure it is: maybe (what is walked may not run), chained (it runs if what stands before && succeeds), doubt (not
// even a full read may be credited) and dirty (something ran whose effects are not known). Content is followed as well:
// what a command itself writes into a file or a pipe is known when a shell or an interpreter is fed with it.
package shell

import (
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// Env is what a command is judged in.
type Env struct {
	Files place.Files
	// Cwd, Root and Home are absolute folders. Home may be "".
	Cwd, Root, Home string
	// Vars are environment variables whose value is known (HOME, PWD and the like need not be in it).
	Vars map[string]string
	// Language is that of event.Tool: the command is a script in it, and no shell's.
	Language string
	// Self is the absolute path of mbgate's own binary, which a command may ask for by name; "" if not known.
	Self string
	// Wrote says whether this session changed the file with that place.Key: a script it wrote itself is not trusted to
	// be the project's own. May be nil.
	Wrote func(key string) bool
}

// Effect is one file that a command changes.
type Effect struct {
	Place place.Place
	Op    event.Op
	// Certain is false where the change depends on something unknown (an option, a branch, a glob).
	Certain bool
	// Tree is set when everything below a folder is meant (rm -r, cp -r, chmod -R).
	Tree bool
	// Code is set when only files of programming languages below a folder are meant: a formatter spares the memory bank.
	Code bool
	// Built is set for a build output that is no text file of the project already; OfProject if all files that were named for
	// it are the project's, so that running it is like running tests.
	Built, OfProject bool
	// Why says which word or redirection does it.
	Why reason.Reason
}

// Read is a file whose content, or a part of it, reaches the command's standard output.
type Read struct {
	Place place.Place
	// Full is set when all of the file is shown; else Spans are the lines asked for, if they can be told.
	Full  bool
	Spans []Span
	// Verbatim is set when lines reach the output as they stand in the file, or with a number before them: only then can they be
	// compared with a result and credited (A4). A filter (grep, wc) is not verbatim.
	Verbatim bool
}

// Span is a range of lines, 1-based and inclusive. Last 0 is the end of the file; a negative First counts from the end
// (tail -n 5 is {-5, 0}).
type Span struct{ First, Last int }

// Special is a command of special interest that the text would run.
type Special struct {
	Kind SpecialKind
	// Args are the command's words as far as known; an unknown word is "". The first is the program.
	Args []string
	// Part is the simple command that runs it, as reason.Reason has it.
	Part string
}

// SpecialKind is why a command is of special interest.
type SpecialKind uint8

// The kinds of special commands.
const (
	Mbgate      SpecialKind = iota + 1 // mbgate itself (R6)
	Agent                              // a nested coding agent
	Interactive                        // an interpreter whose later input no hook sees
	EndsMbgate                         // a program that ends mbgate's processes or changes its package
)

// Report is what a command would do. The zero Report says nothing about a command, it is never "harmless": Parsed is
// false in it.
type Report struct {
	// Parsed is false when the text could not be parsed; what its words name is then in Effects and Unknown.
	Parsed  bool
	Effects []Effect
	Reads   []Read
	// Unbounded are the reasons why the changed files cannot be listed though they may lie in the project: rm -rf "$x",
	// git reset --hard.
	Unbounded []reason.Reason
	// Unknown are the reasons why it cannot be told what the command does to files at all.
	Unknown  []reason.Reason
	Specials []Special
	// Programs are the programs and subcommands that the command runs, each once, as the tables name them ("git checkout"),
	// in the order in which they begin; at most 32. They say nothing of what is done.
	Programs []string
	// Cwd is the folder the shell is in afterwards, "" when it cannot be known.
	Cwd string
}
