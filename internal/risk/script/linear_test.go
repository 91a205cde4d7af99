package script

import (
	"runtime"
	"strings"
	"testing"
)

// units are what long scripts are made of: each is repeated.
var units = []string{
	"(", ".b", "()", "x=y=", "a,b=c,", "lambda a b ", "for x in y:\n", "open(", "a => ", "{|a ", "a ? b ",
	"def f(", "import a.b as c, d\n", "x.y(z) ", "\"${a}#{b}\"", "open('a').read()\n", "1,2p\n", "{print > \"x\"}", "x[1]",
}

// TestLinear holds that what a script costs grows with its length, not faster: eight times the text may take at most
// sixteen times the memory (a square would be 64), whatever the language.
func TestLinear(t *testing.T) {
	cost := func(lang Lang, src string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Judge(lang, src, []string{"f"}, Options{})
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for _, lang := range fuzzLangs {
		for _, u := range units {
			short, long := cost(lang, strings.Repeat(u, 500)), cost(lang, strings.Repeat(u, 4000))
			if long > 16*short+1<<16 {
				t.Errorf("%s: %q costs %d bytes 500 times, %d bytes 4000 times", lang, u, short, long)
			}
		}
	}
}
