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

// Definition is how a client's definition of a subagent looks.
type Definition struct {
	// Head is what stands before the text, with %name and %description; Reader or Writer, which say what the subagent may
	// use, goes into it as %tools. Tail is what stands behind the text.
	Head, Tail     string
	Reader, Writer string
	// Comment is how the file's format begins a comment, "" for "<!--".
	Comment string
}

// The descriptions are what the main agent decides by. They hold no quotes and no colon, so that no head has to quote.
const (
	readerDescription = "Reads the project's memory bank and answers with evidence. Use it when more than 3 files or 300 lines of memory are needed, when memory and code may disagree, and to find the frame of the task again after a compaction. Read-only."
	writerDescription = "Writes what the user has confirmed into the memory bank. Use it only after you proposed the change and the user agreed in an earlier prompt. Give it the confirmed proposal word for word. Run it in the foreground."
)

// Subagents are the definitions for a client, none for one that has no subagents.
func (c Client) Subagents() []Subagent {
	d := c.Definition
	if d.Head == "" {
		return nil
	}
	comment := d.Comment
	if comment == "" {
		comment = "<!--"
	}
	return []Subagent{
		{"memory-reader", d.text("memory-reader", readerDescription, d.Reader, readerText), comment},
		{"memory-bank-writer", d.text("memory-bank-writer", writerDescription, d.Writer, writerText), comment},
	}
}

func (d Definition) text(name, description, tools, body string) string {
	head := strings.NewReplacer("%name", name, "%description", description, "%tools", tools).Replace(d.Head)
	return head + body + d.Tail
}

// Install gives the file of the definition; nil data is a file that does not exist. A file of somebody else's, or one
// that was changed, gives ErrForeign or ErrChanged and is to be left alone.
func (s Subagent) Install(data []byte) ([]byte, error) { return installOwn(data, s.text, s.comment) }

// Remove gives nil for a file that is ours and was not changed, else the file and, if it was ours, ErrChanged.
func (s Subagent) Remove(data []byte) ([]byte, error) { return removeOwn(data, s.comment) }
