// Package state keeps the Session of package gate on disk: one file per session, shared by many short processes.
//
// # The protocol
//
// A hook is a process of two milliseconds, and an agent that calls tools in parallel starts many at once. Reading takes
// no lock: the file is replaced as a whole by a rename, so a reader sees one generation or the next, never a mixture.
// Update runs the caller's function on what it read; if that changed nothing, no lock is taken and nothing is written.
// Most events change nothing, and a refusal that must not be undone by a full disk is already known by then. Only a
// change takes the lock, reads again, runs the function again if another process was faster, and saves. The function
// must therefore be pure.
//
// The lock is an flock on a sidecar, NAME.lock, never on the file that is renamed: a process that waits for the lock of
// a file that is replaced meanwhile gets the lock of the old file, which protects nothing. Measured, locking the
// renamed file lost 3 of 60 concurrent updates, the sidecar none. The kernel frees the lock of a process that dies, so
// there are no stale locks. For the same reason a lock file is not unlinked while its session lives: whoever had it
// open would hold a lock that nobody else can see. Only the removal of a session takes its lock file along, while
// holding it, and every process that gets a lock then looks whether the file it locked still bears the name; if not it
// starts over. Where an open file cannot be unlinked (Windows) lock files stay; they are empty.
//
// # The files
//
//	HASH.json                  the current generation
//	HASH.json.prev             the one before, kept by a hard link (a copy where there are no links)
//	HASH.lock                  the sidecar
//	HASH.tmp-RANDOM            half-made; left behind only by a killed process, swept after an hour
//	HASH.damaged-TIME-RANDOM   what could not be read, moved aside (S3)
//	swept                      its time is that of the last sweep
//
// HASH is the SHA-256 of the session id in lower-case hexadecimal: no id leaves the folder, none collides with another,
// also where the file system folds case, and `printf %s ID | sha256sum` finds the file. Other names in the folder are
// not touched: on macOS and Windows the user's configuration lies in the same folder.
//
// From the first save on HASH.json exists at every instant, so a missing one beside a previous generation is damage
// too. A save is not fsynced (S2): after a power failure a file may be torn or empty, which is damage like any other
// (S3). Damage is only reported by a read; the thing is moved aside by the first update that saves. Whatever stands in
// place of a file (a FIFO, a folder, a symbolic link, 10 GB) is never waited for, followed or read in full.
package state
