package render

import "github.com/mbgate/mbgate/internal/gate"

// LogWord is a word of the log: as records have it, as screens say it, as people may also spell it (several with blanks
// between them), and what it means.
type LogWord struct{ Word, Says, Also, Means string }

// LogDecisions are the decisions that the log may hold: the gate's verdicts, and what the gate and commands note beside them.
func LogDecisions() []LogWord {
	return []LogWord{
		{"block", "refused", "refuse blocked deny denied", "a call was refused"},
		{"warn", "reminded", "remind warned reminder", "a call passed with a reminder"},
		{"allow", "allowed", "pass passed", "a write of medium or high risk passed"},
		{"armed", "armed", "compaction compacted", "a compaction began a recovery"},
		{"read", "read", "", "a required document was read in full"},
		{"recovered", "recovered", "", "a recovery ended because every document was read"},
		{"stood down", "stood down", "", "the gate turned to reminders"},
		{"dropped", "dropped", "", "a document or a note is no longer required"},
		{"cleared", "cleared", "clear", "a person ended a recovery"},
		{"forgotten", "forgotten", "prune pruned", "a person forgot a session"},
		{"damaged", "damaged", "", "a state could not be read"},
		{"capsule", "capsule", "", "what a compaction carried over"},
		{"noted", "noted", "note", "a note was made"},
		{"answered", "answered", "answer", "a question was answered"},
		{"proposal", "proposal", "proposed", "an update of the memory bank was proposed"},
		{"reader", "reader", "", "the reader subagent was called"},
		{"reader failed", "reader failed", "", "a call of the reader subagent failed"},
		{"source known again", "source read", "", "a source of the capsule was read again"},
		{"source let go", "source dropped", "", "a source of the capsule shows no line"},
	}
}

// LogRules are the rules that the log names.
func LogRules() []LogWord {
	return []LogWord{
		{string(gate.RuleArm), "", "", "a compaction arms the gate"},
		{string(gate.RuleRecovery), "", "", "writes wait until the documents are read"},
		{string(gate.RuleReader), "", "", "what may end a recovery: reading, or a person"},
		{string(gate.RuleDrop), "", "", "what cannot be read is not required"},
		{string(gate.RuleOwn), "", "", "mbgate's own files and commands"},
		{string(gate.RuleConfig), "", "", "the agent's hook configuration"},
		{string(gate.RuleDamage), "", "", "a damaged state"},
		{string(gate.RuleCapsule), "", "", "the limits in the capsule"},
		{string(gate.RulePerson), "", "", "a person's prompt"},
		{string(gate.RuleRead), "", "10", "the read gate, patterns.md"},
		{string(gate.RuleGuard), "", "11", "the write guard of memory-bank/"},
		{string(gate.RuleProposal), "", "12", "proposals of an update"},
	}
}
