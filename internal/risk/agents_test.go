package risk_test

import (
	"os"
	"testing"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/risk"
)

// TestMain gives the tests the files of the real agents.
func TestMain(m *testing.M) {
	risk.SetAgentFiles(agents.ConfigFiles)
	os.Exit(m.Run())
}
