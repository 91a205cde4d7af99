package stdin

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestTerminal(t *testing.T) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	_, err = read(slave, ample)
	fault(t, err, Terminal)
}

// Whoever shares the pipe must find it as it was.
func TestModeUntouched(t *testing.T) {
	for _, nonblock := range []bool{false, true} {
		var p [2]int
		if err := unix.Pipe(p[:]); err != nil {
			t.Fatal(err)
		}
		r, w := os.NewFile(uintptr(p[0]), "r"), os.NewFile(uintptr(p[1]), "w")
		if err := unix.SetNonblock(p[0], nonblock); err != nil {
			t.Fatal(err)
		}
		before, err := unix.FcntlInt(uintptr(p[0]), unix.F_GETFL, 0)
		if err != nil {
			t.Fatal(err)
		}
		put(t, w, "{}")
		_ = w.Close()
		if got, err := read(r, ample); err != nil || string(got) != "{}" {
			t.Errorf("%q, %v", got, err)
		}
		after, err := unix.FcntlInt(uintptr(p[0]), unix.F_GETFL, 0)
		if err != nil || before != after {
			t.Errorf("mode %#x became %#x, %v", before, after, err)
		}
		_ = r.Close()
	}
}
