package main

import (
	"slices"
	"strings"

	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/render"
)

// logWord is a word of the log, and what it means.
type logWord struct{ word, also, means string }

// decisions are what may stand in the log as a decision: the gate's verdicts and notes, and what commands write down.
// also is what people call it.
func decisions() []logWord {
	return []logWord{
		{"block", "refused", "a call was refused"},
		{"warn", "reminded", "a call passed with a reminder"},
		{"allow", "allowed", "a write of medium or high risk passed"},
		{"armed", "", "a compaction began a recovery"},
		{"read", "", "a required document was read in full"},
		{"recovered", "", "a recovery ended, since all was read"},
		{"stood down", "", "the gate turned to reminders"},
		{"dropped", "", "a document or a note is not required any more"},
		{"cleared", "", "a person ended a recovery"},
		{"forgotten", "", "a person forgot a session"},
		{"damaged", "", "a state that could not be read"},
		{"capsule", "", "what a compaction carried over"},
		{"noted", "", "a note was made"},
		{"answered", "", "a question was answered"},
		{"proposal", "", "an update of the memory bank was proposed"},
		{"reader", "", "the reader subagent was called"},
		{"reader failed", "", "a call of the reader subagent failed"},
		{"source known again", "", "a source of the capsule was read again"},
		{"source let go", "", "a source of the capsule shows no line"},
	}
}

// logRules are the rules that the log names.
func logRules() []logWord {
	return []logWord{
		{string(gate.RuleArm), "", "a compaction arms the gate"},
		{string(gate.RuleRecovery), "", "writes wait until the documents are read"},
		{string(gate.RuleReader), "", "who may end a recovery: reading, a person"},
		{string(gate.RuleDrop), "", "what cannot be read is not required"},
		{string(gate.RuleOwn), "", "mbgate's own files and commands"},
		{string(gate.RuleConfig), "", "the agent's hook configuration"},
		{string(gate.RuleDamage), "", "a damaged state"},
		{string(gate.RuleCapsule), "", "what the capsule binds"},
		{string(gate.RulePerson), "", "a person's prompt"},
		{string(gate.RuleRead), "10", "the read gate, patterns.md"},
		{string(gate.RuleGuard), "11", "the write guard of memory-bank/"},
		{string(gate.RuleProposal), "12", "proposals of an update"},
	}
}

// pickWords are the words of the table that a flag's value names, several with commas between them. With begins, the
// beginning of a word names all that begin so.
func pickWords(flag, value string, table []logWord, begins bool) ([]string, error) {
	var picked []string
	for name := range strings.SplitSeq(value, ",") {
		name = strings.ToLower(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '_' || r == '-' && !begins }), " "))
		n := len(picked)
		for _, w := range table {
			word := strings.ToLower(w.word)
			if name != "" && (name == word || name == w.also || begins && strings.HasPrefix(word, name)) {
				picked = append(picked, w.word)
			}
		}
		if len(picked) == n {
			return nil, &usageError{problem: flag + " " + render.Safe(strings.TrimSpace(value)) + " names nothing that the log has; there are " + wordList(table)}
		}
	}
	slices.Sort(picked)
	return slices.Compact(picked), nil
}

// wordList is the words of a table, with what people call them.
func wordList(table []logWord) string {
	var list []string
	for _, w := range table {
		if w.also != "" {
			w.word = w.also + " (" + w.word + ")"
		}
		list = append(list, w.word)
	}
	return strings.Join(list, ", ")
}
