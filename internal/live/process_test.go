//go:build live

package live

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// patience is how long a client may take for one turn before the play is given up. A turn takes seconds; a machine
// that plays several clients at once needs more.
const patience = 3 * time.Minute

// process is a running client that speaks JSON lines on its standard streams.
type process struct {
	w     *world
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan map[string]any
	log   *os.File
}

// start runs a client in the project, in a process group of its own. Its streams are kept in the world's folder.
func (w *world) start(name, program string, args []string, env ...string) *process {
	w.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = w.dir, w.env(env...)
	// A run that is killed, or runs out of its time, cleans nothing up: its clients end with it. The signal follows the thread
	// that starts them, and Go ends no thread that no goroutine was locked to.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	stderr := w.stream(name + ".err")
	cmd.Stderr = stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatalf("start %s: %v", name, err)
	}
	p := &process{w: w, cmd: cmd, in: in, lines: make(chan map[string]any, 1000), log: w.stream(name + ".out")}
	go func() {
		defer close(p.lines)
		r := bufio.NewReaderSize(out, 1<<20)
		for {
			line, err := r.ReadBytes('\n')
			_, _ = p.log.Write(line)
			var value map[string]any
			if json.Unmarshal(line, &value) == nil {
				p.lines <- value
			}
			if err != nil {
				return
			}
		}
	}()
	w.t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() })
	return p
}

func (w *world) stream(name string) *os.File {
	f, err := os.OpenFile(filepath.Join(w.root, name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { f.Close() })
	return f
}

// send writes one JSON line.
func (p *process) send(value any) {
	p.w.t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		p.w.t.Fatal(err)
	}
	if _, err := p.in.Write(append(data, '\n')); err != nil {
		p.w.t.Fatalf("talk to the client: %v%s", err, p.tail())
	}
}

// until takes lines until one is what is waited for.
func (p *process) until(what string, ok func(map[string]any) bool) map[string]any {
	p.w.t.Helper()
	end := time.After(patience)
	for {
		select {
		case line, open := <-p.lines:
			if !open {
				p.w.t.Fatalf("the client ended before %s%s", what, p.tail())
			}
			if ok(line) {
				return line
			}
		case <-end:
			p.w.t.Fatalf("the client did not get to %s within %v%s", what, patience, p.tail())
		}
	}
}

// tail is the end of what the client said on its standard error, for a failure.
func (p *process) tail() string {
	all, _ := filepath.Glob(filepath.Join(p.w.root, "*.err"))
	text := ""
	for _, name := range all {
		data, _ := os.ReadFile(name)
		text += "\n" + filepath.Base(name) + ": " + string(data[max(0, len(data)-2000):])
	}
	return text
}

// end closes the client's standard input and waits until it has ended.
func (p *process) end() {
	p.w.t.Helper()
	_ = p.in.Close()
	done := make(chan error, 1)
	go func() {
		for range p.lines {
		}
		done <- p.cmd.Wait()
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		p.w.t.Errorf("the client did not end within 30 s of its input's end%s", p.tail())
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	}
}
