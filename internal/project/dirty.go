package project

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's own name for a file's content, not a protection
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/place"
)

// BankDirty answers one question, whether the memory bank has changes that no commit holds, and reads git's own files for
// it: a hook runs no child process. Nothing smaller answers it rightly. Times and sizes call a file changed that was only
// touched; the index alone does not know the last commit (staged changes are lost in `git reset --hard`), and the tree
// names that it caches are those of any `git write-tree`. A wrong yes would refuse a command for ever, since neither
// `git add` nor `git commit` would lift it; so whatever cannot be told is no.

// Bounds of the look at git's files: bytes of the index, files of the memory bank, bytes of one of them.
const (
	maxIndex    = 64 << 20
	maxBank     = 4096
	maxBankFile = 8 << 20
)

// BankDirty reports whether `git stash`, `git reset --hard` or `git clean` would throw away work in the memory bank: a file
// differs from git's index, is not in it, or is there with other content than in the last commit. Files that git ignores
// do not count. It is false outside of a repository and where git's files are of a kind that is not read (a split index,
// SHA-256).
func (d *Disk) BankDirty() bool {
	g := d.repository().checkout
	bank := d.Anchor(bankName)
	rel := d.rel(g.top, bank.Phys)
	if g.top == "" || bank.Kind != place.Folder || rel == "" || rel == "." {
		return false
	}
	text, err := readSmall(child(g.folder(), "index"), maxIndex)
	if errors.Is(err, fs.ErrNotExist) { // nothing was ever added
		return d.changed(local(bank.Phys), rel, nil)
	}
	if err != nil {
		return false
	}
	index, skipped, ok := parseIndex(text, rel+"/")
	if !ok || g.sha256() {
		return false
	}
	if g.staged(rel, index) {
		return true
	}
	for name := range skipped {
		delete(index, name) // not there: nothing that could be thrown away
	}
	return d.changed(local(bank.Phys), rel, index)
}

// changed compares the files below the folder bank with the index, which calls the folder rel.
func (d *Disk) changed(bank, rel string, index map[string]string) bool {
	ignores := d.newIgnores(d.repository().checkout)
	dirty, seen := false, 0
	_ = filepath.WalkDir(bank, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		if seen++; seen > maxBank {
			return fs.SkipAll
		}
		name, err := filepath.Rel(bank, p)
		if err != nil {
			return nil
		}
		name = rel + "/" + filepath.ToSlash(name)
		want, tracked := index[name]
		delete(index, name)
		if tracked && !sameBlob(want, p, e) || !tracked && !ignores.ignored(name) {
			dirty = true
			return fs.SkipAll
		}
		return nil
	})
	return dirty || seen <= maxBank && len(index) > 0 // what is left was deleted
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

// parseIndex lists the files below prefix that git's index has, with the names of their contents, and those that a sparse
// checkout leaves out of the working tree. It knows the versions 2, 3 and 4 of the format, with SHA-1
// (gitformat-index(5)).
func parseIndex(b []byte, prefix string) (index map[string]string, skipped map[string]bool, ok bool) {
	const header, fixed, sum = 12, 62, 20
	if len(b) < header || string(b[:4]) != "DIRC" {
		return nil, nil, false
	}
	version, count := binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	if version < 2 || version > 4 {
		return nil, nil, false
	}
	index, skipped = map[string]string{}, map[string]bool{}
	at, last := header, ""
	for range count {
		if at+fixed+2 > len(b) {
			return nil, nil, false
		}
		content := b[at+40 : at+40+sum]
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
			index[last] = hex.EncodeToString(content)
			if sparse {
				skipped[last] = true
			}
		}
	}
	// The extensions. One of them says that the entries are in another file (a split index).
	for at > 0 && at+8 <= len(b)-sum {
		if string(b[at:at+4]) == "link" {
			return nil, nil, false
		}
		at += 8 + int(binary.BigEndian.Uint32(b[at+4:]))
	}
	return index, skipped, true
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
