package settings

import (
	_ "embed"
	"strings"
)

// The subagents are two texts, one for all clients; what differs is the head, which names the tools they may use.

//go:embed agents/memory-reader.md
var readerText string

//go:embed agents/memory-bank-writer.md
var writerText string

// Subagent is one definition that install lays down.
type Subagent struct {
	// Name is memory-reader or memory-bank-writer.
	Name string
	text string
	// comment is how the file's format begins a comment.
	comment string
}

// agentFormat is how a client's definition of a subagent looks.
type agentFormat struct {
	// head is what stands before the text, with %name and %description; the two tool lists go into it as %tools.
	head, tail     string
	reader, writer string
	comment        string
}

// The heads, with the source of the format and of the tools' names. A client that is asked for a tool it does not have
// leaves it out.
var (
	// Claude Code 2.1.328 has Glob and Grep only in some modes; it then reads through Read alone.
	claudeAgent = agentFormat{
		head:   "---\nname: %name\ndescription: %description\ntools: %tools\n---\n\n",
		reader: "Read, Grep, Glob", writer: "Read, Grep, Glob, Edit, Write", comment: "<!--",
	}
	// OpenCode 1.18.33: permission replaced tools, the last rule that matches wins (observed: its list of agents). A plain
	// `read: allow` would come after the client's own rule for .env files, and undo it.
	openCodeAgent = agentFormat{
		head:   "---\ndescription: %description\nmode: subagent\npermission:\n%tools---\n\n",
		reader: "  \"*\": deny\n" + openCodeRead + "  glob: allow\n  grep: allow\n  list: allow\n",
		writer: "  \"*\": deny\n" + openCodeRead + "  glob: allow\n  grep: allow\n  list: allow\n  edit: allow\n", comment: "<!--",
	}
	// Qwen Code 0.24.4; the tools' names were observed, the format is documented.
	qwenAgent = agentFormat{
		head:   "---\nname: %name\ndescription: %description\ntools:\n%tools---\n\n",
		reader: "  - read_file\n  - glob\n  - grep_search\n",
		writer: "  - read_file\n  - glob\n  - grep_search\n  - edit\n  - write_file\n", comment: "<!--",
	}
	// Gemini CLI 0.61.0; the tools' names were observed, the format is documented.
	geminiAgent = agentFormat{
		head:   "---\nname: %name\ndescription: %description\nkind: local\ntools:\n%tools---\n\n",
		reader: "  - read_file\n  - glob\n  - grep_search\n  - list_directory\n",
		writer: "  - read_file\n  - glob\n  - grep_search\n  - list_directory\n  - replace\n  - write_file\n", comment: "<!--",
	}
	// Copilot CLI 1.0.102; documented: aliases of tools, names that are not known are left out.
	copilotAgent = agentFormat{
		head:   "---\nname: %name\ndescription: %description\ntools: [%tools]\n---\n\n",
		reader: `"read", "search"`, writer: `"read", "search", "edit"`, comment: "<!--",
	}
	// Codex CLI 0.169.0; documented. It has no read tool and no list of tools: the sandbox is what keeps the reader from
	// writing. It reads through its shell, so the writer cannot be kept from that either.
	codexAgent = agentFormat{
		head: "name = \"%name\"\ndescription = \"%description\"\n%toolsdeveloper_instructions = '''\n", tail: "'''\n",
		reader: "sandbox_mode = \"read-only\"\n", writer: "sandbox_mode = \"workspace-write\"\n", comment: "#",
	}
)

const openCodeRead = "  read:\n    \"*\": allow\n    \"*.env\": deny\n    \"*.env.*\": deny\n"

// The descriptions are what the main agent decides by. They hold no quotes and no colon, so that no head has to quote.
const (
	readerDescription = "Reads the project's memory bank and answers with evidence. Use it when more than 3 files or 300 lines of memory are needed, when memory and code may disagree, and to find the frame of the task again after a compaction. Read-only."
	writerDescription = "Writes what the user has confirmed into the memory bank. Use it only after you proposed the change and the user agreed in an earlier prompt. Give it the confirmed proposal word for word. Run it in the foreground."
)

// Subagents are the definitions for a client.
func (c Client) Subagents() []Subagent {
	f := c.agentFormat
	return []Subagent{
		{"memory-reader", f.text("memory-reader", readerDescription, f.reader, readerText), f.comment},
		{"memory-bank-writer", f.text("memory-bank-writer", writerDescription, f.writer, writerText), f.comment},
	}
}

func (f agentFormat) text(name, description, tools, body string) string {
	head := strings.NewReplacer("%name", name, "%description", description, "%tools", tools).Replace(f.head)
	return head + body + f.tail
}

// Install gives the file of the definition; nil data is a file that does not exist. A file of somebody else's, or one
// that was changed, gives ErrForeign or ErrChanged and is to be left alone.
func (s Subagent) Install(data []byte) ([]byte, error) { return installOwn(data, s.text, s.comment) }

// Remove gives nil for a file that is ours and was not changed, else the file and, if it was ours, ErrChanged.
func (s Subagent) Remove(data []byte) ([]byte, error) { return removeOwn(data, s.comment) }
