package main

import (
	"bytes"
	"os"
	"testing"
)

func TestSessionGenIsFresh(t *testing.T) {
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("../session_gen.go"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("session_gen.go is not what the structs say (%v): run `go generate ./internal/state`", err)
	}
}
