package journal

import "strings"

// mask stands for a secret.
const mask = "***"

// tokens are secrets that are known by how they begin. The length is how many characters of a token must follow.
func tokens() []struct {
	prefix string
	least  int
} {
	return []struct {
		prefix string
		least  int
	}{
		{"sk-", 8},         // OpenAI, Anthropic, Stripe-like
		{"sk_live_", 4},    // Stripe
		{"sk_test_", 4},    //
		{"rk_live_", 4},    //
		{"ghp_", 4},        // GitHub: personal, OAuth, user, server, refresh, fine-grained
		{"gho_", 4},        //
		{"ghu_", 4},        //
		{"ghs_", 4},        //
		{"ghr_", 4},        //
		{"github_pat_", 4}, //
		{"glpat-", 4},      // GitLab
		{"xoxa-", 4},       // Slack
		{"xoxb-", 4},       //
		{"xoxp-", 4},       //
		{"xoxr-", 4},       //
		{"xoxs-", 4},       //
		{"xapp-", 4},       //
		{"AKIA", 12},       // AWS: key ids, long-lived and temporary
		{"ASIA", 12},       //
		{"AIza", 20},       // Google
		{"ya29.", 8},       //
		{"hf_", 12},        // Hugging Face
		{"npm_", 12},       // npm
		{"pypi-", 12},      // PyPI
		{"dop_v1_", 8},     // DigitalOcean
		{"SG.", 16},        // SendGrid
		{"eyJ", 20},        // JSON web tokens
		{"AGE-SECRET-KEY-", 4},
	}
}

// secretWords make a name secret that contains one of them, case and the separators _ - . aside; secretNames are secret
// only as a whole name or as its last part (DB_PASS, MYSQL_PWD).
func secretWords() []string {
	return []string{
		"password", "passwd", "passphrase", "secret", "token", "credential", "authorization", "cookie",
		"apikey", "accesskey", "privatekey", "signingkey", "encryptionkey", "masterkey", "authkey",
	}
}

func secretNames() []string { return []string{"pass", "pwd", "auth"} }

// notSecret are ends of names that hold where a secret is, not what it is.
func notSecret() []string { return []string{"file", "path", "dir", "stdin", "url", "name"} }

// wholeLine are names whose value has several words: it ends with the quote it stands in, or with the line.
func wholeLine() []string { return []string{"authorization", "cookie"} }

// flags are options that carry a secret only with certain programs.
func flags() []struct {
	program, flag string
	attached      bool // -pSECRET rather than -p SECRET
} {
	return []struct {
		program, flag string
		attached      bool
	}{
		{"mysql", "-p", true},
		{"mysqldump", "-p", true},
		{"mysqladmin", "-p", true},
		{"mariadb", "-p", true},
		{"sshpass", "-p", true},
		{"sshpass", "-p", false},
		{"docker", "-p", false},
		{"redis-cli", "-a", false},
		{"smbclient", "-U", false},
	}
}

// Mask replaces what looks like a secret: private keys, known kinds of tokens, passwords in addresses, values of names
// that say so (in assignments, options, headers, JSON and query strings), user:password options. It errs on the side of
// masking too much. A secret that looks like an ordinary word is not known for one.
func Mask(text string) string {
	text = maskKeys(text)
	text = maskTokens(text)
	text = maskAddresses(text)
	return maskNamed(text)
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

// maskTokens masks the tokens of the table.
func maskTokens(text string) string {
	table := tokens()
	var b strings.Builder
	last := 0
scan:
	for i := 0; i < len(text); i++ {
		if i > 0 && alnum(text[i-1]) {
			continue
		}
		for _, t := range table {
			if t.prefix[0] != text[i] || !strings.HasPrefix(text[i:], t.prefix) {
				continue
			}
			j := i + len(t.prefix)
			end := j
			for end < len(text) && (alnum(text[end]) || strings.IndexByte("_-.+/=", text[end]) >= 0) {
				end++
			}
			if end-j >= t.least {
				b.WriteString(text[last:j] + mask)
				last, i = end, end-1
				continue scan
			}
		}
	}
	b.WriteString(text[last:])
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

// maskNamed masks what belongs to a name that says it is secret.
func maskNamed(text string) string {
	var b strings.Builder
	program, first := "", true // the word that began the present command, and whether the next word will be one
	for i := 0; i < len(text); {
		n := nameLength(text[i:])
		if n == 0 {
			if strings.IndexByte("|;&\n(", text[i]) >= 0 {
				first = true
			}
			b.WriteByte(text[i])
			i++
			continue
		}
		name := text[i : i+n]
		from, to := secretOf(text, i, i+n, name, program)
		if first && !strings.HasPrefix(text[i+n:], "=") {
			program, first = name[strings.LastIndexByte(name, '/')+1:], false
		}
		if to > from {
			b.WriteString(text[i:from] + mask)
			i = to
			continue
		}
		b.WriteString(name)
		i += n
	}
	return b.String()
}

// secretOf gives the range of the secret that belongs to the name text[i:end], from == to if there is none.
func secretOf(text string, i, end int, name, program string) (from, to int) {
	after := skip(text, end, " \t")
	if strings.HasPrefix(name, "-") {
		for _, f := range flags() {
			if f.program != program || !strings.HasPrefix(name, f.flag) {
				continue
			}
			if f.attached && len(name) > len(f.flag) {
				return i + len(f.flag), valueEnd(text, i+len(f.flag))
			}
			if !f.attached && name == f.flag {
				return value(text, after)
			}
		}
		if name == "-u" || name == "--user" || name == "--proxy-user" || name == "-U" {
			at := skip(text, after, `="'`)
			word := valueEnd(text, at)
			if colon := strings.IndexByte(text[at:word], ':'); colon >= 0 {
				return at + colon + 1, word
			}
			return 0, 0
		}
	}
	plainName := fold(name)
	if plainName == "bearer" || plainName == "basic" {
		if from, to := value(text, after); to-from >= 8 && after > end {
			return from, to
		}
		return 0, 0
	}
	if !secretName(plainName, name) {
		return 0, 0
	}
	// NAME=value, name: value, "name": "value", name => value, --name value
	at := end
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

// value is the range of the word or quoted text at i, without its quotes.
func value(text string, i int) (from, to int) {
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
		if strings.EqualFold(last, w) && (len(bare) > len(w) || w != "pwd") { // a bare PWD is the working folder
			return true
		}
	}
	return false
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
