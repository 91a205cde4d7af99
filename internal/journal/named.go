package journal

import (
	"slices"
	"strings"
)

// secretWords make a name secret that contains one of them, case and the separators _ - . aside; secretNames are secret
// only as a whole name or as its last part (DB_PASS, MYSQL_PWD).
func secretWords() []string {
	return []string{
		"password", "passwd", "passphrase", "secret", "token", "credential", "authorization", "cookie",
		"apikey", "accesskey", "privatekey", "signingkey", "encryptionkey", "masterkey", "authkey", "accountkey", "sharedkey",
		"sshpass", "storepass", "keypass", "oauth2bearer",
	}
}

func secretNames() []string { return []string{"pass", "pwd", "auth", "pat", "otp"} }

// notSecret are ends of names that hold where a secret is, not what it is.
func notSecret() []string {
	return []string{"file", "path", "dir", "stdin", "url", "name", "fd", "keyid", "publickey"}
}

// wholeLine are names whose value has several words: it ends with the quote it stands in, or with the line.
func wholeLine() []string { return []string{"authorization", "cookie"} }

// maskNamed masks what belongs to a name that says it is secret.
func maskNamed(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := nameLength(text[i:])
		if n == 0 {
			b.WriteByte(text[i])
			i++
			continue
		}
		if from, to := secretOf(text, i, i+n); to > from {
			b.WriteString(text[i:from] + mask)
			i = to
			continue
		}
		b.WriteString(text[i : i+n])
		i += n
	}
	return b.String()
}

// secretOf gives the range of the secret that belongs to the name text[i:end], from == to if there is none.
func secretOf(text string, i, end int) (from, to int) {
	name := text[i:end]
	after := skip(text, end, " \t")
	switch name {
	case "-u", "--user", "--proxy-user":
		return account(text, skip(text, after, `="'`))
	}
	plainName := fold(name)
	switch {
	case plainName == "bearer" || plainName == "basic":
		at := skip(text, end, ` \`)
		if from, to := value(text, at); to-from >= 8 && at > end {
			return from, to
		}
		return 0, 0
	case (plainName == "password" || plainName == "passwd") && after > end && netrc(text[:i]):
		return value(text, after)
	case strings.HasSuffix(plainName, "signature") || plainName == "sig":
		// Of an address that was signed; elsewhere a signature is that of a function.
		if i > 0 && (text[i-1] == '?' || text[i-1] == '&') && strings.HasPrefix(text[end:], "=") {
			return value(text, end+1)
		}
		return 0, 0
	case !secretName(plainName, name):
		return 0, 0
	}
	// NAME=value, name: value, "name": "value", name => value, --name value
	at := end
	if at+1 < len(text) && text[at] == '\\' && text[at+1] == '"' {
		at++ // "{\"name\":\"value\"}"
	}
	if at < len(text) && (text[at] == '"' || text[at] == '\'') && i > 0 && text[i-1] == text[at] {
		at++
	}
	at = skip(text, at, " \t")
	switch {
	case at < len(text) && (text[at] == '=' || text[at] == ':'):
		at = skip(text, at, "=:> \t")
	case strings.HasPrefix(name, "-") && after > end:
		at = after
	default:
		return 0, 0
	}
	for _, w := range wholeLine() {
		if strings.HasSuffix(plainName, w) {
			return at, lineEnd(text, at, i)
		}
	}
	return value(text, at)
}

// account is the range of the password in user:password at i. Two numbers are a user and a group.
func account(text string, i int) (from, to int) {
	end := valueEnd(text, i)
	user, password, ok := strings.Cut(text[i:end], ":")
	if !ok || strings.Trim(user+password, "0123456789") == "" {
		return 0, 0
	}
	return end - len(password), end
}

// netrc reports whether a text ends in "login NAME ", as what stands in a .netrc before its password.
func netrc(before string) bool {
	words := strings.Fields(before[max(0, len(before)-200):])
	return len(words) >= 2 && strings.Trim(words[len(words)-2], `"'`) == "login"
}

// value is the range of the word or quoted text at i, without its quotes; of ("user", "password") all of it.
func value(text string, i int) (from, to int) {
	if strings.HasPrefix(text[min(i, len(text)):], `\"`) {
		if n := strings.Index(text[i+2:], `\"`); n >= 0 {
			return i + 2, i + 2 + n
		}
	}
	if i < len(text) && text[i] == '(' {
		if n := strings.IndexByte(text[i:], ')'); n >= 0 {
			return i + 1, i + n
		}
	}
	if i < len(text) && (text[i] == '"' || text[i] == '\'') {
		return i + 1, closing(text, i+1, text[i])
	}
	return i, valueEnd(text, i)
}

// valueEnd is where an unquoted word ends that begins at i.
func valueEnd(text string, i int) int {
	for i < len(text) && strings.IndexByte(" \t\r\n\"'`;&|<>,)}", text[i]) < 0 {
		if text[i] == '\\' {
			i++
		}
		i++
	}
	return min(i, len(text))
}

// closing is where the quote q closes.
func closing(text string, i int, q byte) int {
	for i < len(text) && text[i] != q {
		if text[i] == '\\' && q == '"' {
			i++
		}
		i++
	}
	return min(i, len(text))
}

// lineEnd is where a header's value ends that begins at i: with the quote that stood before its name or begins it, or
// with the line.
func lineEnd(text string, i, name int) int {
	stop := "\r\n\"'"
	if name > 0 && (text[name-1] == '"' || text[name-1] == '\'') && (i == 0 || text[i-1] != text[name-1]) {
		stop = "\r\n" + text[name-1:name]
	}
	if i < len(text) && (text[i] == '"' || text[i] == '\'') {
		return closing(text, i+1, text[i])
	}
	if end := strings.IndexAny(text[i:], stop); end >= 0 {
		return i + end
	}
	return len(text)
}

func secretName(folded, name string) bool {
	for _, w := range notSecret() {
		if strings.HasSuffix(folded, w) {
			return false
		}
	}
	for _, w := range secretWords() {
		if strings.Contains(folded, w) {
			return true
		}
	}
	bare := strings.TrimLeft(name, "-")
	last := bare[strings.LastIndexAny(bare, "_-.")+1:]
	for _, w := range secretNames() {
		if strings.EqualFold(last, w) && bare != "PWD" && bare != "pwd" { // the working folder
			return true
		}
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	// STRIPE_KEY is one; --key, PRIMARY_KEY and a table's key are not.
	return strings.HasSuffix(name, "_KEY") && !slices.Contains([]string{"PRIMARY_KEY", "FOREIGN_KEY", "SORT_KEY", "CACHE_KEY", "PARTITION_KEY"}, name)
}

// fold is a name in lower case without separators.
func fold(name string) string {
	b := make([]byte, 0, 64)
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			b = append(b, c+'a'-'A')
		case c != '_' && c != '-' && c != '.':
			b = append(b, c)
		}
	}
	return string(b)
}
