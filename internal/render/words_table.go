package render

import (
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// opWords are the verb for what a call does to a file, and what happens to the file.
var opWords = [...]struct {
	op            event.Op
	does, happens string
}{
	{event.OpWrite, "writes", "written"},
	{event.OpAppend, "appends to", "appended to"},
	{event.OpCreate, "creates", "created"},
	{event.OpDelete, "deletes", "deleted"},
	{event.OpMove, "moves", "moved away"},
	{event.OpMode, "changes the mode of", "given another mode"},
	{event.OpLink, "links", "linked"},
}

// scopeWords say where a call changes something.
func scopeWords() map[risk.Scope]string {
	return map[risk.Scope]string{
		risk.WritesNone:    "changes nothing",
		risk.WritesProject: "changes the project",
		risk.WritesOutside: "changes files outside the project",
		risk.WritesUnknown: "may change anything",
	}
}

// targetRules are the rows of the risk's table (SPEC §8, risk.Target.Rule) that say more about a file than its level.
var targetRules = [...]string{
	risk.RuleOwn:       "mbgate's own",
	risk.RuleAnchor:    "a required document that was not read",
	risk.RuleSensitive: "a sensitive file",
	risk.RuleTree:      "a whole folder",
	risk.RuleSeveral:   "one of several files",
	risk.RuleMultiEdit: "edited in many places at once",
	risk.RuleSafe:      "a safe file",
	risk.RuleBuilt:     "a build output",
	risk.RuleOutside:   "outside the project",
	risk.RuleMissing:   "it is not there",
	risk.RuleGit:       "git's own",
}

// gateRules are the rules that decide, for explain.
func gateRules() map[gate.Rule]string {
	return map[gate.Rule]string{
		gate.RuleOwn:      "R6: mbgate's own commands, state and configuration are for people, at all times",
		gate.RuleRecovery: "R3: a recovery is pending in this session",
		gate.RuleConfig:   "R6: while a recovery is pending, mbgate's hooks stay in the agent's configuration",
		gate.RuleGuard:    "§11: the write guard, who may write into memory-bank/",
		gate.RuleRead:     "§10: the read gate, a write in a turn in which patterns.md was not read",
		gate.RuleDrop:     "R5: the last anchor that was required cannot be read, so it is no longer required",
	}
}

// insteadWords say what stays open in place of what a reason is about, as a remedy: short, and with a command.
var insteadWords = [...]string{
	reason.Changes:     "print the result, or write it outside the project; a check or dry run of the same program passes",
	reason.Restores:    "git diff and git show tell what would be restored",
	reason.InPlace:     "print the result: sed without -i passes",
	reason.Redirects:   "print it, or redirect it to a file outside the project, such as one below /tmp",
	reason.OpensBoth:   "open the file for reading alone: < in place of <>",
	reason.Words:       "fix the syntax, so that it can be read",
	reason.Worktree:    "git status, git diff, git log and git show pass",
	reason.Generates:   "its check, diff or dry run passes, and so do builds and tests",
	reason.Unparsed:    "fix the syntax, so that it can be read",
	reason.Opaque:      "write paths and commands out in the script, so that they can be read",
	reason.Script:      "run a script of the project, or give the commands themselves",
	reason.MadeHere:    "give its commands themselves, or run what the project has",
	reason.UnknownText: "write the commands out in place of text that is made when they run",
	reason.UnknownWord: "write the program's name out in place of a variable",
	reason.UnknownSub:  "write the subcommand out in place of a variable",
	reason.Terminal:    "run the command itself, without the terminal program",
	reason.Interactive: "give it its commands: as an option, a file of the project or a here-document",
	reason.Agent:       "do it in this session",
}

const insteadOfRemoving = "list it: ls, find and git ls-files pass"

// whyWords are the sentences for reasons that name no changed file. %by stands for the program or call, %object for the
// word that the reason is about, and %named for that word behind a colon, or nothing.
var whyWords = [...]string{
	reason.Worktree:     "%by changes files of the working tree",
	reason.Generates:    "%by changes files of the working tree",
	reason.Unparsed:     "the command cannot be parsed%named",
	reason.Fault:        "the judgement failed%named",
	reason.Opaque:       "%by%named",
	reason.Script:       "%by runs a script that cannot be judged%named",
	reason.MadeHere:     "%by runs a program that was made here%named",
	reason.UnknownText:  "%by runs text that is not known%named",
	reason.UnknownWord:  "a command whose name is not known is run%named",
	reason.UnknownSub:   "%by is run with a subcommand that is not known",
	reason.Terminal:     "%by runs commands in a terminal of its own",
	reason.Interactive:  "%by takes its orders from the terminal",
	reason.Agent:        "a coding agent is started: %by",
	reason.NoTarget:     "the call does not say which file it changes",
	reason.NoCommand:    "the command is not in the call",
	reason.BadPatch:     "the patch cannot be parsed%named",
	reason.BadSyntax:    "the command cannot be parsed%named",
	reason.TooNested:    "the command is too long or too deeply nested to be parsed",
	reason.TooDeep:      "the command is too deeply nested to be followed",
	reason.TooManyRuns:  "the command runs more commands than are followed",
	reason.TooLongLoop:  "a loop is too long to be followed",
	reason.TooManyTraps: "the command sets more traps than are followed",
	reason.TooManyFiles: "the command changes more files than are listed",
	reason.TooManyWords: "%by has more words than are followed",

	reason.OwnFile:     "%object belongs to mbgate or holds what does: only a person changes it; mbgate config prints what to put there",
	reason.OwnPerson:   "mbgate %object is for people: ask the user to run it",
	reason.OwnClient:   "mbgate %object is for the client and for people: ask the user to run it",
	reason.OwnClear:    "mbgate clear is for people: ask the user to send mb:clear, or to run it in a terminal",
	reason.OwnProgram:  "%by changes the installed mbgate or ends its processes: only a person does that",
	reason.OwnInit:     "mbgate init is for projects without a memory bank",
	reason.OwnLayout:   "mbgate init with another layout writes mbgate's configuration: ask the user to run it",
	reason.OwnUnknown:  "mbgate is run with a word that cannot be known before: write it out",
	reason.OwnFlag:     "mbgate is run with the flag %object before its subcommand: put the subcommand first",
	reason.OwnUnparsed: "a command that runs mbgate could not be parsed: run it alone",
	reason.PersonWord:  "its arguments hold %object, which is a person's word: only a person sends it",
}
