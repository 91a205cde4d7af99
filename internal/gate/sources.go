package gate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk"
)

// Caps of the source anchors of a context (S5). A file of more than maxSource bytes is none: hashing it would cost a hook
// milliseconds.
const (
	maxSources = 32
	maxSource  = 1 << 20
)

// Source is a file of the project that a context read or wrote, in the version it knows (C6).
type Source struct {
	Path string `json:"path"`
	// Key is the place.Key of the file where it differs from Path (P4).
	Key   string       `json:"key,omitempty"`
	Stamp anchor.Stamp `json:"stamp"`
	// Hash is the SHA-256 of the content, in hexadecimal digits.
	Hash string `json:"hash"`
	// Refs is how often it was read; 0 for what was only written.
	Refs int `json:"refs,omitempty"`
	// Bound is set from a compaction until it is read or written again: while it is, a write waits if the file on disk
	// is another (C5). Tries counts reads meanwhile that brought no line.
	Bound bool `json:"bound,omitempty"`
	Tries int  `json:"tries,omitempty"`
}

func (s Source) key() string {
	if s.Key != "" {
		return s.Key
	}
	return s.Path
}

// source finds the source anchor of a file, -1 if it is none.
func (c *Context) source(key string) int {
	return slices.IndexFunc(c.Sources, func(s Source) bool { return s.key() == key })
}

// rememberShown remembers a file of which the call showed a line, as it is now. Reading a written file again verifies it.
func (st *step) rememberShown(r shown) {
	if !sourceable(r.at) {
		return
	}
	text, ok := st.Disk.Text(r.at.Phys, maxSource)
	if !ok {
		return
	}
	// All of its lines count here, not only those that an anchor of its size would require.
	d, err := anchor.Scan(bytes.NewReader(text), int64(len(text)), len(text), st.client().LoneCR)
	if err != nil || d.Binary {
		return
	}
	st.relied = true
	refs := 1
	if st.isCopy() {
		refs = 0
	}
	if len(r.lines(d)) == 0 {
		if refs > 0 {
			st.noteFutileSource(r.at)
		}
		return
	}
	st.remember(r.at, text, refs)
	if i := slices.IndexFunc(st.s.Writes, func(w Write) bool { return w.key() == r.at.Key }); i >= 0 && st.s.Writes[i].Status == capsule.Written {
		st.s.Writes[i].Status = capsule.Verified
	}
}

// isCopy reports whether a finished call is a copy of the one before it, whose reads were counted.
func (st *step) isCopy() bool { return st.copyID() != "" && st.copyID() == st.ctx.Counted }

// markCounted remembers that the reads of a finished call were counted.
func (st *step) markCounted() {
	if st.relied {
		st.ctx.Counted = st.copyID()
	}
}

// sourceable reports whether a place can be a source anchor.
func sourceable(at place.Place) bool {
	return at.Inside() && at.Key != "" && at.Kind == place.File && !at.Own && !at.Under(".git")
}

// rememberWritten remembers the files that a finished call wrote, as they are now.
func (st *step) rememberWritten(a risk.Assessment) {
	for _, t := range a.Targets {
		if !t.Certain || t.Op == event.OpMode || t.Op == event.OpDelete || t.Op == event.OpMove || !sourceable(t.Place) {
			continue
		}
		if text, ok := st.Disk.Text(t.Place.Phys, maxSource); ok {
			st.remember(t.Place, text, 0)
		}
	}
}

// remember puts a file in front of the source anchors of the context, in the version text.
func (st *step) remember(at place.Place, text []byte, refs int) {
	stamp, ok := st.Disk.Stamp(at)
	if !ok {
		return
	}
	s := Source{Path: at.Shown, Stamp: stamp, Hash: hashOf(text), Refs: refs}
	if at.Key != at.Shown {
		s.Key = at.Key
	}
	if i := st.ctx.source(at.Key); i >= 0 {
		old := st.ctx.Sources[i]
		if old.Bound && old.Hash != s.Hash {
			st.log(LogEntry{What: SourceKnown, Path: s.Path})
		}
		s.Refs += old.Refs
		st.ctx.Sources = slices.Delete(st.ctx.Sources, i, i+1)
	}
	st.ctx.Sources = slices.Insert(st.ctx.Sources, 0, s)
	st.ctx.Sources = st.ctx.Sources[:min(len(st.ctx.Sources), maxSources)]
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// noteFutileSource counts a read of a bound source that brought no line, and frees the source after the third: something
// hides the agent's reads, and reading must be able to lift every refusal.
func (st *step) noteFutileSource(at place.Place) {
	i := st.ctx.source(at.Key)
	if i < 0 || !st.ctx.Sources[i].Bound {
		return
	}
	s := &st.ctx.Sources[i]
	if s.Tries++; s.Tries >= maxTries {
		s.Bound, s.Tries = false, 0
		st.log(LogEntry{What: SourceReleased, Path: s.Path})
	}
}

// freeUnreportedReads frees bound sources that an allowed call is about to read, in a session whose reads are never reported.
func (st *step) freeUnreportedReads(a risk.Assessment) {
	if st.s.Reported || st.s.Announced < announcedEnough {
		return
	}
	for _, r := range a.Reads {
		if i := st.ctx.source(r.Place.Key); i >= 0 {
			st.ctx.Sources[i].Bound = false
		}
	}
}

// forgetUnreportedWrites forgets the sources that an allowed call is about to write where the client will not report it:
// which version this context knows then cannot be told.
func (st *step) forgetUnreportedWrites(a risk.Assessment) {
	for _, t := range a.Targets {
		if i := st.ctx.source(t.Place.Key); i >= 0 && t.Certain {
			st.ctx.Sources = slices.Delete(st.ctx.Sources, i, i+1)
		}
	}
}

// stale reports whether a bound source differs on disk from what the context knows. A file that is gone, empty, binary or
// too large cannot be read in lines and does not bind. It is hashed only where one stat says that it changed.
func (st *step) stale(s Source, at place.Place) (text []byte, stale bool) {
	if !s.Bound || !sourceable(at) {
		return nil, false
	}
	if stamp, ok := st.Disk.Stamp(at); !ok || stamp == s.Stamp {
		return nil, false
	}
	text, ok := st.Disk.Text(at.Phys, maxSource)
	if !ok || len(text) == 0 || bytes.IndexByte(text, 0) >= 0 {
		return nil, false
	}
	return text, hashOf(text) != s.Hash
}
