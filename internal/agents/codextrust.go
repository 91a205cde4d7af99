package agents

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Which hooks Codex trusts, and whether it runs any: what it keeps in config.toml.

// codexHandler is one hook as Codex 0.169.0 sees it for its trust: what is hashed is this object, compact, with sorted
// keys (observed against its app-server's hooks/list, which is what TestTrustHashIsCodexs holds).
type codexHandler struct {
	Async         bool    `json:"async"`
	Command       string  `json:"command"`
	StatusMessage *string `json:"statusMessage,omitempty"`
	Timeout       *int    `json:"timeout"`
	Type          string  `json:"type"`
}

// codexSeconds is the timeout that Codex 0.169.0 gives a hook and hashes: at least a second, ten minutes where none is
// named; at the end of a session and at an interruption 3 seconds at most, and one where none is named (observed).
func codexSeconds(event string, named *int) int {
	short := event == "SessionEnd" || event == "Interrupt"
	switch {
	case named == nil && short:
		return 1
	case named == nil:
		return 600
	case short:
		return min(max(*named, 1), 3)
	}
	return max(*named, 1)
}

// codexHash is the hash that Codex keeps for a hook that was trusted.
func codexHash(event string, matcher *string, h codexHandler) string {
	seconds := codexSeconds(event, h.Timeout)
	h.Timeout = &seconds
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(struct {
		Event   string         `json:"event_name"`
		Hooks   []codexHandler `json:"hooks"`
		Matcher *string        `json:"matcher,omitempty"`
	}{snake(event), []codexHandler{h}, matcher}) // strings and numbers cannot fail
	sum := sha256.Sum256(bytes.TrimRight(b.Bytes(), "\n"))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// snake is PreToolUse as pre_tool_use.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// codexSettings is what doctor reads of Codex's config.toml.
type codexSettings struct {
	Hooks struct {
		// State is kept by "FILE:EVENT:GROUP:HANDLER". Enabled is there where a person turned the hook off.
		State map[string]struct {
			TrustedHash string `toml:"trusted_hash"`
			Enabled     *bool  `toml:"enabled"`
		} `toml:"state"`
	} `toml:"hooks"`
	Features struct {
		Hooks *bool `toml:"hooks"`
	} `toml:"features"`
}

// codexSettingsOf reads config.toml; without the file there are none.
func codexSettingsOf(m Machine) (file string, s codexSettings, err error) {
	file = filepath.Join(filepath.Dir(codexConfig().User.File(m.Home, m.Getenv)), "config.toml")
	data, err := m.Read(file)
	if err == nil {
		err = toml.Unmarshal(data, &s)
	}
	return file, s, err
}

// trusts reports what Codex keeps of the handler of an event in a file, which it may know by what the path resolves to.
func (s codexSettings) trusts(file, place, hash string) (trusted, enabled bool) {
	state, ok := s.Hooks.State[file+place]
	if !ok {
		if real, err := filepath.EvalSymlinks(file); err == nil {
			state = s.Hooks.State[real+place]
		}
	}
	return state.TrustedHash == hash, state.Enabled == nil || *state.Enabled
}

// codexTrusts looks for the hash of each of our hooks in config.toml.
func codexTrusts(m Machine) Finding {
	file, config, err := codexSettingsOf(m)
	if err != nil {
		return Finding{Says: "cannot be told: " + file + ": " + err.Error(), Remedy: "look at /hooks in Codex", Unknown: true}
	}
	var untrusted, off []string
	for _, f := range m.Hooks {
		var hooks struct {
			Hooks map[string][]struct {
				Matcher *string        `json:"matcher"`
				Hooks   []codexHandler `json:"hooks"`
			} `json:"hooks"`
		}
		if err := json.Unmarshal(f.Data, &hooks); err != nil {
			// Observed with 0.169.0: it leaves out the whole file, and only says so among its warnings.
			return Finding{
				Says:   "Codex does not read these hooks: " + f.Path + " is no plain JSON: " + err.Error(),
				Remedy: "take comments, trailing commas and a byte order mark out of the file",
			}
		}
		for event, groups := range hooks.Hooks {
			for g, group := range groups {
				for h, handler := range group.Hooks {
					if !f.Ours(event, handler.Command) {
						continue
					}
					place := fmt.Sprintf(":%s:%d:%d", snake(event), g, h)
					switch trusted, enabled := config.trusts(f.Path, place, codexHash(event, group.Matcher, handler)); {
					case !trusted:
						untrusted = append(untrusted, event)
					case !enabled:
						off = append(off, event)
					}
				}
			}
		}
	}
	slices.Sort(untrusted)
	slices.Sort(off)
	switch {
	case len(untrusted) > 0:
		return Finding{
			Says:   "Codex does not run these hooks, since you have not trusted them as they are now: " + strings.Join(untrusted, ", "),
			Remedy: "start `codex` in a terminal, choose to review the hooks, and trust them (later: /hooks, key t)",
		}
	case len(off) > 0:
		return Finding{Says: "these hooks are turned off in " + file + ": " + strings.Join(off, ", "), Remedy: "turn them on again: /hooks in Codex"}
	}
	return Finding{Says: "every hook is trusted as it is now"}
}

// codexSwitchedOff looks at the features in config.toml.
func codexSwitchedOff(m Machine) []Finding {
	file, config, err := codexSettingsOf(m)
	if err != nil || config.Features.Hooks == nil || *config.Features.Hooks {
		return nil
	}
	return []Finding{{
		Says:   "hooks = false under [features] turns every hook off, and it stands in " + file,
		Remedy: "take it out, if you want mbgate to be asked",
	}}
}
