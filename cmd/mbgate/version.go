package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionJSON is what `mbgate version --json` prints.
type versionJSON struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newVersionCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Long:    "Prints the version of mbgate, the revision it was built from where that is known, and Go's version.\n\nEXIT STATUS\n  0 · 1 mbgate's own failure · 64 wrong usage",
		Example: "  mbgate version\n  mbgate version --json",
		RunE: a.work(func([]string) error {
			v := buildVersion()
			return a.show(asJSON, v, v.String())
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// buildVersion reads what the go command wrote into the binary.
func buildVersion() versionJSON {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

// versionOf takes the version from where Go 1.24 and later put it: the module's version where `go install PATH@VERSION`
// built it, and otherwise what the checkout's tags give, with +dirty where it was changed. `go run` and -buildvcs=false
// leave (devel). Without build information, nil, nothing else is known either.
func versionOf(info *debug.BuildInfo) versionJSON {
	v := versionJSON{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info == nil {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

func (v versionJSON) String() string {
	s := fmt.Sprintf("mbgate %s (%s, %s)\n", v.Version, v.Go, v.Platform)
	if v.Revision != "" {
		s += "revision " + v.Revision
		if v.Modified {
			s += ", modified"
		}
		s += "\n"
	}
	return s
}
