// Package state keeps the Session of package gate on disk: one file per session, shared by many short processes. It
// imports gate and what a Session is made of, and nothing that decides. Start reading with Store.Update in store.go;
// save.go and load.go are the two directions of a file, format.go and codec.go its bytes, list.go and sweep.go serve
// people. The fields in session_gen.go are generated from the structs.
//
// # The protocol
//
// A hook is a process of two milliseconds, and an agent that calls tools in parallel starts many at once. Reading takes
// no lock: a file gets its name in one step, so a reader sees one generation or the next. Update runs the caller's
// function on what it read; if that changed nothing, it takes no lock and writes nothing. Most events change nothing, and
// a refusal that a full disk must not undo is already known by then. Only a change takes the lock, reads again, runs the
// function again if another process was faster, and saves. The function must therefore be pure.
//
// The lock is an flock on a sidecar, NAME.lock, never on the file that is replaced: a process that waits for the lock of
// a file that loses its name meanwhile gets the lock of the old file, which protects nothing. Measured, locking the
// replaced file lost 3 of 60 concurrent updates, the sidecar none. The kernel frees the lock of a process that dies, so
// there are no stale locks. For the same reason a lock file is not unlinked while its session lives: whoever had it
// open would hold a lock that nobody else can see. Only the removal of a session takes its lock file along, while
// holding it, and every process that gets a lock then checks whether the file it locked still bears the name; if not it
// starts over. Where an open file cannot be unlinked (Windows) lock files stay; they are empty.
//
// # The files
//
//	HASH.json                  the current generation
//	HASH.json.prev             the one before
//	HASH.json.spare            the file that the next save overwrites and renames
//	HASH.lock                  the sidecar
//	HASH.unsaved               empty: a recovery was armed and could not be saved (S6). Every event looks for it and is damaged by
//	                           it; the next save that knew of it removes it
//	HASH.plan.md               a plan that the person pasted (A7), named to the agent
//	HASH.tmp-RANDOM            a second name of the current generation for a moment, where files cannot exchange names;
//	                           left behind only by a killed process, swept after an hour
//	HASH.damaged-TIME-RANDOM   what could not be read, moved aside (S3)
//	swept                      its time is that of the last sweep
//
// HASH is the SHA-256 of the session id in lower-case hexadecimal: no id leaves the folder, none collides with another,
// also where the file system folds case, and `printf %s ID | sha256sum` finds the file. Other names in the folder are
// not touched: on macOS and Windows the user's configuration lies in the same folder.
//
// A save writes into the spare file, exchanges its name with the current one and then with the previous one: three files
// take turns, since making and freeing one in each save costs up to 1 ms. Only the spare is ever written to, so the two
// generations are whole at every instant. A reader that opened a file three saves ago may see it change under its eyes;
// the checksum tells, and it looks again.
//
// From the first save on HASH.json exists at every instant, so a missing one beside a previous generation is damage
// too. A save is not fsynced (S2): after a power failure a file may be torn or empty, which is damage like any other
// (S3). A read only reports damage; the first update that saves moves the thing aside. Whatever stands in place of a file
// (a FIFO, a folder, a symbolic link, 10 GB) is never waited for, followed or read in full.
package state
