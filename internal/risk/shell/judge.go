package shell

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/mbgate/mbgate/internal/risk/reason"
	"github.com/mbgate/mbgate/internal/risk/script"
)

// The bounds of a judgement. What lies beyond them is not followed but said (Report.Unknown), so that no command can
// make a hook slow or take its memory.
const (
	maxParsed = 512 << 10 // bytes of a command that are parsed; Linux passes at most 128 kB to `bash -c`
	maxNested = 400       // brackets and blocks open at once: the parser recurses
	maxBlocks = 1500      // the same of `if`, `while`, `for`, `case`
	maxDepth  = 24        // functions, wrappers, eval, scripts within scripts
	maxSyntax = 160       // commands and expressions within one another
	maxText   = 256 << 10 // bytes of a script file, and of text that is followed through pipes and variables
	maxFields = 4096      // words that one word may expand to
	maxLooks  = 2500      // names that one find or one pattern looks at
	maxWalked = 7500      // names that all finds look at
	minSteps  = 4000      // commands run, on top of one for every 4 bytes of the text
)

// Judge says what the command would do, run by bash in env.Cwd. It runs nothing and asks env.Files only for names,
// places and texts of scripts. It never fails: what it cannot tell is in the report.
func Judge(command string, env Env) Report {
	w := &walker{env: env, budget: minSteps + len(command)/4, looks: maxWalked}
	w.tty, w.out = &content{}, &content{}
	st := newShell(env)
	st.fds = fdTable{{n: 0, in: w.tty}, {n: 1, out: w.out}, {n: 2}}
	w.judge(st, strings.NewReplacer(anyText, "", anyName, "\ufffd").Replace(command))
	w.rep.Reads = w.mergeReads(w.out.reads)
	w.rep.Cwd = st.cwd
	if st.alt != "" {
		w.rep.Cwd = ""
	}
	return w.rep
}

// judge walks the command. A fault of ours must not let the command pass: what was found stays, and the rest is unknown.
func (w *walker) judge(st *shell, command string) {
	defer func() {
		if p := recover(); p != nil {
			w.rep.Parsed = false
			w.unknown(reason.Fault, "", fmt.Sprint(p))
		}
	}()
	if w.env.Language != "" {
		for lang := range strings.SplitSeq(w.env.Language, "|") {
			w.runScript(st, script.Lang(lang), w.magics(st, script.Lang(lang), command), nil, script.Options{}, true)
		}
		w.rep.Parsed = true
		return
	}
	w.rep.Parsed = w.source(st, command)
	w.runTraps(st)
}

// source walks a text as shell commands in st, and reports whether all of it could be parsed. What comes before a
// syntax error is run by bash, so it is walked too; the rest is judged by its words.
func (w *walker) source(st *shell, text string) bool {
	if len(text) > maxParsed || tooNested(text) {
		w.unknown(reason.TooNested, "", "")
		w.byWords(st, text)
		return false
	}
	text = strings.ToValidUTF8(text, "\ufffd") // the parser takes no other bytes; unknown marks of a computed text stay
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	good, err := parseAll(parser, text)
	if err != nil {
		if fixed, ok := closeHeredoc(text, err); ok {
			if again, err2 := parseAll(parser, fixed); err2 == nil {
				good, err = again, nil
			}
		}
	}
	outer := w.src
	w.src = text
	w.stmts(st, good)
	w.src = outer
	if err == nil {
		return true
	}
	w.unknown(reason.Unparsed, "", oneLine(err.Error()))
	rest := text
	if n := len(good); n > 0 {
		if end := int(good[n-1].End().Offset()); end <= len(text) {
			rest = text[end:]
		}
	}
	w.byWords(st, rest)
	return false
}

// parseAll parses as many statements as there are before the first error. A panic of the parser is an error too: a
// judgement never fails.
func parseAll(parser *syntax.Parser, text string) (good []*syntax.Stmt, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the parser failed: %v", p)
		}
	}()
	for s, e := range parser.StmtsSeq(strings.NewReader(text)) {
		switch { // v3.14.1 goes on after an error whatever the loop says, so the loop must not be left
		case err != nil:
		case e != nil:
			err = e
		default:
			good = append(good, s)
		}
	}
	return good, err
}

// closeHeredoc adds the delimiter that the last here-document lacks: bash takes the end of the text for it, with a
// warning.
func closeHeredoc(text string, err error) (string, bool) {
	msg := err.Error()
	const mark = "unclosed here-document `"
	i := strings.Index(msg, mark)
	if i < 0 {
		return "", false
	}
	delim := msg[i+len(mark):]
	if j := strings.LastIndexByte(delim, '`'); j >= 0 {
		delim = delim[:j]
	} else if j := strings.LastIndexByte(delim, '\''); j >= 0 {
		delim = delim[:j]
	}
	return text + "\n" + delim + "\n", true
}

// tooNested reports whether more brackets and blocks are open at once than the recursive parser may be given: a stack
// that overflows ends the process, and no recover helps.
func tooNested(text string) bool {
	open, worst, word, right := 0, 0, 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '?':
			right++ // a?b?c: the parser recurses to the right
		case '(', '{', '[':
			if strings.HasPrefix(text[i:], "()") {
				right++ // f() f() f() { :; }
			}
			open++
			worst = max(worst, open)
		case ')', '}', ']':
			open = max(open-1, 0)
		case '!', '~', '-', '+', '`':
			word++ // prefix operators, each of which the parser may recurse into
		case '\n', ' ', '\t':
		default:
			word = 0
		}
		if worst > maxNested || word > 4*maxNested || right > 16*maxBlocks {
			return true
		}
	}
	blocks := 0 // that words open: prose has such words too, 2 % of all
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\n;&|(){}!`$", r) }) {
		switch word {
		case "if", "elif", "while", "until", "time", "coproc", "for", "case", "select":
			blocks++
		case "fi", "done", "esac":
			blocks = max(blocks-1, 0)
		}
		if blocks > maxBlocks {
			return true
		}
	}
	return false
}

// byWords judges text that is no shell command by the files it names: what follows a `>` is written, and every other
// word that names a file of the project may be.
func (w *walker) byWords(st *shell, text string) {
	w.maybe++
	defer func() { w.maybe-- }()
	after := false
	seen := map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\n\r;|&()<\"'`", r) }) {
		for {
			i := strings.IndexByte(word, '>')
			if i < 0 {
				break
			}
			after, word = true, strings.TrimLeft(word[i+1:], ">|")
		}
		if word == "" || seen[word] {
			continue
		}
		if len(seen) >= maxLooks {
			w.unbounded(reason.Reason{Kind: reason.TooManyWords})
			return
		}
		seen[word] = true
		if isMbgate(word) {
			w.special(Mbgate, []arg{{s: word}})
		}
		if after {
			w.touch(st, arg{s: word}, change{op: opWrite, why: reason.Reason{Kind: reason.Words}})
		} else if strings.ContainsAny(word, "./") && !strings.HasPrefix(word, "-") {
			w.touch(st, arg{s: word}, change{op: opWrite, must: true, why: reason.Reason{Kind: reason.Words}})
		}
		after = false
	}
}

func oneLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
