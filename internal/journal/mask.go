package journal

import "strings"

// mask stands for a secret.
const mask = "***"

// Mask replaces what looks like a secret: private keys, known kinds of tokens and what looks like one, passwords in
// addresses, values of names that say so (in assignments, options, headers, JSON and query strings), and what programs
// are given that are known to be given secrets. It errs on the side of masking too much. A secret that looks like an
// ordinary word, at a place that nothing tells of, is not known for one.
func Mask(text string) string { return maskAll(text, true) }

// maskAll is Mask, with or without what only looks like a token: names of files may.
func maskAll(text string, random bool) string {
	text = maskKeys(text)
	text = maskTokens(text, random)
	text = maskAddresses(text)
	text = maskNamed(text)
	return maskCommands(text)
}

// maskKeys masks private keys in PEM form, also one that is cut off.
func maskKeys(text string) string {
	const begin, end = "-----BEGIN ", "-----END "
	var b strings.Builder
	for {
		i := strings.Index(text, begin)
		if i < 0 {
			break
		}
		first, rest, _ := strings.Cut(text[i+len(begin):], "-----")
		b.WriteString(text[:i] + begin)
		if !strings.Contains(first, "PRIVATE KEY") {
			text = text[i+len(begin):]
			continue
		}
		b.WriteString(first + "-----" + mask)
		j := strings.Index(rest, end)
		if j < 0 {
			return b.String()
		}
		text = rest[j:]
	}
	b.WriteString(text)
	return b.String()
}

// maskAddresses masks the password in scheme://user:password@host, and a long user, which is a token.
func maskAddresses(text string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, "://")
		if i < 0 {
			break
		}
		i += len("://")
		b.WriteString(text[:i])
		text = text[i:]
		end := strings.IndexAny(text, "/?# \t\r\n\"'`<>|")
		if end < 0 {
			end = len(text)
		}
		at := strings.LastIndexByte(text[:end], '@')
		if at < 0 {
			// A slash in a password should have been escaped; people forget.
			word := end
			for word < len(text) && strings.IndexByte(" \t\r\n\"'`<>|", text[word]) < 0 {
				word++
			}
			colon := strings.IndexByte(text[:end], ':')
			if at = strings.LastIndexByte(text[:word], '@'); at < 0 || colon < 0 || port(text[colon+1:end]) {
				continue
			}
		}
		user, _, both := strings.Cut(text[:at], ":")
		switch {
		case both:
			b.WriteString(user + ":" + mask)
		case len(user) > 12:
			b.WriteString(mask)
		default:
			b.WriteString(user)
		}
		text = text[at:]
	}
	b.WriteString(text)
	return b.String()
}

// port reports whether a text is a port number, so that what precedes it is a host.
func port(s string) bool {
	return len(s) > 0 && len(s) <= 5 && strings.Trim(s, "0123456789") == ""
}

func skip(text string, i int, set string) int {
	for i < len(text) && strings.IndexByte(set, text[i]) >= 0 {
		i++
	}
	return i
}

// nameLength is how many bytes at the beginning of a text can be a name.
func nameLength(text string) int {
	n := 0
	for n < len(text) && (alnum(text[n]) || strings.IndexByte("_-./", text[n]) >= 0) {
		n++
	}
	return n
}

func alnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
