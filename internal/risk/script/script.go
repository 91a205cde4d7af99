// Package script tells from the text of an interpreter's script (python, node, perl, ruby, php, awk, sed, lua) which
// files it writes and prints and which shell commands it runs. It reads the text as the language's own lexer would
// (strings, comments, here-documents), it never runs anything, and what it cannot tell it says.
package script

import "github.com/mbgate/mbgate/internal/event"

// Lang is a scripting language.
type Lang string

// The languages that are understood.
const (
	Python Lang = "python"
	Node   Lang = "node"
	Perl   Lang = "perl"
	Ruby   Lang = "ruby"
	PHP    Lang = "php"
	Awk    Lang = "awk"
	Sed    Lang = "sed"
	Lua    Lang = "lua"
)

// Touch is one file that a script writes or reads. Path is as written in the script, after joining what is constant;
// Known is false when the path is computed from something the text does not tell.
type Touch struct {
	Path  string
	Known bool
	Op    event.Op
	// Printed is set on an OpRead whose content reaches standard output; Whole when all of it does, unfiltered and unchanged.
	Printed, Whole bool
	// Tree is set when everything below a folder is meant (shutil.rmtree).
	Tree bool
	Why  string
}

// Run is a command that the script starts. Shell is the text for a shell; Args a word list (an unknown word is "").
type Run struct {
	Shell string
	Args  []string
	// Known is false when the command is computed.
	Known bool
	// Printed is set when its output reaches the script's standard output.
	Printed bool
	Why     string
}

// Effects is what a script does, in the order of its text.
type Effects struct {
	Touches []Touch
	Runs    []Run
	// Chdir are folders the script changes into, in order; paths after it are relative to it. They are already applied
	// to the paths of Touches.
	// Opaque are reasons why the text cannot tell all it does to files (exec of computed text, an import of an unknown
	// local module is none).
	Opaque []string
}
