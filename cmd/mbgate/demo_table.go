package main

// The demo's files: a memory bank and one source file.
const (
	demoSession     = "5c0ffee0-demo-4a11-9c3e-000000000001"
	demoRequirement = "memory-bank/details/requirements/REQ-007-retries.md"
	demoSource      = "src/retry.py"
)

// demoFiles are the files of the temporary project.
func demoFiles() map[string]string {
	return map[string]string{
		"memory-bank/MEMORY.md": `# Ledger sync

## Current Focus
- Goal: uploads survive a flaky network (REQ-007)
- In progress: src/retry.py
- Remaining: tests for status 429
`,
		demoRequirement: `# REQ-007: retries

An upload that fails is tried again.

1. At most 3 times.
2. Wait 1, 2 and 4 seconds, with jitter.
3. Never after a 4xx, except 429.
4. Never when the ledger has answered: it may have booked.

Decided with the bank on 12 March: rule 4 is not negotiable,
a second booking costs more than a lost upload.
`,
		"memory-bank/details/patterns.md": "# Patterns\n\nNo retries outside src/retry.py.\n",
		demoSource:                        "ATTEMPTS = 3\n\ndef retry(call):\n    ...\n",
	}
}

// demoStep is one command of the demo, the event that it is given, and the answer that it should get.
type demoStep struct {
	title, command string
	// What happens: a session starts from this source; an edit makes this of the source file's first line; a command is
	// about to run; the requirement was read from line first to last. None of them: a command of people.
	source, edit, shell string
	first, last         int
	exit                int
	out, err            string // must be in standard output, in standard error
	silent              bool   // nothing at all may be printed
	quote               bool   // the story shows the answer, too
	machine             bool   // only -v shows it
	means               string
}

// demoSteps are the events of the session, in order.
func demoSteps() []demoStep {
	return []demoStep{
		{
			title: "A session starts.", command: "session-start",
			source: "startup", out: "<memory-bank>", means: "the model gets the memory bank's entry",
		},
		{
			title: "The agent reads the requirement.", command: "tool-after",
			first: 1, last: 11, silent: true, means: "mbgate remembers this document",
		},
		{
			title: "It edits src/retry.py.", command: "tool-before",
			edit: "ATTEMPTS = 10", out: "patterns.md", means: "allowed, with a reminder",
		},
		{
			title: "Hours later the session is compacted.", command: "compact",
			source: "compact", out: demoRequirement, means: "the model is told what to read again",
		},
		{
			title: "It edits from memory: ATTEMPTS = 10.", command: "tool-before",
			edit: "ATTEMPTS = 10", exit: 2, err: demoRequirement, means: "refused, with the read to make next",
		},
		{
			title: "It tries sed -i instead.", command: "tool-before",
			shell: "sed -i 's/ATTEMPTS = 3/ATTEMPTS = 10/' " + demoSource, exit: 2, err: demoRequirement, quote: true,
			means: "refused: it would write the same file",
		},
		{
			title: "It runs the tests and a search.", command: "tool-before",
			shell: "python -m pytest -q && grep -rn ATTEMPTS src", silent: true, means: "allowed",
		},
		{
			title: "It reads five of the eleven lines.", command: "tool-after",
			first: 1, last: 5, silent: true, means: "five lines count as read",
		},
		{
			title: "It edits again.", command: "tool-before",
			edit: "ATTEMPTS = 10", exit: 2, err: "5 of 11 lines read", means: "refused, with the lines that are left",
		},
		{
			title: "It makes the read that was printed.", command: "tool-after",
			first: 6, last: 11, silent: true, means: "every line is read: the gate is open",
		},
		{
			title: "It keeps rule 1: ATTEMPTS = 3.", command: "tool-before",
			edit: "ATTEMPTS = 3  # REQ-007, rule 1", out: "patterns.md", means: "allowed, with one reminder again",
		},
		{
			machine: true, title: "What was decided stands in the log.", command: "log --json --last 1",
			out: `"decision"`, means: "one object a line, for machines",
		},
	}
}
