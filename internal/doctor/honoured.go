package doctor

import (
	"encoding/json"
	"fmt"
	"strings"
)

// honoured reports whether the client takes an answer to a call for a refusal, and if not, why (protocols of the versions
// in the table of clients). Each needs a reason, and says nothing or lets the call through without one.
func honoured(client string, r response) (refused bool, why string) {
	var answer struct {
		Decision   string `json:"decision"`
		Reason     string `json:"reason"`
		Permission string `json:"permissionDecision"`
		Why        string `json:"permissionDecisionReason"`
		Specific   struct {
			Permission string `json:"permissionDecision"`
			Why        string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	isJSON := json.Unmarshal([]byte(r.stdout), &answer) == nil
	reason := strings.TrimSpace(r.stderr) != ""
	deny := answer.Specific.Permission == "deny" && answer.Specific.Why != ""
	switch client {
	case "copilot":
		// 2 alone denies, but the model is only told the number; a reason counts on standard output.
		switch {
		case r.exit == 2 && isJSON && (answer.Permission == "deny" && answer.Why != "" || deny):
			return true, ""
		case r.exit == 2:
			return false, "status 2 comes without permissionDecisionReason on standard output, so the model is not told why"
		case r.exit == 0 && answer.Permission == "deny" && answer.Why != "":
			return true, ""
		}
	case "gemini":
		denies := (answer.Decision == "deny" || answer.Decision == "block") && answer.Reason != ""
		switch {
		case isJSON && !denies:
			return false, "JSON on standard output beats the status, and it denies nothing"
		case r.exit == 2 && (reason || r.stdout != ""), r.exit <= 1 && denies:
			return true, ""
		}
	case "opencode":
		if r.exit == 2 && reason {
			return true, ""
		}
	default:
		switch {
		case r.exit == 2 && reason:
			return true, ""
		case r.exit == 0 && (deny || answer.Decision == "block" && answer.Reason != ""):
			return true, ""
		}
	}
	if r.exit == 2 {
		return false, "status 2 comes without a reason, which " + client + " takes for a broken hook"
	}
	return false, fmt.Sprintf("the status is %d, and %s", r.exit, excerpt(r))
}
