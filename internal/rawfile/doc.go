// Package rawfile opens regular files by bare system calls, for what a hook reads and writes in each of its two
// milliseconds. An os.File of a regular file would start the runtime's poller: four system calls and the goroutine that
// closes forgotten files, 30 µs of every hook. It imports nothing of mbgate.
//
// Open never follows a link in place of the file and never waits for the other end of a FIFO. What was opened may still
// be anything: Stat says.
package rawfile

import "io/fs"

// Info is what an open file is.
type Info struct {
	// Mode has the type only: fs.ModeDir and so on, fs.ModeIrregular for devices and sockets.
	Mode fs.FileMode
	// Size is in bytes.
	Size int64
	// Owner is the user id, Links the number of names; -1 and 1 on Windows.
	Owner int64
	Links uint64
	// device and inode tell the file apart from another one that took its name.
	device, inode uint64
}
