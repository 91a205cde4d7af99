package install

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/agents"
)

// Its own client may write a configuration while it is edited: then nothing is written over it.
func TestAFileThatChangedMeanwhileIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "settings.json")
	for _, c := range []Change{
		{file, nil, []byte("ours")},
		{file, []byte("{}"), []byte("ours")},
		{file, []byte("{}"), nil},
		{file, []byte{}, []byte("ours")},
	} {
		if err := os.WriteFile(file, []byte("theirs"), 0o640); err != nil {
			t.Fatal(err)
		}
		if err := c.write(); !errors.Is(err, errChanged) {
			t.Errorf("%q to %q: %v", c.before, c.after, err)
		}
		if now, _ := os.ReadFile(file); string(now) != "theirs" {
			t.Errorf("%q to %q: wrote over it", c.before, c.after)
		}
	}
	if err := (Change{file, []byte("theirs"), []byte("ours")}).write(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".mbgate-*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A plan is made anew when the file changed, and a client that never stops writing does not keep it for ever.
func TestAPlanIsMadeAnew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	for _, r := range []struct{ moves, plans int }{{0, 1}, {2, 3}, {99, maxPlans}} {
		if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		c, _ := agents.SettingsOf("qwen")
		plans := 0
		_, err := (Env{Home: os.UserHomeDir}).apply(Site{Client: c, Hooks: file, top: filepath.Dir(file)}, func() (Plan, error) {
			before, err := ReadConfig(file)
			if plans++; plans <= r.moves {
				err = os.WriteFile(file, append(before, ' '), 0o600)
			}
			return Plan{Changes: []Change{{file, before, []byte("ours")}}}, err
		})
		if plans != r.plans || errors.Is(err, errChanged) != (r.moves > maxPlans) {
			t.Errorf("%d moves: %d plans, %v", r.moves, plans, err)
		}
	}
}

// npm empties the cache of npx, and the hooks would name a program that is gone.
func TestNpxCacheIsNoPlaceForHooks(t *testing.T) {
	e := Env{Executable: func() (string, error) {
		return "/home/a/.npm/_npx/1f/node_modules/@mbgate/linux-x64/bin/mbgate", nil
	}}
	if path, err := e.binary(); err == nil || !strings.Contains(err.Error(), "npm install --global mbgate") {
		t.Errorf("%q, %v", path, err)
	}
}
