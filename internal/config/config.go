// Package config works out what mbgate is configured to do: defaults, the user's file, the project's file, the
// environment and flags, one over the other (SPEC §16), each value with the place it comes from.
//
// Start with Load, a function of values: it reads no file and no environment; ReadFile fills its sources. The keys are the
// rows of keys_table.go. A file with any problem is left out as a whole, so that half a configuration never rules; `config
// --check`, `status`, `doctor` and session start say what is wrong with it, and it never stops an agent. Of this module the
// package imports event alone.
//
// TOML is parsed by github.com/pelletier/go-toml/v2/unstable, which has the positions of keys that a problem must name.
// What it costs, beside encoding/json that every hook links anyway, measured with CGO off, -trimpath, -s -w over 600
// interleaved rounds: nothing that shows at start-up (1.50 ms against 1.51 ms for the median process; the package's
// init is below 0.01 ms) and 92 kB. The whole of go-toml/v2 takes 0.06 ms and 448 kB, BurntSushi/toml 0.12 ms (26
// allocations in init for time zones) and 332 kB. The package makes no promise to keep its interface, so everything
// that touches it is in parse.go, and a fuzz test holds it against go-toml's own decoder. A file of 20 lines is parsed and
// checked in about 10 µs; where there is no file nothing of the library runs.
package config

