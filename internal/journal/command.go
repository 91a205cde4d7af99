package journal

import (
	"slices"
	"strings"
)

// span is a range of a text.
type span struct{ from, to int }

// simple is a simple command of a shell: its words, with their quotes, and whether its output goes into the next one.
type simple struct {
	words []span
	piped bool
}

// maskCommands masks what programs are given by options, arguments and streams that the tables know. Quotes are
// understood as far as they keep words together, nothing else of a shell is: this is for the log's sake, and risk/shell
// judges.
func maskCommands(text string) string {
	k := known(text)
	if len(k.passing)+len(k.given)+len(k.listens)+len(k.settings) == 0 {
		return text
	}
	commands := splitCommands(text)
	var secrets []span
	for i, c := range commands {
		words := make([]string, len(c.words))
		for n, w := range c.words {
			w = inner(text, w)
			words[n] = text[w.from:w.to]
		}
		secrets = append(secrets, k.options(text, c.words, words)...)
		secrets = append(secrets, k.arguments(text, c.words, words)...)
		if k.listensTo(words) {
			secrets = append(secrets, sent(text, commands, i)...)
		}
	}
	slices.SortFunc(secrets, func(a, b span) int { return a.from - b.from })
	var b strings.Builder
	last := 0
	for _, s := range secrets {
		if s.from < last || s.from >= s.to {
			continue
		}
		b.WriteString(text[last:s.from] + mask)
		last = s.to
	}
	b.WriteString(text[last:])
	return b.String()
}

// tables are the rows of the tables that a text may need: most commands need none, and a hook that refuses waits for this.
type tables struct {
	passing  []passes
	given    []gives
	listens  []string
	settings []string
}

// known is the rows whose programs and words occur in a text.
func known(text string) tables {
	in := func(programs string) bool {
		for p := range strings.SplitSeq(programs, "|") {
			first, _, _ := strings.Cut(p, " ")
			if strings.Contains(text, first) {
				return true
			}
		}
		return false
	}
	return tables{
		slices.DeleteFunc(passing(), func(p passes) bool { return !in(p.programs) }),
		slices.DeleteFunc(given(), func(g gives) bool { return !in(g.programs) }),
		slices.DeleteFunc(listens(), func(l string) bool { return !in(l) }),
		slices.DeleteFunc(settings(), func(s string) bool { return !in(s) }),
	}
}

// splitCommands finds the simple commands of a text and their words.
func splitCommands(text string) []simple {
	var list []simple
	var c simple
	for i := 0; i < len(text); {
		switch ch := text[i]; ch {
		case ' ', '\t', '\r':
			i++
		case '\n', ';', '&', '|', '(', ')', '`':
			c.piped = ch == '|' && !strings.HasPrefix(text[i+1:], "|")
			if len(c.words) > 0 {
				list = append(list, c)
			}
			c = simple{}
			if i++; ch == '|' && i < len(text) && (text[i] == '|' || text[i] == '&') {
				i++
			}
		default:
			end := wordEnd(text, i)
			c.words = append(c.words, span{i, end})
			i = end
		}
	}
	if len(c.words) > 0 {
		list = append(list, c)
	}
	return list
}

// wordEnd is where a word ends that begins at i. A here-string's <<< is a word of its own.
func wordEnd(text string, i int) int {
	if strings.HasPrefix(text[i:], "<<<") {
		return i + 3
	}
	for i < len(text) {
		switch c := text[i]; c {
		case ' ', '\t', '\r', '\n', ';', '&', '|', '(', ')', '`':
			return i
		case '\'', '"':
			i = closing(text, i+1, c)
		case '\\':
			i++
		}
		i++
	}
	return min(i, len(text))
}

// inner is a word without the quotes around it.
func inner(text string, w span) span {
	if w.to-w.from >= 2 {
		if q := text[w.from]; (q == '"' || q == '\'') && text[w.to-1] == q {
			return span{w.from + 1, w.to - 1}
		}
	}
	return w
}

// options are the secrets that options carry.
func (t tables) options(text string, at []span, words []string) []span {
	var secrets []span
	for _, row := range t.passing {
		begin := called(words, row.programs)
		if begin < 0 {
			continue
		}
		for i := begin; i < len(words); i++ {
			for flag := range strings.SplitSeq(row.flags, " ") {
				if s, ok := behind(text, at, words, i, flag, row.how); ok {
					secrets = append(secrets, s)
					break
				}
			}
		}
	}
	return secrets
}

// called is the index behind the first word of the last program of a list that a command runs, -1 if it runs none.
func called(words []string, programs string) int {
	begin := -1
	for p := range strings.SplitSeq(programs, "|") {
		parts := strings.Fields(p)
		i := slices.IndexFunc(words, func(w string) bool { return base(w) == parts[0] })
		if i < 0 {
			continue
		}
		rest, found := words[i+1:], true
		for _, part := range parts[1:] {
			k := slices.Index(rest, part)
			if found = k >= 0; !found {
				break
			}
			rest = rest[k+1:]
		}
		if found {
			begin = max(begin, i+1)
		}
	}
	return begin
}

