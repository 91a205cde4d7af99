package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Files that are all ours (the plugin, the subagents) carry a line with a sum over the rest of their text, so that a file
// of an older version is told from one that a person changed: the one is brought up to date and removed, the other is
// theirs.

// ownership tells who wrote a file.
type ownership int

const (
	foreignText ownership = iota // without our line
	changedText                  // ours, changed by somebody
	oursText                     // ours, of this version or another
)

// OwnError says why a file in the place of ours is left alone.
type OwnError string

// Error is one line.
func (e OwnError) Error() string { return string(e) }

const (
	// ErrForeign is a file that mbgate did not write.
	ErrForeign OwnError = "it is not a file of mbgate's; move it away, then run this again"
	// ErrChanged is a file of ours that somebody changed.
	ErrChanged OwnError = "it was changed since mbgate wrote it; move it away, then run this again"
)

const sumWords = "written by mbgate, sum "

// LastName is the comment of a JSON file, which has none: the name of the last object in a list that ends the file.
const LastName = `"name":"hooks`

// sealed adds our line to a text. The line is a comment: prefix, words, sum, suffix.
func sealed(text, comment string) []byte {
	prefix, suffix := comment+" ", "\n"
	switch comment {
	case "<!--":
		suffix = " -->\n"
	case LastName:
		suffix = " \"}]}\n"
	}
	return []byte(text + prefix + sumWords + sum(text) + suffix)
}

// sum is over the text with plain line ends: a checkout may have changed those.
func sum(text string) string {
	h := sha256.Sum256([]byte(strings.ReplaceAll(text, "\r\n", "\n")))
	return hex.EncodeToString(h[:8])
}

// ownerOf says whose a file is.
func ownerOf(data []byte, comment string) ownership {
	body := bytes.TrimRight(data, "\r\n")
	i := bytes.LastIndexByte(body, '\n') + 1
	line, ok := bytes.CutPrefix(body[i:], []byte(comment+" "+sumWords))
	if !ok {
		// Somebody wrote below our line.
		if bytes.Contains(data, []byte("\n"+comment+" "+sumWords)) {
			return changedText
		}
		return foreignText
	}
	got, _, _ := bytes.Cut(line, []byte(" "))
	if string(got) != sum(string(data[:i])) {
		return changedText
	}
	return oursText
}

// installOwn writes a file of ours.
func installOwn(data []byte, text, comment string) ([]byte, error) {
	next := sealed(text, comment)
	if data == nil || len(bytes.TrimSpace(data)) == 0 {
		return next, nil
	}
	switch ownerOf(data, comment) {
	case foreignText:
		return nil, ErrForeign
	case changedText:
		return nil, ErrChanged
	}
	if bytes.Equal(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), next) {
		return data, nil
	}
	return next, nil
}

// removeOwn takes a file of ours away: nil. One that is not ours stays as it is.
func removeOwn(data []byte, comment string) ([]byte, error) {
	switch ownerOf(data, comment) {
	case foreignText:
		return data, nil
	case changedText:
		return data, ErrChanged
	}
	return nil, nil
}
