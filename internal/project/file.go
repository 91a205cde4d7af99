package project

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/rawfile"
)

// Stamp is one version of a file, from one stat. The zero Stamp says nothing about it.
type Stamp struct {
	Kind place.Kind
	Size int64 // bytes
	// Mod is the time of the last change, in nanoseconds since 1970; on Unix of the content or the inode (ctime), which no
	// program can set back.
	Mod int64
	// Inode and Device identify the file; 0 on Windows.
	Inode, Device uint64
	// Readable is set when the file is regular and this process may read it; on Windows for every regular file.
	Readable bool
}

// notRegularError says that a path leads to a folder, FIFO, socket, device or symlink and was not opened.
type notRegularError struct{ Path string }

// Error implements error.
func (e *notRegularError) Error() string {
	return "not a regular file: " + e.Path + "; put the document itself there"
}

// File is a regular file that is open for reading, from the start or at any offset.
type File struct {
	rawfile.File
	size int64
}

// Size is the length in bytes when the file was opened.
func (f *File) Size() int64 { return f.size }

// openRegular opens a regular file for reading. It neither follows a link nor waits for the other end of a FIFO.
func openRegular(path string) (*File, error) {
	f, err := rawfile.Open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode != 0 {
		err = &notRegularError{Path: path}
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &File{File: f, size: info.Size}, nil
}

// Stat looks at the file once, now: nothing that was remembered answers for it.
func (d *Disk) Stat(p place.Place) Stamp {
	if p.Phys == "" {
		return Stamp{}
	}
	info, err := os.Lstat(local(p.Phys))
	switch {
	case isMissing(err):
		return Stamp{Kind: place.Missing}
	case err != nil || isLink(p.Phys, info.Mode()):
		// A link that was none when the path was located, or one that leads nowhere.
		return Stamp{}
	}
	s := Stamp{Kind: kindOf(info.Mode()), Size: info.Size(), Mod: changed(info)}
	s.Inode, s.Device = version(info)
	s.Readable = s.Kind == place.File && readable(p.Phys)
	return s
}

// Open opens a regular file for reading; the result is an io.ReadCloser and an io.ReaderAt. It never blocks: a FIFO or a
// device that took the file's place is a *notRegularError.
func (d *Disk) Open(p place.Place) (*File, error) { return openRegular(local(p.Phys)) }

// Names implements place.Files: at most 10,000 entries, sorted, links followed.
func (d *Disk) Names(abs string) ([]string, bool) {
	s := d.walk.follow(native().Absolute(d.root.Dir, abs), nil)
	if s.kind != place.Folder || len(s.ahead) > 0 {
		return nil, false
	}
	return d.walk.list(s.at)
}

// Text implements place.Files.
func (d *Disk) Text(abs string, limit int) ([]byte, bool) {
	s := d.walk.follow(native().Absolute(d.root.Dir, abs), nil)
	if s.kind != place.File || len(s.ahead) > 0 {
		return nil, false
	}
	text, err := readSmall(s.at, limit)
	return text, err == nil
}

// readSmall is the whole of a regular file of at most limit bytes.
func readSmall(path string, limit int) ([]byte, error) {
	f, err := openRegular(local(path))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	if f.size > int64(limit) {
		return nil, &tooLargeError{path, limit}
	}
	// More than the size is read, to see a file that grows and to read those of /proc, which say that they are empty.
	text := make([]byte, min(int64(limit), max(f.size, 4096))+1)
	n, err := f.ReadAt(text, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if n == len(text) {
		return nil, &tooLargeError{path, limit}
	}
	return text[:n], nil
}

// tooLargeError says that a file was not read for its size.
type tooLargeError struct {
	path  string
	limit int // bytes
}

func (e *tooLargeError) Error() string {
	return e.path + " is larger than " + strconv.Itoa(e.limit) + " bytes; make it smaller"
}

// isMissing reports whether there is nothing at a path, a file where a folder would have to be included.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// listed reads the names of an open folder and closes it. An empty folder gives an empty list, not nil.
func listed(f *os.File, limit int) ([]string, bool) {
	defer func() { _ = f.Close() }()
	found, err := f.Readdirnames(limit + 1)
	if err != nil && err != io.EOF || len(found) > limit {
		return nil, false
	}
	return append([]string{}, found...), true
}
