package script

import "strings"

func lua() dialect {
	return dialect{quotes: `"'`, joins: "..", defines: "function", own: luaLong}
}

// luaLong takes comments and the texts between [[ and ]], [==[ and ]==].
func luaLong(l *lexer) bool {
	from := l.i
	if l.has("--") {
		l.i += 2
	}
	level := strings.TrimLeft(strings.TrimPrefix(l.s[l.i:], "["), "=")
	level, ok := l.s[l.i:len(l.s)-len(level)], strings.HasPrefix(level, "[")
	switch {
	case l.at(0) == '[' && ok:
		l.i += len(level) + 1
		begin := l.i
		shut := strings.Replace(level, "[", "]", 1) + "]"
		if !l.skipTo(shut) {
			l.bad = true
			return true
		}
		if l.s[from] == '[' {
			l.add(tStr, strings.TrimPrefix(l.s[begin:l.i], "\n"), from)
		}
		l.i += len(shut)
	case l.i > from:
		l.skipTo("\n")
	default:
		return false
	}
	return true
}
