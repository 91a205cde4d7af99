package project

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"io"
	"maps"
	"strings"
)

// maxObject is how many bytes of a commit or a tree are read.
const maxObject = 4 << 20

// folder is where the checkout keeps its own HEAD and index.
func (g checkout) folder() string {
	if g.linked {
		return g.own
	}
	return g.common
}

// sha256 reports whether the repository names contents by SHA-256.
func (g checkout) sha256() bool {
	text, err := readSmall(child(g.common, "config"), maxBankFile)
	line := strings.ToLower(strings.ReplaceAll(string(text), " ", ""))
	return err == nil && strings.Contains(line, "objectformat=sha256")
}

// staged reports whether the index has other content below the folder rel than the last commit, which `git reset --hard`
// throws away although no file differs from the index. Only loose objects are read, which is what commits are until they
// are packed. What is packed, or kept in a form that is not known, counts as the same.
func (g checkout) staged(rel string, index map[string]string) bool {
	commit, ok := g.head()
	if !ok {
		return false
	}
	committed := map[string]string{}
	if commit != "" { // something was committed
		text, ok := g.object(commit, "commit")
		line, _, _ := strings.Cut(string(text), "\n")
		tree, named := strings.CutPrefix(line, "tree ")
		if !ok || !named {
			return false
		}
		for name := range strings.SplitSeq(rel, "/") {
			entries, ok := g.tree(tree)
			if !ok {
				return false
			}
			tree = entries[name+"/"]
			if tree == "" {
				break // the last commit has no memory bank
			}
		}
		if tree != "" {
			g.list(tree, rel+"/", index, committed)
		}
	}
	return !maps.Equal(index, committed)
}

// list adds the files of a tree to committed. Of a tree that cannot be read it adds what the index has.
func (g checkout) list(tree, prefix string, index, committed map[string]string) {
	entries, ok := g.tree(tree)
	if !ok {
		for path, name := range index {
			if strings.HasPrefix(path, prefix) {
				committed[path] = name
			}
		}
	}
	for file, name := range entries {
		if strings.HasSuffix(file, "/") {
			g.list(name, prefix+file, index, committed)
		} else {
			committed[prefix+file] = name
		}
	}
}

// head is the last commit, "" if there is none yet; false if that cannot be told.
func (g checkout) head() (string, bool) {
	text, err := readSmall(child(g.folder(), "HEAD"), gitLimit)
	if err != nil {
		return "", false
	}
	name := strings.TrimSpace(string(text))
	ref, symbolic := strings.CutPrefix(name, "ref: ")
	if !symbolic {
		return name, isObjectName(name)
	}
	if exists(child(g.common, "reftable")) || !strings.HasPrefix(ref, "refs/") || strings.Contains(ref, "..") {
		return "", false
	}
	if text, err := readSmall(child(g.common, ref), gitLimit); err == nil {
		name := strings.TrimSpace(string(text))
		return name, isObjectName(name)
	} else if !isMissing(err) {
		return "", false
	}
	packed, err := readSmall(child(g.common, "packed-refs"), maxIndex)
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
func (g checkout) object(name, kind string) ([]byte, bool) {
	if !isObjectName(name) {
		return nil, false
	}
	packed, err := readSmall(child(g.common, "objects/"+name[:2]+"/"+name[2:]), maxObject)
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

// tree is the entries of a tree: the names of files, and of folders with a slash behind, with the names of their contents.
func (g checkout) tree(name string) (map[string]string, bool) {
	body, ok := g.object(name, "tree")
	if !ok {
		return nil, false
	}
	const sum = 20
	out := map[string]string{}
	for len(body) > 0 {
		head, rest, ok := bytes.Cut(body, []byte{0})
		mode, file, ok2 := strings.Cut(string(head), " ")
		if !ok || !ok2 || len(rest) < sum {
			return nil, false
		}
		if mode == "40000" {
			file += "/"
		}
		out[file] = hex.EncodeToString(rest[:sum])
		body = rest[sum:]
	}
	return out, true
}
