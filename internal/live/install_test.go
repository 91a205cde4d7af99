//go:build live

package live

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestUninstall takes the hooks out: every file is as it was, byte by byte, and the client runs without them.
func TestUninstall(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		w := newWorld(t)
		d.configure(w)
		before := w.tree()
		w.run(w.mbgate, "install", d.name())
		if len(w.tree()) == len(before) && func() bool {
			for name, data := range w.tree() {
				if string(before[name]) != string(data) {
					return false
				}
			}
			return true
		}() {
			t.Fatal("install changed nothing")
		}
		w.run(w.mbgate, "uninstall", d.name())
		same(t, "install, then uninstall", before, w.tree())

		w.run(w.mbgate, "install", d.name())
		d.trust(w)
		s := d.open(w, opening{})
		results(t, s.turn("read", model.Do(d.readAll(w, requirement)), model.Do(d.readAll(w, "src/app.go"))), 2)
		s.compact()
		id := s.id()
		got := results(t, s.turn("go on", model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))), 1)
		refused(t, "an edit after the compaction", got[0])
		s.close()

		w.run(w.mbgate, "uninstall", d.name())
		s = d.open(w, opening{resume: id})
		defer s.close()
		seen := s.turn("go on", model.Do(d.readAll(w, "src/app.go")), model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")))
		passed(t, "an edit after uninstall", results(t, seen, 2)[1])
		changed(t, w, "B = 20", "an edit after uninstall")
	})
}

// TestDoctor asks each installed client's doctor after a conversation: nothing is wrong.
func TestDoctor(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		w := setUp(t, d)
		s := d.open(w, opening{})
		results(t, s.turn("work", model.Do(d.readAll(w, requirement))), 1)
		s.close()
		out, err := w.try(w.mbgate, "doctor", d.name())
		if err != nil {
			t.Errorf("doctor: %v\n%s", err, out)
		}
	})
}

// TestHome moves the client's configuration by its environment variable: install, the client, and what mbgate knows and
// guards of it go the same way.
func TestHome(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		own := d.traits()
		w := newWorld(t)
		moved := filepath.Join(w.root, "moved")
		w.vars = append(w.vars, own.variable+"="+moved)
		d.configure(w)
		before := filepath.Join(w.home, own.folder)
		after := filepath.Join(moved, own.below)
		if err := os.MkdirAll(filepath.Dir(after), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(before, after); err != nil {
			t.Fatal(err)
		}
		w.run(w.mbgate, "install", d.name())
		if _, err := os.Stat(before); err == nil {
			t.Error("something was laid down where the client does not look")
		}
		d.trust(w)
		var guarded []model.Step // which has moved, too
		for _, file := range own.config {
			file = filepath.Join(after, file)
			guarded = append(guarded, model.Do(d.shell(w, "echo x > "+file)))
			if own.keepsBack == "" {
				guarded = append(guarded, model.Do(d.create(w, relative(t, w, file), "x\n")))
			}
		}
		if own.keepsBack != "" {
			t.Logf("not by the tool that makes files: %s", own.keepsBack)
		}
		if !cannot(t, own.noSubagents) {
			writerAndReader(t, w, d, guarded...)
			return
		}
		s := d.open(w, opening{})
		defer s.close()
		results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement))), 1)
		s.compact()
		for i, result := range results(t, s.turn("change what is guarded", guarded...), len(guarded)) {
			refused(t, fmt.Sprintf("step %d", i), result)
		}
		reopened(t, w, d, s, "with a moved configuration", "REQ-1 line 60:")
	})
}

// relative is a path as seen from the project.
func relative(t *testing.T, w *world, path string) string {
	t.Helper()
	rel, err := filepath.Rel(w.dir, path)
	if err != nil {
		t.Fatal(err)
	}
	return rel
}

