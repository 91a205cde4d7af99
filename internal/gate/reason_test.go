package gate_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/reason"
)

// shellCommands are the commands of the corpus and the examples of package shell.
func shellCommands(t *testing.T) []string {
	const dir = "../risk/shell/"
	file, err := os.Open(dir + "testdata/corpus.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for rows := json.NewDecoder(z); rows.More(); {
		var row struct{ Command string }
		if err := rows.Decode(&row); err != nil {
			t.Fatal(err)
		}
		list = append(list, row.Command)
	}
	tables, _ := filepath.Glob(dir + "tables/*.tbl")
	for _, name := range append(tables, dir+"testdata/examples.txt", dir+"testdata/shell.txt") {
		text, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer text.Close()
		for lines := bufio.NewScanner(text); lines.Scan(); {
			if command, _, ok := strings.Cut(strings.TrimPrefix(lines.Text(), "#= "), " => "); ok {
				list = append(list, command)
			}
		}
	}
	return list
}

// blank replaces every text of every reason below v.
func blank(v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[reason.Reason]():
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.String && f.Type() == reflect.TypeFor[string]() {
				f.SetString("x")
			}
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			blank(v.Index(i))
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			blank(v.Field(i))
		}
	}
}

// TestNoReasonDecides holds that the text of a reason is for people: with every one replaced by "x" each call gets the
// same answer, while a recovery is pending, while none is, and where the memory bank has changes that no commit holds.
func TestNoReasonDecides(t *testing.T) {
	calm, recovering := newGuarded(t), newGuarded(t)
	calm.dirty, calm.policy.Read = true, event.ModeBlock
	recovering.compact("")
	commands := shellCommands(t)
	if len(commands) < 4000 {
		t.Fatalf("only %d commands were found", len(commands))
	}
	verdicts := map[event.Verdict]int{}
	for _, command := range commands {
		tool := event.Tool{Name: "Bash", Class: event.Shell, Command: command}
		for _, w := range []*world{calm, recovering} {
			rules := risk.Rules{Sensitive: risk.DefaultSensitive(agents.ConfigFiles(func(string) string { return "" }).Project), Safe: risk.DefaultSafe(), Recovery: w == recovering}
			judge := func() risk.Assessment {
				return risk.Judge(tool, root, risk.World{Files: w, Root: root, Home: "/home/dev", HasBank: true}, rules)
			}
			a, b := judge(), judge()
			blank(reflect.ValueOf(&b).Elem())
			g := gate.Gate{Policy: w.policy, Disk: w, Now: w.now, Root: root}
			ev := event.Event{Kind: event.ToolBefore, Call: "c", Session: "s1", Cwd: root, Client: &w.client, Tool: tool}
			said, silent := g.AnswerAs(w.session, ev, a), g.AnswerAs(w.session, ev, b)
			verdicts[said.Verdict]++
			said.Assessment, silent.Assessment = risk.Assessment{}, risk.Assessment{}
			if !reflect.DeepEqual(said, silent) {
				t.Errorf("%q: %+v, without words %+v", command, said, silent)
			}
		}
	}
	t.Log(verdicts)
	if verdicts[event.Allow] == 0 || verdicts[event.Block] == 0 {
		t.Errorf("the answers do not differ: %v", verdicts)
	}
}
