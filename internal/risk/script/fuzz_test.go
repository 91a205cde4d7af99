package script

import (
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
)

// plain is a statement that writes the file zz-new, for appending to any script of a language in a line of its own.
func plainWrite(lang Lang) string {
	switch lang {
	case Python:
		return "\nimport os; os.remove('zz-new')\n"
	case Node:
		return "\n;require('fs').writeFileSync('zz-new', '')\n"
	case Perl:
		return "\n;unlink 'zz-new';\n"
	case Ruby:
		return "\n;File.delete('zz-new')\n"
	case PHP:
		return "\n;unlink('zz-new');\n"
	case Lua:
		return "\n;os.remove('zz-new')\n"
	case Awk:
		return "\nBEGIN { print > \"zz-new\" }\n"
	}
	return "\nw zz-new\n"
}

// takesMore reports whether a statement behind this script means what it says: perl and ruby can end their program early
// or be in the middle of documentation, and a script may give the names that the statement uses another meaning.
func takesMore(lang Lang, src string) bool {
	switch lang {
	case Node:
		return !strings.Contains(src, "require")
	case Lua:
		return !strings.Contains(src, "os")
	case Python:
		return !strings.Contains(src, "remove")
	case Perl, Ruby:
		return !strings.Contains(src, "File") && !strings.Contains(src, "sub") && !strings.Contains(src, "def") && !strings.Contains(src, "__END__") && !strings.Contains(src, "__DATA__") && !strings.Contains(src, "=")
	case PHP:
		return !strings.Contains(src, "?>") && !strings.Contains(src, "<?")
	case Sed:
		_, ok := parseSed(src)
		return ok && !strings.HasSuffix(src, "\\")
	}
	return true
}

var fuzzLangs = []Lang{Python, Node, Perl, Ruby, PHP, Awk, Sed, Lua}

func checkScript(t *testing.T, lang Lang, src string) {
	t.Helper()
	if len(src) > 1<<16 {
		return
	}
	e := Judge(lang, src, []string{"f"}, Options{})
	for _, c := range e.Touches {
		if c.Op == "" || c.Known && c.Path == "" || c.Whole && !c.Printed {
			t.Fatalf("%s %q: touch makes no sense: %+v", lang, src, c)
		}
	}
	for _, o := range []Options{{Print: true}, {Print: true, Inplace: true, Files: []string{"a", ""}}} {
		e := Judge(lang, src, nil, o)
		for _, c := range e.Touches {
			if o.Inplace && lang != Node && c.Printed && strings.HasPrefix(c.Why, "operand") {
				t.Fatalf("%s %q: in place but printed: %+v", lang, src, c)
			}
		}
	}
	if lang == Sed || lang == Awk {
		SedSpans(src, true)
	}
	// A plain write behind a script that is read cleanly is always seen, or the script is not understood and says so.
	if !takesMore(lang, src) {
		return
	}
	if _, ok := lex(lang, src); !ok && lang != Sed {
		return
	}
	e = Judge(lang, src+plainWrite(lang), nil, Options{})
	if len(e.Opaque) > 0 || slices.Contains(e.Chdir, "") {
		return
	}
	if !slices.ContainsFunc(e.Touches, func(c Touch) bool {
		return c.Op != event.OpRead && (c.Path == "zz-new" || strings.HasSuffix(c.Path, "/zz-new"))
	}) {
		t.Fatalf("%s: a write appended to %q is not seen: %+v", lang, src, e)
	}
}

func FuzzJudge(f *testing.F) {
	for i, lang := range fuzzLangs {
		for line := range strings.Lines(string(rows(lang))) {
			if r, ok := parseRow(strings.TrimRight(line, "\n")); ok {
				f.Add(i, r.example)
			}
		}
	}
	for _, s := range []string{"1,5p;10q", "/a/{s/b/c/;p}", "s/a/b/w x", "$!N;P;D", "2,/x/d"} {
		f.Add(6, s)
	}
	f.Add(0, "().")
	f.Add(0, "from path import*")
	f.Add(0, "x=y=x=y=x=y=")
	f.Add(2, "y()")
	f.Add(4, "explode()")
	f.Add(5, "0")
	for i, s := range hardScripts {
		f.Add(i%len(fuzzLangs), s)
	}
	f.Fuzz(func(t *testing.T, lang int, src string) {
		checkScript(t, fuzzLangs[(lang%len(fuzzLangs)+len(fuzzLangs))%len(fuzzLangs)], src)
	})
}

// hardScripts are texts that lexers trip over.
var hardScripts = []string{
	"if x:\n  y = '''a\nb'''\nelse: f\"{d['a']:>{w}}\"",
	"const r = /[/\"]/g, s = `a${`b${c}`}`; if (a / b / c) x => y",
	"my $x = q{a{b}c}; $x =~ s{a}{b}e; print <<A, <<'B';\na\nA\nb\nB\n",
	"puts <<~X, %w[a b], :\"c\", \"#{d ? \"e\" : 'f'}\"\nx\nX\n",
	"<?php $a = <<<'X'\na\nX; echo \"{$a['b']} $c->d\";",
	"function f(a) { return a ~ /x\\/y/ } NR==1, /z/ { print a b > \"c\" d; getline < \"e\" }",
	"/a\\/b/,+3{s|x|y|gw z\n};$!d",
	"local s = [==[ ]] ]==] .. 'a' -- c\nfor i = 1, 2 do if x then y() end end",
}

func BenchmarkOneLiner(b *testing.B) {
	for b.Loop() {
		Judge(Python, "import json,sys; json.dump({}, open(sys.argv[1],'w'))", []string{"x"}, Options{})
	}
}
