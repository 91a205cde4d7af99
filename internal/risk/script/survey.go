package script

import "strings"

// survey is what the words of a whole script say about how sure its effects are. Nothing follows the control flow:
// one word that decides anything, and no read of the script is credited.
type survey struct {
	decides bool   // a condition, a function, an early end
	muted   bool   // standard output goes elsewhere
	loops   int    // how many loops there are
	body    [2]int // where the first loop begins and ends
	modes   bool   // a text is a mode of open that writes
	asks    bool   // statements are sent to a database
	changes bool   // and not all of them are queries
}

// look takes the words of a text into the survey.
func (s *survey) look(lang Lang, t []token) {
	for i, x := range t {
		switch x.kind {
		case tStr:
			switch strings.TrimRight(x.text, "bt") {
			case "w", "a", "x", "w+", "a+", "r+", "rb+", ">", ">>", "+<":
				s.modes = true
			}
		case tWord, tOp:
			s.muted = s.muted || mutes(t, i)
			s.decides = s.decides || decides(lang, t, i)
			if loops(t, i) {
				if s.loops++; s.loops == 1 {
					s.body = [2]int{x.pos, end(lang, t, i)}
				}
			}
			if x.kind == tWord && at(t, i+1).op("(") && asks(x.text) {
				s.asks = true
				verb, rest, _ := strings.Cut(strings.ToLower(strings.TrimSpace(at(t, i+2).text)), " ")
				s.changes = s.changes || at(t, i+2).kind != tStr || verb != "select" && verb != "explain" && (verb != "pragma" || strings.Contains(rest, "="))
			}
		}
	}
}

// at is the token i, a line end beyond the text.
func at(t []token, i int) token {
	if i >= 0 && i < len(t) {
		return t[i]
	}
	return token{kind: tLine}
}

// asks reports whether a function sends a statement to a database.
func asks(word string) bool {
	w := strings.ToLower(word)
	return strings.HasPrefix(w, "execute") || w == "query" || w == "read_sql" || w == "read_sql_query" || w == "querysingle"
}

// mutes reports whether a word sends standard output elsewhere.
func mutes(t []token, i int) bool {
	switch t[i].text {
	case "redirect_stdout", "reopen", "ob_start", "dup2", "dup", "select", "inplace", "$^I":
		return t[i].kind == tWord
	case "output":
		return at(t, i+1).op("(") && at(t, i-2).is(tWord, "io")
	case "stdout", "log", "write", "$stdout", "__stdout__", "print", "puts":
		return at(t, i+1).op("=") && t[i].kind == tWord
	}
	return false
}

// loops reports whether a word begins a loop whose end the text alone decides.
func loops(t []token, i int) bool {
	switch t[i].text {
	case "for", "foreach", "each", "forEach", "map", "loop", "times", "each_line", "each_with_index", "upto":
		return t[i].kind == tWord
	case "while":
		return readsLine(t, i)
	}
	return false
}

// readsLine reports whether a while takes the lines of a file: while (<F>), while (my $l = <F>).
func readsLine(t []token, i int) bool {
	open := at(t, i+1)
	return open.match > 1 && at(t, i+open.match).kind == tReadline
}

// decides reports whether a word makes something happen or not.
func decides(lang Lang, t []token, i int) bool {
	if prev := at(t, i-1); prev.op(".") || prev.op("->") {
		switch t[i].text {
		case "exit", "_exit", "abort", "quit", "exec", "kill":
			return true
		}
		return false
	}
	switch w := t[i].text; w {
	case "if", "unless", "elif", "elsif", "elseif", "else", "case", "switch", "try", "except", "catch", "rescue", "ensure", "finally", "until", "and", "&&", "?", "??", "def", "class", "sub",
		"lambda", "proc", "Proc", "begin", "BEGIN", "END", "grep", "filter", "match", "when", "repeat", "fn", "function",
		"return", "raise", "throw", "last", "break", "next", "continue", "goto", "redo", "yield":
		return true
	case "exit", "quit", "_exit", "abort", "die", "exec", "error":
		return !at(t, i-1).is(tWord, "or") && !at(t, i-1).op("||") && (w != "exec" || lang == Perl || lang == Ruby)
	case "while":
		return !readsLine(t, i)
	case "or", "||":
		next := at(t, i+1).text
		return next != "die" && next != "exit" && next != "error"
	case "=>": // only what a loop or a promise calls is surely called
		if lang != Node {
			return false
		}
		by := at(t, i-3).text
		return by != "forEach" && by != "then" || at(t, i-1).kind != tWord
	}
	return false
}

// end is the position behind the body of a loop.
func end(lang Lang, t []token, i int) int {
	indent := 0
	for k := i; k >= 0 && lang == Python; k-- {
		if t[k].kind == tLine {
			indent = t[k].indent
			break
		}
	}
	for k := i; k < len(t); k++ {
		x := t[k]
		switch {
		case x.match < 0, x.is(tWord, "end"), x.op(";") && lang != Python && lang != Ruby && lang != Lua:
			return x.pos
		case x.op("{") && lang != Python && lang != Lua:
			return t[k+x.match].pos
		case x.kind == tLine && lang == Python && x.indent <= indent && at(t, k+1).kind != tLine:
			return x.pos
		}
		k += max(x.match, 0)
	}
	return t[len(t)-1].pos + 1
}
