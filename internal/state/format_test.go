package state

import (
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/gate"
)

// unsealed is a state as schema 1 wrote it.
func unsealed(t *testing.T, raw string) string {
	t.Helper()
	body, ok := strings.CutPrefix(raw[:len(raw)-sumLength], `{"schema":3`)
	if !ok {
		t.Fatalf("no state of schema 3: %s", raw)
	}
	return `{"schema":1` + body + "}\n"
}

// The checksum is of one form for ever: a file that this release wrote is a file of every later one.
func TestChecksumIsForEver(t *testing.T) {
	for text, want := range map[string]uint64{"": 0xcbf29ce484222325, "a": 0xaf63dc4c296230c0, "12345678": 0x49f2564e64f252b2, "{\"schema\":2,\"id\":\"s1\"": 0x784dccae0ad5acd2} {
		if got := checksum([]byte(text)); got != want {
			t.Errorf("checksum of %q is %#x, want %#x", text, got, want)
		}
	}
	const file = `{"schema":2,"id":"s1","agent":"5","started_at":"0001-01-01T00:00:00Z","last_at":"0001-01-01T00:00:00Z","sum":"e16eca0170914702"}` + "\n"
	if s, err := decode([]byte(file)); err != nil || s.ID != "s1" || s.Agent != "5" {
		t.Errorf("%+v %v", s, err)
	}
	// It is of schema 2, and what is saved of it is of today's.
	if s, err := decode([]byte(file)); err != nil || s.Schema != gate.Schema {
		t.Errorf("%+v %v", s, err)
	}
}

// A file of schema 1 is read, and the first save brings it to the schema of today.
func TestSchema1(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	const old = `{"schema":1,"id":"s1","agent":"5","root":"/r","started_at":"2026-01-02T03:04:05Z","last_at":"2026-01-02T03:04:05Z","contexts":{"":{"started_at":"2026-01-02T03:04:05Z","used_at":"2026-01-02T03:04:05Z","reads":{"f":{"stamp":{"size":1,"mod":2},"total":3,"got":[{"first":1,"last":3}],"at":"2026-01-02T03:04:05Z"}},"turn":{"of":"2026-01-02T03:04:05Z","asked":true}}},"turn":{"since":"2026-01-02T03:04:05Z"}}` + "\n"
	write(old)(t, s.Path("s1"))
	got := mustUpdate(t, s, "s1", unchanged)
	if got.Damaged || count(got) != 5 || got.Schema != gate.Schema || got.Contexts[""].Reads["f"].Total != 3 {
		t.Errorf("read %+v", got)
	}
	if now, _ := os.ReadFile(s.Path("s1")); string(now) != old {
		t.Error("rewritten though nothing changed")
	}
	mustUpdate(t, s, "s1", increment)
	if raw, _ := os.ReadFile(s.Path("s1")); !regexp.MustCompile(`^\{"schema":3,.*,"sum":"[0-9a-f]{16}"\}\n$`).Match(raw) {
		t.Errorf("saved %s", raw)
	}
	if got, _ := mustLoad(t, s, "s1"); got.Damaged || count(got) != 6 {
		t.Errorf("then %+v", got)
	}
	if kept, _ := os.ReadFile(s.path(fileName("s1"), extPrevious)); string(kept) != old {
		t.Errorf("the previous generation became %s", kept)
	}
}

// No change of a file is believed, be it JSON or not (S1): a bit, a byte, a key or a value of another place, a member or a
// piece that is gone or there twice.
func TestMutationsAreNotBelieved(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	fill := filler{random, t}
	member := regexp.MustCompile(`"[a-z_]+":("[^"]*"|[0-9]+|true|false|null)`)
	believed := 0
	for i := range 20_000 {
		var s gate.Session
		if i%100 == 0 || s.ID == "" {
			fill.fill(reflect.ValueOf(&s).Elem(), 0)
			s = normalize(s, "s1")
		}
		raw, err := encode(s)
		if err != nil {
			t.Fatal(err)
		}
		changed := append([]byte(nil), raw...)
		at, other := random.IntN(len(raw)), random.IntN(len(raw))
		switch random.IntN(6) {
		case 0, 1:
			changed[at] ^= 1 << random.IntN(8)
		case 2:
			changed[at] = byte(random.Uint32())
		case 3: // a piece is gone
			changed = append(changed[:min(at, other)], changed[max(at, other):]...)
		case 4, 5: // a member has the place of another, or is gone
			all := member.FindAllIndex(raw, -1)
			a, b := all[random.IntN(len(all))], all[random.IntN(len(all))]
			piece := string(raw[b[0]:b[1]])
			if random.IntN(3) == 0 {
				piece = ""
			}
			changed = []byte(strings.Replace(string(raw[:a[0]])+piece+string(raw[a[1]:]), ",,", ",", 1))
		}
		if string(changed) == string(raw) {
			continue
		}
		if got, err := decode(changed); err == nil {
			believed++
			t.Errorf("believed %+v from %q", got, changed)
		}
	}
	if believed > 0 {
		t.Errorf("%d of 20,000 mutations were believed", believed)
	}
}
