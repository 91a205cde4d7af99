package main

import (
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// nested plays a shell command that repeats a text: nested N TEXT [TAIL]. The Go runtime ends a process whose stack
// overflows with status 2, which an agent takes for a refusal, so what comes is compared with what is expected.
func nested(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	command := strings.Repeat(args[1], n)
	if len(args) > 2 {
		command += args[2]
	}
	input := `tool_input={"command":` + string(mustJSON(strings.ReplaceAll(command, `\n`, "\n"))) + `}`
	claude(ts, neg, []string{"PreToolUse", "tool_name=Bash", input, "tool_use_id=n"})
}
