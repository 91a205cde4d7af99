// Package script tells from the text of an interpreter's script (python, node, perl, ruby, php, awk, sed, lua) which
// files it writes and prints and which shell commands it runs. It judges by the words: the calls that the tables know,
// with arguments that are literals or names bound once. Nothing is run, no condition and no call is followed, and what
// cannot be told is said to be so (Effects.Opaque, Touch.Known).
//
// It imports package event alone, for the names of operations. Start reading at Judge below, then table.go (what the
// tables say), lex.go (texts, comments, brackets), survey.go (what makes a read sure), names.go (what a name stands for),
// walk.go and postfix.go (the walk over the tokens), call.go and compute.go (what a row of a table does).
// Every language has a file of its name for what only its lexer or its calls know. Filters are judged in awk.go and
// sed.go, with filter.go (rules that print) and spans.go (ranges of lines).
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

	PowerShell Lang = "powershell"
)

// Stdin is the Path of a Touch that stands for the script's standard input: what a pipe or a redirection feeds it.
const Stdin = "/dev/stdin"

// Touch is one file that a script writes or reads. Path is as written in the script, after joining what is constant;
// Known is false when the path is computed from something the text does not tell, and Path is then the constant
// beginning of it, often "".
type Touch struct {
	Path  string
	Known bool
	Op    event.Op
	// Printed is set on an OpRead whose content reaches standard output; Whole when all of it does, unfiltered and unchanged.
	Printed, Whole bool
	// Spans are the lines that reach standard output when that can be told and they are not all: first and last line,
	// 1-based and inclusive; last 0 is the end of the file, a negative first counts from the end.
	Spans [][2]int
	// Verbatim is set when the printed lines are as they stand in the file, perhaps with a number before them.
	Verbatim bool
	// Tree is set when everything below a folder is meant (shutil.rmtree).
	Tree bool
	// Maybe is set when it is not certain that the script does this: a mode of open that the text does not tell, one of
	// several values of a variable.
	Maybe bool
	// Into is set on the target of a copy or move: if Path is a folder that exists, Name goes into it; Name is "" when it
	// is not known.
	Into bool
	Name string
	Why  string // the call, as the table names it
}

// Run is a command that the script starts. Shell is the text for a shell; Args a word list (an unknown word is "").
type Run struct {
	Shell string
	Args  []string
	// Known is false when the command is computed; Shell is then its constant beginning, Args the words that are known.
	Known bool
	// Printed is set when its output reaches the script's standard output.
	Printed bool
	// Input is what the script feeds to its standard input, when HasInput; InputKnown is false when that is computed
	// (Input is then the constant beginning).
	Input                string
	HasInput, InputKnown bool
	// Dir is the folder it runs in, relative to the script's own, "" for that; DirUnknown when it is computed.
	Dir        string
	DirUnknown bool
	Why        string
}

// Effects is what a script does, in the order of its text.
type Effects struct {
	Touches []Touch
	Runs    []Run
	// Chdir are folders the script changes into, in order; paths after it are relative to it. They are already applied
	// to the paths of Touches and to Run.Dir. An unknown folder is "".
	Chdir []string
	// Opaque are reasons why the text cannot tell all it does to files (exec of computed text, an import of an unknown
	// local module is none).
	Opaque []string
}

// Options are how the interpreter was called, as far as it changes what the script does. The zero value is a plain
// one-liner or file.
type Options struct {
	// Print prints the value of the script (node -p).
	Print bool
	// Inplace sends what awk and sed print back into Files: nothing of it reaches standard output. The write itself is the
	// caller's to report.
	Inplace bool
	// Quiet is sed -n.
	Quiet bool
	// Files are the operands of awk and sed; nil takes argv. "-" is standard input, "" a name nobody knows. For
	// awk, words of the form name=value are assignments.
	Files []string
	// Name is the script's own path as the caller wrote it, "" for a one-liner, standard input or here-document.
	Name string
	// Modules are loaded before the script (perl -MFile::Copy, ruby -rfileutils, lua -l).
	Modules []string
	// Vars are awk -v assignments, Env environment variables whose value is known. Both may be nil.
	Vars, Env map[string]string
}

// maxSource is the longest script that is judged, as long as the longest file that SPEC §9 has read.
const maxSource = 256 << 10

// Judge tells what a script does. argv are its arguments without the interpreter and the script (sys.argv[1:],
// ARGV, awk's and sed's operands); an unknown one is "". o says how the interpreter was called.
func Judge(lang Lang, src string, argv []string, o Options) Effects {
	if len(src) > maxSource {
		return Effects{Opaque: []string{"the " + string(lang) + " script is too long to judge"}}
	}
	switch lang {
	case Sed:
		return judgeSed(src, argv, o)
	case Awk:
		return judgeAwk(src, argv, o)
	case PowerShell:
		return judgePowerShell(src)
	case Python, Node, PHP, Perl, Ruby, Lua:
		return judgeCode(lang, src, argv, o, rows(lang))
	}
	return Effects{Opaque: []string{"no rules for " + string(lang) + " scripts"}}
}

// operands are the files of a filter.
func operands(argv []string, o Options) []string {
	if o.Files != nil {
		argv = o.Files
	}
	return argv
}
