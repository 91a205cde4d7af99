package shell

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"sort"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/place/placetest"
)

// corpusRow is one command of testdata/corpus.jsonl.gz, labelled by running it (testdata/NOTICE).
type corpusRow struct {
	ID, Source, Command, Cwd, Writes string
	WritePaths                       []string `json:"write_paths"`
	ReadsFull                        []string `json:"reads_full"`
	ReadsPart                        []string `json:"reads_part"`
	Flags                            []string
}

func (r corpusRow) has(flags ...string) bool {
	for _, f := range r.Flags {
		for _, g := range flags {
			if f == g {
				return true
			}
		}
	}
	return false
}

func gzLines(tb testing.TB, name string, f func([]byte)) {
	tb.Helper()
	file, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	sc := bufio.NewScanner(z)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		f(sc.Bytes())
	}
	if err := sc.Err(); err != nil {
		tb.Fatal(err)
	}
}

// fixtureTree is the tree that the corpus was run in.
func fixtureTree(tb testing.TB) *placetest.Tree {
	t := placetest.New("/testbed")
	gzLines(tb, "testdata/fixture.jsonl.gz", func(b []byte) {
		var n struct {
			P, K string
			T    *string
		}
		if err := json.Unmarshal(b, &n); err != nil {
			tb.Fatal(err)
		}
		switch {
		case n.K == "d":
			t.Folder(n.P)
		case n.K == "l":
			t.Symlink(n.P, *n.T)
		case n.K == "f" && n.T != nil:
			t.File(n.P, *n.T)
		case n.K == "f":
			t.Opaque(n.P)
		default:
			t.Special(n.P)
		}
	})
	for _, dir := range []string{"/tmp", "/etc", "/var/tmp", "/usr/bin", "/usr/local/bin", "/bin", "/dev/shm", "/opt", "/root", "/var/log"} {
		t.Folder(dir)
	}
	return t
}

func corpus(tb testing.TB) (rows []corpusRow) {
	gzLines(tb, "testdata/corpus.jsonl.gz", func(b []byte) {
		var r corpusRow
		if err := json.Unmarshal(b, &r); err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, r)
	})
	return rows
}

func (r corpusRow) judge(tree place.Files) Report {
	return Judge(r.Command, Env{Files: tree, Root: "/testbed", Home: "/home/dev", Cwd: path.Join("/testbed", r.Cwd)})
}

// blocks reports whether a report makes the gate refuse, with a recovery pending (SPEC §8).
func blocks(rep Report) bool {
	for _, e := range rep.Effects {
		if e.Place.Inside() && !e.Place.Under(".git") && !e.Built {
			return true
		}
	}
	return len(rep.Unbounded) > 0 || len(rep.Unknown) > 0 || len(rep.Specials) > 0
}

// agrees compares the files written with those observed. A folder that is meant as a whole covers what is below it.
func agrees(r corpusRow, rep Report) bool {
	if len(rep.Unbounded) > 0 {
		return true
	}
	wanted := map[string]bool{}
	for _, p := range r.WritePaths {
		wanted[strings.TrimSuffix(p, "/")] = true
	}
	covered := func(p string) bool {
		for _, e := range rep.Effects {
			for _, n := range e.Place.Names() {
				if n == p || e.Tree && place.Under(p, n) || n == "." && e.Tree || e.Op == opCreate && place.Under(n, p) {
					return true
				}
			}
		}
		return false
	}
	for p := range wanted {
		if p != ".git" && !covered(p) {
			return false
		}
	}
	if r.has("paths-truncated", "unstable-paths", "metadata-only") || len(r.WritePaths) >= 40 { // a mode may have been the same before
		return true
	}
	gone := map[string]bool{} // made and taken away again: nothing to be seen afterwards
	for _, e := range rep.Effects {
		if e.Op == opDelete || e.Op == opMove {
			gone[e.Place.Abs] = true
		}
	}
	for _, e := range rep.Effects {
		if gone[e.Place.Abs] && e.Op != opDelete && e.Op != opMove || e.Place.Kind == place.Missing && gone[e.Place.Abs] {
			continue
		}
		if !e.Place.Inside() || !e.Certain || e.Place.Under(".git") {
			continue
		}
		hit := false
		for p := range wanted {
			for _, n := range e.Place.Names() {
				hit = hit || p == n || e.Tree && (place.Under(p, n) || n == ".") || place.Under(n, p)
			}
		}
		if !hit {
			return false
		}
	}
	return true
}

// searching reports whether a command searches or compares: what that happens to show in full is no read (SPEC A4).
func searching(command string) bool {
	for _, word := range strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \n|;&(", r) }) {
		switch path.Base(word) {
		case "grep", "ack", "ag", "rg", "diff", "join", "comm", "bzgrep", "zgrep", "cut", "gofmt", "shfmt":
			return true
		}
	}
	return false
}

type score struct{ writes, found, harmless, flagged, paths, pathsOK, full, credited, wrong int }

