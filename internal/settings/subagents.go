package settings

import (
	_ "embed"
	"strings"
)

// The subagents are two texts, one for all clients; what differs is the head, which names the tools they may use. The skill's
// references are the same texts, for a client whose model has to do a subagent's work itself.

//go:embed skill/reader.md
var readerText string

//go:embed skill/writer.md
var writerText string

//go:embed skill/SKILL.md
var skillText string

// OwnFile is a file that is all ours and that install lays down: the definition of a subagent, or a file of the skill.
type OwnFile struct {
	// Name stands for %s in the place: memory-reader, memory-bank-writer, memory-bank/SKILL.md.
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
	// Background is set where the client runs every subagent in the background, so that nobody can be told otherwise.
	Background bool
}

// The descriptions are what the main agent decides by. They hold no quotes and no colon, so that no head has to quote.
const (
	readerDescription = "Reads the project's memory bank and answers with evidence. Use it when more than 3 files or 300 lines of memory are needed, when memory and code may disagree, and to find the frame of the task again after a compaction. Read-only." + runInForeground
	writerDescription = "Writes what the user has confirmed into the memory bank. Use it only after you proposed the change and the user agreed in an earlier prompt. Give it the confirmed proposal word for word." + runInForeground
)

// The sentences about the foreground: one for who calls the subagent, one for the subagent.
const (
	runInForeground  = " Run it in the foreground."
	inTheForeground  = "You work in the foreground: whoever called you waits for your answer.\n"
	markdownComment  = "<!--"
	skillName        = "memory-bank"
	skillProtocol    = "\n  protocol_version: "
	readerSubagent   = "memory-reader"
	writerSubagent   = "memory-bank-writer"
	skillReaderIntro = "# How to read, without the memory-reader\n\nThe rest is what the memory-reader is told. Do its work yourself.\n\n"
	skillWriterIntro = "# How to write, without the memory-bank-writer\n\nThe rest is what the memory-bank-writer is told. Do its work yourself.\n\n"
)

// Subagents are the definitions for a client, none for one that has no subagents.
func (c Client) Subagents() []OwnFile {
	d := c.Definition
	if d.Head == "" {
		return nil
	}
	comment := d.Comment
	if comment == "" {
		comment = markdownComment
	}
	return []OwnFile{
		{readerSubagent, d.text(readerSubagent, readerDescription, d.Reader, readerText), comment},
		{writerSubagent, d.text(writerSubagent, writerDescription, d.Writer, writerText), comment},
	}
}

func (d Definition) text(name, description, tools, body string) string {
	head := strings.NewReplacer("%name", name, "%description", description, "%tools", tools).Replace(d.Head)
	text := head + body + d.Tail
	if d.Background {
		text = strings.NewReplacer(runInForeground, "", inTheForeground, "").Replace(text)
	}
	return text
}

// Skill are the files of the skill, in a folder of the skill's name, none for a client that has no skills.
func (c Client) Skill() []OwnFile {
	if c.UserSkills.Path == "" {
		return nil
	}
	return []OwnFile{
		{skillName + "/SKILL.md", skillText, markdownComment},
		{skillName + "/references/reader.md", skillReaderIntro + strings.Replace(readerText, inTheForeground, "", 1), markdownComment},
		{skillName + "/references/writer.md", skillWriterIntro + strings.Replace(writerText, inTheForeground, "", 1), markdownComment},
	}
}

// SkillProtocol is the version of the protocol that the skill speaks of.
func SkillProtocol() string {
	_, rest, _ := strings.Cut(skillText, skillProtocol)
	version, _, _ := strings.Cut(rest, "\n")
	return version
}

// Install gives the file; nil data is a file that does not exist. A file of somebody else's, or one that was changed, gives
// ErrForeign or ErrChanged and is to be left alone.
func (f OwnFile) Install(data []byte) ([]byte, error) { return installOwn(data, f.text, f.comment) }

// Remove gives nil for a file that is ours and was not changed, else the file and, if it was ours, ErrChanged.
func (f OwnFile) Remove(data []byte) ([]byte, error) { return removeOwn(data, f.comment) }
