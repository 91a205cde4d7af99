// Package reason holds why a tool call is judged as it is, as values: what kind of reason, which program or call, what it
// does to what. Decisions are made from Kind and Extent alone; the text fields are for people, and internal/render makes
// sentences of them. The package is pure and imports only event.
package reason

import "github.com/mbgate/mbgate/internal/event"

// Reason is one reason. The zero Reason is none.
type Reason struct {
	Kind Kind
	// By is the program or call, as the tables name it: "git checkout", "os.remove"; "" where the tool itself does it.
	By string
	// Op is what By does to Object.
	Op event.Op
	// Object is a path or a word as the call spells it.
	Object string
	// Extent says what of Object is known.
	Extent Extent
	// Folder is the folder that Extent speaks of.
	Folder string
	// In is the text within the command that does it: "bash -c".
	In string
	// Part is the simple command, of several, that does it: its first line as it is written. "" outside of shells.
	Part string
	// If is what has to be there for it.
	If Condition
}

// Kind is what a reason is about.
type Kind uint8

// The kinds. Of the first group Object is a file that is changed.
const (
	None Kind = iota
	Changes
	Restores  // version control puts back what it holds
	InPlace   // an editor of streams writes its result back
	Redirects // a shell's own redirection
	OpensBoth // opened for reading and writing
	Words     // a word of a command that cannot be parsed

	// Files of the project change that the command does not name.
	Worktree  // version control: any file, also one of the memory bank
	Generates // a generator or package manager: files of its own

	// What a command does cannot be told.
	Unparsed     // Object is the parser's message
	Fault        // a fault of mbgate's own; Object is what went wrong
	Opaque       // By is a language, Object what in a script cannot be told
	Script       // By runs the script Object, which cannot be judged
	MadeHere     // Object, a program or what By runs, was made here
	UnknownText  // By runs text that is not known
	UnknownWord  // a command is run whose name is not known; Object is the word
	UnknownSub   // By is run with a subcommand that is not known
	Terminal     // By runs commands in a terminal of its own
	Interactive  // By takes its orders from the terminal
	Agent        // By is a coding agent
	NoTarget     // a tool that changes files does not say which
	NoCommand    // a shell call without its command
	BadPatch     // Object is the parser's message
	BadSyntax    // a command that cannot be parsed, and nothing more is known
	TooNested    // beyond the bounds of the walker: so deep or long that it is not parsed,
	TooDeep      // texts and commands within one another,
	TooManyRuns  // commands run,
	TooLongLoop  // rounds of a loop,
	TooManyTraps // traps,
	TooManyFiles // files changed,
	TooManyWords // words that a word or a program stands for

	// Never open to an agent (R6). Object is the file, subcommand, flag or person's word.
	OwnFile
	OwnPerson   // a subcommand for people
	OwnClient   // one for clients
	OwnClear    // mbgate clear
	OwnProgram  // By ends its processes or changes its package
	OwnInit     // init where there is a memory bank
	OwnLayout   // init with another layout
	OwnUnknown  // a word that is not known
	OwnFlag     // a flag before the subcommand
	OwnUnparsed // in a command that cannot be parsed
	PersonWord
)

// Extent is what of a file that is changed is known.
type Extent uint8

// The extents.
const (
	Named         Extent = iota
	UnknownPath          // nothing; Object is the word as written
	UnknownFolder        // Object lies in a folder that is not known
	UnknownName          // it lies below Folder; Object is the word as written
	Everything           // everything below Object
	Below                // files below Object
)

// Condition is what has to be there, by the time that the call runs, for a change to happen.
type Condition uint8

// The conditions.
const (
	Always Condition = iota
	IfThere
	IfFolderThere
)

// MayBeBank reports whether a call that changes, for this reason, files that it does not name may change the memory bank:
// version control and paths that are not known may, generators and package managers write files of their own.
func (r Reason) MayBeBank() bool { return r.Kind != Generates }
