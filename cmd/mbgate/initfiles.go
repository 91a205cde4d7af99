package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/install"
	"github.com/mbgate/mbgate/internal/layout"
)

// maxNames is how many entries of the project's folder are looked at.
const maxNames = 10_000

func folderNames(dir string) []string {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxNames)
	slices.Sort(names)
	return names
}

// makeFiles makes the files that are missing and overwrites none. A file is made only if nothing has its name, not even a
// dangling link, so that neither a second init nor another writer loses anything.
func makeFiles(dir string, files []layout.File, dry bool) (made, left []string, err error) {
	root, err := bankRoot(dir, dry)
	if err != nil {
		return nil, nil, err
	}
	if root != nil {
		defer root.Close()
	}
	kept := map[string]bool{} // folders that were there, which need nothing to keep them
	for _, f := range files {
		name := strings.TrimPrefix(f.Path, bank.Dir+"/")
		folder := path.Dir(name)
		if root != nil {
			if _, seen := kept[folder]; !seen {
				_, err := root.Lstat(folder)
				kept[folder] = err == nil
			}
			if path.Base(name) == ".gitkeep" && kept[folder] {
				continue
			}
			if _, err := root.Lstat(name); err == nil {
				left = append(left, f.Path)
				continue
			}
		}
		if !dry {
			err := makeFile(root, name, f.Text)
			if errors.Is(err, fs.ErrExist) {
				left = append(left, f.Path)
				continue
			}
			if err != nil {
				return made, left, fmt.Errorf("%s cannot be made: %w", f.Path, install.BareError(err))
			}
		}
		made = append(made, f.Path)
	}
	return made, left, nil
}

// bankRoot opens the memory bank's folder, made if it is not there; with dry it is nil then. A link to a folder is
// followed, wherever that is (P3); within, nothing leads out.
func bankRoot(dir string, dry bool) (*os.Root, error) {
	at := filepath.Join(dir, bank.Dir)
	info, err := os.Stat(at)
	switch {
	case err == nil && !info.IsDir():
		return nil, errors.New("memory-bank is not a folder; move it away")
	case err == nil:
		return os.OpenRoot(at)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("memory-bank cannot be looked at: %w", install.BareError(err))
	}
	if _, err := os.Lstat(at); err == nil {
		return nil, errors.New("memory-bank is a link that leads nowhere; make what it leads to, or remove it")
	}
	if dry {
		return nil, nil
	}
	if err := os.Mkdir(at, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("memory-bank/ cannot be made: %w", install.BareError(err))
	}
	return os.OpenRoot(at)
}

// makeFile makes one file with its folders. It removes a file that could not be written in full, so that the next run makes
// it.
func makeFile(root *os.Root, name, text string) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		if info, bad := root.Stat(path.Dir(name)); bad != nil || !info.IsDir() {
			return fmt.Errorf("%s/%s is in the way: %v", bank.Dir, path.Dir(name), install.BareError(err)) // whatever it is, no file of ours
		}
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err != nil {
		_ = root.Remove(name)
	}
	return err
}
