package risk

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/place/placetest"
	"github.com/mbgate/mbgate/internal/risk/reason"
	"github.com/mbgate/mbgate/internal/risk/shell"
)

// tree is a small project with a memory bank, in a home folder with an agent's and mbgate's own files.
func tree() *placetest.Tree {
	t := placetest.New("/home/dev/repo")
	for _, f := range []string{
		"main.go", "go.mod", "package.json", "Dockerfile", "README.md", ".env", "src/a.go", "src/b.go", "src/auth/x.ts", "src/processor.ts",
		"docs/lessons.md", ".git/config", ".git/HEAD", ".git/hooks/pre-commit", ".claude/settings.json", ".claude/commands/x.md", ".mbgate.toml",
		"memory-bank/MEMORY.md", "memory-bank/details/progress.md", "memory-bank/details/patterns.md",
		"memory-bank/details/requirements/REQ-1.md", "memory-bank/details/design/index.md", "memory-bank/details/design/d.md",
	} {
		t.File("/home/dev/repo/"+f, "text\n")
	}
	t.Symlink("/home/dev/repo/cfg-link", "package.json").Symlink("/home/dev/repo/out", "/tmp")
	t.Symlink("/home/dev/repo/memory-bank/details/learnings/l.md", "../../../src/a.go")
	t.File("/home/dev/.claude/settings.json", "{}").File("/home/dev/.local/state/mbgate/s.json", "{}").Folder("/tmp").File("/home/dev/notes.txt", "")
	t.File("/usr/local/bin/mbgate", "").File("/bin/true", "").Opaque("/home/dev/repo/x.tar")
	t.File("/home/dev/repo/x.patch", "--- a/src/a.go\n+++ b/src/a.go\n@@ -1 +1 @@\n-text\n+other\n")
	t.Own = own()
	return t
}

func own() []string {
	return []string{"/home/dev/.local/state/mbgate", "/home/dev/repo/.mbgate.toml", "/usr/local/bin/mbgate"}
}

func world() World {
	return World{Files: tree(), Root: "/home/dev/repo", Home: "/home/dev", HasBank: true, Own: own(), Agents: agentFiles(noEnv)}
}

func rules() Rules {
	return Rules{Sensitive: DefaultSensitive(agentFiles(noEnv).Project), Safe: DefaultSafe(), Unread: func(p place.Place) bool {
		return slices.Contains(p.Names(), "memory-bank/details/requirements/REQ-1.md")
	}}
}

// call writes a tool call as "class op:path op:path …".
func call(text string) event.Tool {
	f := strings.Fields(text)
	t := event.Tool{Name: f[0], Class: event.Class(f[0])}
	for _, a := range f[1:] {
		op, path, _ := strings.Cut(a, ":")
		t.Paths = append(t.Paths, event.PathArg{Path: path, Op: event.Op(op)})
	}
	return t
}

func (r Rule) String() string {
	return [...]string{"none", "own", "anchor", "sensitive", "built", "recursive", "delete", "move", "several", "multiedit", "safe", "outside", "missing", "git", "ordinary"}[r]
}

// why are the reasons for an assessment that is above low.
func why(a Assessment) []reason.Reason {
	all := append([]reason.Reason{a.Own, a.BadPatch}, a.Unbounded...)
	for _, t := range a.Targets {
		all = append(all, t.Why)
	}
	return slices.DeleteFunc(append(all, a.Unknown...), func(r reason.Reason) bool { return r.Kind == reason.None })
}

func summary(a Assessment) string {
	s := a.Level.String() + " " + string(a.Writes)
	for _, t := range a.Targets {
		s += " " + t.Rule.String()
	}
	return s
}