// TestTwice installs the hooks for the person and for the project, too, which the person trusts: what comes twice counts
// once. Claude Code's hooks stand in the project besides, whose file some clients read.
func TestTwice(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		w := newWorld(t)
		d.configure(w)
		w.vars = append(w.vars, d.traits().trusting...)
		w.run(w.mbgate, "install", "claude-code", "--project")
		w.run(w.mbgate, "install", d.name(), "--project")
		w.run(w.mbgate, "install", d.name())
		d.trust(w)
		s := d.open(w, opening{})
		defer s.close()
		results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement)), model.Do(d.readAll(w, "src/app.go"))), 2)
		s.compact()
		edit, write := model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20")), model.Do(d.shell(w, "echo x > made.txt"))
		got := results(t, s.turn("go on", edit, write, model.Do(d.readLines(w, requirement, 1, 30)), edit, model.Step{From: printed(d)}, write, model.Do(d.readAll(w, "src/app.go")), edit), 8)
		contains(t, "the first refusal", got[0], "refusal 1)")
		contains(t, "the second refusal", got[1], "refusal 2)")
		contains(t, "the refusal after a part", got[3], "30 of 60 lines read")
		passed(t, "the printed call", got[4], "REQ-1 line 60:")
		passed(t, "a write after it", got[5])
		if w.read("made.txt") != "x\n" {
			t.Errorf("the write after a full read made %q", w.read("made.txt"))
		}
		changed(t, w, "B = 20", "the edit after a full read")
	})
}

// TestBinaryGone removes the binary while a recovery is pending: the calls go through, as with no hook. Some clients take a
// hook that cannot start for a refusal, so the installed line says by itself that all is well.
func TestBinaryGone(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		w, s := pending(t, d)
		defer s.close()
		if err := os.Remove(w.mbgate); err != nil {
			t.Fatal(err)
		}
		got := results(t, s.turn("go on", model.Do(d.readAll(w, "src/app.go")), model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))), 2)
		passed(t, "a read without the binary", got[0], "B = 2")
		passed(t, "an edit without the binary", got[1])
		changed(t, w, "B = 20", "an edit without the binary")
	})
}

// TestShared has one person install for the team, and plays the client of another, who has a clone, a home folder of their own, and
// nothing of mbgate in it but the binary on PATH: the loop holds. Then that is gone: every call goes through.
func TestShared(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		w := newWorld(t)
		first := filepath.Join(w.root, "first")
		if err := os.MkdirAll(first, 0o755); err != nil {
			t.Fatal(err)
		}
		own := slices.Clone(w.vars)
		w.vars = append(w.vars, "HOME="+first)
		w.run(w.mbgate, "install", d.name(), "--shared")
		w.vars = append(own, d.traits().trusting...)
		bin := filepath.Join(w.root, "bin") // Qwen Code 0.24.4 does not start a turn with a quote in PATH
		if err := os.Rename(filepath.Dir(w.mbgate), bin); err != nil {
			t.Fatal(err)
		}
		w.mbgate = filepath.Join(bin, "mbgate")
		w.vars = append(w.vars, "PATH="+bin+":"+filepath.Join(nodeDir(), "bin")+":/usr/local/bin:/usr/bin:/bin")
		w.run("git", "add", "-A")
		w.run("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "share mbgate")
		for name, data := range w.tree() {
			if strings.HasPrefix(name, "project/") && !strings.HasPrefix(name, "project/.git/") && bytes.Contains(data, []byte(w.root)) {
				t.Errorf("%s holds a path of this machine:\n%s", name, data)
			}
		}
		clone := filepath.Join(w.home, "clone")
		w.run("git", "clone", "-q", w.dir, clone)
		w.dir = clone
		d.configure(w)
		d.trust(w)
		s := d.open(w, opening{})
		defer s.close()
		results(t, s.turn("work on REQ-1", model.Do(d.readAll(w, requirement)), model.Do(d.readAll(w, "src/app.go"))), 2)
		s.compact()
		reopened(t, w, d, s, "with shared hooks", "REQ-1 line 60:")
		s.compact()
		if err := os.Remove(w.mbgate); err != nil {
			t.Fatal(err)
		}
		got := results(t, s.turn("go on", model.Do(d.readAll(w, "src/app.go")), model.Do(d.edit(w, "src/app.go", "B = 2", "B = 20"))), 2)
		passed(t, "a read without the binary", got[0], "B = 2")
		passed(t, "an edit without the binary", got[1])
		changed(t, w, "B = 20", "an edit without the binary")
	})
}
