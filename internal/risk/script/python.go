package script

import "strings"

func python() dialect {
	return dialect{comments: []string{"#"}, joins: "+", adjacent: true, own: pythonText}
}

// pythonText takes a text with its prefix: r"…", b'…', f"""…""".
func pythonText(l *lexer) bool {
	n := 0
	for n < 3 && strings.IndexByte("rbfuRBFUtT", l.at(n)) >= 0 && l.at(n) != 0 {
		n++
	}
	q := l.at(n)
	if q != '"' && q != '\'' || n > 2 {
		return false
	}
	kinds := strings.ToLower(l.s[l.i : l.i+n])
	from := l.i
	l.i += n
	mark := l.s[l.i : l.i+1]
	if l.has(mark + mark + mark) {
		mark = l.s[l.i : l.i+3]
	}
	l.i += len(mark)
	raw, rich := strings.Contains(kinds, "r"), strings.ContainsAny(kinds, "ft")
	var b strings.Builder
	var parts []part
	for {
		switch {
		case l.i >= len(l.s), len(mark) == 1 && l.at(0) == '\n':
			l.bad = true
		case l.has(mark):
			l.i += len(mark)
		case l.at(0) == '\\' && l.i+1 < len(l.s):
			if raw {
				b.WriteString(l.s[l.i : l.i+2])
				l.i += 2
			} else {
				l.escape(&b, q, true)
			}
			continue
		case rich && (l.has("{{") || l.has("}}")):
			b.WriteByte(l.at(0))
			l.i += 2
			continue
		case rich && l.at(0) == '{':
			l.i++
			parts = append(parts, part{text: b.String()}, part{code: l.code()})
			b.Reset()
			continue
		default:
			b.WriteByte(l.at(0))
			l.i++
			continue
		}
		break
	}
	t := l.add(tStr, b.String(), from)
	if parts != nil {
		t.parts, t.text = append(parts, part{text: b.String()}), parts[0].text
	}
	return true
}
