package settings

import (
	"encoding/json"
	"strings"
)

// A bundle is the client's own plugin or extension: the entries, the subagents and the skill of an installation in one folder, with the
// binary found when a hook runs. scripts/plugins writes them; nothing in the program does.

// Bundle is how a client's plugins look. Paths are slash-separated and relative to the plugin's folder, but for Market.
type Bundle struct {
	// Manifest and Hooks are files. Fields are members of the manifest besides the name, version and description.
	Manifest, Hooks string
	Fields          map[string]any
	// Agents and Commands are where subagents and slash commands lie, with %s for the name, "" where plugins have none.
	Agents, Commands string
	// Command is the text of a slash command, with %description and %run for the command line.
	Command string
	// Market is the file in a repository that makes it a marketplace, "" for a client without; Entry are the members of the
	// plugin's entry besides its name and description, with %folder for where the plugin lies.
	Market string
	Entry  map[string]any
}

// BundleDescription says what mbgate is, where a client or a registry lists packages.
const BundleDescription = "Keeps a coding agent on its task across context compactions: after one, risky writes wait until the documents that frame the task are read again."

// slashCommands are mbgate's commands for people that an agent may run.
func slashCommands() [][3]string {
	return [][3]string{
		{"status", "Show what mbgate requires in this session, and what is read", "mbgate status"},
		{"doctor", "Check that mbgate's hooks work here", "mbgate doctor"},
		{"log", "Show mbgate's latest decisions", "mbgate log"},
	}
}

// Bundled gives the files of the client's plugin by their paths below its folder, none where it has no plugins.
func (c Client) Bundled(version string) (map[string][]byte, error) {
	b := c.Bundle
	if b.Manifest == "" {
		return nil, nil
	}
	hooks, err := c.Install(nil, Options{Shared: true})
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{b.Hooks: hooks}
	files[b.Manifest], err = pretty(b.Fields, map[string]any{"name": sharedName, "version": version, "description": BundleDescription, "license": "MIT"})
	if err != nil {
		return nil, err
	}
	lay := func(in string, list []OwnFile) {
		for _, f := range list {
			files[strings.ReplaceAll(in, "%s", f.Name)] = sealed(f.text, f.comment)
		}
	}
	lay("skills/%s", c.Skill())
	if b.Agents != "" {
		lay(b.Agents, c.Subagents())
	}
	if b.Commands != "" {
		for _, row := range slashCommands() {
			text := strings.NewReplacer("%description", row[1], "%run", row[2]).Replace(b.Command)
			files[strings.ReplaceAll(b.Commands, "%s", row[0])] = []byte(text)
		}
	}
	return files, nil
}

// Marketplace gives the file that offers the plugin, which lies in folder below the marketplace's root.
func (c Client) Marketplace(folder string) ([]byte, error) {
	entry := map[string]any{"name": sharedName, "description": BundleDescription}
	data, err := json.Marshal(c.Bundle.Entry)
	if err == nil {
		err = json.Unmarshal([]byte(strings.ReplaceAll(string(data), "%folder", "./"+folder)), &entry)
	}
	if err != nil {
		return nil, err
	}
	return pretty(map[string]any{
		"name": sharedName, "description": BundleDescription, "owner": map[string]any{"name": "the mbgate authors"},
		"plugins": []any{entry},
	})
}

// pretty is one object of all members.
func pretty(objects ...map[string]any) ([]byte, error) {
	all := map[string]any{}
	for _, o := range objects {
		for k, v := range o {
			all[k] = v
		}
	}
	data, err := json.MarshalIndent(all, "", "  ")
	return append(data, '\n'), err
}
