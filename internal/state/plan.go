package state

import (
	"os"

	"github.com/mbgate/mbgate/internal/rawfile"
)

// PlanPath is where the plan lies that a person pasted into a session (A7).
func (s *Store) PlanPath(id string) string { return s.path(fileName(id), extPlan) }

// SavePlan keeps a plan of a session, in place of the one before. It goes with the session.
func (s *Store) SavePlan(id, text string) error {
	path := s.PlanPath(id)
	next := s.path(fileName(id), extTemp+"plan")
	rawfile.Unlink(next)
	err := os.WriteFile(next, []byte(text), 0o600)
	if err == nil {
		err = rawfile.Rename(next, path)
	}
	if err != nil {
		return &SaveError{path, err}
	}
	return nil
}

// HasPlan reports whether a plan of the session is there.
func (s *Store) HasPlan(id string) bool { return s.exists(fileName(id), extPlan) }

// DropPlan removes the plan of a session.
func (s *Store) DropPlan(id string) { rawfile.Unlink(s.PlanPath(id)) }
