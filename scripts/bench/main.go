// Command bench measures what mbgate's hooks cost, as whole processes beside an empty Go program (SPEC §17).
//
// Everything is built in the same way, copied to a fresh file (how a file came to be decides in what pieces the kernel
// keeps it in memory, which is worth 20 % of a hook) and run in turn, round by round, so that a machine that grows slow for a while
// is slow for all; only ratios within one run mean anything. A round is a piece of a real session: a compaction, an
// edit that is refused, a command that may pass, and the two reads that lift the refusal. Each run's exit status and
// output are looked at, so that nothing is measured but what the table says.
package main

import (
	"debug/elf"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 300, "how often each program is run")
	sessions := flag.String("sessions", "1,100,10000", "how many sessions the state folder holds, one table for each")
	program := flag.String("mbgate", "", "measure this binary instead of building one")
	flag.Parse()
	if err := run(*rounds, *sessions, *program); err != nil {
		fmt.Fprintln(os.Stderr, "bench: "+err.Error())
		os.Exit(1)
	}
}

func run(rounds int, sessions, program string) error {
	dir, err := os.MkdirTemp("", "mbgate-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin, err := build(dir, program)
	if err != nil {
		return err
	}
	for count := range strings.SplitSeq(sessions, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(count))
		if err != nil || n < 1 {
			return fmt.Errorf("-sessions: %q is no number of sessions; write 1,100,10000", count)
		}
		if err := table(filepath.Join(dir, "sessions-"+strconv.Itoa(n)), bin, n, rounds); err != nil {
			return err
		}
	}
	if err := lengths(filepath.Join(dir, "lengths"), bin, max(rounds/10, 10)); err != nil {
		return err
	}
	return size(bin["mbgate"])
}

// build makes the programs in the one way that releases are made.
func build(dir, program string) (map[string]string, error) {
	bin := map[string]string{}
	built := filepath.Join(dir, "built")
	for name, pkg := range map[string]string{
		"empty": "./scripts/bench/empty", "cobra": "./scripts/bench/cobra", "maxrss": "./scripts/bench/maxrss",
		"mbgate": "./cmd/mbgate",
	} {
		from := built
		if name == "mbgate" && program != "" {
			from = program
		} else {
			cmd := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-ldflags", "-s -w", "-o", built, pkg)
			cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				return nil, fmt.Errorf("building %s: %w\n%s", pkg, err, out)
			}
		}
		text, err := os.ReadFile(from)
		if err != nil {
			return nil, err
		}
		bin[name] = filepath.Join(dir, name)
		if err := os.WriteFile(bin[name], text, 0o755); err != nil {
			return nil, err
		}
	}
	return bin, nil
}

// row is a step of a table.
type row struct {
	step
	// hook is set for mbgate's own; budget is the ratio to the empty program that SPEC §17 allows, 0 for none.
	hook   bool
	budget float64
}

// rows are the steps of a round, in the order of the session they play.
func rows(w world, bin map[string]string, session string) []row {
	hook := func(name string, input func(n int) []byte, budget float64, status int, says, sub string) row {
		return row{step{name: name, argv: []string{bin["mbgate"], sub}, input: input, status: status, says: says}, true, budget}
	}
	// Call ids are told apart by millions: two calls of one id would be one call to mbgate.
	list := func(n int) []byte {
		return w.bash(session, n+3_000_000, "git log --oneline -5 && ls -la src | head -20")
	}
	all := []row{
		{step{name: "empty Go program", argv: []string{bin["empty"]}, input: list}, false, 0},
		{step{name: "do-nothing cobra program", argv: []string{bin["cobra"]}, input: list}, false, 0},
	}
	bash, errBash := exec.LookPath("bash")
	if _, err := exec.LookPath("jq"); err == nil && errBash == nil {
		const script = `p=$(jq -r '.tool_input.file_path // empty'); case $p in *.lock) echo no >&2; exit 2;; esac`
		all = append(all, row{step{name: "bash starting jq once", argv: []string{bash, "-c", script}, input: list}, false, 0})
	}
	return append(all,
		hook("compact", func(n int) []byte { return w.compact(session, n) }, 3, 0, "POST-COMPACTION RECOVERY", "compact"),
		hook("tool-before, refused edit", func(n int) []byte { return w.edit(session, n) }, 2.3, 2, filepath.Base(anchors[0].path), "tool-before"),
		hook("tool-before, allowed command", list, 2.0, 0, "", "tool-before"),
		hook("read, recovery goes on", func(n int) []byte { return w.read(session, n+4_000_000, 0) }, 2.3, 0, "", "read"),
		hook("read, recovery ends", func(n int) []byte { return w.read(session, n+1_000_000, 1) }, 2.3, 0, "", "read"),
		hook("tool-before, allowed edit", func(n int) []byte { return w.edit(session, n+2_000_000) }, 0, 0, "", "tool-before"),
	)
}

