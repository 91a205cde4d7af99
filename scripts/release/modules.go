package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
)

// module is what is linked into the program, with what must be handed on beside it.
type module struct {
	path, version string
	dir           string
	// licence is its SPDX identifier.
	licence string
	texts   []text
}

// text is a file that its licence wants to go with every copy: the licence itself, or a notice.
type text struct{ name, content string }

// linkedModules returns the modules that are linked into the program for any system of the releases, and Go's own library,
// in order of their paths. A module without a licence that is known to allow that is an error.
func linkedModules() ([]module, error) {
	byPath := map[string]module{}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, goarch := range []string{"amd64", "arm64"} {
			if err := listModules(goos, goarch, byPath); err != nil {
				return nil, err
			}
		}
	}
	goroot, err := goCommand(nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	const library = "Go's standard library"
	version, _, _ := strings.Cut(runtime.Version(), " ") // the experiments of this very program follow
	byPath[library] = module{path: library, version: version, dir: strings.TrimSpace(string(goroot))}

	var modules []module
	for _, m := range byPath {
		if m.texts, err = licenceTexts(m.dir); err != nil {
			return nil, fmt.Errorf("%s: %w", m.path, err)
		}
		if m.licence, err = identify(m.texts); err != nil {
			return nil, fmt.Errorf("%s: %w", m.path, err)
		}
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b module) int { return strings.Compare(a.path, b.path) })
	return modules, nil
}

func listModules(goos, goarch string, byPath map[string]module) error {
	out, err := goCommand([]string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}, "list", "-deps", "-json=Module", program)
	if err != nil {
		return err
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Module *struct {
				Path, Version, Dir string
				Replace            *struct{ Path string }
			}
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		switch m := p.Module; {
		case m == nil, m.Path == ownModule:
		case m.Replace != nil:
			return fmt.Errorf("%s is replaced by %s in go.mod, which `go install` would not do; release without it", m.Path, m.Replace.Path)
		default:
			byPath[m.Path] = module{path: m.Path, version: m.Version, dir: m.Dir}
		}
	}
}

func goCommand(env []string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}
	return out, nil
}

// licenceTexts reads the files at the root of a module that say its terms.
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
