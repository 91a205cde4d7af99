package config

import (
	"strconv"
	"strings"
)

// setting is what one variable or flag says.
type setting struct {
	origin     Origin
	key, value string
}

// fromEnv are the settings of the environment. An empty variable counts as unset.
func fromEnv(src Sources) []setting {
	var out []setting
	for i := range table {
		if s := src.env(table[i].Env); s != "" {
			out = append(out, setting{Origin{Kind: FromEnv, Name: table[i].Env}, table[i].Name, s})
		}
	}
	return out
}

// env is the value of an environment variable, "" where it is not set.
func (s Sources) env(name string) string {
	if s.Env == nil {
		return ""
	}
	v, _ := s.Env(name)
	return v
}

// fromFlags are the settings of the command line.
func fromFlags(src Sources) []setting {
	var out []setting
	for _, f := range src.Flags {
		out = append(out, setting{Origin{Kind: FromFlag, Name: "--" + f.Name}, strings.ReplaceAll(f.Name, "-", "_"), f.Value})
	}
	return out
}

// readSettings makes settings a layer. Of a key set twice the last one counts; lists add up.
func readSettings(settings []setting) (assignments, []Problem) {
	var layer assignments
	var problems []Problem
	for _, s := range settings {
		i, ok := find(s.key)
		if !ok {
			problems = append(problems, Problem{
				Origin: s.origin, What: "is not a configuration flag",
				Remedy: "leave it out; `mbgate config` lists the keys, and a flag is a key with dashes",
			})
			continue
		}
		v := &value{origin: s.origin}
		if before := layer[i]; before != nil {
			v.list = before.list
		}
		if bad := table[i].take(v, s.value); len(bad) > 0 {
			problems = append(problems, bad...)
			continue
		}
		layer[i] = v
	}
	return layer, problems
}

// take reads a value from a variable or a flag: a word or number as it is, a list with commas, of which those in
// braces belong to the pattern.
func (k *Key) take(v *value, s string) []Problem {
	at := func(what, remedy string) Problem {
		return Problem{Origin: v.origin, Key: k.Name, What: what, Remedy: remedy}
	}
	switch {
	case k.Type.list():
		v.list = append(v.list[:len(v.list):len(v.list)], split(s)...)
	case k.Type == Number:
		n, err := strconv.Atoi(s)
		if err != nil {
			return []Problem{at("is "+quote(s)+" and must be "+string(k.Type), "write digits only, like "+k.Example)}
		}
		v.number = n
	default:
		v.text = s
	}
	var problems []Problem
	for _, f := range k.check(v) {
		problems = append(problems, at(f.what, f.remedy))
	}
	return problems
}

// split cuts a list at its commas, except in braces. Blanks around an element and empty elements are dropped.
func split(s string) []string {
	var list []string
	depth, from := 0, 0
	add := func(part string) {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth = max(0, depth-1)
		case ',':
			if depth == 0 {
				add(s[from:i])
				from = i + 1
			}
		}
	}
	add(s[from:])
	return list
}
