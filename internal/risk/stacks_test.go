package risk

import (
	"os"
	"path"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place/placetest"
)

// TestStacks judges commands as agents run them in projects of nine stacks: those of harmless.txt change nothing in the
// project and are open while a recovery is pending, those of writing.txt are refused.
func TestStacks(t *testing.T) {
	tree := placetest.New("/home/dev/repo").Folder("/tmp")
	archive, err := txtar.ParseFile("testdata/stacks.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		tree.File(path.Join("/home/dev/repo", f.Name), string(f.Data))
	}
	for _, f := range strings.Fields(".nvm/nvm.sh .cargo/env .sdkman/bin/sdkman-init.sh") {
		tree.File("/home/dev/"+f, "while read x; do eval \"$x\"; done\n")
	}
	w, r := world(), rules()
	w.Files, r.Recovery = tree, true
	for file, writes := range map[string]bool{"testdata/harmless.txt": false, "testdata/writing.txt": true} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		stack, rows := "", 0
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			name, head := strings.CutPrefix(line, "## ")
			if head {
				stack = name
			}
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			rows++
			command, reason, _ := strings.Cut(line, " #! ") // a row that is judged otherwise says why
			command = strings.ReplaceAll(command, "⏎", "\n")
			a := Judge(event.Tool{Class: event.Shell, Command: command}, "/home/dev/repo", w, r)
			if refused := a.Level > Low || a.Writes == WritesProject; refused != (writes != (reason != "")) {
				t.Errorf("%s: %s is %s (%+v)", stack, command, summary(a), why(a))
			}
		}
		t.Logf("%s: %d rows", file, rows)
	}
}
