package script

import "strings"

// survey is what the words of a whole script say about how sure its effects are. Nothing follows the control flow:
// one word that decides anything, and no read of the script is credited.
type survey struct {
	decides bool // a condition, a function, an early end, standard output that goes elsewhere
	modes   bool // a text is a mode of open that writes
	asks    bool // statements are sent to a database
	changes bool // and not all of them are queries
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
			s.decides = s.decides || decides(lang, t, i)
			if x.kind == tWord && at(t, i+1).op("(") && asks(x.text) {
				s.asks = true
				verb, rest, _ := strings.Cut(strings.ToLower(strings.TrimSpace(at(t, i+2).text)), " ")
				s.changes = s.changes || at(t, i+2).kind != tStr || verb != "select" && verb != "explain" && (verb != "pragma" || strings.Contains(rest, "="))
			}
		}
	}
}

// asks reports whether a function sends a statement to a database.
func asks(word string) bool {
	w := strings.ToLower(word)
	return strings.HasPrefix(w, "execute") || w == "query" || w == "read_sql" || w == "read_sql_query" || w == "querysingle"
}

// decides reports whether a word makes something happen or not, or sends standard output elsewhere.
func decides(lang Lang, t []token, i int) bool {
	prev, next := at(t, i-1), at(t, i+1)
	switch w := t[i].text; w {
	case "exit", "quit", "_exit", "abort", "exec", "kill":
		return w != "exec" || prev.op(".") || lang == Perl || lang == Ruby
	case "redirect_stdout", "reopen", "ob_start", "dup2", "dup", "select", "inplace", "$^I":
		return true
	case "stdout", "log", "write", "$stdout", "__stdout__", "print", "puts":
		return next.op("=")
	case "=>": // only what a loop or a promise calls is surely called
		by := at(t, i-3).text
		return lang == Node && (by != "forEach" && by != "then" || prev.kind != tWord)
	case "if", "unless", "elif", "elsif", "elseif", "else", "case", "switch", "try", "except", "catch", "rescue", "ensure", "finally", "while", "until", "and", "or", "&&", "||", "?", "??",
		"def", "class", "sub", "lambda", "proc", "Proc", "begin", "BEGIN", "END", "grep", "filter", "match", "when", "repeat", "fn", "function",
		"return", "raise", "throw", "last", "break", "next", "continue", "goto", "redo", "yield", "die", "error":
		return !prev.op(".") && !prev.op("->")
	}
	return false
}
