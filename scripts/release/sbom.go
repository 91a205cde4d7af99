package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// bom is the part of CycloneDX 1.6 that is written here (https://cyclonedx.org/docs/1.6/json/). The facts are those that the
// linker itself wrote into the program, read back from the archive: nothing can be listed that is not in it, or left out.
type bom struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	SerialNumber string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp,omitempty"` // the commit's, not the build's
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licenses   []licence  `json:"licenses,omitempty"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// writeSBOM writes the bill of materials of the program in an archive into a file.
func writeSBOM(archive, file string) error {
	binary, err := programIn(archive)
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	modules, err := linkedModules()
	if err != nil {
		return err
	}
	list, err := materials(info, binary, modules)
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	data, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o644)
}

// materials lists what the program was linked from.
func materials(info *debug.BuildInfo, binary []byte, modules []module) (*bom, error) {
	setting := func(key string) string {
		i := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == key })
		if i < 0 {
			return ""
		}
		return info.Settings[i].Value
	}
	sum := sha256.Sum256(binary)
	own := library(info.Main.Path, info.Main.Version, "MIT")
	own.Type = "application"
	own.PURL += "?goarch=" + setting("GOARCH") + "&goos=" + setting("GOOS") + "&type=module"
	own.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum[:])}}
	own.Properties = []property{{"mbgate:vcs.revision", setting("vcs.revision")}, {"mbgate:vcs.modified", setting("vcs.modified")}}
	list := &bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6",
		SerialNumber: "urn:uuid:" + uuid(sum[:16]), Version: 1,
		Metadata:   metadata{Timestamp: setting("vcs.time"), Component: own},
		Components: []component{library("std", strings.TrimPrefix(info.GoVersion, "go"), "BSD-3-Clause")},
	}
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			return nil, fmt.Errorf("%s is replaced by %s; release without it", dep.Path, dep.Replace.Path)
		}
		i := slices.IndexFunc(modules, func(m module) bool { return m.path == dep.Path && m.version == dep.Version })
		if i < 0 {
			return nil, fmt.Errorf("%s %s is in the program and not in the module's list; build both from one checkout", dep.Path, dep.Version)
		}
		c := library(dep.Path, dep.Version, modules[i].licence)
		// The go command's own checksum; CycloneDX has no name for it, because it is no hash of one file.
		c.Properties = []property{{"mbgate:go.sum", dep.Sum}}
		list.Components = append(list.Components, c)
	}
	root := dependency{Ref: own.Ref}
	for _, c := range list.Components {
		root.DependsOn = append(root.DependsOn, c.Ref)
	}
	list.Dependencies = []dependency{root}
	return list, nil
}

func library(path, version, spdx string) component {
	// A purl's version is percent-encoded: +incompatible and +dirty hold a plus sign.
	purl := "pkg:golang/" + path + "@" + strings.ReplaceAll(url.PathEscape(version), "+", "%2B")
	c := component{Type: "library", Ref: purl, Name: path, Version: version, PURL: purl, Licenses: make([]licence, 1)}
	c.Licenses[0].License.ID = spdx
	return c
}

// uuid forms 16 bytes as a version 8 UUID (RFC 9562, section 5.8), the one whose bits are the maker's own.
func uuid(b []byte) string {
	b = bytes.Clone(b)
	b[6] = b[6]&0x0f | 0x80
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// programIn returns the program's bytes from a .tar.gz or a .zip.
func programIn(archive string) ([]byte, error) {
	data, err := os.ReadFile(archive)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(archive, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return nil, err
		}
		f, err := z.Open("mbgate.exe")
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return io.ReadAll(f)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil, errors.New("there is no mbgate in it")
		}
		if err != nil {
			return nil, err
		}
		if h.Name == "mbgate" {
			return io.ReadAll(r)
		}
	}
}
