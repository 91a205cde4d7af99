//go:build !windows

package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mbgate/mbgate/internal/agents"
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
	b := &sandbox{dir: t.TempDir(), project: t.TempDir(), wait: 50 * time.Millisecond}
	f := b.send(agents.Default(), commandLine{command: "sleep 60"}, "{}")
	if f.err == nil || !strings.Contains(f.failure(), "did not answer within") {
		t.Errorf("%+v", f)
	}
}
