package config

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// Bounds of a list: a hook matches each path of a call against each pattern.
const (
	maxList    = 500
	maxElement = 1024
)

// finding is what is wrong with a value; element is the index in its list, -1 for the whole.
type finding struct {
	element      int
	what, remedy string
}

// check says what is wrong with a value of the right type.
func (k *Key) check(v *value) []finding {
	if k.Type.list() {
		return k.checkList(v.list)
	}
	shown, what, remedy := quote(v.text), "", ""
	if k.Type == Text || k.Type == Switch {
		what, remedy = k.checkText(v.text)
	} else if v.number < k.Min || v.number > k.Max {
		shown, what = strconv.Itoa(v.number), "which is out of range"
		remedy = "write a number from " + strconv.Itoa(k.Min) + " to " + strconv.Itoa(k.Max)
	}
	if what == "" {
		return nil
	}
	return []finding{{-1, "is " + shown + ", " + what, remedy}}
}

func (k *Key) checkText(s string) (what, remedy string) {
	switch {
	case k.Allowed != nil && !slices.Contains(k.Allowed, s):
		return "which is none of its values", k.oneOf()
	case k.Allowed != nil || s == "":
		return "", ""
	}
	return checkPath(s)
}

// oneOf is the remedy for a word that is not allowed.
func (k *Key) oneOf() string {
	return `write one of "` + strings.Join(k.Allowed, `", "`) + `"`
}

func (k *Key) checkList(list []string) []finding {
	if len(list) > maxList {
		return []finding{{-1, "has " + strconv.Itoa(len(list)) + " elements", "write at most " + strconv.Itoa(maxList) + "; ** matches any depth, {a,b} either"}}
	}
	var found []finding
	plain := slices.IndexFunc(list, func(s string) bool { return !strings.HasPrefix(s, "+") })
	if plain >= 0 && adds(list) {
		found = append(found, finding{
			plain, "mixes elements with and without a plus sign (" + quote(list[plain]) + ")",
			"begin every element with + to add to the list, or none to replace it; a name that begins with + is written ./+",
		})
	}
	test := checkGlob
	if k.Type == Names {
		test = checkPreset
	}
	for i, s := range list {
		if what, remedy := test(element(s)); what != "" {
			found = append(found, finding{i, "has the element " + quote(s) + ", " + what, remedy})
		}
	}
	return found
}

// adds reports whether a list adds to the one below it.
func adds(list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, "+") })
}

// element is an element as it is used: without the plus sign, and without a ./ that says nothing.
func element(s string) string {
	s = strings.TrimPrefix(s, "+")
	for strings.HasPrefix(s, "./") {
		s = s[2:]
	}
	return s
}

func checkPreset(s string) (what, remedy string) {
	if _, ok := FindPreset(s); ok {
		return "", ""
	}
	return "which is not a preset", "write one of " + presetNames
}

// checkGlob says what is wrong with a pattern over canonical paths. A pattern that can never match is as wrong as one that
// cannot be parsed: an anchor that is never found guards nothing.
func checkGlob(s string) (what, remedy string) {
	if what, remedy = checkShape(s); what != "" {
		return what, remedy
	}
	if !doublestar.ValidatePattern(s) {
		return "which is not a valid pattern", "close every [ and {; a literal one is written [[] or [{]"
	}
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		if i++; i == len(s) || !strings.ContainsRune(`[]{}`, rune(s[i])) {
			return "which has a backslash", "separate folders with /"
		}
	}
	return "", ""
}

// checkPath says what is wrong with a path relative to the root.
func checkPath(s string) (what, remedy string) {
	if strings.HasSuffix(s, "/") {
		return "which is a folder", "write the path of one file"
	}
	if what, remedy = checkShape(s); what != "" {
		return what, remedy
	}
	switch {
	case strings.ContainsAny(s, "*?"):
		return "which is a pattern", "write the path of one file"
	case strings.Contains(s, `\`):
		return "which has a backslash", "separate folders with /"
	}
	return "", ""
}

// checkShape is what patterns and paths have in common: they are relative to the root, stay in it, and are clean.
func checkShape(s string) (what, remedy string) {
	switch {
	case s == "":
		return "which is empty", "remove it"
	case len(s) > maxElement:
		return "which is too long", "write at most " + strconv.Itoa(maxElement) + " bytes"
	case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
		return "which has a control character", "write the path as it is shown"
	case strings.HasPrefix(s, "/"), strings.HasPrefix(s, "~/"), strings.HasPrefix(s, `\\`), drive(s):
		return "which is not relative", "write it relative to the project root"
	case strings.HasSuffix(s, "/"):
		return "which is a folder", "name files; " + element(s) + "** is everything in it"
	}
	for part := range strings.SplitSeq(s, "/") {
		switch part {
		case "..":
			return "which leads out of the project", "write it relative to the project root, without .."
		case ".", "":
			return "which has an empty element", "write the path without . and doubled slashes"
		}
	}
	return "", ""
}

// drive reports whether a path begins with a drive of Windows.
func drive(s string) bool {
	return len(s) > 2 && s[1] == ':' && (s[2] == '/' || s[2] == '\\') && 'a' <= s[0]|0x20 && s[0]|0x20 <= 'z'
}

// remedyUnknown is what to do about a key that does not exist.
func remedyUnknown(name string) string {
	if near := nearest(name); near != "" {
		return "write " + near + ", or remove it"
	}
	return "remove it; `mbgate config` lists the keys"
}

// nearest is the key that was probably meant, "" if none is near.
func nearest(name string) string {
	if len(name) > 40 {
		return ""
	}
	fold := strings.NewReplacer("-", "_", ".", "_", " ", "_").Replace(strings.ToLower(name))
	best, dist := "", 0
	for i := range table {
		k := table[i].Name
		d := distance(fold, k)
		if d <= max(1, len(k)/4) && (best == "" || d < dist) {
			best, dist = k, d
		}
	}
	return best
}

// distance is how many letters have to be put in, left out, replaced or swapped with their neighbour.
func distance(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