// sources are the scores that a row counts in: its own source's, all, and all that was not made for this purpose.
func sources(r corpusRow, at func(string) *score) []*score {
	list := []*score{at(r.Source), at("ALL")}
	if !strings.HasPrefix(r.Source, "handmade") {
		list = append(list, at("ALL MINED"))
	}
	return list
}

func TestCorpus(t *testing.T) {
	tree := fixtureTree(t)
	scores := map[string]*score{}
	at := func(s string) *score {
		if scores[s] == nil {
			scores[s] = &score{}
		}
		return scores[s]
	}
	for _, r := range corpus(t) {
		if r.has("opaque", "git-only", "incidental") {
			continue
		}
		rep := r.judge(tree)
		got := blocks(rep)
		complain := func(what string) {
			t.Logf("%s %s %s in %s: %q\n    want %v %v reads %v\n    got %s", what, r.ID, r.Source, r.Cwd, clip(r.Command), r.Writes, r.WritePaths, r.ReadsFull, describe(rep))
		}
		for _, s := range sources(r, at) {
			switch r.Writes {
			case "project":
				s.writes++
				if got {
					s.found++
				}
				if len(r.WritePaths) > 0 {
					s.paths++
					if agrees(r, rep) {
						s.pathsOK++
					}
				}
			case "none":
				s.harmless++
				if got {
					s.flagged++
				}
			}
		}
		switch {
		case r.Writes == "project" && !got:
			complain("MISSED")
		case r.Writes == "none" && got:
			complain("FALSE ALARM")
		case r.Writes == "project" && len(r.WritePaths) > 0 && !agrees(r, rep):
			complain("PATHS")
		}
		if r.has("reads-weak", "reads-transformed") {
			continue
		}
		full := map[string]bool{}
		for _, rd := range rep.Reads {
			if rd.Full {
				full[rd.Place.Canon] = true
			}
		}
		for _, p := range r.ReadsFull {
			if !full[p] && searching(r.Command) {
				continue
			}
			for _, s := range sources(r, at) {
				s.full++
				if full[p] {
					s.credited++
				}
			}
			if !full[p] {
				complain("READ MISSED " + p)
			}
			delete(full, p)
		}
		for p := range full {
			part := false
			for _, q := range r.ReadsPart {
				part = part || p == q
			}
			if b, ok := tree.Text("/testbed/"+p, 64<<10); !part && (!ok || len(strings.Fields(string(b))) == 0) {
				continue // nothing in it that could be seen
			}
			for _, s := range sources(r, at) {
				s.wrong++
			}
			complain("READ WRONGLY CREDITED " + p)
		}
	}
	names := make([]string, 0, len(scores))
	for n := range scores {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		s := scores[n]
		t.Logf("%-18s writes found %4d/%4d  false alarms %3d/%4d  paths agree %4d/%4d  full reads %3d/%3d, wrong %d",
			n, s.found, s.writes, s.flagged, s.harmless, s.pathsOK, s.paths, s.credited, s.full, s.wrong)
	}
	all := scores["ALL"]
	floor(t, "recall", float64(all.found)/float64(all.writes), minRecall)
	floor(t, "path agreement", float64(all.pathsOK)/float64(all.paths), minPaths)
	floor(t, "full reads", float64(all.credited)/float64(all.full), minReads)
	floor(t, "harmless passed", 1-float64(all.flagged)/float64(all.harmless), minQuiet)
	if all.wrong > maxWrong {
		t.Errorf("%d full reads are wrongly credited, want at most %d", all.wrong, maxWrong)
	}
}

// The floors are what was reached; raise them with it.
const (
	minRecall = 0.995 // c99 and as are labelled as writes: they put out what cc does
	minPaths  = 0.975
	minReads  = 0.95 // what a filter lets through is no read (A4), whether its pattern matches or not
	minQuiet  = 0.997
	maxWrong  = 0
)

func floor(t *testing.T, what string, got, want float64) {
	if got < want {
		t.Errorf("%s is %.4f, want at least %.4f", what, got, want)
	}
}

func clip(s string) string {
	if len(s) > 400 {
		return s[:300] + " … " + s[len(s)-90:]
	}
	return s
}

func describe(rep Report) string {
	var parts []string
	for _, e := range rep.Effects {
		if len(parts) > 8 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, effectText(e))
	}
	for _, r := range rep.Reads {
		if len(parts) > 16 {
			break
		}
		parts = append(parts, fmt.Sprintf("read %s full=%v %v", r.Place.Canon, r.Full, r.Spans))
	}
	for _, s := range rep.Specials {
		parts = append(parts, s.Kind.String())
	}
	return fmt.Sprintf("%s unbounded %+v unknown %+v", strings.Join(parts, "; "), rep.Unbounded, rep.Unknown)
}

// effectText is an effect as the examples in the tables write it.
func effectText(e Effect) string {
	name := e.Place.Canon
	if name == "" {
		name = e.Place.Lex
	}
	if name == "" {
		name = e.Place.Abs
	}
	if e.Tree {
		name += "/"
	}
	if !e.Certain {
		name += " ?"
	}
	return string(e.Op) + " " + name
}
