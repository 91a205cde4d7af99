package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/settings"
)

// launcher is what npm puts on PATH: it starts the program of the platform's package, in some 40 ms. The hooks of `mbgate install`
// name that program itself.
//
//go:embed launch.js
var launcher []byte

// platforms are Go's names and npm's.
var platforms = [...]struct{ os, arch, npmOS, npmCPU string }{
	{"linux", "amd64", "linux", "x64"},
	{"linux", "arm64", "linux", "arm64"},
	{"darwin", "amd64", "darwin", "x64"},
	{"darwin", "arm64", "darwin", "arm64"},
	{"windows", "amd64", "win32", "x64"},
	{"windows", "arm64", "win32", "arm64"},
}

// npmPackages writes the package mbgate, and one with the program for each platform that dist has one for. The package is OpenCode's
// plugin and pi's package as well: they find the program in the .bin beside.
func npmPackages(out, version, dist string) error {
	optional := map[string]string{}
	for _, p := range platforms {
		program := "mbgate"
		if p.os == "windows" {
			program += ".exe"
		}
		found, err := filepath.Glob(filepath.Join(dist, "mbgate_"+p.os+"_"+p.arch+"*", program))
		if err != nil || len(found) == 0 {
			continue
		}
		data, err := os.ReadFile(found[0])
		if err != nil {
			return err
		}
		name := p.npmOS + "-" + p.npmCPU
		optional["@mbgate/"+name] = version
		folder := filepath.Join(out, name)
		if err := writeProgram(filepath.Join(folder, "bin", program), data); err != nil {
			return err
		}
		if err := manifest(folder, version, map[string]any{
			"name": "@mbgate/" + name, "description": "mbgate for " + p.npmOS + " on " + p.npmCPU,
			"os": []string{p.npmOS}, "cpu": []string{p.npmCPU},
		}); err != nil {
			return err
		}
	}
	if len(optional) == 0 {
		return fmt.Errorf("%s holds no program; build it there as mbgate_OS_ARCH/mbgate", dist)
	}
	folder := filepath.Join(out, "mbgate")
	for name, agent := range map[string]string{"opencode.js": "opencode", "pi.js": "pi"} {
		c, _ := agents.SettingsOf(agent)
		text, err := c.Install(nil, settings.Options{Shared: true})
		if err == nil {
			err = write(filepath.Join(folder, name), text)
		}
		if err != nil {
			return err
		}
		for _, f := range c.Skill() {
			text, _ := f.Install(nil)
			if err := write(filepath.Join(folder, "skills", filepath.FromSlash(f.Name)), text); err != nil {
				return err
			}
		}
	}
	if err := writeProgram(filepath.Join(folder, "bin", "mbgate.js"), launcher); err != nil {
		return err
	}
	readme, err := os.ReadFile("README.md")
	if err == nil {
		err = write(filepath.Join(folder, "README.md"), readme)
	}
	if err != nil {
		return err
	}
	return manifest(folder, version, map[string]any{
		"name": "mbgate", "description": settings.BundleDescription, "type": "module",
		"bin": map[string]string{"mbgate": "bin/mbgate.js"}, "main": "opencode.js",
		"pi":                   map[string]any{"extensions": []string{"./pi.js"}, "skills": []string{"./skills"}},
		"keywords":             []string{"coding-agent", "hooks", "pi-package", "opencode-plugin"},
		"optionalDependencies": optional,
	})
}

// manifest writes a package.json. No package has a script, so nothing runs when it is installed.
func manifest(folder, version string, m map[string]any) error {
	m["version"], m["license"], m["homepage"] = version, "MIT", "https://github.com/mbgate/mbgate"
	m["repository"] = map[string]string{"type": "git", "url": "git+https://github.com/mbgate/mbgate.git"}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	licence, err := os.ReadFile("LICENSE")
	if err == nil {
		err = write(filepath.Join(folder, "LICENSE"), licence)
	}
	if err != nil {
		return err
	}
	return write(filepath.Join(folder, "package.json"), append(data, '\n'))
}

func writeProgram(file string, data []byte) error {
	if err := write(file, data); err != nil {
		return err
	}
	return os.Chmod(file, 0o755)
}
