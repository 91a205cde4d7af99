package gate

import (
	"strings"

	"github.com/mbgate/mbgate/internal/bank"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/patch"
)

// The marks of a block that is people's own (SPEC §11).
const (
	userBlockStart = "USER_BLOCK_START"
	userBlockEnd   = "USER_BLOCK_END"
)

// maxBankFile is how much of a file is looked at for such a block, in bytes.
const maxBankFile = 1 << 20

// changesUserBlock reports whether a call that changes a file of the memory bank, or a folder with it, changes what stands between
// the marks. Where the arguments do not tell, it may if people wrote something there.
func (st *step) changesUserBlock(t risk.Target) bool {
	if t.Op == event.OpMode || t.Op == event.OpLink {
		return false
	}
	at := t.Place
	if at.Kind == place.Folder {
		at = st.Disk.Anchor(bank.Entry)
	}
	raw, ok := st.Disk.Text(at.Phys, maxBankFile)
	if !ok {
		return false
	}
	text := string(raw)
	block := userBlock(text)
	if block == "" {
		return false
	}
	after, told := st.textAfter(at, t.Op, text)
	if told {
		return userBlock(after) != block
	}
	return hasOwnText(block)
}

// textAfter is what a file holds after the call, as far as its arguments tell.
func (st *step) textAfter(at place.Place, op event.Op, text string) (after string, told bool) {
	tool := st.ev.Tool
	edits := tool.Edits
	switch {
	case tool.Class == event.Shell:
		return "", false
	case op == event.OpDelete || op == event.OpMove:
		return "", true
	case tool.Class == event.Patch:
		hunks, ok := patch.Hunks(tool.Patch)
		if !ok {
			return "", false
		}
		text = "\n" + text // so that whole lines are compared
		for _, h := range hunks {
			if st.Disk.Locate(st.ev.Cwd, h.Path).Key == at.Key {
				edits = append(edits, event.Replacement{Old: "\n" + h.Old, New: "\n" + h.New})
			}
		}
	}
	for _, e := range edits {
		n := strings.Count(text, e.Old)
		switch {
		case e.Whole:
			text = e.New
		case e.Old == "" || n == 0 || n > 1 && !e.All:
			return "", false // the client finds it by a way of its own, or fails
		default:
			text = strings.ReplaceAll(text, e.Old, e.New)
		}
	}
	return text, len(edits) > 0
}

// userBlock is what stands between the marks, with them; "" without a mark.
func userBlock(text string) string {
	var out string
	for {
		_, rest, ok := strings.Cut(text, userBlockStart)
		if !ok {
			return out
		}
		block, after, _ := strings.Cut(rest, userBlockEnd)
		out, text = out+userBlockStart+block+userBlockEnd, after
	}
}

// hasOwnText reports whether a block holds more than marks and headings, which is what init writes.
func hasOwnText(block string) bool {
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") && !strings.Contains(line, userBlockStart) && !strings.Contains(line, userBlockEnd) {
			return true
		}
	}
	return false
}
