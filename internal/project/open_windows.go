package project

import "os"

// names are up to limit entries of a folder, unsorted; nil and false when there are more or it cannot be listed.
func names(path string, limit int) ([]string, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return nil, false
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	return listed(f, limit)
}

// version is what tells the file apart from another one that took its name; not known on Windows without opening it.
func version(os.FileInfo) (inode, device uint64) { return 0, 0 }

// readable is not asked on Windows: whoever opens the file finds out.
func readable(string) bool { return true }

// changed is the modification time, in nanoseconds since 1970; os.FileInfo has no other on Windows.
func changed(info os.FileInfo) int64 { return info.ModTime().UnixNano() }
