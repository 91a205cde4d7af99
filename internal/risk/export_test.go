package risk

// agentFiles gives the files of the real agents, with the environment variables that move them. agents_test.go sets it, since
// this package cannot import theirs.
var agentFiles func(getenv func(string) string) AgentFiles

// SetAgentFiles sets it.
func SetAgentFiles(files func(getenv func(string) string) AgentFiles) { agentFiles = files }

func noEnv(string) string { return "" }
