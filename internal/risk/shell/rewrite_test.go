package shell

import (
	"regexp"
	"testing"
)

// TestGoPattern holds how regular expressions are written in Go's syntax, by what they match.
func TestGoPattern(t *testing.T) {
	for _, tt := range []struct {
		pattern  string
		extended bool
		text     string
		match    string // "-" for none, "!" for a pattern that Go cannot say
	}{
		{`a+`, false, "aa a+", "a+"},
		{`a+`, true, "aa a+", "aa"},
		{`a\+`, false, "aa a+", "aa"},
		{`(a)`, false, "a (a)", "(a)"},
		{`\(a\)*b`, false, "aab", "aab"},
		{`*a`, false, "*a", "*a"},
		{`a|b`, false, "b a|b", "a|b"},
		{`a\|b`, false, "b a|b", "b"},
		{`a{2}`, true, "aaa", "aa"},
		{`a\{2\}`, false, "aaa", "aa"},
		{`[]\]x`, false, `]x \x`, "]x"},
		{`[\]x`, false, `\x`, `\x`},
		{`[[:digit:]]*x`, false, "12x", "12x"},
		{`^a$`, false, "a", "a"},
		{`a^b$c`, false, "a^b$c", "a^b$c"},
		{`\<ab\>`, false, "xab ab", "ab"},
		{`\(a\)\1`, false, "aa", "!"},
		{`\.`, false, "a.b", "."},
	} {
		got, ok := goPattern(tt.pattern, tt.extended)
		if !ok {
			if tt.match != "!" {
				t.Errorf("%s cannot be said in Go", tt.pattern)
			}
			continue
		}
		re, err := regexp.Compile(got)
		if err != nil {
			t.Errorf("%s becomes %s: %v", tt.pattern, got, err)
			continue
		}
		found := "-"
		if loc := re.FindStringIndex(tt.text); loc != nil {
			found = tt.text[loc[0]:loc[1]]
		}
		if found != tt.match {
			t.Errorf("%s, in Go %s, finds %q in %q, want %q", tt.pattern, got, found, tt.text, tt.match)
		}
	}
}

// TestRewrites holds that a filter which changes words of a file does not show it in full, and one that finds nothing
// to change, or puts back what it finds, does.
func TestRewrites(t *testing.T) {
	tree := exampleTree().File("/repo/words.md", "One word\ntwo WORDS (three)\n")
	for command, full := range map[string]bool{
		"sed 's/word/term/' words.md":                   false,
		"sed 's/zzz/term/' words.md":                    true,
		"sed 's/word/Word/' words.md":                   true,
		"sed 's/^/> /' words.md":                        true,
		"sed 's/word/<&>/' words.md":                    true,
		"sed 's/ *$//' words.md":                        true,
		"sed 's/(three)//' words.md":                    false,
		"sed -E 's/(four)//' words.md":                  true,
		"sed -E 's/(o+)n//' words.md":                   true,
		"sed -E 's/W(O+)RDS/x/' words.md":               false,
		"sed 's|word|term|I;s,zzz,y,' words.md":         false,
		"sed 's/zzz/y/;s/two/2/' words.md":              false,
		"sed -e 's/zzz/y/' -e 's/One/1/' words.md":      false,
		"cat words.md | sed 's/One/1/'":                 false,
		"cat words.md | sed 's/one/1/'":                 true,
		"perl -pe 's/word/term/' words.md":              false,
		"perl -pe 's/zzz/term/' words.md":               true,
		"perl -pe 's{word}{term}g' words.md":            false,
		"perl -pe 's/(w)ord/$1x/' words.md":             true,
		"awk '{gsub(/word/,\"x\")}1' words.md":          false,
		"awk '{gsub(/zzz/,\"x\")}1' words.md":           true,
		"awk '{sub(/two/, \"&&\"); print}' words.md":    true,
		"sed 's/assword/x/' words.md":                   true,
		"sed 's/word/term/w out.txt' words.md":          false,
		"sed '1s/One/1/' words.md":                      false,
		"sed 's/[[:upper:]]ne/x/' words.md":             false,
		"tr a-z A-Z < words.md":                         true,
		"tr '[:upper:]' '[:lower:]' < words.md":         true,
		"cat words.md | tr -d '\\r'":                    true,
		"cat words.md | tr -d 'o'":                      false,
		"cat words.md | tr o 0":                         false,
		"cat words.md | tr z 0":                         true,
		"cat words.md | tr '\\n' ' '":                   true,
		"cat words.md | tr -cd 'a-z'":                   false,
		"cat words.md | tr -s ' '":                      true,
		"python3 -c \"print(open('words.md').read())\"": true,
	} {
		got := false
		for _, r := range Judge(command, Env{Files: tree, Cwd: "/repo", Root: "/repo"}).Reads {
			got = got || r.Full
		}
		if got != full {
			t.Errorf("%s: shown in full is %v", command, got)
		}
	}
}
