package risk

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/prompt"
)

// personWords are the words that only a person's prompt may hold (SPEC §12).
const personWords = "mb:clear mb:write mb:no mb:status"

// asking is what PersonWord calls a request to write the memory bank in a person's own words.
const asking = "a request to write the memory bank"

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

// ScheduledWord is PersonWord for the payload of a call, where the tool's name says that a client is to send its text later: there
// the person's own words count, too. In other calls, as in a list of tasks, they are no prompt.
func ScheduledWord(tool string, payload []byte) string {
	if !slices.ContainsFunc(nameWords(tool), func(w string) bool { return holdsWord("schedule cron wakeup loop", w) }) {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(payload))
	for {
		token, err := d.Token()
		if err != nil {
			return ""
		}
		if s, ok := token.(string); ok && prompt.AsksToWrite(s) {
			return asking
		}
	}
}

// sentPersonWord finds a person's word that a call puts into a prompt, "" if there is none: a client may send what a tool schedules as if a person had typed it (Claude Code 2.1.328: ScheduleWakeup, CronCreate), and a nested client shares
// the session. Text that is written into a file or handed to a subagent is no prompt.
func sentPersonWord(t event.Tool) string {
	word := ""
	switch t.Class {
	case event.Shell:
		if !sendsPrompts(t.Command) {
			return ""
		}
		// What stands in quotation marks there is what is sent.
		if word = PersonWord(t.Command); word == "" && prompt.AsksToWrite(strings.NewReplacer(`"`, "\n", "'", "\n").Replace(t.Command)) {
			word = asking
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
