package config

import "encoding/json"

// SchemaURL is where the schema of the configuration files lies, for the `#:schema` line that editors read.
const SchemaURL = "https://raw.githubusercontent.com/mbgate/mbgate/main/docs/mbgate.schema.json"

// Schema is the JSON schema of a configuration file, as editors take it.
func Schema() []byte {
	type schema map[string]any
	properties := schema{}
	for _, k := range Keys() {
		p := schema{"description": k.Doc}
		switch {
		case k.Type == Number:
			p["type"], p["minimum"], p["maximum"] = "integer", k.Min, k.Max
		case k.Type == Switch:
			p["type"] = "boolean"
		case k.Type == Names:
			var names []string
			for _, preset := range Presets() {
				names = append(names, preset.Name, "+"+preset.Name)
			}
			one := schema{"type": "string", "enum": names}
			p["anyOf"] = []schema{one, {"type": "array", "items": one}}
		case k.Type.list():
			p["type"], p["items"], p["maxItems"] = "array", schema{"type": "string", "minLength": 1}, maxList
		default:
			p["type"] = "string"
			if k.Allowed != nil {
				p["enum"] = k.Allowed
			}
		}
		properties[k.Name] = p
	}
	out, _ := json.MarshalIndent(schema{ // made of strings, numbers and maps of them
		"$schema": "http://json-schema.org/draft-07/schema#", "$id": SchemaURL, "title": ".mbgate.toml",
		"type": "object", "additionalProperties": false, "properties": properties,
	}, "", "  ")
	return append(out, '\n')
}
