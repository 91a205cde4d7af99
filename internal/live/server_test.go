//go:build live

package live

import (
	"path/filepath"
	"testing"

	"github.com/mbgate/mbgate/internal/live/model"
)

// TestServers judges the tools of an MCP server, of which mbgate knows nothing but their arguments and results: one that
// writes is refused after a compaction, one that reads opens the gate by what it shows.
func TestServers(t *testing.T) {
	each(t, func(t *testing.T, d driver) {
		if cannot(t, d.traits().noServers) {
			return
		}
		w := newWorld(t)
		d.configure(w)
		script := filepath.Join(w.home, "notes.cjs")
		w.writeFile(script, notes)
		d.addServer(w, "notes", filepath.Join(nodeDir(), "bin/node"), script)
		w.run(w.mbgate, "install", d.name())
		d.trust(w)
		s := d.open(w, opening{})
		defer s.close()
		call := func(tool string, args map[string]any) model.Step {
			return model.Do(d.ofServer("notes", tool, args))
		}
		write := func(content string) model.Step {
			return call("write_note", map[string]any{"path": w.path("made.txt"), "content": content})
		}
		got := results(t, s.turn("work", model.Do(d.readAll(w, requirement)), write("1")), 2)
		contains(t, "the server's answer", got[1], "written")
		s.compact()
		got = results(t, s.turn(
			"go on",
			write("2"),
			call("ping", map[string]any{}),
			call("read_note", map[string]any{"path": w.path(requirement)}),
			write("3"),
		), 4)
		refused(t, "a server's tool that writes", got[0])
		passed(t, "a server's tool that does nothing", got[1], "pong")
		passed(t, "a server's tool that reads", got[2], "REQ-1 line 60:")
		passed(t, "a server's tool that writes, after the read", got[3], "written")
		if w.read("made.txt") != "3" {
			t.Errorf("made.txt holds %q", w.read("made.txt"))
		}
	})
}

// notes is an MCP server with a tool that writes a file, one that reads one, and one that does nothing.
const notes = `
const fs = require('fs')
const names = ['write_note', 'read_note', 'ping']
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const m = JSON.parse(line)
  if (m.id === undefined) return
  let r = {}
  if (m.method === 'initialize') {
    r = { protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } }
  }
  if (m.method === 'tools/list') {
    const inputSchema = { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } }
    r = { tools: names.map(name => ({ name, description: name, inputSchema })) }
  }
  if (m.method === 'tools/call') {
    const a = m.params.arguments || {}
    let text = 'pong'
    if (m.params.name === 'write_note') { fs.writeFileSync(a.path, a.content); text = 'written' }
    if (m.params.name === 'read_note') text = fs.readFileSync(a.path, 'utf8')
    r = { content: [{ type: 'text', text }] }
  }
  console.log(JSON.stringify({ jsonrpc: '2.0', id: m.id, result: r }))
})
`