// base is the name of a program without its folder and .exe.
func base(w string) string {
	return strings.TrimSuffix(w[strings.LastIndexAny(w, `/\`)+1:], ".exe")
}

// behind is the secret that the word i carries if it is that flag.
func behind(text string, at []span, words []string, i int, flag string, how how) (span, bool) {
	w := inner(text, at[i])
	raw := text[w.from:w.to]
	s := span{w.from + len(flag), w.to}
	switch {
	case raw == flag:
		if how == attached || i+1 == len(words) {
			return s, false
		}
		s = inner(text, at[i+1])
	case strings.HasPrefix(raw, flag+"="):
		s.from++
	case len(flag) == 2 && strings.HasPrefix(raw, "-") && !strings.HasPrefix(raw, "--"):
		// -pSECRET, or at the end of other letters: curl -su user:SECRET
		k := strings.IndexByte(raw, flag[1])
		if k < 1 || strings.Trim(raw[1:k], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ#") != "" || how == attached && k > 1 {
			return s, false
		}
		if s = (span{w.from + k + 1, w.to}); s.from == s.to {
			if how == attached || i+1 == len(words) {
				return s, false
			}
			s = inner(text, at[i+1])
		}
	case how == attached && strings.HasPrefix(raw, flag):
	default:
		return s, false
	}
	s = inner(text, s)
	if how == colon || how == percent {
		sep := byte(':')
		if how == percent {
			sep = '%'
		}
		k := strings.IndexByte(text[s.from:s.to], sep)
		if k < 0 {
			return s, false
		}
		s.from += k + 1
	}
	return s, true
}

// arguments are the secrets that stand as arguments of their own: at the place that a table knows, and behind the name of a
// secret in a command that sets it.
func (t tables) arguments(text string, at []span, words []string) []span {
	var secrets []span
	for _, row := range t.given {
		for p := range strings.SplitSeq(row.programs, "|") {
			if called(words, p) < 0 {
				continue
			}
			parts := strings.Fields(p)
			rest := slices.IndexFunc(words, func(w string) bool { return base(w) == parts[0] }) + 1
			if len(parts) > 1 {
				rest += slices.Index(words[rest:], parts[len(parts)-1]) + 1
			}
			var plain []span
			for i := rest; i < len(words); i++ {
				if !strings.HasPrefix(words[i], "-") {
					plain = append(plain, inner(text, at[i]))
				}
			}
			if n := len(plain); row.at < n && n > 0 {
				secrets = append(secrets, plain[(row.at+n)%n])
			}
		}
	}
	sets := slices.IndexFunc(words, func(w string) bool { return slices.Contains(t.settings, w) })
	all := slices.ContainsFunc(words, func(w string) bool { return w == "secret" || w == "secrets" || strings.HasPrefix(w, "secret/") })
	for i := sets + 1; sets >= 0 && i < len(words); i++ {
		name, value, both := strings.Cut(words[i], "=")
		switch {
		case both && all && value != "" && !strings.HasPrefix(name, "--"):
			w := inner(text, at[i])
			secrets = append(secrets, span{w.from + len(name) + 1, w.to})
		case !both && i+1 < len(words) && !strings.HasPrefix(words[i], "-") && !strings.HasPrefix(words[i+1], "-") &&
			!strings.ContainsAny(name, " \t\n") && secretName(fold(lastPart(name)), lastPart(name)):
			secrets = append(secrets, inner(text, at[i+1]))
		}
	}
	return secrets
}

// lastPart is a name without what places it: //registry/:_authToken, pypi-token.pypi.
func lastPart(name string) string { return name[strings.LastIndexAny(name, "/:")+1:] }

// listensTo reports whether a command reads a secret from its standard input.
func (t tables) listensTo(words []string) bool {
	return slices.ContainsFunc(t.listens, func(l string) bool {
		if strings.HasPrefix(l, "-") {
			return slices.Contains(words, l)
		}
		return called(words, l) >= 0
	})
}

// sent are the words that come to a command's standard input: from echo and printf before it, and in a here-string.
func sent(text string, commands []simple, i int) []span {
	var secrets []span
	take := func(words []span) {
		for _, w := range words {
			if w = inner(text, w); !strings.HasPrefix(text[w.from:w.to], "-") {
				secrets = append(secrets, w)
			}
		}
	}
	for k, w := range commands[i].words {
		if text[w.from:w.to] == "<<<" && k+1 < len(commands[i].words) {
			take(commands[i].words[k+1 : k+2])
		}
	}
	for k := i - 1; k >= 0 && commands[k].piped; k-- {
		first := commands[k].words[0]
		if name := base(text[first.from:first.to]); name == "echo" || name == "printf" || name == "print" {
			take(commands[k].words[1:])
		}
	}
	return secrets
}
