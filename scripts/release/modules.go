package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

const (
	ownModule = "github.com/mbgate/mbgate"
	program   = ownModule + "/cmd/mbgate"
	// listed is one line for each package: the path, version and folder of its module, and what go.mod replaces it by.
	listed = "{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{with .Replace}}{{.Path}}{{end}}{{end}}"
)

// module is what is linked into the program.
type module struct {
	path, version string
	// licence is its SPDX identifier.
	licence string
	texts   []text
}

// text is a file that a licence wants to go with every copy: the licence itself, or a notice.
type text struct{ name, content string }

// linkedModules returns the modules that are linked into the program for any system of the releases, and Go's own library,
// in order of their paths. A module without a licence that is known to allow that is an error.
func linkedModules() ([]module, error) {
	// The version and folder of each module, by its path.
	type source struct{ version, dir string }
	sources := map[string]source{}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, goarch := range []string{"amd64", "arm64"} {
			out, err := goCommand([]string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}, "list", "-deps", "-f", listed, program)
			if err != nil {
				return nil, err
			}
			for line := range strings.Lines(out) {
				f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
				switch {
				case len(f) < 4 || f[0] == ownModule:
				case f[3] != "":
					return nil, fmt.Errorf("%s is replaced by %s in go.mod, which `go install` would not do; release without it", f[0], f[3])
				default:
					sources[f[0]] = source{f[1], f[2]}
				}
			}
		}
	}
	goroot, err := goCommand(nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	version, _, _ := strings.Cut(runtime.Version(), " ") // the experiments of this very program follow
	sources["Go's standard library"] = source{version, strings.TrimSpace(goroot)}

	var modules []module
	for _, path := range slices.Sorted(maps.Keys(sources)) {
		m := module{path: path, version: sources[path].version}
		if m.texts, err = licenceTexts(sources[path].dir); err == nil {
			m.licence, err = identify(m.texts)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		modules = append(modules, m)
	}
	return modules, nil
}

func goCommand(env []string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return string(out), nil
}

// licenceTexts reads the files at the root of a module that state its terms.
func licenceTexts(dir string) ([]text, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts []text
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		if !e.Type().IsRegular() || !slices.ContainsFunc(termsFiles, func(p string) bool { return strings.HasPrefix(upper, p) }) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		content := strings.ReplaceAll(string(data), "\r\n", "\n")
		texts = append(texts, text{e.Name(), strings.Trim(content, "\n") + "\n"})
	}
	return texts, nil
}
