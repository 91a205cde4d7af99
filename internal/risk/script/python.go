package script

import "strings"

func python() dialect {
	return dialect{comments: []string{"#"}, code: "{", joins: "+", defines: "def", adjacent: true, own: pythonText}
}

// pythonText takes a text with its prefix: r"…", b'…', f"""…""".
func pythonText(l *lexer) bool {
	n := 0
	for n < 2 && among(l.at(n), "rbfuRBFUtT") {
		n++
	}
	if !among(l.at(n), "\"'") {
		return false
	}
	from, kinds, shut := l.i, strings.ToLower(l.s[l.i:l.i+n]), l.s[l.i+n:l.i+n+1]
	l.i += n
	if triple := strings.Repeat(shut, 3); l.has(triple) {
		shut = triple
	}
	l.i += len(shut)
	l.quoted(from, "", shut, tStr, strings.Contains(kinds, "r"), strings.ContainsAny(kinds, "ft"))
	return true
}
