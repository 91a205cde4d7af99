package capsule

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// field is one member of an object, as the tags of a struct describe it.
type field struct {
	name, check, doc string
	// optional members may be absent or null: those with omitempty, those that are pointers, and the version.
	optional bool
	typ      reflect.Type
	index    []int
}

// fieldsOf are the members of a struct's JSON, with those of an embedded struct, in order.
func fieldsOf(t reflect.Type) []field {
	var fields []field
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" {
			continue
		}
		rule := f.Tag.Get("check")
		fields = append(fields, field{
			name: name, check: rule, doc: f.Tag.Get("doc"), typ: f.Type, index: f.Index,
			optional: options == "omitempty" || f.Type.Kind() == reflect.Pointer || rule == "version",
		})
	}
	return fields
}

// wordsOf are the only values of a type of strings, nil where any string will do.
func wordsOf(t reflect.Type) []string {
	if w, ok := reflect.Zero(t).Interface().(interface{ words() []string }); ok {
		return w.words()
	}
	return nil
}

// Schema is the JSON schema of a capsule, with those of a run file, of what restoring gives and of a report in $defs.
func Schema() string {
	w := schemaWriter{}
	w.b.WriteString(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://github.com/mbgate/mbgate/schemas/capsule-` + strconv.Itoa(version) + `.json",
  "title": "mbgate compact capsule",
`)
	w.object(reflect.TypeFor[Capsule](), "  ", "What must not be lost when a conversation is compacted. Version "+strconv.Itoa(version)+
		". Unknown fields are ignored with a warning; optional ones may be null.")
	w.refer(reflect.TypeFor[Run](), "A run file: what capsule create --run reads. Absent lists are empty, an absent gate has passed.")
	w.refer(reflect.TypeFor[Restored](), "What capsule restore --json prints.")
	w.refer(reflect.TypeFor[Report](), "What capsule validate --json prints.")
	w.b.WriteString(",\n  \"$defs\": {\n")
	for i := 0; i < len(w.defs); i++ { // writing one may find more
		if i > 0 {
			w.b.WriteString(",\n")
		}
		w.b.WriteString("    " + strconv.Quote(defName(w.defs[i].typ)) + ": {\n")
		w.object(w.defs[i].typ, "      ", w.defs[i].doc)
		w.b.WriteString("\n    }")
	}
	w.b.WriteString("\n  }\n}\n")
	return w.b.String()
}

// schemaWriter writes the objects of a schema and remembers which others they refer to.
type schemaWriter struct {
	b    strings.Builder
	defs []definition
}

type definition struct {
	typ reflect.Type // a struct, or a pointer to one that may be null
	doc string
}

func defName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return strings.ToLower(t.Name()[:1]) + t.Name()[1:]
}

func (w *schemaWriter) refer(t reflect.Type, doc string) string {
	if !slices.ContainsFunc(w.defs, func(d definition) bool { return d.typ == t }) {
		w.defs = append(w.defs, definition{t, doc})
	}
	return `"$ref": "#/$defs/` + defName(t) + `"`
}

// object writes the members of the schema of a struct.
func (w *schemaWriter) object(t reflect.Type, indent, doc string) {
	typ := `"object"`
	if t.Kind() == reflect.Pointer {
		t, typ = t.Elem(), `["object", "null"]`
	}
	var required, properties []string
	for _, f := range fieldsOf(t) {
		if !f.optional {
			required = append(required, strconv.Quote(f.name))
		}
		properties = append(properties, indent+"  "+strconv.Quote(f.name)+": {"+describe(f.doc)+w.leaf(f.typ, f.check)+"}")
	}
	if doc != "" {
		doc = indent + strings.TrimSuffix(describe(doc), " ") + "\n"
	}
	w.b.WriteString(doc + indent + `"type": ` + typ + ",\n" + indent + `"required": [` + strings.Join(required, ", ") + "],\n" +
		indent + "\"properties\": {\n" + strings.Join(properties, ",\n") + "\n" + indent + "}")
}

func describe(doc string) string {
	if doc == "" {
		return ""
	}
	return `"description": ` + strconv.Quote(doc) + ", "
}

// leaf is the schema of a value without its braces.
func (w *schemaWriter) leaf(t reflect.Type, rule string) string {
	if words := wordsOf(t); words != nil {
		return `"enum": ["` + strings.Join(words, `", "`) + `"]`
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return `"type": "string", "format": "date-time"`
	case t.Kind() == reflect.String && rule == "name":
		return `"type": "string", "pattern": "\\S"`
	case t.Kind() == reflect.String:
		return `"type": "string"`
	case t.Kind() == reflect.Bool:
		return `"type": "boolean"`
	case rule == "version":
		return `"type": "integer", "minimum": 1, "maximum": ` + strconv.Itoa(version)
	case t.Kind() == reflect.Int:
		return `"type": "integer", "minimum": 0`
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Interface:
		return `"type": "array"`
	case t.Kind() == reflect.Slice:
		return `"type": "array", "items": {` + w.leaf(t.Elem(), "") + "}"
	}
	return w.refer(t, "")
}
