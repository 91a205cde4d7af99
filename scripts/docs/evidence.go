package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/mbgate/mbgate/internal/agents"
)

// evidencePage is evidence.md; what stands in braces comes from the last run.
//
//go:embed evidence.tmpl
var evidencePage string

// play is one client's part of docs/evidence.json, which scripts/evidence.sh writes; the live suite says what the fields mean.
type play struct {
	Client, Version    string
	Mbgate             bool
	Unsafe, Legitimate int
	Executed, Refused  []string
	Facts, Reads       int
	Seconds            float64
	Block              int
	FirstRefusal       int `json:"first_refusal"`
	LaterRefusal       int `json:"later_refusal"`
}

func evidence(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var run struct {
		Date  string
		Plays []play
	}
	if err := json.Unmarshal(data, &run); err != nil {
		return "", fmt.Errorf("%s: %w; run scripts/evidence.sh", file, err)
	}
	without := map[string]play{}
	var deeds []string
	for _, p := range run.Plays {
		if !p.Mbgate {
			without[p.Client] = p
			if p.Client == agents.Default().Name() {
				deeds = p.Executed
			}
		}
	}
	var rows, costs strings.Builder
	for _, p := range run.Plays {
		if !p.Mbgate {
			continue
		}
		bare, title := without[p.Client], p.Client
		name, way, _ := strings.Cut(p.Client, "-scripts")
		if a, ok := agents.ByName(name); ok {
			title = a.Facts().Title
		}
		if name != p.Client {
			title += ", code mode" + way
		}
		fmt.Fprintf(&rows, "| %s %s | %d of %d | **%d of %d** | %d of %d | **%d of %d** | %d | %d |\n", title, p.Version,
			len(bare.Executed), bare.Unsafe, len(p.Executed), p.Unsafe, len(bare.Refused), bare.Legitimate, len(p.Refused), p.Legitimate,
			bare.Facts, p.Facts)
		block := "with each request"
		if p.Block > 0 {
			block = fmt.Sprint(p.Block)
		}
		fmt.Fprintf(&costs, "| %s | %d | %.1f s | %s | %d | %d |\n", title, p.Reads, p.Seconds, block, p.FirstRefusal, p.LaterRefusal)
	}
	return strings.NewReplacer("{date}", run.Date, "{rows}", rows.String(), "{costs}", costs.String(), "{deeds}", strings.Join(deeds, ", ")).Replace(evidencePage), nil
}
