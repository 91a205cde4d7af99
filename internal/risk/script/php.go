package script

import "strings"

func php() dialect {
	return dialect{
		comments: []string{"#", "//"}, block: [2]string{"/*", "*/"}, quotes: "'", rich: "\"`", code: "{$", sigils: "$", joins: ".", defines: "function fn", lines: true, own: phpOwn,
	}
}

// phpOwn takes the text outside of <?php … ?>, and here-documents.
func phpOwn(l *lexer) bool {
	if l.i+l.depth+l.base > 0 && !l.has("?>") || l.i == 0 && !strings.Contains(l.s, "<?php") && !strings.Contains(l.s, "<?=") {
		return l.has("<<<") && l.heredoc("<<<")
	}
	l.add(tOp, ";", l.i)
	l.skipTo("<?")
	if l.has("<?=") {
		l.add(tWord, "echo", l.i)
		l.i += 3
	} else {
		l.i = min(l.i+5, len(l.s))
	}
	return true
}
