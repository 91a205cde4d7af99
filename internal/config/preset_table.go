package config

// Preset is a named layout of anchor documents. A preset is used where a configuration names it; it is never guessed
// from what lies in a project (P2).
type Preset struct {
	Name string
	// Doc says what the layout belongs to, Source where it is documented.
	Doc, Source string
	// Anchors and Fallback are what the keys of these names are set to.
	Anchors, Fallback []string
}

// presetNames are the names of Presets for messages; a test holds them together.
const presetNames = "cline, docs, kiro, memory-bank, openspec, spec-kit"

// Presets are the layouts that are known, by name. They are built at each call: a hook asks for one only where it is
// configured.
func Presets() []Preset {
	return []Preset{
		{
			Name: "cline", Doc: "Cline's memory bank, also Roo Code's and Cursor's use of it",
			Source: "docs.cline.bot/best-practices/memory-bank",
			Anchors: []string{
				"memory-bank/projectbrief.md", "memory-bank/productContext.md", "memory-bank/activeContext.md",
				"memory-bank/systemPatterns.md", "memory-bank/techContext.md", "memory-bank/progress.md",
			},
			Fallback: []string{"memory-bank/activeContext.md", "memory-bank/projectbrief.md"},
		},
		{
			Name: "docs", Doc: "plain documents: requirements, design, decisions and plans under docs/",
			Source: "common use; adr.github.io for docs/adr and docs/decisions",
			Anchors: []string{
				"docs/{requirements,specs,design,architecture}/**/*.md", "docs/{adr,decisions,plans,rfcs}/**/*.md",
				"docs/{REQUIREMENTS,DESIGN,ARCHITECTURE,PLAN,SPEC}.md", "{REQUIREMENTS,DESIGN,ARCHITECTURE,PLAN,SPEC}.md",
			},
			Fallback: []string{"docs/README.md", "README.md"},
		},
		{
			Name: "kiro", Doc: "Kiro's specs and steering files",
			Source: "kiro.dev/docs/specs, kiro.dev/docs/steering",
			Anchors: []string{
				".kiro/specs/*/{requirements,bugfix,design,tasks}.md", ".kiro/steering/**/*.md",
			},
			Fallback: []string{".kiro/steering/product.md", ".kiro/steering/tech.md", ".kiro/steering/structure.md"},
		},
		{
			Name: "memory-bank", Doc: "mbgate's own layout, the default",
			Source:   "SPEC A1, A3",
			Anchors:  append([]string(nil), table[keyAnchors].words...),
			Fallback: append([]string(nil), table[keyFallback].words...),
		},
		{
			// A change that was archived lies one folder deeper (changes/archive/DATE-NAME/) and is no anchor.
			Name: "openspec", Doc: "OpenSpec's open changes and its specifications",
			Source: "github.com/Fission-AI/OpenSpec, openspec/",
			Anchors: []string{
				"openspec/changes/*/{proposal,design,tasks}.md", "openspec/changes/*/specs/**/*.md",
				"openspec/specs/**/*.md", "openspec/project.md",
			},
			Fallback: []string{"openspec/project.md", "openspec/AGENTS.md"},
		},
		{
			Name: "spec-kit", Doc: "GitHub's Spec Kit: a folder for each feature, and the constitution",
			Source: "github.com/github/spec-kit, templates/plan-template.md",
			Anchors: []string{
				"specs/*/{spec,plan,tasks,research,data-model,quickstart}.md", "specs/*/contracts/**",
				".specify/memory/constitution.md",
			},
			Fallback: []string{".specify/memory/constitution.md"},
		},
	}
}

// FindPreset is the layout of that name.
func FindPreset(name string) (Preset, bool) {
	if name == "" {
		return Preset{}, false
	}
	for _, p := range Presets() {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}
