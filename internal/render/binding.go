package render

import (
	"fmt"
	"strings"

	"github.com/mbgate/mbgate/internal/capsule"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
)

// maxBindingText is how many characters of a note or a reason a message shows.
const maxBindingText = 300

// bindingRefusal tells an agent what in the capsule refuses its call, the one next action, and how a person lifts it (C5).
func bindingRefusal(h *gate.Binding, c event.Client) string {
	var b strings.Builder
	fmt.Fprintf(&b, "mbgate refused this call (refusal %d of the capsule): %s\n", h.Count, bindingReason(h))
	fmt.Fprintf(&b, "Next: %s\n", bindingRemedy(h, c))
	switch {
	case h.Kind == gate.BindDeny && h.ID == "":
		b.WriteString("(Only a person can lift it, in the configuration: deny.)\n")
		return b.String()
	case h.Kind == gate.BindDeny:
		fmt.Fprintf(&b, "(Only a person can lift a deny: mbgate note drop %s --session %s, or until the next compaction ", ShellWord(h.ID), ShellWord(h.Session))
	default:
		b.WriteString("Then repeat the refused call. Reads, searches, tests and builds pass.\n")
		b.WriteString("(A person can suspend this until the next compaction: ")
	}
	fmt.Fprintf(&b, "%smbgate clear --session %s)\n", clearWord(c), ShellWord(h.Session))
	return b.String()
}

// bindingReason says what binds, in one phrase.
func bindingReason(h *gate.Binding) string {
	text := Safe(firstRunes(h.Text, maxBindingText))
	switch h.Kind {
	case gate.BindDeny:
		what := "changing " + safeList(h.Globs) + " is denied"
		switch {
		case h.Path != "":
			what += ", and this changes " + Safe(h.Path)
		case h.Count > 0:
			what += ", and this may change more files than mbgate can list"
		}
		if h.ID == "" {
			return what + " (configuration)"
		}
		return what + ": " + text + " (note " + Safe(h.ID) + ")"
	case gate.BindGate:
		if h.Text == "" {
			text = "it gives no reason"
		}
		return "the gate of the run file " + Safe(h.Path) + " has not passed: " + text
	case gate.BindQuestion:
		return "the blocking question " + Safe(h.ID) + " has been open since before the compaction: " + text
	case gate.BindStale:
		return Safe(h.Path) + " changed on disk after you last read or wrote it, and you have not read it since the compaction"
	}
	return string(h.Kind)
}

// bindingRemedy is the one next action that lifts a binding.
func bindingRemedy(h *gate.Binding, c event.Client) string {
	switch h.Kind {
	case gate.BindDeny:
		if h.Path == "" && h.Count > 0 {
			return "name the files one by one, without the denied ones."
		}
		return "go on without changing these files, or ask the person."
	case gate.BindGate:
		return "resolve the reason until " + Safe(h.Path) + " says that the gate has passed; every call reads it again."
	case gate.BindQuestion:
		return "answer it: mbgate note answer " + ShellWord(h.ID) + " 'THE ANSWER' --session " + ShellWord(h.Session)
	}
	return readCall(c, h.Abs, h.Next)
}

// Capsule is the capsule as it is given to the model behind block: within tokens, and within what the client lets in. A token
// is at most four bytes, and so at most four units. shown are constraints that stand in block.
func Capsule(c *capsule.Capsule, shown []string, tokens int, block string, limit Limit) string {
	if c == nil {
		return ""
	}
	rest := *c
	rest.Constraints = without(c.Constraints, shown)
	left := rest
	if block != "" {
		left.Sources = nil
	}
	if left.Gate.Passed = left.Gate.Passed || block != "" && len(left.Gate.Findings) == 0; left.Empty() {
		return "" // the block says all of it
	}
	if limit.Most > 0 {
		tokens = min(tokens, max(0, limit.Most-limit.size(block))/4)
	}
	text, _ := CapsuleText(rest, tokens)
	return text
}
