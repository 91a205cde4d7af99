package main

import (
	"io"
	"os/exec"
	"strings"
	"testing"
)

func TestIdentify(t *testing.T) {
	const (
		mit  = "Copyright (c) 2020 Somebody\n\nPermission is hereby granted, free of charge, to any person\n\nThe above copyright notice and this permission notice shall be included\n"
		bsd2 = "Redistribution and use in source and binary forms are permitted\n* Redistributions in binary form must reproduce\n  the above copyright notice\n"
		bsd3 = bsd2 + "* Neither the name of X nor the names of its contributors\n"
	)
	for _, tt := range []struct {
		want  string
		texts []text
	}{
		{"MIT", []text{{"LICENSE", mit}}},
		{"BSD-2-Clause", []text{{"LICENSE.txt", bsd2}}},
		{"BSD-3-Clause", []text{{"LICENSE", bsd3}}},
		{"Apache-2.0", []text{{"LICENSE", "Apache License\n  Version 2.0, January 2004"}, {"NOTICE", "made by X"}}},
		{"error: there is no licence", nil},
		{"error: there is no licence", []text{{"NOTICE", mit}}},
		{"error: LICENSE is under no licence", []text{{"LICENSE", "All rights reserved."}}},
		{"error: LICENSE speaks of the general public license", []text{{"LICENSE", mit + "or the GNU General\nPublic License"}}},
		{"error: COPYING is under no licence", []text{{"COPYING", "?"}, {"LICENSE", mit}}},
	} {
		got, err := identify(tt.texts)
		if err != nil {
			got = "error: " + err.Error()
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%q: got %q, want %q", tt.texts, got, tt.want)
		}
	}
}

// The modules of the real program: each has its licence in the notices, and the notices are the same every time.
func TestNotices(t *testing.T) {
	modules, err := linkedModules()
	if err != nil {
		t.Fatal(err)
	}
	var a, b strings.Builder
	if err := writeNotices(&a, modules); err != nil {
		t.Fatal(err)
	}
	again, err := linkedModules()
	if err != nil {
		t.Fatal(err)
	}
	if err := writeNotices(&b, again); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Error("the notices differ from one time to the next")
	}
	for _, want := range []string{
		"\nGo's standard library go1.", "\ngithub.com/spf13/cobra v", "\ngithub.com/inconshreveable/mousetrap v", // Windows only
		"Copyright 2009 The Go Authors.", "Copyright (c) 2016, Daniel Martí. All rights reserved.",
	} {
		if !strings.Contains(a.String(), want) {
			t.Errorf("the notices lack %q", want)
		}
	}
	if strings.Contains(a.String(), "rogpeppe/go-internal v0") || strings.Contains(a.String(), "golang.org/x/tools") {
		t.Error("a module is named that only tests use")
	}
	if home, err := exec.Command("go", "env", "GOMODCACHE").Output(); err != nil || strings.Contains(a.String(), strings.TrimSpace(string(home))) {
		t.Errorf("the notices name a folder of this machine: %v", err)
	}
}

func TestWrongUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"sbom"}, {"notices", "x"}} {
		if err := run(args, io.Discard); err == nil {
			t.Errorf("release %q did well", args)
		}
	}
}
