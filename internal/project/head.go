package project

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"io"
	"strings"
)

// maxObject is how many bytes of a commit or a tree are read.
const maxObject = 4 << 20

// staged reports whether git's index has another content for files of the memory bank than the last commit: what
// `git reset --hard` throws away although nothing differs from the index. Only loose objects are read, which is what commits
// are until they are packed; of what is packed, or kept in a form that is not known, it says nothing.
func (d *Disk) staged(g Git, dir, rel string, index map[string]string) bool {
	commit, ok := d.head(g, dir)
	if !ok {
		return false
	}
	if commit == "" { // nothing was committed yet
		return len(index) > 0
	}
	text, ok := object(g, commit, "commit")
	if !ok {
		return false
	}
	line, _, _ := strings.Cut(string(text), "\n")
	tree, ok := strings.CutPrefix(line, "tree ")
	if !ok {
		return false
	}
	for name := range strings.SplitSeq(rel, "/") {
		entries, ok := d.tree(g, tree)
		if !ok {
			return false
		}
		if tree = entries[name+"/"]; tree == "" {
			return len(index) > 0 // the last commit has no memory bank
		}
	}
	h := headTree{d: d, g: g, index: index}
	h.compare(tree, rel+"/")
	return h.differs
}

// head is the last commit, "" if there is none yet; false if that cannot be told.
func (d *Disk) head(g Git, dir string) (string, bool) {
	text, err := readSmall(child(dir, "HEAD"), gitLimit)
	if err != nil {
		return "", false
	}
	name := strings.TrimSpace(string(text))
	ref, symbolic := strings.CutPrefix(name, "ref: ")
	if !symbolic {
		return name, isObjectName(name)
	}
	if exists(child(g.Common, "reftable")) || !strings.HasPrefix(ref, "refs/") || strings.Contains(ref, "..") {
		return "", false
	}
	if text, err := readSmall(child(g.Common, ref), gitLimit); err == nil {
		name := strings.TrimSpace(string(text))
		return name, isObjectName(name)
	} else if !isMissing(err) {
		return "", false
	}
	packed, err := readSmall(child(g.Common, "packed-refs"), maxIndex)
	if err != nil {
		return "", isMissing(err)
	}
	for line := range strings.Lines(string(packed)) {
		if name, of, ok := strings.Cut(strings.TrimSpace(line), " "); ok && of == ref {
			return name, isObjectName(name)
		}
	}
	return "", true
}

func isObjectName(s string) bool {
	return len(s) == 40 && strings.Trim(s, "0123456789abcdef") == ""
}

// object is the content of a loose object of a kind.
func object(g Git, name, kind string) ([]byte, bool) {
	if !isObjectName(name) {
		return nil, false
	}
	packed, err := readSmall(child(g.Common, "objects/"+name[:2]+"/"+name[2:]), maxObject)
	if err != nil {
		return nil, false
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, false
	}
	text, err := io.ReadAll(io.LimitReader(z, maxObject))
	if err != nil {
		return nil, false
	}
	head, body, ok := bytes.Cut(text, []byte{0})
	return body, ok && strings.HasPrefix(string(head), kind+" ")
}

// tree is the entries of a tree: the names of files, and of folders with a slash behind, with what they hold.
func (d *Disk) tree(g Git, name string) (map[string]string, bool) {
	body, ok := object(g, name, "tree")
	if !ok {
		return nil, false
	}
	const size = 20
	out := map[string]string{}
	for len(body) > 0 {
		head, rest, ok := bytes.Cut(body, []byte{0})
		mode, file, ok2 := strings.Cut(string(head), " ")
		if !ok || !ok2 || len(rest) < size {
			return nil, false
		}
		if mode == "40000" {
			file += "/"
		}
		out[file] = hex.EncodeToString(rest[:size])
		body = rest[size:]
	}
	return out, true
}

// headTree is a comparison of the last commit with the index.
type headTree struct {
	d       *Disk
	g       Git
	index   map[string]string
	differs bool
}

// compare looks at one folder and those below it.
func (h *headTree) compare(tree, prefix string) {
	entries, ok := h.d.tree(h.g, tree)
	if !ok || h.differs {
		return
	}
	for file, name := range entries {
		if strings.HasSuffix(file, "/") {
			h.compare(name, prefix+file)
		} else if h.index[prefix+file] != name {
			h.differs = true
			return
		}
	}
	for path := range h.index {
		rest, ok := strings.CutPrefix(path, prefix)
		if !ok {
			continue
		}
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			rest = rest[:i+1]
		}
		if entries[rest] == "" {
			h.differs = true
			return
		}
	}
}
