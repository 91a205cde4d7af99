package settings

import (
	"bytes"
	"strings"
	"testing"
)

func TestAnOlderDefinitionIsBroughtUpToDate(t *testing.T) {
	old := sealed("an older text\n", "<!--")
	s := Client{Definition: Definition{Head: "a head\n"}}.Subagents()[0]
	if out, err := s.Install(old); err != nil || bytes.Equal(out, old) {
		t.Errorf("an older version stays: %v", err)
	}
	if out, err := s.Remove(old); err != nil || out != nil {
		t.Errorf("an older version is not removed: %v", err)
	}
}

func TestSubagentsAreTold(t *testing.T) {
	for _, must := range []string{"## Context Summary", "## Evidence", "## Open Questions", "memory-bank-writer", "Never start another memory-reader"} {
		if !strings.Contains(readerText, must) {
			t.Errorf("the reader is not told %q", must)
		}
	}
	for _, must := range []string{"USER_BLOCK_START", "USER_BLOCK_END", "in a prompt before", "foreground", "no shell"} {
		if !strings.Contains(writerText, must) {
			t.Errorf("the writer is not told %q", must)
		}
	}
}
