package script

import "strings"

func php() dialect {
	return dialect{
		comments: []string{"#", "//"}, block: [2]string{"/*", "*/"}, quotes: "'", rich: "\"`", code: "{$", sigils: "$", joins: ".", own: phpOwn,
	}
}

// phpOwn takes the text outside of <?php … ?>, and here-documents.
func phpOwn(l *lexer) bool {
	if l.i == 0 && l.depth == 0 && l.base == 0 && (strings.Contains(l.s, "<?php") || strings.Contains(l.s, "<?=")) || l.has("?>") {
		at := strings.Index(l.s[l.i:], "<?php")
		echo := strings.Index(l.s[l.i:], "<?=")
		if l.i > 0 || at != 0 {
			l.add(tOp, ";", l.i)
		}
		switch {
		case echo >= 0 && (at < 0 || echo < at):
			l.add(tWord, "echo", l.i+echo)
			l.i += echo + 3
		case at >= 0:
			l.i += at + 5
		default:
			l.i = len(l.s)
		}
		return true
	}
	if !l.has("<<<") {
		return false
	}
	rest := strings.TrimLeft(l.s[l.i+3:l.line()], " ")
	quote := byte(0)
	if rest != "" && (rest[0] == '\'' || rest[0] == '"') {
		quote, rest = rest[0], rest[1:]
	}
	n := 0
	for n < len(rest) && (letter(rest[n]) || digit(rest[n])) {
		n++
	}
	if n == 0 {
		return false
	}
	l.add(tStr, "", l.i)
	l.later = append(l.later, heredoc{tok: len(l.toks) - 1, mark: rest[:n], indented: true, literal: quote == '\''})
	l.i = l.line()
	return true
}
