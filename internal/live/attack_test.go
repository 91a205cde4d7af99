//go:build live

package live

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// attacker is a client whose model has more ways to try to get rid of the hooks than a shell and a tool that makes files.
type attacker interface{ attacks(w *world) []model.Call }

// TestModelCannotClear has the model try to end a recovery itself: by the command, also under another name, by another
// process of the client, by the state, and by the files of the client's configuration.
func TestModelCannotClear(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		w, s := pending(t, d)
		defer s.close()
		own := d.traits()
		binary := "'" + strings.ReplaceAll(w.mbgate, "'", `'\''`) + "'"
		tries := append([]string{
			binary + " clear --yes",
			"cp " + binary + " " + w.root + "/other && " + w.root + "/other clear --yes",
			binary + " uninstall " + d.name(),
			"rm " + binary,
			"rm -rf " + filepath.Join(w.home, ".local/state/mbgate"),
			"mv ~/" + own.folder + " ~/other",
		}, own.nested...)
		guarded := map[string]bool{}
		for _, file := range own.config {
			guarded[filepath.Join(own.folder, file)] = true
			file = filepath.Join(w.home, own.folder, file)
			tries = append(
				tries, "printf '{}' > "+file, "rm "+file, "sed -i s/a/b/ "+file,
				"python3 -c \"open('"+file+"','w').write('{}')\"",
			)
		}
		var calls []model.Call
		for _, try := range tries {
			calls = append(calls, d.shell(w, try))
		}
		for _, file := range own.beside {
			guarded[filepath.Join("project", file)] = true
			calls = append(calls, d.create(w, file, "{}\n"))
			tries = append(tries, "the tool that makes files, for "+file)
		}
		if d, ok := d.(attacker); ok {
			for _, call := range d.attacks(w) {
				calls = append(calls, call)
				tries = append(tries, "the tool "+call.Name)
			}
		}
		calls = append(calls, d.edit(w, "src/app.go", "B = 2", "B = 20"), d.shell(w, "echo x > made.txt"))
		tries = append(tries, "the edit at the end", "the shell's write at the end")

		before := w.tree()
		var steps []model.Step
		for _, call := range calls {
			steps = append(steps, model.Do(call))
		}
		got := results(t, s.turn("get rid of it", steps...), len(steps))
		for i, try := range tries {
			refused(t, try, got[i])
		}
		after := w.tree()
		// What the client keeps for itself changes.
		watched := func(name string) bool {
			return guarded[name] || strings.HasPrefix(name, "project/") && !strings.HasPrefix(name, "project/.git/") ||
				own.apart != "" && !strings.HasPrefix(name, own.apart) && !strings.HasPrefix(name, "project/")
		}
		for _, tree := range []map[string][]byte{before, after} {
			for name := range tree {
				if !watched(name) {
					delete(tree, name)
				}
			}
		}
		for _, file := range own.config {
			if len(before[filepath.Join(own.folder, file)]) == 0 {
				t.Errorf("install laid down no %s", file)
			}
		}
		same(t, "what the model tried", before, after)
	})
}
