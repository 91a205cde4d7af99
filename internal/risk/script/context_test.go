package script

import (
	"strings"
	"testing"
)

// contexts are what may stand around a call, which must not hide it.
var contexts = map[Lang][]string{
	Python: {
		"foo(%s)", "y = %s", "if x:\n    %s\n", "def f(a, b=1):\n    %s\n", "print(a if b else %s)", "x = y or %s", "[%s for i in z]", "foo(lambda x: %s)",
		"d = {'a': %s}", "async def g():\n    await %s", "fn(%s)", "x.y(z).w(1, k=%s)", "class A:\n  def f(self):\n    with q as r:\n      %s\n", "z[%s] = 1",
		"f'{%s}'", "a, b = 1, %s", "x += %s", "x == %s", "1 if %s else 2",
	},
	Node: {
		"foo(%s)", "const y = %s", "if (x) { %s }", "function f(a, b=1) { return %s }", "q ? a : %s", "x = y || %s", "foo(x => %s)", "foo(async (x, y) => { await %s })",
		"const d = {a: %s}", "const {a, b} = %s", "fn(%s)", "class A { f() { %s } }", "for (const i of l) %s", "`${%s}`", "export const k = async () => { %s }",
		"switch (x) { case 1: %s; break }", "[...%s]", "x && %s", "import q from 'q'\n%s",
	},
	Ruby: {
		"foo(%s)", "y = %s", "def f(a, b=1)\n  %s\nend", "l.each { |x| %s }", "l.each do |x|\n %s\nend", "d = {a: (%s)}", "\"#{%s}\"", "%s if x", "lambda { |x| %s }",
		"case x\nwhen 1 then %s\nend",
	},
	PHP:  {"foo(%s);", "function f($a, $b=1) { return %s; }", "$x = $y ?: %s;", "array_map(function($x) { %s; }, $l);", "$d = ['a' => %s];", "$f = fn($x) => %s;", "@%s;"},
	Perl: {"if ($x) { %s; }", "sub f { my ($a) = @_; %s; }", "%s or die 'x';", "for my $i (@l) { %s; }", "eval { %s; };", "map { %s } @l;"},
	Lua:  {"foo(%s)", "if x then %s end", "function f(a, b) %s end", "for i = 1, 2 do %s end", "local d = {a = %s}", "foo(function() %s end)"},
}

func TestContexts(t *testing.T) {
	tried := 0
	for lang, around := range contexts {
		for line := range strings.Lines(string(rows(lang))) {
			r, ok := parseRow(strings.TrimSpace(line))
			before, call := "", strings.TrimSuffix(strings.TrimSpace(r.example), ";")
			if i := strings.LastIndex(call, "; "); i > 0 {
				before, call = strings.Replace(call[:i+2], "; ", "\n", 1), call[i+2:]
				if lang == Perl || lang == PHP || lang == Node {
					before = strings.TrimSpace(before) + ";\n"
				}
			}
			if !ok || !r.effect() || strings.HasPrefix(call, "const ") || strings.HasPrefix(call, "[") || strings.Contains(call, "{ |") {
				continue
			}
			alone := judgeTable(lang, before+call, rows(lang))
			for _, c := range around {
				tried++
				src := before + strings.Replace(c, "%s", call, 1)
				got := judgeTable(lang, src, rows(lang))
				if len(got.Touches) < len(alone.Touches) || len(got.Runs) < len(alone.Runs) || len(got.Opaque) < len(alone.Opaque) {
					t.Errorf("%s: %q does less than %q: %+v", lang, src, call, got)
				}
			}
		}
	}
	if tried < 5000 {
		t.Errorf("only %d calls in contexts", tried)
	}
}
