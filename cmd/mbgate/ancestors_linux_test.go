package main

import (
	"os"
	"strconv"
	"testing"
)

func TestParseStat(t *testing.T) {
	for _, c := range []struct {
		stat, name string
		parent     int
		ok         bool
	}{
		{"12 (claude) S 7 1", "claude", 7, true},
		{"12 (a (b) c) R 99 1 2", "a (b) c", 99, true},
		{"12 (x) y) S 3", "x) y", 3, true},
		{"", "", 0, false},
		{"12 (x", "", 0, false},
		{"12 (x) S", "", 0, false},
		{"12 (x) S z", "x", 0, false},
	} {
		name, parent, ok := parseStat([]byte(c.stat))
		if ok != c.ok || ok && (name != c.name || parent != c.parent) {
			t.Errorf("%q: %q, %d, %v", c.stat, name, parent, ok)
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
