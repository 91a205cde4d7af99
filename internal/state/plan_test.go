package state

import (
	"os"
	"testing"

	"github.com/mbgate/mbgate/internal/gate"
)

// A pasted plan lies beside the state for its owner alone, the newest in place of the one before, and goes with the session.
func TestPlanGoesWithItsSession(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	if _, err := s.Update("s1", func(x gate.Session) (gate.Session, error) { x.Agent = "a"; return x, nil }); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two"} {
		if err := s.SavePlan("s1", text); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(s.PlanPath("s1")); err != nil || string(got) != text || !s.HasPlan("s1") || s.HasPlan("s2") {
			t.Errorf("%q, %v", got, err)
		}
	}
	if info, err := os.Stat(s.PlanPath("s1")); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info, err)
	}
	if n, err := s.Remove("s1"); n != 1 || err != nil || s.HasPlan("s1") {
		t.Errorf("removed %d, %v; the plan is there: %v", n, err, s.HasPlan("s1"))
	}
}
