package risk

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/mbgate/mbgate/internal/event"
)

// personWords are the words that only a person's prompt may hold (SPEC §12).
const personWords = "mb:clear mb:write mb:no mb:status"

// promptSenders are programs by which a command can make a client believe that a person typed something: agents, terminals
// that can be typed into, and what starts either of them later.
const promptSenders = " claude codex opencode gemini qwen copilot cursor-agent amp crush goose aider " +
	"tmux screen zellij xdotool ydotool wtype dotool osascript expect at batch crontab systemd-run "

// PersonWord finds a person's word in a text, "" if there is none.
func PersonWord(text string) string {
	if !strings.Contains(text, "mb:") {
		return ""
	}
	for w := range strings.FieldsSeq(personWords) {
		for rest := text; ; {
			i := strings.Index(rest, w)
			if i < 0 {
				break
			}
			after := rest[i+len(w):]
			if !startsWord(after) && (i == 0 || !endsWord(rest[:i])) {
				return w
			}
			rest = after
		}
	}
	return ""
}

func startsWord(s string) bool {
	for _, r := range s {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_'
	}
	return false
}

func endsWord(s string) bool { return startsWord(s[len(s)-1:]) }

// sentPersonWord finds a person's word that a call puts into a prompt, "" if there is none: a client may send what a tool schedules as if a person had typed it (Claude Code 2.1.328: ScheduleWakeup, CronCreate), and a nested client shares
// the session. Text that is written into a file or handed to a subagent is no prompt.
func sentPersonWord(t event.Tool) string {
	word := ""
	switch t.Class {
	case event.Shell:
		if word = PersonWord(t.Command); word == "" || !sendsPrompts(t.Command) {
			return ""
		}
	case event.Other, event.MCP, event.Unclassified:
		if word = t.PersonWord; word == "" || writesFile(t) {
			return ""
		}
	default:
		return ""
	}
	return word
}

// sendsPrompts reports whether a command runs one of the promptSenders.
func sendsPrompts(command string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(command, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(";|&()<>`\"'$={}", r)
	}), func(w string) bool { return strings.Contains(promptSenders, " "+path.Base(w)+" ") })
}

func writesFile(t event.Tool) bool {
	return slices.ContainsFunc(t.Paths, func(p event.PathArg) bool { return p.Op != event.OpRead })
}
