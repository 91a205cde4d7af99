package main

import "testing"

func TestWhatAStatusLineIsAsked(t *testing.T) {
	for data, want := range map[string]lineRequest{
		`{"session_id":"s","cwd":"/a","workspace":{"current_dir":"/b","project_dir":"/c","added_dirs":[]},"model":{"id":"m"}}`: {"s", "/b", "/c"},
		`{"session_id":"s","cwd":"/a","workspace":null}`:                                                                       {"s", "/a", ""},
		` {"cwd":"/a\u002fb","workspace":{"current_dir":7,"project_dir":""}}`:                                                  {"", "/a/b", ""},
		`{"session_id":{"session_id":"x"},"workspace":"/w"}`:                                                                   {},
		`{}`: {},
	} {
		if got, ok := readLineRequest([]byte(data)); !ok || got != want {
			t.Errorf("%s: %+v, %v, want %+v", data, got, ok, want)
		}
	}
	for _, data := range []string{``, `[]`, `"s"`, `{"session_id":"s"`, `{"session_id":}`, "\x00"} {
		if got, ok := readLineRequest([]byte(data)); ok {
			t.Errorf("%q: %+v", data, got)
		}
	}
}
