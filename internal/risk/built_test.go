package risk

import (
	"testing"

	"github.com/mbgate/mbgate/internal/event"
)

// TestBuildOutputs holds SPEC §9: what a build puts out is low and no write of the project, unless the command line names
// an existing text file that no build writes.
func TestBuildOutputs(t *testing.T) {
	files := tree()
	for _, f := range []string{"t.c", "dist/old.js", "report.xml", "c.out"} {
		files.File("/home/dev/repo/"+f, "text\n")
	}
	files.File("/tmp/t.c", "text\n").File("/home/dev/repo/app", "\x7fELF\x00\x01").Opaque("/home/dev/repo/large")
	w := world()
	w.Files = files
	for command, want := range map[string]string{
		"go build -o bin/app .":                 "low none built",
		"go build -o app .":                     "low none built",
		"go build -o large .":                   "low none built",
		"go build -o bin/ ./cmd/...":            "low none built",
		"gcc t.c -o prog":                       "low none built",
		"gcc t.c":                               "low none built",
		"gcc t.c -o dist/old.js":                "low none built",
		"go test -coverprofile=c.out ./...":     "low none built",
		"pytest --junitxml=report.xml":          "low none built",
		"vite build":                            "low none built",
		"cmake -B .":                            "low none built",
		"npx tsc -p .":                          "low none",
		"tsc --outDir src":                      "low none built",
		"go build -o app . && gcc t.c -o b":     "low none built built",
		"go build -o app . && echo x > main.go": "medium project built ordinary",
		"gcc t.c -o /tmp/t":                     "low outside outside",
		// An existing text file that no build writes.
		"gcc t.c -o src/a.go":          "medium project ordinary",
		"go test -o main.go ./...":     "medium project ordinary",
		"gcc t.c -o package.json":      "high project sensitive",
		"gcc t.c -o .mbgate.toml":      "high project own",
		"tsc --init":                   "high project sensitive",
		"go build -o \"$OUT\" .":       "high project",
		"javac -d ~/.local src/A.java": "low outside outside",
		// What was built of the project's files runs like a test.
		"gcc t.c -o prog && ./prog":                 "low none built",
		"gcc t.c -o /tmp/t && /tmp/t":               "low outside outside",
		"go build -o app ./src && ./app --help":     "low none built",
		"gcc /tmp/t.c -o prog && ./prog":            "medium unknown built",
		"cp /tmp/t.c u.c; gcc u.c -o prog; ./prog":  "medium project ordinary built",
		"gcc t.c -o prog && cp /tmp/x prog; ./prog": "medium project ordinary",
	} {
		r := rules()
		r.Recovery = true
		a := Judge(event.Tool{Class: event.Shell, Command: command}, "/home/dev/repo", w, r)
		if got := summary(a); got != want {
			t.Errorf("%s: %s, want %s (%+v)", command, got, want, why(a))
		}
	}
}
