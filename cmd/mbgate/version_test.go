package main

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// What the go command writes was read from programs that it built in each of these ways (Go 1.26.8);
// scripts/release-check.sh builds them again.
func TestVersionOf(t *testing.T) {
	const revision = "cbd5a08b86c0cefa7c2d7217dabcd89a43138e67"
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{
			{Key: "-trimpath", Value: "true"},
			{Key: "vcs", Value: "git"},
			{Key: "vcs.revision", Value: revision},
			{Key: "vcs.time", Value: "2026-11-20T13:13:58Z"},
			{Key: "vcs.modified", Value: modified},
		}
	}
	for _, tt := range []struct {
		how, want string
		info      *debug.BuildInfo
	}{
		{"no build information", "mbgate (devel) (GO)\n", nil},
		{"go run", "mbgate (devel) (GO)\n", &debug.BuildInfo{}},
		{"-buildvcs=false", "mbgate (devel) (GO)\n", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}},
		{"go install of a version", "mbgate v1.2.3 (GO)\n", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}},
		{"go install of a commit", "mbgate v1.2.4-0.20261120131358-cbd5a08b86c0 (GO)\n", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.4-0.20261120131358-cbd5a08b86c0"}}},
		{"a tagged checkout", "mbgate v1.2.3 (GO)\nrevision REV\n", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: vcs("false")}},
		{"a changed checkout", "mbgate v1.2.3+dirty (GO)\nrevision REV, modified\n", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3+dirty"}, Settings: vcs("true")}},
	} {
		want := strings.NewReplacer("GO", runtime.Version()+", "+runtime.GOOS+"/"+runtime.GOARCH, "REV", revision).Replace(tt.want)
		if got := versionOf(tt.info).String(); got != want {
			t.Errorf("%s: got %q, want %q", tt.how, got, want)
		}
	}
	if got := versionOf(&debug.BuildInfo{Settings: vcs("true")}); !got.Modified || got.Revision != revision || got.Time != "2026-11-20T13:13:58Z" {
		t.Errorf("JSON: got %+v", got)
	}
}
