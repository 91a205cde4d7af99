package project

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's own name for a file's content, not a protection
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// Bounds of the look at git's index: bytes of the index, files of the memory bank, bytes of one of them.
const (
	maxIndex    = 64 << 20
	maxBank     = 4096
	maxBankFile = 8 << 20
)

// BankDirty reports whether a file of the memory bank differs from what git's index has of it, is not in the index, or
// is there with another content than in the last commit: what `git stash`, `git reset --hard` or `git clean` would throw away. It reads the index itself, since a hook runs no
// git. Files that git is told to ignore are none of its business. Outside of a repository, and where that cannot be told
// (a split index, SHA-256), it is false: whoever is told to commit first must be able to.
func (d *Disk) BankDirty() bool {
	g := d.root.Git()
	bank := d.Anchor(bankName)
	rel := d.rel(g.Top, bank.Phys)
	if g.Top == "" || bank.Kind != place.Folder || rel == "" || rel == "." {
		return false
	}
	dir := g.Common
	if g.Linked {
		dir = g.dir
	}
	text, err := readSmall(child(dir, "index"), maxIndex)
	if err != nil {
		return false
	}
	index, skipped, ok := parseIndex(text, rel+"/")
	if !ok || sha256Names(g) {
		return false
	}
	if d.staged(g, dir, rel, index) {
		return true
	}
	for name := range skipped {
		delete(index, name) // not there: nothing that could be thrown away
	}
	in := d.newIgnores(g)
	dirty, seen := false, 0
	_ = filepath.WalkDir(local(bank.Phys), func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		if seen++; seen > maxBank {
			return fs.SkipAll
		}
		name, err := filepath.Rel(local(bank.Phys), p)
		if err != nil {
			return nil
		}
		name = rel + "/" + filepath.ToSlash(name)
		want, tracked := index[name]
		delete(index, name)
		if tracked && !sameBlob(want, p, e) || !tracked && !in.ignored(name) {
			dirty = true
			return fs.SkipAll
		}
		return nil
	})
	return dirty || seen <= maxBank && len(index) > 0
}

// sha256Names reports whether a repository names contents by SHA-256.
func sha256Names(g Git) bool {
	text, err := readSmall(child(g.Common, "config"), maxBankFile)
	if err != nil {
		return false
	}
	line := strings.ToLower(strings.ReplaceAll(string(text), " ", ""))
	return strings.Contains(line, "objectformat=sha256")
}

// sameBlob reports whether a file still has the content of that name, as it is or with the line ends that git stores
// (core.autocrlf).
func sameBlob(want, path string, e fs.DirEntry) bool {
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		to, err := os.Readlink(path)
		return err == nil && blob([]byte(to)) == want
	case e.Type().IsRegular():
		text, err := readSmall(filepath.ToSlash(path), maxBankFile)
		return err == nil && (blob(text) == want || blob(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))) == want)
	}
	return false
}

// blob is git's name for a content.
func blob(text []byte) string {
	h := sha1.New() //nolint:gosec // see above
	h.Write([]byte("blob " + strconv.Itoa(len(text)) + "\x00"))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// parseIndex lists the files below prefix that git's index has, with the names of their contents, and those of them that
// a sparse checkout leaves out of the working tree. It knows the versions
// 2, 3 and 4 of the format, with SHA-1 (gitformat-index(5)).
func parseIndex(b []byte, prefix string) (index map[string]string, skipped map[string]bool, ok bool) {
	const header, fixed = 12, 62
	if len(b) < header || string(b[:4]) != "DIRC" {
		return nil, nil, false
	}
	version, count := binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	if version < 2 || version > 4 {
		return nil, nil, false
	}
	out := map[string]string{}
	at, last := header, ""
	skipped = map[string]bool{}
	for range count {
		if at+fixed+2 > len(b) {
			return nil, nil, false
		}
		sum := b[at+40 : at+60]
		flags := binary.BigEndian.Uint16(b[at+60:])
		n, sparse := at+fixed, false
		if flags&0x4000 != 0 {
			sparse = b[n]&0x40 != 0
			n += 2
		}
		keep := 0
		if version == 4 {
			drop, size := offset(b[n:])
			if size == 0 || drop > len(last) {
				return nil, nil, false
			}
			keep, n = len(last)-drop, n+size
		}
		end := bytes.IndexByte(b[n:], 0)
		if end < 0 {
			return nil, nil, false
		}
		last = last[:keep] + string(b[n:n+end])
		if version == 4 {
			at = n + end + 1
		} else {
			// Entries are filled up with at least one zero byte to a multiple of eight.
			at += (n + end - at + 8) &^ 7
		}
		if strings.HasPrefix(last, prefix) {
			if sparse {
				skipped[last] = true
			}
			out[last] = hex.EncodeToString(sum)
		}
	}
	// What is in another file (a split index) is not known.
	for at+8 <= len(b)-20 && at > 0 {
		if string(b[at:at+4]) == "link" {
			return nil, nil, false
		}
		at += 8 + int(binary.BigEndian.Uint32(b[at+4:]))
	}
	return out, skipped, true
}

// offset reads the variable-width number of version 4; size 0 means that there is none.
func offset(b []byte) (value, size int) {
	for i, c := range b {
		if i > 4 {
			return 0, 0
		}
		if i > 0 {
			value++
		}
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, i + 1
		}
	}
	return 0, 0
}
