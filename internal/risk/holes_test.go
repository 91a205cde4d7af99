package risk

import (
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// Shell commands that the ancestor of this design judged wrongly: writes that it let pass, and harmless commands that it
// took for writes.
func TestShellHoles(t *testing.T) {
	writes := []string{
		"echo x > src/a.go", "echo x >> src/a.go", "echo x >| src/a.go", "echo x &> src/a.go", "echo x &>> src/a.go", "echo x 1> src/a.go",
		"ls nope 2> src/a.go", "echo x >& src/a.go", "cat > src/a.go <<E\nx\nE", "cat 1>src/a.go <<E\nx\nE", "exec 5>src/a.go", "echo x | tee src/a.go",
		"echo x |& tee src/a.go", "echo x | /usr/bin/tee src/a.go", "echo x | env tee src/a.go", "tee src/a.go <<< x", "sed -i s/x/y/ src/a.go",
		"sed 's/x/y/' -i src/a.go", "sed -n -e p -i src/a.go", "perl -i -pe s/x/y/ src/a.go", "mv src/a.go src/c.go", "rm src/a.go",
		"cp README.md src/a.go", "ln -s main.go src/new", "install README.md src/a.go", "dd if=README.md of=src/a.go", "truncate -s 0 src/a.go",
		"touch src/new.go", "mkdir src/new", "tar xf x.tar", "curl -o src/a.go http://h/x", "printf 'w\\n' | ed src/a.go",
		"find src -name '*.go' -delete", "echo README.md | xargs -I{} cp {} src/a.go", "git checkout -- src/a.go", "git reset --hard", "git rm src/a.go",
		"git stash", "git apply x.patch", `python3 -c 'open("src/a.go","w").write("x")'`, `node -e 'require("fs").writeFileSync("src/a.go","x")'`,
		`perl -e 'open(F,">src/a.go")'`, "eval 'cp README.md src/a.go'", "echo cp README.md src/a.go | sh", "bash -c 'cp README.md src/a.go'",
		"cd src && cp a.go b.go", `F=src/a.go; cp README.md "$F"`, `F=src/a.go; echo x > "$F"`, "cd src && echo x > a.go", "mv memory-bank x", "rm -r memory-bank",
		`python3 - <<E
open("package.json","w").write("x")
E`,
	}
	harmless := []string{
		"grep x src/a.go > /dev/null", `echo "a > b"`, "git log --format='%an -> %s'", "awk '$1 > 5' README.md", "node -e 'x => x'", "[[ b > a ]]",
		"echo x > /tmp/y", "cat main.go", "ls -la", "go test ./...", "npm test", "make", "git status", "git commit -m x", "git diff", "2>/dev/null ls",
	}
	r := rules()
	r.Recovery = true
	for _, command := range writes {
		if a := Judge(event.Tool{Class: event.Shell, Command: command}, "/home/dev/repo", world(), r); a.Level < Medium {
			t.Errorf("%s is %s", command, summary(a))
		}
	}
	for _, command := range harmless {
		if a := Judge(event.Tool{Class: event.Shell, Command: command}, "/home/dev/repo", world(), r); a.Level != Low {
			t.Errorf("%s is %s (%+v)", command, summary(a), why(a))
		}
	}
}

// The levels of SPEC §8, reached through a shell.
func TestShellLevels(t *testing.T) {
	for command, want := range map[string]Level{
		"echo x > src/a.go":                                   Medium,
		"echo x > src/a.go; echo y > src/b.go":                High,
		"echo x > src/a.go; echo y > /tmp/b":                  Medium,
		"echo x > package.json":                               High,
		"echo x > cfg-link":                                   High,
		"echo x >> memory-bank/details/progress.md":           Low,
		"rm memory-bank/details/progress.md":                  High,
		"echo x > memory-bank/details/requirements/REQ-1.md":  High,
		"chmod 000 memory-bank/details/requirements/REQ-1.md": High,

		"rm -rf src":           High,
		`rm -rf "$UNKNOWN"`:    High,
		"git clean -fd":        High,
		"cd .. && rm -rf repo": High,

		"mkdir -p src/new && echo > src/new/x.go": Medium,
		"rm -f .git/index.lock":                   Low,
		"echo x > .git/hooks/pre-commit":          High,
		"echo x > ~/.claude/settings.json":        High,
		"if":                                      Medium,
	} {
		a := Judge(event.Tool{Class: event.Shell, Command: command}, "/home/dev/repo", world(), rules())
		if a.Level != want {
			t.Errorf("%s: %s (%+v), want %s", command, summary(a), why(a), want)
		}
	}
}

// The gate's own files and commands, reached through a shell (R6).
func TestShellOwn(t *testing.T) {
	for command, refused := range map[string]bool{
		"mbgate status": false, "cd src && mbgate explain -- rm x": false, "mbgate capsule render - < x": false,
		"mbgate clear": true, "env X=1 mbgate clear": true, "bash -c 'mbgate clear'": true, "mbgate $(echo clear)": true, "sudo mbgate clear": true,
		"echo '{}' | mbgate read": true, "mbgate status; mbgate note drop 1": true, "/usr/local/bin/mbgate prune": true,
		"rm -rf ~/.local/state/mbgate": true, "rm -rf ~/.local/state": true, "echo x > .mbgate.toml": true, "cat ~/.local/state/mbgate/s.json": false,
		"cp /bin/true /usr/local/bin/mbgate": true, "chmod a-x /usr/local/bin/mbgate": true, "chmod -R u+w .": false,
	} {
		a := Judge(event.Tool{Class: event.Shell, Command: command}, "/home/dev/repo", world(), rules())
		if (a.Own.Kind != reason.None) != refused {
			t.Errorf("%s: Own is %+v (%s)", command, a.Own, summary(a))
		}
	}
}
