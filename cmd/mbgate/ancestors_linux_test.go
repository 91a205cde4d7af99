package main

import (
	"os"
	"strconv"
	"testing"
)

func TestParseStat(t *testing.T) {
	for _, c := range []struct {
		stat, name       string
		parent, terminal int
		ok               bool
	}{
		{"12 (claude) S 7 1 1 34816 12 4", "claude", 7, 34816, true},
		{"12 (a (b) c) R 99 1 2 0", "a (b) c", 99, 0, true},
		{"12 (x) y) S 3 1 1 0", "x) y", 3, 0, true},
		{"", "", 0, 0, false},
		{"12 (x", "", 0, 0, false},
		{"12 (x) S 1 1 1", "", 0, 0, false},
		{"12 (x) S z 1 1 0", "x", 0, 0, false},
	} {
		p, parent, ok := parseStat([]byte(c.stat))
		if ok != c.ok || ok && (p.name != c.name || parent != c.parent || p.terminal != c.terminal) {
			t.Errorf("%q: %v, %d, %v", c.stat, p, parent, ok)
		}
	}
}

func TestAncestorsLeadUpwards(t *testing.T) {
	list := ancestors()
	if os.Getppid() > 0 && len(list) == 0 {
		t.Fatal("no ancestors below /proc, with the parent " + strconv.Itoa(os.Getppid()))
	}
	for _, p := range list {
		if p.name == "" {
			t.Errorf("a process without a name in %v", list)
		}
	}
}
