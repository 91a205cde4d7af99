package patch

import (
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// blockHeader tells a "*** Add File: x" line of Codex's format. The operation is "" for any other line. OpenCode
// 1.18.33 does not ask for the blank behind the colon, Codex does.
func blockHeader(l string) (op event.Op, path string) {
	for _, h := range [...]struct {
		prefix string
		op     event.Op
	}{
		{"*** Add File:", event.OpCreate},
		{"*** Update File:", event.OpWrite},
		{"*** Delete File:", event.OpDelete},
	} {
		if rest, ok := strings.CutPrefix(l, h.prefix); ok {
			return h.op, strings.TrimSpace(rest)
		}
	}
	return "", ""
}

const moveTo = "*** Move to:"

// block reads one "*** Begin Patch" block, from that line to "*** End Patch". Codex and OpenCode differ in what they
// forgive: Codex allows blanks before a header (except in the text of an update), OpenCode skips lines that it does not
// know. Here a header is taken wherever one of them takes it, and a line that one of them refuses is a fault, except
// blank lines.
func (p *parser) block() {
	p.found = true
	p.next++
	update := false // the current line is in the text of an update, where a leading blank is context
	added := false  // … in the text of a new file
	for ; p.more(); p.next++ {
		l := p.line()
		if strings.TrimSpace(l) == "*** End Patch" {
			p.next++
			return
		}
		head := l
		if !update {
			head = strings.TrimSpace(l)
		}
		if op, path := blockHeader(head); op != "" {
			added, update = op == event.OpCreate, op == event.OpWrite
			if update {
				if to, ok := strings.CutPrefix(p.peek(1), moveTo); ok {
					p.move(path, strings.TrimSpace(to))
					p.next++
					continue
				}
			}
			p.add(path, op)
			continue
		}
		switch {
		case strings.TrimSpace(l) == "":
		case update && (strings.HasPrefix(l, "@@") || strings.IndexByte(" +-", l[0]) >= 0 || strings.TrimSpace(l) == "*** End of File"):
		case added && l[0] == '+':
		case strings.HasPrefix(head, moveTo):
			p.fail("*** Move to: does not follow *** Update File:")
			p.add(strings.TrimSpace(head[len(moveTo):]), event.OpCreate)
		default:
			p.fail("the line belongs to no file of the patch")
		}
	}
	p.fail("*** End Patch is missing")
}

// move adds the two halves of a move; a move of a file to its own name is a change of it.
func (p *parser) move(from, to string) {
	if from == to {
		p.add(from, event.OpWrite)
		return
	}
	p.add(from, event.OpMove)
	p.add(to, event.OpCreate)
}
