package state

import (
	"fmt"
	"time"
)

// NewerSchemaError says that a state file was written by a newer mbgate (S1). Nothing was changed.
type NewerSchemaError struct {
	Path string
	// Schema is the file's, Known the largest one that this program understands.
	Schema, Known int
}

func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("%s: schema %d is newer than %d, the newest this mbgate knows: update mbgate", e.Path, e.Schema, e.Known)
}

// LockError says that the lock of a session was not to be had. Update returns it together with the Session computed
// without the lock, so that a verdict stands; nothing was saved.
type LockError struct {
	Path   string
	Waited time.Duration
	// Err is why locking failed, nil if another process simply held the lock all the time.
	Err error
}

func (e *LockError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: cannot be locked: %v: put the state folder on a file system that knows locks", e.Path, e.Err)
	}
	return fmt.Sprintf("%s: locked by another process for %s, given up: look for a hanging mbgate", e.Path, e.Waited.Round(time.Millisecond))
}

// Unwrap gives the system's error.
func (e *LockError) Unwrap() error { return e.Err }

// SaveError says that a Session could not be saved: a full or read-only disk, a folder that is none. Update returns it
// together with the Session that should have been saved, so that a verdict stands (SPEC §18).
type SaveError struct {
	Path string
	Err  error
}

func (e *SaveError) Error() string {
	return fmt.Sprintf("%s: state not saved: %v: free the disk or fix the permissions of the state folder", e.Path, e.Err)
}

// Unwrap gives the system's error.
func (e *SaveError) Unwrap() error { return e.Err }

// ReadError says that it could not be found out what is remembered, for a reason that lies outside the file (the
// folder may not be searched, too many open files). It is no damage: nothing is moved aside.
type ReadError struct {
	Path string
	Err  error
}

func (e *ReadError) Error() string {
	return fmt.Sprintf("%s: state not read: %v: fix the permissions of the state folder", e.Path, e.Err)
}

// Unwrap gives the system's error.
func (e *ReadError) Unwrap() error { return e.Err }

// DamageError says why a state file could not be used (S3).
type DamageError struct {
	Path string
	// Why is a short reason ("is empty", "is a folder").
	Why string
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("%s: damaged: %s: it is moved aside at the next event", e.Path, e.Why)
}
