//go:build live

package live

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/gofrs/flock"
	"golang.org/x/sys/unix"
)

// The variables by which the first process, which has a network, tells the second what it prepared.
const (
	clientsVar = "MBGATE_LIVE_CLIENTS" // the folder that holds node_modules
	binaryVar  = "MBGATE_LIVE_BINARY"  // the mbgate that is played
)

// TestMain installs the clients and builds mbgate while there is a network, and then runs the tests in a namespace that
// has none, so that no client can reach what it was not meant to.
func TestMain(m *testing.M) {
	if os.Getenv(clientsVar) != "" {
		if err := loopback(); err != nil {
			fmt.Fprintln(os.Stderr, "live:", err)
			os.Exit(1)
		}
		os.Exit(m.Run())
	}
	status, err := outside()
	if err != nil {
		fmt.Fprintln(os.Stderr, "live:", err)
		status = 1
	}
	os.Exit(status)
}

func outside() (int, error) {
	clients, err := install()
	if err != nil {
		return 1, err
	}
	temp, err := os.MkdirTemp("", "mbgate-live-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(temp)
	binary, err := build(temp)
	if err != nil {
		return 1, err
	}
	self, err := os.Executable()
	if err != nil {
		return 1, err
	}
	inside := exec.Command(self, os.Args[1:]...)
	inside.Stdin, inside.Stdout, inside.Stderr = os.Stdin, os.Stdout, os.Stderr
	inside.Env = append(os.Environ(), clientsVar+"="+clients, binaryVar+"="+binary)
	inside.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 {
		inside.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		inside.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		inside.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		inside.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN}
	}
	runtime.LockOSThread() // Pdeathsig follows the thread
	err = inside.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	}
	if err != nil {
		return 1, fmt.Errorf("start in a network namespace: %w; run it as root or allow user namespaces", err)
	}
	return 0, nil
}

// build makes the mbgate that is played. MBGATE_LIVE_PLAY names another one: that of a release, say.
func build(dir string) (string, error) {
	if given := os.Getenv("MBGATE_LIVE_PLAY"); given != "" {
		return filepath.Abs(given)
	}
	binary := filepath.Join(dir, "mbgate")
	command := exec.Command("go", "build", "-trimpath", "-o", binary, "github.com/mbgate/mbgate/cmd/mbgate")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build mbgate: %w\n%s", err, out)
	}
	return binary, nil
}

// install brings the pinned clients into the cache and gives back their folder. The folder's name is the hash of the
// lock file, so another set of versions is another folder.
func install() (string, error) {
	lock, err := os.ReadFile("clients/package-lock.json")
	if err != nil {
		return "", err
	}
	cache := os.Getenv("MBGATE_LIVE_CACHE")
	if cache == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no folder to keep the clients in: %w; set MBGATE_LIVE_CACHE", err)
		}
		cache = filepath.Join(base, "mbgate-live")
	}
	dir := filepath.Join(cache, fmt.Sprintf("%x", sha256.Sum256(lock))[:16])
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	one := flock.New(dir + ".lock")
	if err := one.Lock(); err != nil {
		return "", err
	}
	defer one.Close()
	done := filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err == nil {
		return dir, nil
	}
	for _, name := range []string{"package.json", "package-lock.json"} {
		data, err := os.ReadFile(filepath.Join("clients", name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return "", err
		}
	}
	// Without the packages' own scripts: they would fetch and start what no hash vouches for, and nothing here needs them.
	// Not `npm ci`: npm 11 finds packages of other platforms missing that it left out of the lock file itself.
	npm := exec.Command("npm", "install", "--ignore-scripts", "--engine-strict=false", "--no-audit", "--no-fund", "--loglevel=error")
	npm.Dir, npm.Stdout, npm.Stderr = dir, os.Stderr, os.Stderr
	if err := npm.Run(); err != nil {
		return "", fmt.Errorf("install the clients with npm: %w; this suite needs npm and its registry", err)
	}
	return dir, os.WriteFile(done, nil, 0o644)
}

// loopback brings up the one interface that a new network namespace has.
func loopback() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("loopback interface: %w", err)
	}
	defer unix.Close(socket)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return fmt.Errorf("loopback interface: %w", err)
	}
	if err := unix.IoctlIfreq(socket, unix.SIOCGIFFLAGS, request); err != nil {
		return fmt.Errorf("loopback interface: %w", err)
	}
	request.SetUint16(request.Uint16() | unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request); err != nil {
		return fmt.Errorf("bring up the loopback interface: %w", err)
	}
	return nil
}
