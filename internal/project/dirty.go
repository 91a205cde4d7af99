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

// BankDirty reports whether a file of the memory bank differs from what git's index has of it, or is not in the index:
// what `git stash`, `git reset --hard` or `git clean` would throw away. It reads the index itself, since a hook runs no
// git. Outside of a repository, and where that cannot be told, it is false.
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
	index, ok := parseIndex(text, rel+"/")
	if !ok {
		return false
	}
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
		if !tracked || want != blob(p, e) {
			dirty = true
			return fs.SkipAll
		}
		return nil
	})
	return dirty || seen <= maxBank && len(index) > 0
}

// blob is git's name for the content of a file, "" if it cannot be told.
func blob(path string, e fs.DirEntry) string {
	var text []byte
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		to, err := os.Readlink(path)
		if err != nil {
			return ""
		}
		text = []byte(to)
	case e.Type().IsRegular():
		var err error
		if text, err = readSmall(filepath.ToSlash(path), maxBankFile); err != nil {
			return ""
		}
	}
	h := sha1.New() //nolint:gosec // see above
	h.Write([]byte("blob " + strconv.Itoa(len(text)) + "\x00"))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// parseIndex lists the files below prefix that git's index has, with the names of their contents. It knows the versions
// 2, 3 and 4 of the format, with SHA-1 (gitformat-index(5)).
func parseIndex(b []byte, prefix string) (map[string]string, bool) {
	const header, fixed = 12, 62
	if len(b) < header || string(b[:4]) != "DIRC" {
		return nil, false
	}
	version, count := binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	if version < 2 || version > 4 {
		return nil, false
	}
	out := map[string]string{}
	at, last := header, ""
	for range count {
		if at+fixed+2 > len(b) {
			return nil, false
		}
		sum := b[at+40 : at+60]
		flags := binary.BigEndian.Uint16(b[at+60:])
		n := at + fixed
		if flags&0x4000 != 0 {
			n += 2
		}
		keep := 0
		if version == 4 {
			drop, size := offset(b[n:])
			if size == 0 || drop > len(last) {
				return nil, false
			}
			keep, n = len(last)-drop, n+size
		}
		end := bytes.IndexByte(b[n:], 0)
		if end < 0 {
			return nil, false
		}
		last = last[:keep] + string(b[n:n+end])
		if version == 4 {
			at = n + end + 1
		} else {
			// Entries are filled up with at least one zero byte to a multiple of eight.
			at += (n + end - at + 8) &^ 7
		}
		if strings.HasPrefix(last, prefix) {
			out[last] = hex.EncodeToString(sum)
		}
	}
	return out, true
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
