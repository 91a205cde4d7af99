package script

import (
	"embed"
	"strings"
)

// The tables say what the functions of a language do to files. One line is one function:
//
//	NAME  VERB ARG…  [VERB ARG…]  [-> RESULT]  :: EXAMPLE
//
// NAME is the qualified name after imports and aliases are resolved ("os.remove"), or CLASS.METHOD for what values of a
// class can do ("path.unlink"); "?.unlink" is a method of a value of which nothing is known.
//
// ARG is a position (0 is the first), a position and a keyword (0|path), a keyword alone (|path), with a default behind a
// further bar (1|mode|r), a position and all behind it (1*), @ for the value a method is called on, or = and a literal.
//
// VERB is an operation on the files that the arguments name (read, write, append, create, delete, move, mode, link; with
// /tree when all below is meant, /rec when the option recursive says so), or one of these:
//
//	open       opens a file: path, mode
//	popen      starts a command to read from or to write to: command, mode
//	put        prints the arguments if @ is standard output (puts: if the first argument is)
//	get        reads from the open file @: text, or less of it
//	print      prints the arguments
//	printread  prints what the read before it read
//	inplace    what is printed goes into the file that was opened, if the option inplace says so
//	shell      runs a text with the shell
//	argv       runs a list of words
//	prog       runs a program: name, list of arguments
//	list       runs words given one by one; a single one goes through the shell
//	auto       runs a list of words, or a text with the shell
//	eval       judges text of the same language
//	evalfile   notes that a file of the same language is run
//	chdir      changes the folder
//	opaque     cannot be told: the reason, with _ for spaces
//	include    makes the names of a module known without a prefix
//	database   opens a database: written to, unless all that is asked of it are queries
//	is         computes: a builtin function and its arguments
//	value      is a property: what it holds
//
// A command that is run prints to the script's output, unless its arguments end in out:value.
//
// RESULT is what a call gives: text (all content of the file it read), content (its bytes, which node does not show as
// text), lines, part, file, out (output of the command it ran), proc, path, or the name of another class.
//
// EXAMPLE is a script that shows it. It must touch "t" (and "u"), or run or print what it says.

//go:embed tables/*.tbl
var tables embed.FS

// row is one line of a table.
type row struct {
	name    string
	acts    []act
	result  string
	example string
}

// act is a verb with its arguments.
type act struct {
	verb string
	refs []ref
}

// ref names an argument.
type ref struct {
	kind byte // 'p' position, 's' self, 'r' rest from pos on, 'l' literal
	pos  int  // -1 for keyword only
	kw   string
	def  string
	lit  string
	opt  bool // a default is given
}

// parseRow reads one line; ok is false for an empty line, a comment, or one that makes no sense.
func parseRow(line string) (r row, ok bool) {
	line, r.example, _ = strings.Cut(line, " :: ")
	line, r.result, _ = strings.Cut(line, " -> ")
	r.result = strings.TrimSpace(r.result)
	f := strings.Fields(line)
	if len(f) < 2 || f[0][0] == '#' {
		return row{}, false
	}
	r.name, ok = f[0], true
	named := false // the verb before has a name behind it
	for _, w := range f[1:] {
		if letter(w[0]) && !named && !strings.Contains(w, ":") {
			r.acts = append(r.acts, act{verb: w})
			named = strings.Contains(" is value get opaque ", " "+w+" ")
			continue
		}
		rf, good := parseRef(w)
		if named = false; len(r.acts) == 0 || !good {
			return row{}, false
		}
		a := &r.acts[len(r.acts)-1]
		a.refs = append(a.refs, rf)
	}
	return r, ok
}

func parseRef(w string) (r ref, ok bool) {
	head, rest, named := strings.Cut(w, "|")
	n, more := strings.CutSuffix(head, "*")
	switch {
	case w == "@":
		return ref{kind: 's'}, true
	case letter(w[0]) || w[0] == '=':
		return ref{kind: 'l', lit: strings.TrimPrefix(w, "=")}, true
	case len(n) == 1 && digit(n[0]):
		r.pos = int(n[0] - '0')
	case n == "" && !more:
		r.pos = -1
	case n != "":
		return r, false
	}
	if r.kind = 'p'; more {
		r.kind = 'r'
	}
	if named {
		r.kw, r.def, r.opt = strings.Cut(rest, "|")
	}
	return r, true
}

// table is the text of a language's table.
type table string

// module reports whether functions of a module or methods of a class stand in the table.
func (t table) module(name string) bool { return strings.Contains(string(t), "\n"+name+".") }

// rows is the table of a language, "" when it has none.
func rows(lang Lang) table {
	b, err := tables.ReadFile("tables/" + string(lang) + ".tbl")
	if err != nil {
		return ""
	}
	return table(b)
}