// Every line of SPEC §8, in its precedence.
func TestLevels(t *testing.T) {
	for _, test := range []struct{ call, want string }{
		// The gate's own files, also outside the project.
		{"write write:.mbgate.toml", "high project own"},
		{"write write:/home/dev/.local/state/mbgate/s.json", "high outside own"},
		{"write create:../.local/state/mbgate/new", "high outside own"},
		{"move move:/usr/local/bin/mbgate create:/tmp/x", "high outside own outside"},
		{"delete delete:/home/dev/.local/state", "high outside own"},
		{"move move:/home/dev/.local create:/tmp/x", "high outside own outside"},
		{"write write:/home/dev/.local/state/other", "low outside outside"},
		// Unread required anchors come before the safe list that they are in.
		{"edit write:memory-bank/details/requirements/REQ-1.md", "high project anchor"},
		{"edit write:memory-bank/details/requirements/REQ-2.md", "low project safe"},
		// Sensitive.
		{"edit write:go.mod", "high project sensitive"},
		{"edit write:./package.json", "high project sensitive"},
		{"edit write:src/../package.json", "high project sensitive"},
		{"edit write:/home/dev/repo/package.json", "high project sensitive"},
		{"edit write:cfg-link", "high project sensitive"},
		{"edit write:src/auth/x.ts", "high project sensitive"},
		{"edit write:.env", "high project sensitive"},
		{"edit write:.env.local", "high project sensitive"},
		{"edit write:Dockerfile", "high project sensitive"},
		{"edit write:deploy/docker-compose.prod.yml", "high project sensitive"},
		{"edit write:.github/workflows/ci.yml", "high project sensitive"},
		{"edit write:db/migrations/001.sql", "high project sensitive"},
		{"edit write:db/schema.sql", "high project sensitive"},
		{"edit write:prisma/x.prisma", "high project sensitive"},
		{"edit write:web/tsconfig.build.json", "high project sensitive"},
		{"edit write:vite.config.ts", "high project sensitive"},
		{"edit write:deep/down/pnpm-lock.yaml", "high project sensitive"},
		{"edit write:main.tf", "high project sensitive"},
		{"edit write:helm/values.yaml", "high project sensitive"},
		{"edit write:.claude/settings.json", "high project sensitive"},
		{"edit write:.claude/settings.local.json", "high project sensitive"},
		{"edit write:.claude/agents/memory-reader.md", "high project sensitive"},
		{"edit write:.opencode/plugin/other.js", "high project sensitive"},
		{"write write:.opencode/tools/edit.ts", "high project sensitive"},
		{"edit write:.codex/hooks.json", "high project sensitive"},
		{"edit write:.husky/pre-commit", "high project sensitive"},
		{"edit write:.git/hooks/pre-commit", "high project sensitive"},
		{"edit write:.git/config", "high project sensitive"},
		{"delete delete:package.json", "high project sensitive"},
		{"edit write:/home/dev/.claude/settings.json", "high outside sensitive"},
		{"write write:/home/dev/.config/opencode/plugin/x.js", "high outside sensitive"},
		{"write write:/home/dev/.config/opencode/tools/edit.ts", "high outside sensitive"},
		// Whole path elements.
		{"edit write:src/processor.ts", "medium project ordinary"},
		{"edit write:docs/lessons.md", "medium project ordinary"},
		{"edit write:src/author/x.ts", "medium project ordinary"},
		{"edit write:src/environment.ts", "medium project ordinary"},
		{"edit write:.claude/commands/x.md", "medium project ordinary"},
		{"edit write:.github/ISSUE_TEMPLATE.md", "medium project ordinary"},
		{"edit write:/home/dev/.claude/plans/p.md", "low outside outside"},
		// More than one project file, safe ones aside.
		{"edit write:src/a.go write:src/b.go", "high project several several"},
		{"edit write:src/a.go write:src/../src/a.go", "medium project ordinary ordinary"},
		{"edit write:src/a.go write:/tmp/x", "medium project ordinary outside"},
		{"edit write:src/a.go write:memory-bank/details/progress.md", "medium project ordinary safe"},
		{"edit write:memory-bank/details/progress.md write:memory-bank/details/x/index.md", "low project safe safe"},
		{"write create:new create:new/dir create:new/dir/f.go", "medium project ordinary ordinary ordinary"},
		{"write create:new/dir/f.go create:new/dir/g.go", "high project several several"},
		// Delete and move of existing project files, safe or not.
		{"delete delete:src/a.go", "high project delete"},
		{"delete delete:memory-bank/details/progress.md", "high project delete"},
		{"delete delete:nothing", "low none missing"},
		{"move move:src/a.go create:src/c.go", "high project move several"},
		{"move move:src/a.go create:/tmp/c.go", "high project move outside"},
		{"move move:/tmp/a create:src/c.go", "medium project outside ordinary"},
		// Whole folders.
		{"delete delete:src", "high project recursive"},
		{"delete delete:.", "high project own"}, // takes .mbgate.toml with it
		{"move move:src create:lib", "high project recursive several"},
		{"delete delete:/home", "high outside own"},
		// Safe paths.
		{"write write:memory-bank/details/progress.md", "low project safe"},
		{"write create:memory-bank/details/learnings/new.md", "low project safe"},
		{"write write:memory-bank/details/design/index.md", "low project safe"},
		{"write write:memory-bank/details/index.md", "low project safe"},
		{"write write:memory-bank/details/design/d.md", "medium project ordinary"},
		{"write write:memory-bank/MEMORY.md", "medium project ordinary"},
		{"write write:memory-bank/details/learnings/l.md", "medium project ordinary"}, // a link to src/a.go
		{"write write:sub/memory-bank/details/progress.md", "medium project ordinary"},
		// Outside of the project.
		{"write write:/tmp/x", "low outside outside"},
		{"write write:../notes.txt", "low outside outside"},
		{"delete delete:/home/dev/notes.txt", "low outside outside"},
		{"write write:out/x", "medium project ordinary"}, // named inside, lies outside
		// .git/ but for hooks and configuration is not the project.
		{"write write:.git/COMMIT_EDITMSG", "low none git"},
		{"write write:.git/HEAD write:src/a.go", "medium project git ordinary"},
		{"delete delete:.git", "high project recursive"},
		// Ordinary changes of one file.
		{"write write:main.go", "medium project ordinary"},
		{"write create:new.go", "medium project ordinary"},
		{"notebook write:x.ipynb", "medium project ordinary"},
		{"multi-edit write:main.go", "high project multiedit"},
		{"multiedit write:main.go", "high project multiedit"},
		{"multi_edit write:memory-bank/details/progress.md", "low project safe"},
		{"mcp write:notes/a", "medium project ordinary"},
		{"other append:notes/a", "medium project ordinary"},
		// No write.
		{"read read:package.json", "low none"},
		{"search read:src", "low none"},
		{"list read:.", "low none"},
		{"fetch", "low none"},
		{"subagent", "low none"},
		{"mcp", "low none"},
		{"other read:src/a.go", "low none"},
		// An operation that nobody named: a write unless the class only looks.
		{"write :main.go", "medium project ordinary"},
		{"delete :main.go", "high project delete"},
		{"move :main.go", "high project move"},
		{"mcp :main.go", "medium project ordinary"},
		{"read :main.go", "low none"},
		// A change of something that is not said.
		{"write", "low unknown"},
		{"delete", "low unknown"},
	} {
		a := Judge(call(test.call), "/home/dev/repo", world(), rules())
		if got := summary(a); got != test.want {
			t.Errorf("%s: %s, want %s (%+v)", test.call, got, test.want, why(a))
		}
		if refused := a.Own.Kind != reason.None; refused != strings.Contains(test.want, " own") {
			t.Errorf("%s: Own is %+v", test.call, a.Own)
		}
		if a.Level > Low && len(why(a)) == 0 {
			t.Errorf("%s: no reason", test.call)
		}
	}
}

