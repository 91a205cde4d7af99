package capsule

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// node is as much of a JSON schema as ours uses.
type node struct {
	Type       any             `json:"type"`
	Required   []string        `json:"required"`
	Properties map[string]node `json:"properties"`
	Items      *node           `json:"items"`
	Enum       []string        `json:"enum"`
	Ref        string          `json:"$ref"`
	Defs       map[string]node `json:"$defs"`
	Minimum    *int            `json:"minimum"`
	Pattern    string          `json:"pattern"`
	Format     string          `json:"format"`
}

func schema(t testing.TB) node {
	var n node
	if err := json.Unmarshal([]byte(Schema()), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func (n node) resolve(root node) node {
	if n.Ref == "" {
		return n
	}
	return root.Defs[strings.TrimPrefix(n.Ref, "#/$defs/")]
}

var update = flag.Bool("update", false, "write the schema anew")

// TestSchemaIsStable holds the schema against the one that was published.
func TestSchemaIsStable(t *testing.T) {
	if *update {
		if err := os.WriteFile("testdata/schema.json", []byte(Schema()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if got := Schema(); got != string(want) {
		t.Errorf("the schema changed; go test -update writes it anew, read the diff\n%s", got)
	}
}

// TestSchemaTypes holds every property of the schema against the field of the type that bears its name, and the other
// way round.
func TestSchemaTypes(t *testing.T) {
	root := schema(t)
	var check func(path string, n node, typ reflect.Type)
	check = func(path string, n node, typ reflect.Type) {
		n = n.resolve(root)
		if typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		want := map[reflect.Kind]string{
			reflect.String: "string", reflect.Int: "integer", reflect.Bool: "boolean", reflect.Slice: "array", reflect.Struct: "object",
		}[typ.Kind()]
		if typ == reflect.TypeFor[time.Time]() {
			if n.Format != "date-time" {
				t.Errorf("%s: format %q", path, n.Format)
			}
			return
		}
		if words := map[reflect.Type][]string{
			reflect.TypeFor[Severity](): {"hard-deny", "soft-deny", "evidence-required", "warning"},
			reflect.TypeFor[Status]():   {"planned", "blocked", "written", "verified"},
			reflect.TypeFor[StopType](): {"done", "blocked", "budget-exhausted", "stuck", "unsafe", "scope-drift"},
		}[typ]; words != nil {
			if !slices.Equal(n.Enum, words) {
				t.Errorf("%s: enum %q, want %q", path, n.Enum, words)
			}
			return
		}
		got, _ := n.Type.(string)
		if list, ok := n.Type.([]any); ok {
			got, _ = list[0].(string)
		}
		if got != want {
			t.Errorf("%s: type %q in the schema, %s in the program", path, got, typ)
		}
		switch typ.Kind() {
		case reflect.Slice:
			if n.Items != nil {
				check(path+"[]", *n.Items, typ.Elem())
			}
		case reflect.Struct:
			var names []string
			for _, f := range reflect.VisibleFields(typ) {
				if f.Anonymous {
					continue
				}
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				names = append(names, name)
				p, ok := n.Properties[name]
				if !ok {
					t.Errorf("%s.%s is not in the schema", path, name)
					continue
				}
				check(path+"."+name, p, f.Type)
			}
			for name := range n.Properties {
				if !slices.Contains(names, name) {
					t.Errorf("%s.%s is in no type", path, name)
				}
			}
			for _, name := range n.Required {
				if !slices.Contains(names, name) {
					t.Errorf("%s requires %s, which it does not have", path, name)
				}
			}
		}
	}
	check("capsule", root, reflect.TypeFor[Capsule]())
	check("run", root.Defs["run"], reflect.TypeFor[Run]())
	check("restored", root.Defs["restored"], reflect.TypeFor[Restored]())
	check("report", root.Defs["report"], reflect.TypeFor[Report]())
}

// fits reports whether a value is what the schema wants, by the rules that the schema uses.
func (n node) fits(root node, v any) bool {
	n = n.resolve(root)
	if list, ok := n.Type.([]any); ok && v == nil {
		return slices.Contains(list, any("null"))
	}
	if n.Enum != nil {
		s, ok := v.(string)
		return ok && slices.Contains(n.Enum, s)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range n.Required {
			if _, ok := v[name]; !ok {
				return false
			}
		}
		for name, p := range n.Properties {
			// The text of the schema says that optional fields may be null.
			if e, ok := v[name]; ok && (e != nil || slices.Contains(n.Required, name)) && !p.fits(root, e) {
				return false
			}
		}
		return n.Properties != nil
	case []any:
		if n.Type != "array" {
			return false
		}
		for _, e := range v {
			if n.Items != nil && !n.Items.fits(root, e) {
				return false
			}
		}
		return true
	case string:
		if n.Format == "date-time" {
			_, err := time.Parse(time.RFC3339, v)
			return err == nil
		}
		return n.Type == "string" && (n.Pattern == "" || strings.TrimSpace(v) != "")
	case float64:
		return n.Type == "integer" && v == float64(int(v)) && v >= float64(*n.Minimum)
	case bool:
		return n.Type == "boolean"
	}
	return false
}

// TestSchemaAgrees changes every value of a full capsule and a full run in every way that matters, and asks the schema
// and the program whether it is still valid.
func TestSchemaAgrees(t *testing.T) {
	root := schema(t)
	for _, full := range []struct {
		text  string
		node  node
		valid func([]byte) bool
	}{
		{fullCapsule, root, func(raw []byte) bool { _, r := Validate(raw); return r.Valid }},
		{fullRun, root.Defs["run"], func(raw []byte) bool { _, r := ParseRun(raw); return r.Valid }},
	} {
		var doc any
		if err := json.Unmarshal([]byte(full.text), &doc); err != nil {
			t.Fatal(err)
		}
		n := 0
		ask := func(what string) {
			raw, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			want := full.node.fits(root, doc)
			if got := full.valid(raw); got != want {
				t.Errorf("%s: valid %v, by the schema %v: %s", what, got, want, raw)
			}
			n++
		}
		ask("as it is")
		var walk func(path string, v any)
		walk = func(path string, v any) {
			switch v := v.(type) {
			case map[string]any:
				for name, old := range v {
					walk(path+"."+name, old)
					delete(v, name)
					ask(path + "." + name + " deleted")
					for _, other := range []any{nil, "x", " ", "", 7.0, -1.0, 1.5, true, []any{}, []any{7.0}, map[string]any{}} {
						v[name] = other
						if name == "schema" && other == 7.0 {
							continue // beyond its maximum
						}
						ask(path + "." + name)
					}
					v[name] = old
				}
			case []any:
				for i, old := range v {
					walk(path, old)
					for _, other := range []any{nil, "x", 7.0, map[string]any{}} {
						v[i] = other
						ask(path + "[]")
					}
					v[i] = old
				}
			}
		}
		walk("", doc)
		if n < 200 {
			t.Errorf("only %d variants", n)
		}
	}
}
