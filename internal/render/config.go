package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/config"
)

// Settings is what `mbgate config` knows.
type Settings struct {
	Values []config.Value
	// InForce is, by the name of a key, what really holds where that is not the value for every agent.
	InForce  map[string]string
	Problems []config.Problem
	// ProjectFile and UserFile are where a configuration goes; Has says whether the file is there.
	ProjectFile, UserFile string
	HasProject, HasUser   bool
	Disabled              bool

	named bool // only some values are shown, and nothing else
}

// Only keeps the values of some keys; every element of a list is shown then.
func (s *Settings) Only(keys []string) {
	s.Values = slices.DeleteFunc(s.Values, func(v config.Value) bool { return !slices.Contains(keys, v.Key.Name) })
	s.named = true
}

type configJSON struct {
	Schema   int              `json:"schema"`
	Files    filesJSON        `json:"files"`
	Disabled bool             `json:"disabled"`
	Values   []valueJSON      `json:"values"`
	Problems []config.Problem `json:"problems"`
}

type filesJSON struct {
	Project fileJSON `json:"project"`
	User    fileJSON `json:"user"`
}

type fileJSON struct {
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
}

type valueJSON struct {
	Key    string        `json:"key"`
	Value  any           `json:"value"`
	Origin config.Origin `json:"origin"`
	// Items has the origin of every element of a list.
	Items []config.Item `json:"items,omitempty"`
	// InForce is what really holds, where that is not the value for every agent.
	InForce string `json:"in_force,omitempty"`
	Env     string `json:"env"`
	Doc     string `json:"doc"`
}

// JSON is the configuration for machines.
func (s Settings) JSON() any {
	out := configJSON{
		Schema: 1, Disabled: s.Disabled, Values: []valueJSON{}, Problems: append([]config.Problem{}, s.Problems...),
		Files: filesJSON{fileJSON{s.ProjectFile, s.HasProject}, fileJSON{s.UserFile, s.HasUser}},
	}
	for _, v := range s.Values {
		out.Values = append(out.Values, valueJSON{
			Key: v.Key.Name, Value: v.Value, Origin: v.Origin, Items: v.Items, Env: v.Key.Env, Doc: v.Key.Doc, InForce: s.InForce[v.Key.Name],
		})
	}
	return out
}

// Text is the configuration on a screen.
func (s Settings) Text(screen *Screen) string {
	p := &page{Screen: screen}
	if s.Disabled {
		p.prose(0, inkWarn, "mbgate is turned off by MEMORY_BANK_DISABLED.")
		p.line()
	}
	for _, v := range s.Values {
		s.value(p, v)
	}
	if !s.named {
		p.line()
		s.places(p)
	}
	if len(s.Problems) > 0 {
		p.line()
		p.b.WriteString(s.ProblemList(screen, false))
	}
	return p.b.String()
}

func (s Settings) value(p *page, v config.Value) {
	text := strings.Join(strings.Fields(v.Text), " ")
	if v.Items != nil {
		word := "pattern"
		if v.Key.Type == config.Names {
			word = "name"
		}
		text = plural(len(v.Items), word)
	}
	ink := inkStrong
	if v.Origin.Kind == config.FromDefault {
		ink = inkPlain
	}
	head, origin := pad(v.Key.Name, 17)+p.in(ink, pad(Safe(text), 12)), s.from(v.Origin)
	if columns(head)+2+columns(origin) <= p.width {
		p.line(head, "  ", p.in(inkFaint, origin))
	} else {
		p.line(head)
		p.line("    ", p.in(inkFaint, origin))
	}
	if note := s.InForce[v.Key.Name]; note != "" {
		p.prose(4, inkWarn, "in force: "+Clean(note))
	}
	hidden := 0
	for i, it := range v.Items {
		// The built-in lists are long; their beginning shows what they are.
		if !s.named && len(v.Items) > maxBuiltIn && it.Origin.Kind == config.FromDefault && i >= fewBuiltIn {
			hidden++
			continue
		}
		note := ""
		if it.Origin != v.Origin {
			note = s.from(it.Origin)
		}
		p.items(0, []item{{name: Safe(it.Text), note: note, noteInk: inkFaint}})
	}
	if hidden > 0 {
		p.prose(2, inkFaint, fmt.Sprintf("… and %d more that are built in (mbgate config --json)", hidden))
	}
}

// A list of more than maxBuiltIn elements shows fewBuiltIn of those that are built in.
const (
	maxBuiltIn = 12
	fewBuiltIn = 4
)

// from is where a value comes from; the project's own file goes by its name, since places says where it lies.
func (s Settings) from(o config.Origin) string {
	if o.Kind == config.FromFile && o.Name == s.ProjectFile {
		o.Name = ".mbgate.toml"
	}
	return Safe(o.String())
}

// places says what to put where: mbgate writes no configuration and does not let agents write it (R6).
func (s Settings) places(p *page) {
	state := func(there bool) string {
		if there {
			return "there"
		}
		return "not there"
	}
	p.items(0, []item{
		{mark: "1", name: "project", note: Safe(s.ProjectFile) + " (" + state(s.HasProject) + ")"},
		{mark: "2", name: "you", note: Safe(s.UserFile) + " (" + state(s.HasUser) + ")"},
	})
	p.prose(0, inkFaint, "The first wins over the second; environment variables win over both, flags over all. "+
		"`mbgate config --example` prints a file to start from, `mbgate config --check` says what is wrong.")
}

// ProblemList is the problems alone, for --check; with lines, for programs, each problem is one line, whatever the width.
func (s Settings) ProblemList(screen *Screen, lines bool) string {
	p := &page{Screen: screen}
	for _, x := range s.Problems {
		text := wrap(Clean(x.String()), p.width-2)
		if lines {
			text = []string{strings.Join(strings.Fields(Clean(x.String())), " ")}
		}
		for n, l := range text {
			if n == 0 {
				p.line(p.in(inkBad, "✗ "), l)
			} else {
				p.line("  ", l)
			}
		}
	}
	return p.b.String()
}
