package settings

import "testing"

func ours(c Client, line string, o Options) bool {
	_, ours := c.program(line, nil, o)
	return ours
}

func TestProgramOfACommandLine(t *testing.T) {
	c := Client{Name: "codex"}
	for line, want := range map[string]string{
		`'/opt/my tools/mbgate' hook codex`:                                     "/opt/my tools/mbgate",
		`'/opt/it'\''s/mbgate' hook codex`:                                      "/opt/it's/mbgate",
		`[ -x '/opt/a b/mbgate' ] || exit 0; exec '/opt/a b/mbgate' hook codex`: "/opt/a b/mbgate",
		`mbgate hook codex`:                                                     "mbgate",
		`"/opt/my tools/mbgate" hook`:                                           "/opt/my tools/mbgate",
		`$HOME/bin/mbgate hook codex`:                                           "\x00/bin/mbgate",
		`FOO=1 mbgate hook codex`:                                               "mbgate",
		`'/opt/unclosed hook codex`:                                             "",
		``:                                                                      "",
	} {
		if got, _ := c.program(line, nil, Options{}); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestOurCommandLines(t *testing.T) {
	c := Client{Name: "codex"}
	o := Options{Binary: "/opt/g/gate"}
	for line, want := range map[string]bool{
		"mbgate hook":                   true,
		"mbgate hook codex":             true,
		"/a/b/mbgate compact --agent x": true,
		`"/a b/mbgate" tool-after`:      true,
		`'/it'\''s/mbgate' hook gemini`: true,
		`/it\ is/mbgate hook`:           true,
		`"$HOME"/bin/mbgate hook`:       true,
		`$(which mbgate) hook`:          false,
		"[ -x '/a/mbgate' ] || exit 0; exec '/a/mbgate' hook gemini": true,
		"env -i FOO=1 mbgate read":                                   true,
		"if true; then mbgate hook; fi":                              true,
		"mbgate hook && echo ok":                                     true,
		"cat | mbgate hook":                                          true,
		"~/dl/mbgate_linux_amd64 hook codex":                         true,
		"~/dl/mbgate_linux_amd64 hook claude-code":                   false,
		"/opt/g/gate hook codex":                                     true,
		"mbgate 'unclosed hook":                                      false,
		"mbgate hook 'unclosed":                                      true,
		"mbgate status":                                              false,
		"mbgate":                                                     false,
		"mbgate --version":                                           false,
		"hook mbgate":                                                false,
		"echo 'mbgate hook'":                                         false,
		"/usr/bin/gate2 hook codex":                                  false,
		"mbgate.sh hook":                                             false,
		"xmbgate hook":                                               false,
		"mbgate; hook":                                               false,
		"true # mbgate hook":                                         false,
		"":                                                           false,
	} {
		if got := ours(c, line, o); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	for _, p := range []string{"/usr/local/bin/mbgate", `/home/d v/it's $HOME/"q"/mbgate`, "/x/!1 #/gate"} {
		for _, f := range []Form{ShellForm, GuardedForm} {
			line := f.line(Options{Binary: p}, "hook codex")
			if !ours(c, line, Options{Binary: p}) {
				t.Errorf("%s is not known", line)
			}
		}
	}
	if !ours(c, `C:\tools\mbgate.exe hook`, Options{Windows: true}) {
		t.Error("a path of Windows is not known")
	}
	w := Options{Binary: `C:\Program Files\mb\mbgate.exe`, Windows: true}
	if line := GuardedForm.line(w, "hook gemini"); line != `"C:\Program Files\mb\mbgate.exe" hook gemini` || !ours(c, line, w) {
		t.Error(line)
	}
}
