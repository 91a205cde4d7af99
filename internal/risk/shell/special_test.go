package shell

import (
	"fmt"
	"strings"
	"testing"
)

// TestSpecials holds that no use of mbgate and no agent hides behind many other commands.
func TestSpecials(t *testing.T) {
	env := Env{Files: exampleTree(), Cwd: "/repo", Root: "/repo"}
	var different strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&different, "mbgate explain %d\n", i)
	}
	for name, before := range map[string]string{
		"one use":        strings.Repeat("mbgate status; ", 100),
		"different uses": different.String(),
		"agents":         strings.Repeat("claude -p hello; ", 40),
	} {
		cleared, agent, unknown := false, false, false
		rep := Judge(before+"mbgate clear --yes; codex exec x", env)
		for _, s := range rep.Specials {
			joined := strings.Join(s.Args, " ")
			cleared = cleared || joined == "mbgate clear --yes"
			unknown = unknown || s.Kind == Mbgate && joined == "mbgate "
			agent = agent || s.Kind == Agent
		}
		if !cleared && !unknown {
			t.Errorf("%s: mbgate clear is not seen", name)
		}
		if !agent {
			t.Errorf("%s: the agent is not seen", name)
		}
		if len(rep.Specials) > maxOwn+2*maxReasons {
			t.Errorf("%s: the list is not bounded: %d", name, len(rep.Specials))
		}
	}
}
