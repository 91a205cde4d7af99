package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mbgate/mbgate/internal/event"
)

// Item is one element of a list and where it comes from.
type Item struct {
	Text   string `json:"value"`
	Origin Origin `json:"origin"`
}

// Value is one key of an effective configuration, for `mbgate config`.
type Value struct {
	Key Key
	// Text is the value as a TOML file has it.
	Text string
	// Value is a string, an int, a bool or a []string, for machines.
	Value any
	// Origin is where the value comes from; Items has it for every element of a list.
	Origin Origin
	Items  []Item
}

// Values are all keys with their effective values, in the order of Keys.
func (c Config) Values() []Value {
	values := make([]Value, 0, keyCount)
	for i, k := range Keys() {
		v := Value{Key: k, Origin: c.origins[i]}
		switch p := k.at(&c).(type) {
		case *event.Mode:
			v.Value, v.Text = string(*p), literal(string(*p))
		case *string:
			v.Value, v.Text = *p, literal(*p)
		case *int:
			v.Value, v.Text = *p, strconv.Itoa(*p)
		case *bool:
			v.Value, v.Text = *p, strconv.FormatBool(*p)
		case *[]string:
			v.Value, v.Text = append([]string{}, *p...), list(*p)
			for n, s := range *p {
				o := c.origins[i]
				if n < len(c.items[i]) {
					o = c.items[i][n]
				}
				v.Items = append(v.Items, Item{s, o})
			}
		}
		values = append(values, v)
	}
	return values
}

// Example is a file to start from: every key with its meaning and its default, all of it commented out.
func Example(sensitive, safe []string) string {
	var b strings.Builder
	b.WriteString("# .mbgate.toml: what mbgate does in this project. Every line is the default; remove the # to change it.\n" +
		"# A list replaces the one below it; elements that begin with + add to it. The user's own file\n" +
		"# ($XDG_CONFIG_HOME/mbgate/config.toml) has the same keys, and this one wins.\n")
	for _, v := range defaultConfig(sensitive, safe).Values() {
		b.WriteString("\n# " + v.Key.Doc)
		if len(v.Key.Allowed) > 0 {
			b.WriteString(" (" + strings.Join(v.Key.Allowed, " | ") + ")")
		}
		b.WriteString("\n# " + strings.ReplaceAll(v.Key.Name+" = "+v.Text, "\n", "\n# ") + "\n")
	}
	return b.String()
}

// literal is a string in TOML. strconv.Quote would write escapes that TOML does not know.
func literal(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// list is a list in TOML: on one line while it is short.
func list(elements []string) string {
	var quoted []string
	size := 0
	for _, s := range elements {
		if strings.HasPrefix(s, "+") {
			s = "./" + s
		}
		q := literal(s)
		quoted = append(quoted, q)
		size += len(q) + 2
	}
	if size <= 80 {
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return "[\n  " + strings.Join(quoted, ",\n  ") + ",\n]"
}
