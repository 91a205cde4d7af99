package render

import (
	"strings"
	"testing"
)

// A frame has no more lines than the screen, none wider than it, and its last says how it is ended.
func TestFrameFits(t *testing.T) {
	text := status().Text(testScreen(true, true, 80), false)
	for _, size := range [][2]int{{80, 24}, {60, 200}, {200, 50}, {20, 5}, {2, 2}, {1, 1}} {
		width, height := size[0], size[1]
		lines := Frame(text, width, height, "q ends this")
		if len(lines) > height {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		for _, l := range lines {
			if width > 1 && columns(l) > width || strings.ContainsAny(l, "\n\r") {
				t.Errorf("%v: %d columns: %q", size, columns(l), l)
			}
		}
	}
	whole := Frame(text, 60, 500, "q ends this")
	if end := whole[len(whole)-1]; end != "q ends this" {
		t.Errorf("it ends with %q", end)
	}
	if got := strings.Join(whole, ""); !strings.Contains(uncoloured(got), `"offset": 21, "limit": 160}`) {
		t.Error("a call that is longer than a line was cut")
	}
	cut := Frame(text, 80, 10, "q ends this")
	if end := cut[9]; !strings.HasPrefix(end, "q ends this · ") || !strings.HasSuffix(end, " more lines below; make the window taller") {
		t.Errorf("it ends with %q", end)
	}
}
