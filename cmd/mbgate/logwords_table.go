package main

import "github.com/mbgate/mbgate/internal/gate"

// logWord is a word of the log, what people call it, and what it means.
type logWord struct{ word, also, means string }

// decisions are the decisions that the log may hold: the gate's verdicts, and what the gate and commands note beside them.
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
