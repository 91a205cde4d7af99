package jsonscan

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendText appends s as a JSON string. With html, as encoding/json does unless told otherwise, <, > and & are
// escaped too. What is not valid UTF-8 becomes U+FFFD.
func AppendText(dst []byte, s string, html bool) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0 // what stands for itself begins here
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' && (!html || c != '<' && c != '>' && c != '&') {
				i++
				continue
			}
			dst = append(dst, s[from:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\b':
				dst = append(dst, '\\', 'b')
			case '\f':
				dst = append(dst, '\\', 'f')
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\r':
				dst = append(dst, '\\', 'r')
			case '\t':
				dst = append(dst, '\\', 't')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			from = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(append(dst, s[from:i]...), `\ufffd`...)
			from = i + n
		case r == '\u2028' || r == '\u2029': // they end a line in JavaScript
			dst = append(append(dst, s[from:i]...), '\\', 'u', '2', '0', '2', hex[r&15])
			from = i + n
		}
		i += n
	}
	return append(append(dst, s[from:]...), '"')
}

// Unquote is the text of a JSON string, quotes included, that was checked before. Half a surrogate pair becomes U+FFFD,
// as in encoding/json.
func Unquote(v []byte) string {
	v = v[1 : len(v)-1]
	at := bytes.IndexByte(v, '\\')
	if at < 0 {
		return string(v)
	}
	out := make([]byte, 0, len(v))
	for at >= 0 {
		out = append(out, v[:at]...)
		c := v[at+1]
		v = v[at+2:]
		switch c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r := hex4(v)
			v = v[4:]
			if utf16.IsSurrogate(r) {
				pair := rune(utf8.RuneError)
				if len(v) >= 6 && v[0] == '\\' && v[1] == 'u' {
					pair = utf16.DecodeRune(r, hex4(v[2:]))
				}
				if r = utf8.RuneError; pair != utf8.RuneError {
					r, v = pair, v[6:]
				}
			}
			out = utf8.AppendRune(out, r)
		default: // a quote, a slash, a backslash
			out = append(out, c)
		}
		at = bytes.IndexByte(v, '\\')
	}
	return string(append(out, v...))
}

func hex4(v []byte) rune {
	var r rune
	for _, c := range v[:4] {
		r = r<<4 | hexDigit(c)
	}
	return r
}

func hexDigit(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c >= 'a' && c <= 'f':
		return rune(c - 'a' + 10)
	case c >= 'A' && c <= 'F':
		return rune(c - 'A' + 10)
	}
	return -1
}
