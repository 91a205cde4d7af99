package config

import (
	"slices"

	"github.com/mbgate/mbgate/internal/event"
)

// order says which values of a key are the stricter ones.
type order int8

const (
	unordered order = iota
	// earlier and later values of Allowed are stricter.
	earlier
	later
	// larger numbers and longer lists are stricter, or smaller and shorter ones.
	larger
	smaller
)

// Loose is a key that the project's file makes looser than the rest of the configuration does (SPEC §16).
type Loose struct {
	Key Key
	// Yours is the value without the project's file, Here the one in effect, both as a TOML file has them.
	Yours, Here string
	// Origin is the place in the project's file.
	Origin Origin
}

// Loosened are the keys that the project's file makes looser. What it makes stricter, and what the environment or a flag
// overrides, is left out.
func Loosened(src Sources) []Loose {
	if src.Project.Data == nil {
		return nil
	}
	here, _ := Load(src)
	src.Project = File{}
	yours, _ := Load(src)
	mine, theirs := yours.Values(), here.Values()
	var out []Loose
	for i := range table {
		if looser(table[i], table[i].at(&yours), table[i].at(&here)) {
			out = append(out, Loose{theirs[i].Key, mine[i].Text, theirs[i].Text, theirs[i].Origin})
		}
	}
	return out
}

// looser reports whether a value is looser than another one of the same key.
func looser(k Key, yours, here any) bool {
	sign := map[order]int{earlier: 1, later: -1, larger: -1, smaller: 1}[k.strict]
	switch here := here.(type) {
	case *event.Mode:
		yours := yours.(*event.Mode)
		return sign*(slices.Index(k.Allowed, string(*here))-slices.Index(k.Allowed, string(*yours))) > 0
	case *int:
		yours := yours.(*int)
		if k.Min == 0 && *yours != *here && (*yours == 0 || *here == 0) {
			return *yours == 0 // 0 is never
		}
		return sign*(*here-*yours) > 0
	case *[]string:
		more, less := *yours.(*[]string), *here
		if k.strict == smaller {
			more, less = less, more
		}
		return k.strict != unordered && slices.ContainsFunc(more, func(s string) bool { return !slices.Contains(less, s) })
	}
	return false
}
