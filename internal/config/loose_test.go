package config

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestLoosened(t *testing.T) {
	for _, c := range []struct{ user, project, env, want string }{
		{"", `recovery = "off"`, "", "recovery"},
		{"", `recovery = "block"`, "", ""},
		{`recovery = "off"`, `recovery = "warn"`, "", ""},
		{`guard_mode = "block"`, `guard_mode = "warn"`, "", "guard_mode"},
		{"", `guard_mode = "block"`, "", ""},
		{"", `write_guard = "off"`, "", "write_guard"},
		{`fail = "closed"`, `fail = "open"`, "", "fail"},
		{"", `required_budget = 5000`, "", "required_budget"},
		{"", `required_budget = 500000`, "", ""},
		{"", `denial_ceiling = 3`, "", "denial_ceiling"},
		{"", `denial_ceiling = 0`, "", ""},
		{`denial_ceiling = 0`, `denial_ceiling = 100`, "", "denial_ceiling"},
		{"", `sensitive = ["a"]`, "", "sensitive"},
		{"", `sensitive = ["+a"]`, "", ""},
		{"", `safe = ["+src/**"]`, "", "safe"},
		{`deny = ["api/**"]`, `deny = ["x"]`, "", "deny"},
		{`deny = ["api/**"]`, `deny = ["+x"]`, "", ""},
		{"", `preset = "docs"`, "", ""},
		{"", `recovery = "off"`, "MBGATE_RECOVERY=block", ""},
		{"", "", "", ""},
	} {
		src := Sources{Sensitive: []string{"s"}, Safe: []string{"t"}, User: File{Data: []byte(c.user)}, Project: File{Path: "p", Data: []byte(c.project)}}
		src.Env = func(name string) (string, bool) {
			key, value, _ := strings.Cut(c.env, "=")
			return value, key == name
		}
		var got []string
		for _, l := range Loosened(src) {
			got = append(got, l.Key.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q over %q: %v, want %q", c.project, c.user, got, c.want)
		}
	}
}

// Every value that the keys' examples have is one that the schema allows, as far as it tells words apart.
func TestSchema(t *testing.T) {
	var schema struct {
		Properties map[string]struct {
			Type string
			Enum []string
		}
	}
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	for _, k := range Keys() {
		p, ok := schema.Properties[k.Name]
		if !ok || k.Type == Text && k.Allowed != nil && !slices.Contains(p.Enum, strings.Trim(k.Example, `"`)) || strings.HasPrefix(k.Example, "[") != (p.Type == "array" || k.Type == Names) {
			t.Errorf("%s: %+v", k.Name, p)
		}
	}
	if len(schema.Properties) != len(Keys()) {
		t.Error("the schema has keys of its own")
	}
}