func TestRecoveryMakesUnknownMedium(t *testing.T) {
	r := rules()
	r.Recovery = true
	for text, want := range map[string]string{
		"write":              "medium unknown",
		"shell":              "medium unknown", // a shell call without its command
		"mcp":                "low none",
		"write write:/tmp/x": "low outside outside",
	} {
		if a := Judge(call(text), "/home/dev/repo", world(), r); summary(a) != want {
			t.Errorf("%s: %s, want %s", text, summary(a), want)
		}
	}
}

func TestReads(t *testing.T) {
	for _, test := range []struct {
		tool event.Tool
		want string
	}{
		{event.Tool{Class: event.Read, Paths: []event.PathArg{{Path: "main.go"}}}, "main.go full=true []"},
		{event.Tool{Class: event.Read, Paths: []event.PathArg{{Path: "main.go"}}, Offset: 5, Limit: 10}, "main.go full=false [{5 14}]"},
		{event.Tool{Class: event.Read, Paths: []event.PathArg{{Path: "main.go"}}, Limit: 10}, "main.go full=false [{1 10}]"},
		{event.Tool{Class: event.Read, Paths: []event.PathArg{{Path: "main.go"}}, Offset: 5}, "main.go full=false [{5 0}]"},
		{event.Tool{Class: event.Read, Workdir: "src", Paths: []event.PathArg{{Path: "a.go"}, {Path: "b.go"}}}, "src/a.go full=true [] src/b.go full=true []"},
		{event.Tool{Class: event.MCP, Paths: []event.PathArg{{Path: "main.go", Op: event.OpRead}}}, "main.go full=true []"},
		{event.Tool{Class: event.Search, Paths: []event.PathArg{{Path: "main.go"}}}, ""},
		{event.Tool{Class: event.List, Paths: []event.PathArg{{Path: "src"}}}, ""},
		{event.Tool{Class: event.Write, Paths: []event.PathArg{{Path: "main.go", Op: event.OpRead}, {Path: "x", Op: event.OpCreate}}}, ""},
	} {
		a := Judge(test.tool, "/home/dev/repo", world(), rules())
		var got []string
		for _, r := range a.Reads {
			got = append(got, fmt.Sprintf("%s full=%v %v", r.Place.Canon, r.Full, r.Spans))
			if !r.Verbatim {
				t.Errorf("%+v is not verbatim", test.tool)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%+v reads %q, want %q", test.tool, got, test.want)
		}
	}
}

func TestPatches(t *testing.T) {
	const begin, end = "*** Begin Patch\n", "*** End Patch"
	update := func(f string) string { return "*** Update File: " + f + "\n@@\n-x\n+y\n" }
	for name, test := range map[string]struct{ text, want string }{
		"one file":           {begin + update("src/a.go") + end, "medium project ordinary"},
		"two files":          {begin + update("src/a.go") + update("src/b.go") + end, "high project several several"},
		"the same twice":     {begin + update("src/a.go") + update("./src/a.go") + end, "medium project ordinary ordinary"},
		"one and a safe one": {begin + update("src/a.go") + update("memory-bank/details/progress.md") + end, "medium project ordinary safe"},
		"delete":             {begin + "*** Delete File: src/a.go\n" + end, "high project delete"},
		"move":               {begin + "*** Update File: src/a.go\n*** Move to: /tmp/x\n@@\n-x\n+y\n" + end, "high project move outside"},
		"absolute, outside":  {begin + "*** Add File: /tmp/x\n+y\n" + end, "low outside outside"},
		"up and out":         {begin + "*** Add File: ../x\n+y\n" + end, "low outside outside"},
		"own":                {begin + "*** Add File: .mbgate.toml\n+y\n" + end, "high project own"},
		"git diff":           {"diff --git a/package.json b/package.json\n--- a/package.json\n+++ b/package.json\n@@ -1 +1 @@\n-x\n+y\n", "high project sensitive"},
		"no patch":           {"hello", "high unknown"},
		"nothing":            {"", "high unknown"},
		"cut":                {begin + update("/tmp/x"), "high outside outside"},
		"empty":              {begin + end, "low unknown"},
	} {
		a := Judge(event.Tool{Class: event.Patch, Patch: test.text}, "/home/dev/repo", world(), rules())
		if name == "cut" {
			test.want = "high unknown outside"
		}
		if got := summary(a); got != test.want {
			t.Errorf("%s: %s, want %s (%+v)", name, got, test.want, why(a))
		}
		if strings.HasPrefix(test.want, "high unknown") && a.BadPatch.Kind != reason.BadPatch {
			t.Errorf("%s: reasons %+v", name, why(a))
		}
	}
	// A format of the tool's own, and the file named beside it.
	a := Judge(event.Tool{Class: event.Patch, Patch: "<<<<<<< SEARCH", Paths: []event.PathArg{{Path: "src/a.go", Op: event.OpWrite}}}, "/home/dev/repo", world(), rules())
	if summary(a) != "medium project ordinary" {
		t.Errorf("own format: %s", summary(a))
	}
	// A command or patch is judged whatever class somebody gave the call.
	a = Judge(event.Tool{Class: event.Read, Patch: begin + update("go.mod") + end}, "/home/dev/repo", world(), rules())
	if summary(a) != "high project sensitive" {
		t.Errorf("a patch in a read: %s", summary(a))
	}
}

func TestWorkdir(t *testing.T) {
	tool := call("write write:a.go")
	tool.Workdir = "src"
	if a := Judge(tool, "/home/dev/repo", world(), rules()); a.Targets[0].Place.Canon != "src/a.go" {
		t.Errorf("target is %q", a.Targets[0].Place.Canon)
	}
}

// judged gives a report of a shell command to the judgement.
func judged(rep shell.Report, r Rules) Assessment {
	j := &judge{w: world(), rules: r, cwd: "/home/dev/repo"}
	j.report(rep)
	return j.finish()
}

func TestReports(t *testing.T) {
	effect := func(path string, op event.Op, treeToo bool) shell.Effect {
		return shell.Effect{Place: tree().Locate("/home/dev/repo", path), Op: op, Certain: true, Tree: treeToo, Why: reason.Reason{Kind: reason.Changes, By: "why", Object: path}}
	}
	for name, test := range map[string]struct {
		rep              shell.Report
		calm, recovering string
	}{
		"nothing":               {shell.Report{Parsed: true}, "low none", "low none"},
		"one file":              {shell.Report{Parsed: true, Effects: []shell.Effect{effect("main.go", event.OpWrite, false)}}, "medium project ordinary", "medium project ordinary"},
		"rm -rf src":            {shell.Report{Parsed: true, Effects: []shell.Effect{effect("src", event.OpDelete, true)}}, "high project recursive", "high project recursive"},
		"rm -rf of one file":    {shell.Report{Parsed: true, Effects: []shell.Effect{effect("main.go", event.OpDelete, true)}}, "high project delete", "high project delete"},
		"rm -rf of nothing":     {shell.Report{Parsed: true, Effects: []shell.Effect{effect("dist", event.OpDelete, true)}}, "low none missing", "low none missing"},
		"cp -r to new":          {shell.Report{Parsed: true, Effects: []shell.Effect{effect("dist", event.OpCreate, true)}}, "high project recursive", "high project recursive"},
		"chmod of one":          {shell.Report{Parsed: true, Effects: []shell.Effect{effect("main.go", event.OpMode, true)}}, "medium project ordinary", "medium project ordinary"},
		"rsync over the root":   {shell.Report{Parsed: true, Effects: []shell.Effect{effect(".", event.OpWrite, true)}}, "high project recursive", "high project recursive"},
		"rsync over the state":  {shell.Report{Parsed: true, Effects: []shell.Effect{effect("/home/dev/.local", event.OpWrite, true)}}, "high outside own", "high outside own"},
		"chmod above the state": {shell.Report{Parsed: true, Effects: []shell.Effect{effect("/home/dev/.local", event.OpMode, false)}}, "high outside own", "high outside own"},
		"pkill mbgate":          {shell.Report{Parsed: true, Specials: []shell.Special{{Kind: shell.EndsMbgate, Args: []string{"pkill"}}}}, "high none", "high none"},
		"chown -R the home":     {shell.Report{Parsed: true, Effects: []shell.Effect{effect("/home/dev", event.OpMode, true)}}, "high project recursive", "high project recursive"},
		"git reset --hard":      {shell.Report{Parsed: true, Unbounded: []reason.Reason{{Kind: reason.Worktree, By: "git reset"}}}, "high project", "high project"},
		"unknown script":        {shell.Report{Parsed: true, Unknown: []reason.Reason{{Kind: reason.Script, Object: "x"}}}, "low unknown", "medium unknown"},
		"nested agent":          {shell.Report{Parsed: true, Specials: []shell.Special{{Kind: shell.Agent, Args: []string{"claude"}}}}, "low unknown", "medium unknown"},
		"interactive":           {shell.Report{Parsed: true, Specials: []shell.Special{{Kind: shell.Interactive, Args: []string{"python3"}}}}, "low unknown", "medium unknown"},
		"not parsed":            {shell.Report{}, "medium unknown", "medium unknown"},
		"git's own":             {shell.Report{Parsed: true, Effects: []shell.Effect{effect(".git/index", event.OpWrite, false)}}, "low none git", "low none git"},
	} {
		r := rules()
		if got := summary(judged(test.rep, r)); got != test.calm {
			t.Errorf("%s: %s, want %s", name, got, test.calm)
		}
		r.Recovery = true
		a := judged(test.rep, r)
		if got := summary(a); got != test.recovering {
			t.Errorf("%s in a recovery: %s, want %s", name, got, test.recovering)
		}
		if a.Level > Low && len(why(a)) == 0 {
			t.Errorf("%s: no reason", name)
		}
	}
	if a := judged(shell.Report{Parsed: true, Effects: []shell.Effect{effect("main.go", event.OpWrite, false)}, Cwd: "/home/dev/repo/src"}, rules()); a.Cwd != "/home/dev/repo/src" ||
		a.Targets[0].Why.Object != "main.go" {
		t.Errorf("cwd %q, %+v", a.Cwd, a.Targets)
	}
}

// R6: which commands of mbgate an agent may run.
func TestOwnCommands(t *testing.T) {
	for text, allowed := range map[string]bool{
		"mbgate": true, "mbgate --help": true, "mbgate --version": true, "mbgate status": true, "/usr/bin/mbgate status --json": true,
		"mbgate --root x status": true, "mbgate --root=x status": true, "mbgate explain -- rm x": true, "mbgate log": true, "mbgate doctor": true,
		"mbgate config --check": true, "mbgate capsule create": true, "mbgate demo": true, "mbgate version": true, "mbgate help clear": true,
		"mbgate completion bash": true, "mbgate note": true, "mbgate note list": true, "mbgate note deny x": true, "mbgate note --session s1 question drop": true,
		"mbgate note --help": true,
		"mbgate note drop 1": false, "mbgate note --session s1 drop 1": false, "mbgate note --session=s1 drop 1": false, "mbgate note --odd drop": false,
		"mbgate note other": false, "mbgate note ?": false,
		"mbgate clear": false, "mbgate --root x clear": false, "mbgate --root status clear": false, "mbgate --json clear": false, "mbgate -- clear": false,
		"mbgate --odd status clear": false, "mbgate prune": false, "mbgate install": false, "mbgate uninstall": false, "mbgate hook claude-code": false,
		"mbgate compact": false, "mbgate tool-before": false, "mbgate read": false, "mbgate tool-after": false, "mbgate prompt": false,
		"mbgate session-start": false, "mbgate session-end": false, "mbgate stop": false, "mbgate notice": false, "mbgate unread": false,
		"mbgate statusline": false, "mbgate nonsense": false, "mbgate ?": false, "mbgate --root ? status": true, "mbgate ? status": false,
		"mbgate init": false,
	} {
		var args []string
		for _, w := range strings.Fields(text) {
			if w == "?" {
				w = "" // a word that cannot be known
			}
			args = append(args, w)
		}
		a := judged(shell.Report{Parsed: true, Specials: []shell.Special{{Kind: shell.Mbgate, Args: args}}}, Rules{})
		if (a.Own.Kind == reason.None) != allowed || allowed != (a.Level == Low) {
			t.Errorf("%s: Own is %+v, level %s", text, a.Own, a.Level)
		}
	}
	// Where there is no bank an agent may make one, but not write a configuration.
	for words, allowed := range map[string]bool{
		"": true, "--dry-run": true, "--preset memory-bank": true, "--preset=memory-bank --root x": true,
		"--preset docs": false, "--preset=docs": false, "--dry-run --preset kiro": false, "--preset ?": false, "? docs": false,
		"--preset memory-bank --preset docs": false,
	} {
		args := []string{"mbgate", "init"}
		for _, w := range strings.Fields(words) {
			args = append(args, strings.Trim(w, "?"))
		}
		if got := ownRun(args, true, false); (got.Kind == reason.None) != allowed {
			t.Errorf("mbgate init %s where there is no bank: %+v", words, got)
		}
	}
	if ownRun([]string{"mbgate"}, false, true).Kind == reason.None {
		t.Error("mbgate in a command that cannot be parsed is allowed")
	}
}

// TestMovedFolders judges the user's agent configuration where environment variables put it, and where it lay before.
func TestMovedFolders(t *testing.T) {
	files := tree()
	files.File("/data/config/opencode/plugin/mbgate.js", "")
	files.File("/home/dev/.config/goose/config.yaml", "")
	w := world()
	w.Files = files
	w.Agents = agentFiles(func(name string) string {
		return map[string]string{
			"CLAUDE_CONFIG_DIR": "/data/claude/", "CODEX_HOME": "/home/dev/repo/cx", "XDG_CONFIG_HOME": "/data/config",
			"OPENCODE_CONFIG_DIR": "/data/oc", "OPENCODE_CONFIG": "/data/my.json",
		}[name]
	})
	for path, want := range map[string]Level{
		"/data/claude/settings.json":          High,
		"/data/claude/agents/x.md":            High,
		"/data/claude/plans/p.md":             Low,
		"/home/dev/repo/cx/hooks.json":        High,
		"/home/dev/repo/cx/notes.md":          Medium,
		"/data/config/opencode/plugin/x.js":   High,
		"/data/config/opencode/Agent/x.md":    High,
		"/data/config/goose/config.yaml":      High,
		"/data/oc/opencode.jsonc":             High,
		"/data/oc/plugins/x.ts":               High,
		"/data/ocelot/plugins/x.ts":           Low,
		"/data/my.json":                       High,
		"/data/other.json":                    Low,
		"/home/dev/.claude/settings.json":     High,
		"/home/dev/.config/opencode/plugin/x": High,
	} {
		a := Judge(call("write write:"+path), "/home/dev/repo", w, rules())
		if a.Level != want {
			t.Errorf("%s is %v, want %v: %v", path, a.Level, want, why(a))
		}
	}
	// What goes with a folder is as much gone.
	for text, want := range map[string]string{
		"delete delete:/data/config":                          "high outside sensitive",
		"move move:/data/config/opencode create:/tmp/x":       "high outside sensitive outside",
		"delete delete:/data/config/other":                    "low outside outside",
		"write write:/data/config/opencode":                   "low outside outside",
		"move move:/home/dev/.config create:/home/dev/.other": "high outside sensitive outside",
		"delete delete:/home/dev/.config/got":                 "low outside outside",
		"delete delete:/home/dev/.qwen":                       "low outside outside", // nothing is there
	} {
		if got := summary(Judge(call(text), "/home/dev/repo", w, rules())); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}
