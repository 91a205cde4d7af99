package settings

import (
	"encoding/json"
	"strings"

	"github.com/tailscale/hujson"
)

const (
	binaryLine = "\nconst BINARY = \"mbgate\"\n"
	closedLine = "\nconst CLOSED = false\n"
)

// pluginText is the plugin for one binary.
func (c Client) pluginText(o Options) string {
	if o.Shared {
		o.Binary = sharedName
	}
	text := strings.Replace(c.Plugin(), binaryLine, "\nconst BINARY = "+string(hujson.String(o.Binary))+"\n", 1)
	if !o.Shared {
		line := string(hujson.String(quote(o.Binary, o.Windows) + " hook "))
		text = strings.ReplaceAll(text, `"mbgate hook `, strings.TrimSuffix(line, `"`))
	}
	if o.FailClosed {
		text = strings.Replace(text, closedLine, "\nconst CLOSED = true\n", 1)
	}
	return text
}

// pluginBinary is the binary that an installed plugin calls, "" if that cannot be told.
func pluginBinary(data []byte) string {
	for line := range strings.Lines(string(data)) {
		if text, ok := strings.CutPrefix(line, "const BINARY = "); ok {
			var path string
			_ = json.Unmarshal([]byte(strings.TrimSpace(text)), &path)
			return path
		}
		if _, text, ok := strings.Cut(line, `"command":`); ok {
			var command string
			_ = json.NewDecoder(strings.NewReader(text)).Decode(&command)
			if list := commands(command, Options{Windows: strings.HasPrefix(command, `"`)}); len(list) > 0 && len(list[0]) > 0 {
				return list[0][0]
			}
		}
	}
	return ""
}
