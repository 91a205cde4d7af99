package config

import (
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

func TestPresets(t *testing.T) {
	var names []string
	for _, p := range Presets() {
		names = append(names, p.Name)
		if p.Title == "" || p.Doc == "" || p.Source == "" || len(p.Anchors) == 0 || len(p.Fallback) == 0 || len(p.Signs) == 0 {
			t.Errorf("%s is not complete", p.Name)
		}
		for i, list := range [][]string{p.Anchors, p.Fallback} {
			if f := table[i].check(&value{list: list}); len(f) > 0 || adds(list) {
				t.Errorf("%s: %v", p.Name, f)
			}
		}
	}
	if !slices.IsSorted(names) || strings.Join(names, ", ") != presetNames {
		t.Errorf("the presets are %v, and messages say %s", names, presetNames)
	}
}

// TestPresetLayouts holds the patterns against files of real projects.
func TestPresetLayouts(t *testing.T) {
	tests := []struct {
		preset, path string
		anchor       bool
	}{
		{"cline", "memory-bank/projectbrief.md", true},
		{"cline", "memory-bank/tasks/_index.md", false},
		{"docs", "docs/adr/0001-use-go.md", true},
		{"docs", "docs/design/storage/layout.md", true},
		{"docs", "ARCHITECTURE.md", true},
		{"docs", "docs/design/picture.png", false},
		{"docs", "docs/guide.md", false},
		{"docs", "packages/api/docs/adr/0002-queue.md", true},
		{"docs", "doc/adrs/0003-cache.md", true},
		{"docs", "src/adrenaline/readme.md", false},
		{"kiro", ".kiro/specs/login/requirements.md", true},
		{"kiro", ".kiro/specs/crash/bugfix.md", true},
		{"kiro", ".kiro/steering/product.md", true},
		{"kiro", ".kiro/settings/mcp.json", false},
		{"memory-bank", "memory-bank/details/requirements/REQ-005.md", true},
		{"memory-bank", "memory-bank/details/tech.md", false},
		{"openspec", "openspec/changes/add-login/proposal.md", true},
		{"openspec", "openspec/changes/add-login/specs/auth/spec.md", true},
		{"openspec", "openspec/specs/auth/spec.md", true},
		{"openspec", "openspec/config.yaml", true},
		{"openspec", "openspec/changes/add-login/.openspec.yaml", false},
		{"openspec", "openspec/changes/archive/2025-08-06-add-login/proposal.md", false},
		{"openspec", "openspec/changes/archive/2025-08-06-add-login/specs/auth/spec.md", false},
		{"spec-kit", "specs/001-login/spec.md", true},
		{"spec-kit", "specs/001-login/contracts/api.yaml", true},
		{"spec-kit", ".specify/specs/001-login/spec.md", true},
		{"spec-kit", ".specify/memory/constitution.md", true},
		{"spec-kit", ".specify/templates/spec-template.md", false},
	}
	for _, tt := range tests {
		p, ok := FindPreset(tt.preset)
		got := slices.ContainsFunc(p.Anchors, func(g string) bool { return doublestar.MatchUnvalidated(g, tt.path) })
		if !ok || got != tt.anchor {
			t.Errorf("%s: %s is an anchor: %v, want %v", tt.preset, tt.path, got, tt.anchor)
		}
	}
}
