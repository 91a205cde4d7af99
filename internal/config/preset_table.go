package config

// Preset is a named layout of anchor documents. A preset is used where a configuration names it; a hook never guesses it
// from what lies in a project (P2), `mbgate init` proposes it.
type Preset struct {
	Name string
	// Title is what people call it, Doc says what the layout belongs to, Source where it is documented.
	Title, Doc, Source string
	// Anchors and Fallback are what the keys of these names are set to.
	Anchors, Fallback []string
	// Signs tell that a project has the layout: any file of one of them.
	Signs []Sign
}

// Sign is a kind of document that a layout is known by.
type Sign struct {
	// One and Many are what one such document and several are called; without Many it is there or not.
	One, Many string
	Glob      string
}

// presetNames are the names of Presets for messages; a test holds them together.
const presetNames = "cline, docs, kiro, memory-bank, openspec, spec-kit"

// Presets are the layouts that are known, by name. They are built at each call: a hook asks for one only where it is
// configured.
func Presets() []Preset {
	return []Preset{
		{
			Name: "cline", Title: "Cline's memory bank", Doc: "Cline's memory bank, also Roo Code's and Cursor's use of it",
			Source: "docs.cline.bot/best-practices/memory-bank",
			Anchors: []string{
				"memory-bank/projectbrief.md", "memory-bank/productContext.md", "memory-bank/activeContext.md",
				"memory-bank/systemPatterns.md", "memory-bank/techContext.md", "memory-bank/progress.md",
			},
			Fallback: []string{"memory-bank/activeContext.md", "memory-bank/projectbrief.md"},
			Signs:    []Sign{{"file", "files", "memory-bank/{projectbrief,productContext,activeContext,systemPatterns,techContext,progress}.md"}},
		},
		{
			Name: "docs", Title: "Documents", Doc: "requirements, design, plans and the like under docs/, and decision records (ADRs) anywhere",
			Source: "common use; adr.github.io for adr and decisions",
			Anchors: []string{
				"docs/{requirements,specs,design,architecture,需求,设计,架构}/**/*.md", "docs/{decisions,plans,rfcs}/**/*.md", "**/{adr,adrs}/**/*.md", "**/docs/decisions/**/*.md",
				"docs/{REQUIREMENTS,DESIGN,ARCHITECTURE,PLAN,SPEC}.md", "{REQUIREMENTS,DESIGN,ARCHITECTURE,PLAN,SPEC}.md",
			},
			// No pattern here begins with **: a compaction would look through the whole project.
			Fallback: []string{
				"docs/{requirements,specs,design,architecture,plans,rfcs,需求,设计,架构}/**/*.md", "{docs/,}{REQUIREMENTS,DESIGN,ARCHITECTURE,PLAN,SPEC}.md",
				"docs/{adr,adrs,decisions}/*.md", "docs/README.md", "README.md",
			},
			Signs: []Sign{
				{"requirement or design", "requirements, designs and plans", "docs/{requirements,specs,design,architecture,plans,rfcs,需求,设计,架构}/**/*.md"},
				{"overview", "overviews", "{docs/,}{REQUIREMENTS,DESIGN,ARCHITECTURE,PLAN,SPEC}.md"},
				{"ADR", "ADRs", "**/{adr,adrs,docs/decisions}/**/*.md"},
			},
		},
		{
			Name: "kiro", Title: "Kiro", Doc: "Kiro's specs and steering files",
			Source: "kiro.dev/docs/specs, kiro.dev/docs/steering",
			Anchors: []string{
				".kiro/specs/*/{requirements,bugfix,design,tasks}.md", ".kiro/steering/**/*.md",
			},
			Fallback: []string{
				".kiro/specs/*/{requirements,bugfix,design,tasks}.md", ".kiro/steering/product.md", ".kiro/steering/tech.md", ".kiro/steering/structure.md",
			},
			Signs: []Sign{
				{"spec", "specs", ".kiro/specs/*/{requirements,bugfix}.md"},
				{"steering file", "steering files", ".kiro/steering/**/*.md"},
			},
		},
		{
			Name: "memory-bank", Title: "Memory bank", Doc: "mbgate's own layout, the default",
			Source:   "SPEC A1, A3",
			Anchors:  append([]string(nil), table[keyAnchors].words...),
			Fallback: append([]string(nil), table[keyFallback].words...),
			Signs:    []Sign{{One: "MEMORY.md", Glob: "memory-bank/MEMORY.md"}},
		},
		{
			// A change that was archived lies one folder deeper (changes/archive/DATE-NAME/) and is no anchor.
			// `openspec init` writes config.yaml, which may hold the context of the project; project.md is of older versions.
			Name: "openspec", Title: "OpenSpec", Doc: "OpenSpec's open changes and its specifications",
			Source: "github.com/Fission-AI/OpenSpec, openspec/; observed with 1.13.2",
			Anchors: []string{
				"openspec/changes/*/{proposal,design,tasks}.md", "openspec/changes/*/specs/**/*.md",
				"openspec/specs/**/*.md", "openspec/{config.yaml,project.md}",
			},
			Fallback: []string{"openspec/changes/*/{proposal,design,tasks}.md", "openspec/{config.yaml,project.md}", "openspec/specs/**/*.md"},
			Signs: []Sign{
				{"open change", "open changes", "openspec/changes/*/proposal.md"},
				{"spec", "specs", "openspec/specs/*/spec.md"},
				{One: "configuration", Glob: "openspec/{config.yaml,project.md}"},
			},
		},
		{
			Name: "spec-kit", Title: "Spec Kit", Doc: "GitHub's Spec Kit: a folder for each feature, and the constitution",
			Source: "github.com/github/spec-kit, templates/plan-template.md",
			Anchors: []string{
				"{specs,.specify/specs}/*/{spec,plan,tasks,research,data-model,quickstart}.md", "{specs,.specify/specs}/*/contracts/**",
				".specify/memory/constitution.md",
			},
			Fallback: []string{"{specs,.specify/specs}/*/{spec,plan,tasks}.md", ".specify/memory/constitution.md"},
			Signs: []Sign{
				{"feature", "features", "{specs,.specify/specs}/*/spec.md"},
				{One: "constitution", Glob: ".specify/memory/constitution.md"},
			},
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
