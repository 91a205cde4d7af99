package config

import "testing"

func TestDefaults(t *testing.T) {
	c, problems := Load(Sources{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, v := range c.Values() {
		if v.Origin.Kind != FromDefault {
			t.Errorf("%s comes from %s", v.Key.Name, v.Origin)
		}
	}
}
