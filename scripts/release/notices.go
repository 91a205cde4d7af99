package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// termsFiles is how the names of files begin that say a module's terms, in upper case. PATENTS is a grant and asks nothing.
var termsFiles = []string{"LICENSE", "LICENCE", "COPYING", "NOTICE"}

// licences are those under which a module may be linked into a program under MIT: they ask for their text, the copyright
// lines and, Apache, the NOTICE file to go with it, and for nothing else. A licence is known by the first row whose phrases
// its text holds all.
var licences = []struct {
	spdx    string
	phrases []string
}{
	{"Apache-2.0", []string{"Apache License", "Version 2.0, January 2004"}},
	{"MIT", []string{"Permission is hereby granted, free of charge", "The above copyright notice and this permission notice shall be included"}},
	{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "names of its contributors may be used to endorse"}},
	{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "nor the names of its"}},
	{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms", "Redistributions in binary form must reproduce the above copyright"}},
	{"ISC", []string{"Permission to use, copy, modify, and/or distribute this software for any purpose"}},
}

// foreign are licences whose terms reach further: a text that names one is refused, whatever else it says.
var foreign = []string{"GENERAL PUBLIC LICENSE", "MOZILLA PUBLIC LICENSE", "COMMONS CLAUSE", "BUSINESS SOURCE LICENSE", "SERVER SIDE PUBLIC LICENSE"}

// identify names the licence that the texts of a module are.
func identify(texts []text) (string, error) {
	const remedy = "read it, and add a row to scripts/release/notices.go or leave the module out"
	for _, t := range texts {
		if strings.HasPrefix(strings.ToUpper(t.name), "NOTICE") {
			continue
		}
		flat := strings.Join(strings.Fields(t.content), " ")
		for _, name := range foreign {
			if strings.Contains(strings.ToUpper(flat), name) {
				return "", fmt.Errorf("%s speaks of the %s; %s", t.name, strings.ToLower(name), remedy)
			}
		}
		for _, l := range licences {
			if containsAll(flat, l.phrases) {
				return l.spdx, nil
			}
		}
		return "", fmt.Errorf("%s is under no licence that is known to allow this; %s", t.name, remedy)
	}
	return "", errors.New("there is no licence; ask its authors for one, or leave the module out")
}

func containsAll(s string, phrases []string) bool {
	for _, p := range phrases {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}

// writeNotices writes what the licences want to go with every copy of the program.
func writeNotices(w io.Writer, modules []module) error {
	var b strings.Builder
	b.WriteString("mbgate is built from the modules below, besides its own code, whose licence is in LICENSE.\n" +
		"Not every platform's program holds all of them.\n\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "%s %s (%s)\n", m.path, m.version, m.licence)
	}
	for _, m := range modules {
		for _, t := range m.texts {
			fmt.Fprintf(&b, "\n%s\n%s %s, %s\n\n%s", strings.Repeat("=", 80), m.path, m.version, t.name, t.content)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
