package render

import (
	"path/filepath"
	"strings"

	"github.com/mbgate/mbgate/internal/config"
	"github.com/mbgate/mbgate/internal/project"
)

// Documents is one line on which documents a compaction in the project could require (SPEC §16).
func Documents(d project.Documents) string {
	files := plural(d.Files, "file")
	if d.More {
		files = "at least " + files
	}
	if d.Newest != "" {
		files += ", newest " + Safe(d.Newest)
	}
	return files + "; fallback: " + plural(len(d.Fallback), "file")
}

const nowhere = "`anchors` match no file and no `fallback` is there"

// Loosened says which key the project's file makes looser (SPEC §16).
func Loosened(l config.Loose) string {
	l.Origin.Name = filepath.Base(l.Origin.Name)
	return Clean(l.Origin.String()) + ": " + l.Key.Name + " = " + oneLineOf(l.Here) + " is looser than your own configuration (" + oneLineOf(l.Yours) + ")"
}

// oneLineOf is a TOML value on one line, cut where it is long.
func oneLineOf(text string) string {
	return Clean(firstRunes(strings.Join(strings.Fields(text), " "), 80))
}

// MissingDocuments is what is wrong with that, "" for nothing.
func MissingDocuments(d project.Documents) string {
	switch {
	case d.None():
		return nowhere + ": a compaction requires nothing here, and no write is refused"
	case d.Files == 0 && !d.More:
		return "`anchors` match no file: a compaction requires only the fallback, " + safeList(d.Fallback)
	case len(d.Fallback) == 0:
		return "no `fallback` is there: a compaction requires nothing in a session that read no document"
	}
	return ""
}

// required is what a compaction would require here of a session that is not known.
func required(d project.Documents) string {
	fallback := safeList(d.Fallback)
	switch {
	case d.None():
		return "nothing: " + nowhere
	case d.Files == 0 && !d.More:
		return fallback
	case fallback == "":
		return "the documents that the session read; if it read none, nothing"
	}
	return "the documents that the session read; if it read none, " + fallback
}
