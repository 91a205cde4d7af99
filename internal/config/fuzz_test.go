package config

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/pelletier/go-toml/v2"
)

// FuzzLoad holds Load against go-toml's own decoder: where Load finds no problem in a file, the decoder takes it too
// and sees the same values; where the decoder refuses a file, Load does too. Whatever the input, every effective value
// is a valid one, and no message can break out of its line.
func FuzzLoad(f *testing.F) {
	f.Add([]byte("recovery = \"warn\"\nanchors = [\"+a\", '''b''']\n"), "a,{b,c}")
	f.Add([]byte("max_chars = 0x10\r\n# c\r\n\"fail\" = 'open'"), "block")
	f.Add([]byte("preset = \"kiro\"\n[x]\ny = {z = 1}"), "12")
	f.Add([]byte("a.b = \"\\U0001F600\"\nfail = 1979-05-27"), "+x")
	f.Fuzz(func(t *testing.T, file []byte, word string) {
		env := func(string) (string, bool) { return word, true }
		c, problems := Load(Sources{Project: File{Path: "f", Data: file}, Env: env, Flags: []Flag{{"anchors", word}, {word, word}}})
		for _, v := range c.Values() {
			i, _ := find(v.Key.Name)
			var check value
			switch x := v.Value.(type) {
			case string:
				check.text = x
			case bool:
				check.text = v.Text
			case int:
				check.number = x
			case []string:
				for _, s := range x {
					check.list = append(check.list, "./"+s)
				}
			}
			if found := table[i].check(&check); len(found) > 0 && len(check.list) <= maxList {
				t.Fatalf("%s = %s: %v", v.Key.Name, v.Text, found)
			}
		}
		for _, p := range problems {
			if p.What == "" || p.Remedy == "" || strings.ContainsFunc(p.String(), unicode.IsControl) {
				t.Fatalf("bad message %q", p.String())
			}
		}

		if file == nil {
			return
		}
		alone, problems := Load(Sources{Project: File{Path: "f", Data: file}})
		var decoded map[string]any
		err := toml.Unmarshal(bytes.TrimPrefix(file, []byte("\xef\xbb\xbf")), &decoded)
		if err != nil && len(problems) == 0 {
			t.Fatalf("no problem in a file that is none: %v", err)
		}
		if len(problems) > 0 {
			return
		}
		for name, want := range decoded {
			i, ok := find(name)
			if !ok {
				t.Fatalf("%q was overlooked", name)
			}
			if name == "anchors" && decoded["preset"] != nil || table[i].Type.list() {
				continue // lists are merged; TestLayers has them
			}
			for _, v := range alone.Values() {
				got := v.Value
				if n, ok := got.(int); ok {
					got = int64(n)
				}
				if v.Key.Name == name && !reflect.DeepEqual(got, want) {
					t.Fatalf("%s is %v, and go-toml says %v", name, got, want)
				}
			}
		}
	})
}
