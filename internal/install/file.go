package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/rogpeppe/go-internal/diff"

	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
)

// BackupSuffix is what the copy of a file is called that install makes before its first change.
const BackupSuffix = ".mbgate-backup"

// largestFile is how much of a configuration file is read: more than any that a client reads in reasonable time.
const largestFile = 64 << 20

// Change is one file that install or uninstall changes; nil is no file.
type Change struct {
	Path          string
	before, after []byte
}

func (c Change) none() bool {
	return bytes.Equal(c.before, c.after) && (c.before == nil) == (c.after == nil)
}

// diff is the change in the unified format, fit for a terminal.
func (c Change) diff() string {
	old, now := c.Path, c.Path
	if c.before == nil {
		old = os.DevNull
	}
	if c.after == nil {
		now = os.DevNull
	}
	text := diff.Diff(old, c.before, now, c.after)
	if _, rest, ok := bytes.Cut(text, []byte("\n")); ok {
		text = rest // its first line is a command that nobody ran
	}
	return render.Clean(string(text))
}

// ReadConfig reads a file that may not exist: nil then.
func ReadConfig(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder; move it away, then run this again", render.Safe(path))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file; move it away, then run this again", render.Safe(path))
	case info.Size() > largestFile:
		return nil, fmt.Errorf("%s is larger than %d MB; make it smaller, then run this again", render.Safe(path), largestFile>>20)
	}
	data, err := os.ReadFile(path)
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}

// errChanged is a file that changed between being read and being written: the work is done anew then.
var errChanged = errors.New("it was changed by another program meanwhile; run this again")

// write puts a change on disk: all of it or nothing, by renaming a temporary file. A symlink stays one, the mode stays as
// it is.
func (c Change) write() error {
	path, err := Target(c.Path)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	info, err := os.Stat(path)
	if err == nil {
		if mode = info.Mode().Perm(); mode&0o200 == 0 {
			return fmt.Errorf("%s is read-only; make it writable (chmod u+w), or edit the file it is made from, then run this again", render.Safe(path))
		}
	}
	if c.after == nil {
		if err := c.still(); err != nil {
			return err
		}
		return os.Remove(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".mbgate-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // nothing is left of it once it is renamed
	_, err = temp.Write(c.after)
	if err == nil {
		err = temp.Chmod(mode)
	}
	if err == nil && info != nil {
		keepOwner(temp, info)
	}
	if err == nil {
		err = temp.Sync()
	}
	if bad := temp.Close(); err == nil {
		err = bad
	}
	if err == nil {
		err = c.still()
	}
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// still reports errChanged if the file is not what it was when it was read.
func (c Change) still() error {
	now, err := ReadConfig(c.Path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, c.before) || (now == nil) != (c.before == nil) {
		return errChanged
	}
	return nil
}

// Target is the file that a path leads to, whether it exists or not.
func Target(path string) (string, error) {
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // no symlink
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", fmt.Errorf("%s is a symlink loop; fix it, then run this again", render.Safe(path))
}

// backup copies the file as it was before the first change; a copy that is there already is older, so it stays.
func (c Change) backup() (made bool, err error) {
	info, err := os.Stat(c.Path)
	if err != nil {
		return false, err
	}
	f, err := os.OpenFile(c.Path+BackupSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = io.Copy(f, bytes.NewReader(c.before))
	if bad := f.Close(); err == nil {
		err = bad
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err == nil, err
}

// dropBackup removes the copy if it says nothing that the file does not say; left is set if it stays.
func (c Change) dropBackup() (left bool) {
	copied, err := ReadConfig(c.Path + BackupSuffix)
	if err != nil || copied == nil {
		return false
	}
	if c.after != nil && bytes.Equal(copied, c.after) {
		return os.Remove(c.Path+BackupSuffix) != nil
	}
	return true
}

// removeEmptyFolders removes the folders that a removed file leaves empty, up to the folder that is not ours.
func removeEmptyFolders(file, top string) {
	for dir := filepath.Dir(file); len(dir) > len(top) && dir != top; dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil {
			return
		}
	}
}

// lockWait is how long one installation waits for another.
const lockWait = 10 * time.Second

// lock lets one installation run at a time. The file it locks stays, as all locks do.
func lock() (unlock func(), err error) {
	dir, err := state.Dir()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	l := flock.New(filepath.Join(dir, "install.lock"), flock.SetPermissions(0o600))
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		ok, err := l.TryLock()
		switch {
		case err != nil:
			return nil, err
		case ok:
			return func() { _ = l.Unlock() }, nil
		case time.Since(start) > lockWait:
			return nil, fmt.Errorf("another installation holds %s for more than %s; end it, then run this again", render.Safe(l.Path()), lockWait)
		}
	}
}
