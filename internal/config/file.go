package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// MaxFile is the largest configuration file that is read, in bytes.
const MaxFile = 1 << 20

const (
	remedyLarge   = "shorten it; a configuration is a few lines"
	remedyRegular = "put a regular file in its place, or remove it"
)

// NotRegularError says that what lies at a path is no regular file.
type NotRegularError struct{ Mode fs.FileMode }

// Error names what it is instead.
func (e *NotRegularError) Error() string { return "it is " + kindOf(e.Mode) + " and no regular file" }

// LargeError says that a file is larger than MaxFile.
type LargeError struct{ Size int64 }

// Error names both sizes.
func (e *LargeError) Error() string {
	return fmt.Sprintf("it is larger than %d bytes", MaxFile)
}

// ReadFile fills a File for Sources; a path where nothing is gives a File that counts as none. It never waits and never
// reads more than MaxFile: a FIFO, a device or a folder in place of the file is an error in File.Err.
func ReadFile(path string) File {
	f := File{Path: path}
	if path == "" {
		return f
	}
	f.Data, f.Err = read(path)
	// A folder that is a file (ENOTDIR) holds no configuration either.
	if errors.Is(f.Err, fs.ErrNotExist) || errors.Is(f.Err, syscall.ENOTDIR) {
		f.Err = nil
	}
	return f
}

func read(path string) ([]byte, error) {
	// Looked at before it is opened, since opening a FIFO wakes up its writer and a device may act; opened without
	// blocking and looked at again, since it may have changed in between.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &NotRegularError{info.Mode()}
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &NotRegularError{info.Mode()}
	}
	data, err := io.ReadAll(io.LimitReader(file, MaxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxFile {
		return nil, &LargeError{info.Size()}
	}
	return data, nil
}

// reason is an error without the path, which the message names already.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err.Error()
}

// remedyOf is what to do about a file that cannot be read.
func remedyOf(err error) string {
	var irregular *NotRegularError
	var large *LargeError
	switch {
	case errors.As(err, &irregular):
		return remedyRegular
	case errors.As(err, &large):
		return remedyLarge
	case errors.Is(err, fs.ErrPermission):
		return "allow your user to read it"
	}
	return "make it readable, or remove it"
}

func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
