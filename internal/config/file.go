package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// maxFile is the largest configuration file that is read, in bytes; maxFileText is the same for messages.
const (
	maxFile     = 1 << 20
	maxFileText = "1048576"
)

// unusableError says why a file is no configuration, and what to do about it.
type unusableError struct{ what, remedy string }

func (e *unusableError) Error() string { return e.what }

const (
	tooLarge       = "is larger than " + maxFileText + " bytes"
	remedyTooLarge = "shorten it; a configuration is a few lines"
)

// ReadFile fills a File for Sources; a path where nothing is gives a File that counts as none. It never waits and never
// reads more than maxFile: a FIFO, a device or a folder in place of the file is an error in File.Err.
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
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err = file.Stat(); err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, &unusableError{"it " + tooLarge, remedyTooLarge}
	}
	return data, nil
}

// regular says what lies in the place of a regular file.
func regular(info fs.FileInfo) error {
	kind := "a device"
	switch m := info.Mode(); {
	case m.IsRegular():
		return nil
	case m.IsDir():
		kind = "a folder"
	case m&fs.ModeNamedPipe != 0:
		kind = "a FIFO"
	case m&fs.ModeSocket != 0:
		kind = "a socket"
	}
	return &unusableError{"it is " + kind + " and no regular file", "put a regular file in its place, or remove it"}
}

// reason is an error without the path, which the message names already, and what to do about it.
func reason(err error) (what, remedy string) {
	var unusable *unusableError
	if errors.As(err, &unusable) {
		return unusable.what, unusable.remedy
	}
	remedy = "make it readable, or remove it"
	if errors.Is(err, fs.ErrPermission) {
		remedy = "allow your user to read it"
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err.Error(), remedy
}
