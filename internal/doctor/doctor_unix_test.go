//go:build !windows

package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/sandbox"
)

func TestFilesOfOtherUsersAreSeen(t *testing.T) {
	own := filepath.Join(t.TempDir(), "own")
	if err := os.WriteFile(own, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(own); foreign(info) {
		t.Error("a file of our own counts as another's")
	}
	other := "/" // root's
	if os.Geteuid() == 0 {
		other = own
		if err := os.Chown(own, 12345, -1); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(other); err != nil || !foreign(info) {
		t.Errorf("%s counts as our own, %v", other, err)
	}
}

// A hook that hangs is given up after what the client waits for.
func TestAHookThatHangsIsGivenUp(t *testing.T) {
	a := agent{run: &run{sandbox: &sandbox.Sandbox{Project: t.TempDir()}}, known: agents.Default()}
	f := a.send(commandLine{command: "sleep 60"}, "{}", 50*time.Millisecond)
	if f.Err == nil || !strings.Contains(failure(f), "did not answer within") {
		t.Errorf("%+v", f)
	}
}
