package config

import (
	"testing"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/risk"
)

// TestBuiltIn holds the lists of package risk against what a person may write: `mbgate config` prints them as such.
func TestBuiltIn(t *testing.T) {
	for i, list := range map[int][]string{keySensitive: risk.DefaultSensitive(agents.ConfigFiles(func(string) string { return "" }).Project), keySafe: risk.DefaultSafe()} {
		if f := table[i].check(&value{list: list}); len(f) > 0 || adds(list) {
			t.Errorf("%s: %v", table[i].Name, f)
		}
	}
}