// table measures with that many sessions in the state folder.
func table(dir string, bin map[string]string, sessions, rounds int) error {
	w, err := newWorld(dir)
	if err != nil {
		return err
	}
	l := lab{world: w, dir: dir}
	session := func(i int) string { return fmt.Sprintf("6d06b814-0d77-449f-833c-%012d", i) }
	for i := range sessions {
		for which := range anchors {
			read := step{name: "set-up", argv: []string{bin["mbgate"], "read"}, input: func(n int) []byte { return w.read(session(i), n, which) }}
			if _, err := l.run(read, 9_000_000+which); err != nil {
				return err
			}
			if i > 0 {
				break // the others only have to be there
			}
		}
	}
	all := rows(w, bin, session(0))
	times := make([][]time.Duration, len(all))
	memory, faults := make([]int, len(all)), make([]int, len(all))
	random := rand.New(rand.NewPCG(1, 2))
	const warm, weigh = 3, 5 // rounds before the first that counts, and rounds for memory after the last
	for n := range warm + rounds + weigh {
		l.helper = ""
		if n >= warm+rounds {
			l.helper = bin["maxrss"]
		}
		// The hooks keep their order, since each works on what the one before left. What they are compared to comes in
		// between, at another place in every round.
		for _, i := range order(random, all) {
			c, err := l.run(all[i].step, n)
			if err != nil {
				return err
			}
			if n >= warm && n < warm+rounds {
				times[i] = append(times[i], c.took)
			}
			memory[i], faults[i] = max(memory[i], c.kB), max(faults[i], c.faults)
		}
	}

	fmt.Printf("%d sessions in the state folder, %d interleaved rounds\n\n", sessions, rounds)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tmedian µs\tp99 µs\tratio\tratio p99\tbudget\tpeak kB\tpage faults\t")
	base := times[0]
	for i, r := range all {
		budget := "-"
		if r.budget > 0 {
			budget = fmt.Sprintf("%.1f", r.budget)
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%.2f\t%.2f\t%s\t%d\t%d\t\n", r.name, median(times[i]).Microseconds(),
			quantile(times[i], 0.99).Microseconds(), ratio(median(times[i]), median(base)),
			ratio(quantile(times[i], 0.99), quantile(base, 0.99)), budget, memory[i], faults[i])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Println()
	return nil
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }

// order is the order of one round: the hooks as they are, the others each at a random place between them.
func order(random *rand.Rand, all []row) []int {
	var hooks, others []int
	for i, r := range all {
		if r.hook {
			hooks = append(hooks, i)
		} else {
			others = append(others, i)
		}
	}
	for _, i := range others {
		at := random.IntN(len(hooks) + 1)
		hooks = append(hooks[:at:at], append([]int{i}, hooks[at:]...)...)
	}
	return hooks
}

// lengths shows that the cost grows with the length of a command and not with its square.
func lengths(dir string, bin map[string]string, rounds int) error {
	w, err := newWorld(dir)
	if err != nil {
		return err
	}
	l := lab{world: w, dir: dir}
	const session = "6d06b814-0d77-449f-833c-d95f9060f114"
	if _, err := l.run(step{name: "set-up", argv: []string{bin["mbgate"], "read"}, input: func(n int) []byte { return w.read(session, n, 0) }}, 0); err != nil {
		return err
	}
	commands := []int{1, 10, 100}
	times := make([][]time.Duration, len(commands))
	for n := range rounds {
		for i, kB := range commands {
			command := strings.Repeat("grep -n 'func main' src/server.go | sort > /dev/null && test -f go.mod\n", kB*1000/70)
			s := step{name: "long command", argv: []string{bin["mbgate"], "tool-before"}, input: func(n int) []byte { return w.bash(session, n, command) }}
			c, err := l.run(s, n*len(commands)+i+1)
			if err != nil {
				return err
			}
			times[i] = append(times[i], c.took)
		}
	}
	for i, kB := range commands {
		fmt.Printf("tool-before, allowed command of %3d kB: median %6d µs\n", kB, median(times[i]).Microseconds())
	}
	return nil
}

// size says how large the binary is and whether anything is linked at run time.
func size(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	linked := "not an ELF file"
	if f, err := elf.Open(path); err == nil {
		linked = "linked statically"
		for _, p := range f.Progs {
			if p.Type == elf.PT_INTERP {
				linked = "linked dynamically"
			}
		}
		f.Close()
	}
	fmt.Printf("\nbinary: %.2f MB (budget 10), %s\n", float64(info.Size())/1e6, linked)
	return nil
}
