package main

import "strings"

// parseHookArgs reads the command line of a hook as agents' configurations hold it: the command, --agent and --root with their
// values, for hook the agent's name. Everything else (a mistake, --help, one of the many configuration flags) is not ok and
// left to the command tree: to build it and to parse with it costs a hook 65 µs and 40 pages of memory.
// TestParseHookArgs compares the two.
func parseHookArgs(args []string) (name string, o hookOptions, ok bool) {
	if _, known := hookNamed(first(args)); !known {
		return "", o, false
	}
	name, args = args[0], args[1:]
	positional := false
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if !strings.HasPrefix(arg, "-") {
			if name != "hook" || positional {
				return "", o, false
			}
			positional, o.agent = true, arg
			continue
		}
		flag, value, attached := strings.Cut(arg, "=")
		if !attached {
			if len(args) == 0 || strings.HasPrefix(args[0], "-") {
				return "", o, false
			}
			value, args = args[0], args[1:]
		}
		switch {
		case flag == "--agent" && !positional && name != "hook":
			o.agent = value
		case flag == "--shape" && name == "hook" && !positional:
			o.shape = value
		case flag == "--root":
			o.root = value
		default:
			return "", o, false
		}
	}
	return name, o, true
}
