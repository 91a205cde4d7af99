package script

func lua() dialect {
	return dialect{comments: nil, quotes: `"'`, joins: "..", own: luaLong}
}

// luaLong takes comments and the texts between [[ and ]], [==[ and ]==].
func luaLong(l *lexer) bool {
	start := l.i
	if l.has("--") {
		l.i += 2
	}
	if l.at(0) == '[' {
		n := 1
		for l.at(n) == '=' {
			n++
		}
		if l.at(n) == '[' {
			shut := "]" + l.s[l.i+1:l.i+n] + "]"
			from := l.i + n + 1
			for k := from; ; k++ {
				if k+len(shut) > len(l.s) {
					l.bad, l.i = true, len(l.s)
					return true
				}
				if l.s[k:k+len(shut)] == shut {
					l.i = k + len(shut)
					if l.s[start] == '[' {
						if from < k && l.s[from] == '\n' {
							from++
						}
						l.add(tStr, l.s[from:k], start)
					}
					return true
				}
			}
		}
	}
	if l.i > start {
		l.i = l.line()
		return true
	}
	return false
}