import (
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// Config is the effective configuration. Its slices are the caller's own.
type Config struct {
	// Anchors and Fallback are globs over canonical paths (A1, A3).
	Anchors, Fallback []string
	// Presets are the names of the layouts that Anchors and Fallback were taken from.
	Presets []string
	// Deny are globs of files that no agent may change (C5).
	Deny []string
	// RequiredBudget is how many bytes of anchors a recovery asks for at most (A3).
	RequiredBudget int
	// Recovery is block, warn or off (SPEC §7).
	Recovery event.Mode
	// GuardMode is off, warn or block and rules the read gate only (SPEC §10).
	GuardMode event.Mode
	// WriteGuard is writer, markdown or off (SPEC §11).
	WriteGuard event.Mode
	// Proposals is remind or off (SPEC §12).
	Proposals event.Mode
	// Sensitive and Safe are globs over canonical paths (SPEC §8).
	Sensitive, Safe []string
	// DenialCeiling is how many refusals stand before the gate asks itself whether it sees the reads (R5); 0 is never.
	DenialCeiling int
	// Fail is open or closed (SPEC §18).
	Fail event.Mode
	// MaxChars is how many characters of MEMORY.md are injected (SPEC §14).
	MaxChars int
	// CapsuleTokens is the budget of a rendered capsule (C4).
	CapsuleTokens int
	// KeepWords is set where sentences of a person's prompts and pasted plans are kept (C7).
	KeepWords bool
	// RunFile is the session's run file (C5), slash-separated and relative to the root; "" for none.
	RunFile string

	// Disabled is set by MEMORY_BANK_DISABLED=1: mbgate does nothing at all (SPEC §14).
	Disabled bool

	origins [keyCount]Origin
	items   [keyCount][]Origin
	base    defaults
}

// defaults are the lists that another package owns; they are only read.
type defaults struct{ sensitive, safe []string }

// File is a configuration file as it was read. The zero File is one that does not exist.
type File struct {
	// Path is how messages name the file.
	Path string
	// Data is its content, Err why it could not be read. Both nil: there is none.
	Data []byte
	Err  error
}

// Flag is one flag of the command line, by the name of Key.Flag without its dashes. A list may be given in several.
type Flag struct{ Name, Value string }

// Sources are the layers, the lowest first. Every one may be left out.
type Sources struct {
	// Sensitive and Safe are the defaults of these keys: what package risk knows.
	Sensitive, Safe []string
	// User is $XDG_CONFIG_HOME/mbgate/config.toml, Project is .mbgate.toml at the project root.
	User, Project File
	// Env looks up an environment variable; os.LookupEnv. An empty variable counts as unset.
	Env func(name string) (string, bool)
	// Flags in the order of the command line.
	Flags []Flag
}

// defaultConfig is the configuration without any file, variable or flag.
func defaultConfig(sensitive, safe []string) Config {
	c := Config{base: defaults{sensitive, safe}}
	for i := range table {
		c.reset(i)
	}
	return c
}

// Load lays the sources over each other. It never fails: it returns what is wrong as problems, in the order of the layers,
// and leaves it out. A file is left out as a whole, of the environment and the flags only the variable or flag itself.
func Load(src Sources) (Config, []Problem) {
	c := defaultConfig(src.Sensitive, src.Safe)
	var problems []Problem
	for _, f := range []File{src.User, src.Project} {
		if f.Data == nil && f.Err == nil {
			continue
		}
		layer, bad := parseFile(f)
		if len(bad) > 0 {
			problems = append(problems, bad...)
			continue
		}
		c.apply(layer)
	}
	for _, settings := range [...][]setting{fromEnv(src), fromFlags(src)} {
		layer, bad := readSettings(settings)
		problems = append(problems, bad...)
		c.apply(layer)
	}
	switch v := src.env(DisabledEnv); v {
	case "1", "true":
		c.Disabled = true
	case "", "0", "false":
	default:
		problems = append(problems, Problem{
			Origin: Origin{Kind: FromEnv, Name: DisabledEnv},
			What:   "is " + quote(v) + ", which is neither 1 nor 0",
			Remedy: "write 1 to turn mbgate off, or unset it",
		})
	}
	return c, problems
}

// DisabledEnv is the variable that turns mbgate off as a whole.
const DisabledEnv = "MEMORY_BANK_DISABLED"

// NamesAnchors reports whether anchors are configured. Without that, and without a memory bank, mbgate is inert (P2).
func (c Config) NamesAnchors() bool {
	return c.origins[keyAnchors].Kind != FromDefault
}

// Origin says where the value of the key comes from; for a list that several layers added to, the highest of them.
// An unknown name has the zero Origin.
func (c Config) Origin(key string) Origin {
	if i, ok := find(key); ok {
		return c.origins[i]
	}
	return Origin{}
}

// value is what one layer says of one key.
type value struct {
	origin Origin
	text   string   // a mode, a preset, a path
	number int      // a number
	list   []string // a list; the plus signs are still there
	lines  []int    // the line of each element, in a file
}

// assignments are what one layer says, nil for a key that it leaves alone.
type assignments [keyCount]*value

// apply lays a layer over the configuration. The preset goes first, so that `preset` and `anchors = ["+…"]` in one
// layer add up.
func (c *Config) apply(layer assignments) {
	if v := layer[keyPreset]; v != nil {
		c.applyPreset(v)
	}
	for i, v := range layer {
		if v == nil || i == keyPreset {
			continue
		}
		below := c.origins[i]
		c.origins[i] = v.origin
		c.set(i, v.text, v.number, func(p *[]string) { c.applyList(i, p, v, below) })
	}
}

// set gives a key the text, the number, or what list makes of its list, whichever its field holds.
func (c *Config) set(i int, text string, number int, list func(*[]string)) {
	switch p := table[i].at(c).(type) {
	case *event.Mode:
		*p = event.Mode(text)
	case *string:
		*p = text
	case *int:
		*p = number
	case *bool:
		*p = text == "true"
	case *[]string:
		list(p)
	}
}

// applyPreset replaces the anchors by those of one layout or several; without a name it goes back to the defaults.
func (c *Config) applyPreset(v *value) {
	below := c.origins[keyPreset]
	c.origins[keyPreset] = v.origin
	c.applyList(keyPreset, &c.Presets, v, below)
	if len(c.Presets) == 0 {
		c.reset(keyAnchors)
		c.reset(keyFallback)
		return
	}
	c.Anchors, c.Fallback, c.items[keyAnchors], c.items[keyFallback] = nil, nil, nil, nil
	origin := v.origin
	origin.Preset = strings.Join(c.Presets, ", ")
	c.origins[keyAnchors], c.origins[keyFallback] = origin, origin
	add := func(key int, n int, glob string) {
		one := c.items[keyPreset][n]
		one.Preset = c.Presets[n]
		if into := table[key].at(c).(*[]string); !slices.Contains(*into, glob) {
			*into, c.items[key] = append(*into, glob), append(c.items[key], one)
		}
	}
	longest := 0
	for n, name := range c.Presets {
		p, _ := FindPreset(name) // checked when the layer was read
		longest = max(longest, len(p.Fallback))
		for _, g := range p.Anchors {
			add(keyAnchors, n, g)
		}
	}
	// A recovery asks for five fallbacks at most, so the first of each layout come first.
	for i := range longest {
		for n, name := range c.Presets {
			if p, _ := FindPreset(name); i < len(p.Fallback) {
				add(keyFallback, n, p.Fallback[i])
			}
		}
	}
}

// applyList replaces the list, or adds to it the elements that begin with a plus; below is where the list came from.
func (c *Config) applyList(i int, p *[]string, v *value, below Origin) {
	var list []string
	var items []Origin
	if adds(v.list) {
		list = *p
		items = c.items[i]
		if items == nil {
			items = slices.Repeat([]Origin{below}, len(list))
		}
	}
	for n, s := range v.list {
		s = element(s)
		if slices.Contains(list, s) {
			continue
		}
		o := v.origin
		if n < len(v.lines) {
			o.Line = v.lines[n]
		}
		list, items = append(list, s), append(items, o)
	}
	*p, c.items[i] = list, items
}
