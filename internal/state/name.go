package state

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"unicode/utf8"
)

const (
	extCurrent  = ".json"
	extPrevious = ".json.prev"
	extSpare    = ".json.spare"
	extLock     = ".lock"
	extUnsaved  = ".unsaved"
	extPlan     = ".plan.md"
	extTemp     = ".tmp-"
	extDamaged  = ".damaged-"
	sweptName   = "swept"
	hashLength  = 2 * sha256.Size
)

// fileName is the name, without an extension, of the files of a session (S1).
func fileName(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])
}

// splitName takes the name of one of our files apart; ok is false for any other file.
func splitName(file string) (name, ext string, ok bool) {
	if len(file) <= hashLength {
		return "", "", false
	}
	name, ext = file[:hashLength], file[hashLength:]
	for i := range len(name) {
		if c := name[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return "", "", false
		}
	}
	switch {
	case ext == extCurrent, ext == extPrevious, ext == extSpare, ext == extLock, ext == extUnsaved, ext == extPlan:
	case strings.HasPrefix(ext, extTemp), strings.HasPrefix(ext, extDamaged):
	default:
		return "", "", false
	}
	return name, ext, true
}

// checkID refuses the ids that JSON could not give back as they were. What an id may be otherwise is SPEC §3's matter;
// here every byte is allowed, since only the hash becomes a name.
func checkID(id string) error {
	switch {
	case id == "":
		return errors.New("the session id is empty: the client must send one")
	case !utf8.ValidString(id):
		return errors.New("the session id is not valid UTF-8: the client must send text")
	}
	return nil
}
