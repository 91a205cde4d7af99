package agents

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Which hooks Codex trusts, and whether it runs any: what it keeps in config.toml. The few keys are found in its text; the
// decoder of TOML would be 220 kB more in the binary that every hook maps.

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

// codexTrusts looks for the hash of each of our hooks in Codex's config.toml.
func codexTrusts(m Machine) Finding {
	configFile := codexConfigFile(m)
	data, err := m.Read(configFile)
	if err != nil {
		return Finding{Says: "unknown: " + err.Error(), Remedy: "look at /hooks in Codex", Unknown: true}
	}
	config := string(data)
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
				Says:   "Codex does not read these hooks: " + f.Path + " is not plain JSON: " + err.Error(),
				Remedy: "take comments, trailing commas and a byte order mark out of the file",
			}
		}
		for event, groups := range hooks.Hooks {
			for g, group := range groups {
				for h, handler := range group.Hooks {
					if !f.Ours(event, handler.Command) {
						continue
					}
					place := ":" + snake(event) + ":" + strconv.Itoa(g) + ":" + strconv.Itoa(h)
					hash, enabled := codexState(config, f.Path, place)
					switch {
					case hash != codexHash(event, group.Matcher, handler):
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
			Says:   "one step left: Codex runs these hooks once you trust them as they are now: " + strings.Join(untrusted, ", "),
			Remedy: "start `codex` in a terminal, choose to review the hooks, and trust them (later: /hooks, key t)",
			Step:   true,
		}
	case len(off) > 0:
		return Finding{Says: "these hooks are turned off in " + configFile + ": " + strings.Join(off, ", "), Remedy: "turn them on again: /hooks in Codex"}
	}
	return Finding{Says: "every hook is trusted as it is now"}
}

func codexConfigFile(m Machine) string {
	return filepath.Join(filepath.Dir(codexConfig().User.File(m.Home, m.Getenv)), "config.toml")
}

// codexSwitchedOff looks at the features in config.toml.
func codexSwitchedOff(m Machine) []Finding {
	file := codexConfigFile(m)
	data, _ := m.Read(file)
	if _, features, ok := strings.Cut("\n"+string(data), "\n[features]"); ok {
		features, _, _ = strings.Cut(features, "\n[")
		if v, _ := assigned(features, "\nhooks"); v == "false" {
			return []Finding{{
				Says:   "hooks = false under [features] turns every hook off, in " + file,
				Remedy: "take it out, if you want mbgate to be asked",
			}}
		}
	}
	return nil
}

// codexState is what config.toml keeps of a hook: [hooks.state."FILE:EVENT:GROUP:HANDLER"] with trusted_hash, and enabled
// where a person turned it off. The file may be known by its path or by what that resolves to.
func codexState(config, file, place string) (hash string, enabled bool) {
	names := []string{file}
	if real, err := filepath.EvalSymlinks(file); err == nil && real != file {
		names = append(names, real)
	}
	for _, name := range names {
		quoted, _ := json.Marshal(name + place) // TOML escapes as JSON does, as far as paths go
		for _, key := range []string{string(quoted), "'" + name + place + "'"} {
			_, rest, ok := strings.Cut(config, key)
			if !ok {
				continue
			}
			end := "\n"
			if strings.HasPrefix(strings.TrimLeft(rest, " \t"), "]") {
				end = "\n["
			}
			rest, _, _ = strings.Cut(rest, end)
			hash, _ = assigned(rest, "trusted_hash")
			word, _ := assigned(rest, "enabled")
			return hash, word != "false"
		}
	}
	return "", true
}

// assigned is the value of a key in a piece of TOML: one word, or a string without escapes.
func assigned(text, key string) (value string, ok bool) {
	_, rest, ok := strings.Cut(text, key)
	if !ok {
		return "", false
	}
	rest = strings.TrimLeft(rest, " \t")
	if rest, ok = strings.CutPrefix(rest, "="); !ok {
		return "", false
	}
	rest = strings.TrimLeft(rest, " \t")
	if end := strings.IndexAny(rest, " \t\r\n,}#"); end >= 0 {
		rest = rest[:end]
	}
	return strings.Trim(rest, `"'`), true
}
