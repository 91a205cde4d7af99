//go:build unix

// Package install_test holds scripts/install.sh against a server of releases, over real TLS.
package install_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/pem"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// shells are those that the script runs in; scripts/release-check.sh names more of them, one a line.
func shells() []string {
	if s := os.Getenv("INSTALL_TEST_SHELLS"); s != "" {
		return strings.Split(s, "\n")
	}
	return []string{"sh", "bash"}
}

// release is a server of releases, and the person's machine that asks it.
type release struct {
	t         *testing.T
	url, home string
	shell     []string
	env       []string

	mu    sync.Mutex
	files map[string]string // by the path below the releases
	asked []string
}

func newRelease(t *testing.T, shell string) *release {
	t.Helper()
	r := &release{t: t, shell: strings.Fields(shell), files: map[string]string{}}
	server := httptest.NewTLSServer(http.HandlerFunc(r.serve))
	t.Cleanup(server.Close)
	r.url, r.home = server.URL+"/releases", filepath.Join(t.TempDir(), "a home; with $(odd) 'names'")
	mustWrite(t, filepath.Join(r.home, "ca.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	mustWrite(t, filepath.Join(r.home, "wgetrc"), "ca_certificate = "+filepath.Join(r.home, "ca.pem")+"\n")
	r.env = []string{
		"HOME=" + r.home, "PATH=" + os.Getenv("PATH"), "MBGATE_URL=" + r.url,
		"CURL_CA_BUNDLE=" + filepath.Join(r.home, "ca.pem"), "WGETRC=" + filepath.Join(r.home, "wgetrc"),
	}
	r.publish("v1.2.3", true)
	return r
}

func (r *release) serve(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	path := strings.TrimPrefix(q.URL.Path, "/releases/")
	r.asked = append(r.asked, path)
	content, ok := r.files[path]
	switch to, redirected := strings.CutPrefix(content, "redirect:"); {
	case !ok:
		http.NotFound(w, q)
	case redirected:
		http.Redirect(w, q, to, http.StatusFound)
	default:
		fmt.Fprint(w, content)
	}
}

// publish puts a version on the server whose program is a script that says its version.
func (r *release) publish(version string, latest bool) {
	r.publishArchive(version, latest, archive(r.t, map[string]string{
		"mbgate":                  "#!/bin/sh\necho \"mbgate " + version + " $*\"\n",
		"LICENSE":                 "MIT\n",
		"man/mbgate.1":            ".TH MBGATE 1\n",
		"man/mbgate-status.1":     ".TH MBGATE-STATUS 1\n",
		"completions/_mbgate":     "#compdef mbgate\n",
		"completions/mbgate.bash": "# bash\n",
		"completions/mbgate.fish": "# fish\n",
	}))
}

func (r *release) publishArchive(version string, latest bool, data string) {
	var sums strings.Builder
	for _, platform := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"} {
		name := fmt.Sprintf("mbgate_%s_%s.tar.gz", strings.TrimPrefix(version, "v"), platform)
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256([]byte(data)), name)
		fmt.Fprintf(&sums, "%064d  %s.sigstore.json\n", 0, name)
		r.files["download/"+version+"/"+name] = data
	}
	r.files["download/"+version+"/checksums.txt"] = sums.String()
	if latest {
		r.files["latest/download/checksums.txt"] = sums.String()
	}
}

func archive(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, content := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// run runs the script and returns what it printed and its status.
func (r *release) run(args ...string) (string, int) {
	r.t.Helper()
	script, err := filepath.Abs("../install.sh")
	if err != nil {
		r.t.Fatal(err)
	}
	return r.runFile(script, args...)
}

func (r *release) runFile(script string, args ...string) (string, int) {
	r.t.Helper()
	line := append(slices.Clone(r.shell[1:]), script)
	cmd := exec.Command(r.shell[0], append(line, args...)...)
	cmd.Env, cmd.Dir = r.env, r.home
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		r.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// wants runs the script and compares its status and a part of what it says.
func (r *release) wants(status int, say string, args ...string) {
	r.t.Helper()
	out, got := r.run(args...)
	if got != status || !strings.Contains(out, say) {
		r.t.Errorf("install.sh %q: status %d, want %d with %q; it said:\n%s", args, got, status, say, out)
	}
}

func (r *release) setenv(name, value string) { r.env = append(r.env, name+"="+value) }

func (r *release) bin() string { return filepath.Join(r.home, ".local/bin/mbgate") }

// installed says which version is there, "" for none.
func (r *release) installed() string {
	r.t.Helper()
	out, err := exec.Command(r.bin()).Output()
	if err != nil {
		return ""
	}
	return strings.Fields(string(out))[1]
}

// nothingLeft holds that no temporary file stays.
func (r *release) nothingLeft() {
	r.t.Helper()
	err := filepath.WalkDir(r.home, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && (strings.Contains(path, "mbgate-install") || strings.Contains(filepath.Base(path), ".new.")) {
			r.t.Errorf("%s was left behind", path)
		}
		return err
	})
	if err != nil {
		r.t.Error(err)
	}
}

func mustWrite(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
}

func each(t *testing.T, f func(*testing.T, *release)) {
	t.Helper()
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			f(t, newRelease(t, shell))
		})
	}
}

func TestInstall(t *testing.T) {
	each(t, func(t *testing.T, r *release) {
		r.wants(0, "is not on your PATH")
		if got := r.installed(); got != "v1.2.3" {
			t.Errorf("installed %q, want v1.2.3", got)
		}
		if info, err := os.Stat(r.bin()); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("mode: %v, %v", info, err)
		}
		r.nothingLeft()

		// Again, with a newer one, and back by its name. The old program is replaced and not written over: it may run.
		running := filepath.Join(r.home, "running")
		if err := os.Link(r.bin(), running); err != nil {
			t.Fatal(err)
		}
		r.publish("v1.3.0-rc.1", true)
		r.wants(0, "mbgate v1.3.0-rc.1 version")
		if out, err := exec.Command(running).Output(); err != nil || !strings.Contains(string(out), "v1.2.3") {
			t.Errorf("the program that runs was written over: %s, %v", out, err)
		}
		r.wants(0, "mbgate v1.2.3 version", "1.2.3")
		r.setenv("MBGATE_VERSION", "v1.3.0-rc.1")
		r.wants(0, "mbgate v1.3.0-rc.1 version")
		r.wants(0, "mbgate v1.2.3 version", "v1.2.3")
		r.nothingLeft()

		// Nothing is said of PATH where it is there.
		r.setenv("PATH", os.Getenv("PATH")+":"+filepath.Dir(r.bin()))
		if out, _ := r.run(); strings.Contains(out, "PATH") {
			t.Errorf("it speaks of PATH: %s", out)
		}
		other := filepath.Join(r.home, "other/mbgate")
		mustWrite(t, other, "#!/bin/sh\n")
		r.setenv("PATH", filepath.Dir(other)+":"+os.Getenv("PATH")+":"+filepath.Dir(r.bin()))
		r.wants(0, "another mbgate comes first on your PATH: "+other)
	})
}

func TestInstallElsewhere(t *testing.T) {
	each(t, func(t *testing.T, r *release) {
		r.setenv("MBGATE_BIN", "my bin")
		r.wants(0, "installed "+r.home+"/my bin/mbgate")
		if _, err := os.Stat(filepath.Join(r.home, "my bin/mbgate")); err != nil {
			t.Error(err)
		}
	})
}

func TestExtrasAndUninstall(t *testing.T) {
	each(t, func(t *testing.T, r *release) {
		share := filepath.Join(r.home, ".local/share")
		files := []string{
			"man/man1/mbgate.1", "man/man1/mbgate-status.1", "bash-completion/completions/mbgate",
			"fish/vendor_completions.d/mbgate.fish", "zsh/site-functions/_mbgate",
		}
		foreign := filepath.Join(share, "man/man1/mbgateway.1")
		mustWrite(t, foreign, "somebody's\n")
		r.wants(0, "installed manual pages", "--extras")
		for _, f := range files {
			if _, err := os.Stat(filepath.Join(share, f)); err != nil {
				t.Error(err)
			}
		}
		r.nothingLeft()
		r.wants(0, "removing "+r.bin(), "--uninstall", "--dry-run")
		if r.installed() == "" {
			t.Error("a dry run removed the program")
		}
		r.wants(0, "removing "+r.bin(), "--uninstall")
		for _, f := range append(files, "../bin/mbgate") {
			if _, err := os.Stat(filepath.Join(share, f)); err == nil {
				t.Errorf("%s is still there", f)
			}
		}
		if _, err := os.Stat(foreign); err != nil {
			t.Error("a page of another program was removed")
		}
		r.wants(0, "", "--uninstall")
	})
}

func TestDryRun(t *testing.T) {
	each(t, func(t *testing.T, r *release) {
		r.wants(0, "would install "+r.bin(), "--dry-run", "--extras")
		if _, err := os.Stat(filepath.Join(r.home, ".local")); err == nil {
			t.Error("a dry run made a folder")
		}
		if want := []string{"latest/download/checksums.txt"}; !slices.Equal(r.asked, want) {
			t.Errorf("asked for %q, want %q", r.asked, want)
		}
	})
}

// What goes wrong leaves what was there before, and says what it is.
func TestFailures(t *testing.T) {
	const sums = "latest/download/checksums.txt"
	platform := runtime.GOOS + "_" + runtime.GOARCH
	asset := "download/v1.2.3/mbgate_1.2.3_" + platform + ".tar.gz"
	for _, tt := range []struct {
		name, say string
		do        func(t *testing.T, r *release)
	}{
		{"wrong checksum", "was promised; nothing is installed", func(_ *testing.T, r *release) { r.files[asset] += "x" }},
		{"truncated archive", "was promised; nothing is installed", func(_ *testing.T, r *release) { r.files[asset] = r.files[asset][:100] }},
		{"missing asset", "cannot be downloaded", func(_ *testing.T, r *release) { delete(r.files, asset) }},
		{"no release", "cannot be reached", func(_ *testing.T, r *release) { delete(r.files, sums) }},
		{"no such version", "there is no release v9.9.9", func(_ *testing.T, r *release) { r.setenv("MBGATE_VERSION", "9.9.9") }},
		{"checksums of another version", "name mbgate_1.2.3_", func(_ *testing.T, r *release) {
			r.files["download/v1.0.0/checksums.txt"] = r.files[sums]
			r.setenv("MBGATE_VERSION", "1.0.0")
		}},
		{"empty checksums", "name no archive", func(_ *testing.T, r *release) { r.files[sums] = "" }},
		{"a page instead of checksums", "name no archive", func(_ *testing.T, r *release) { r.files[sums] = "<html>mbgate_1.2.3_" + platform + ".tar.gz</html>\n" }},
		{"two archives", "name several archives", func(_ *testing.T, r *release) { r.files[sums] += r.files[sums] }},
		{"a name with a path", "name no archive", func(_ *testing.T, r *release) {
			r.files[sums] = strings.ReplaceAll(r.files[sums], "mbgate_1", "mbgate_/../1")
		}},
		{"redirected to plain HTTP", "cannot be reached", func(t *testing.T, r *release) { r.redirectToPlain(t, sums) }},
		{"redirected to plain HTTP by wget", "cannot be reached", func(t *testing.T, r *release) {
			r.redirectToPlain(t, sums)
			r.only(t, "wget", "sha256sum", "shasum", "openssl")
			if !found("wget") {
				r.fake(t, "wget", "if [ $1 = --version ]; then echo GNU Wget; fi; [ -z \"$http_proxy\" ]")
			}
		}},
		{"a certificate of nobody", "cannot be reached", func(_ *testing.T, r *release) {
			r.setenv("CURL_CA_BUNDLE", "/etc/ssl/certs/ca-certificates.crt")
			r.setenv("WGETRC", "/dev/null")
		}},
		{"unknown system", "there is no archive for Plan9 here", func(t *testing.T, r *release) { r.uname(t, "Plan9", "x86_64") }},
		{"unknown processor", "on riscv64", func(t *testing.T, r *release) { r.uname(t, "Linux", "riscv64") }},
		{"a file in the folder's place", "cannot be written", func(t *testing.T, r *release) {
			mustWrite(t, filepath.Join(r.home, "file"), "")
			r.setenv("MBGATE_BIN", filepath.Join(r.home, "file"))
		}},
		{"a folder in the program's place", "is a folder", func(t *testing.T, r *release) {
			mustWrite(t, filepath.Join(r.home, "bin/mbgate/x"), "")
			r.setenv("MBGATE_BIN", filepath.Join(r.home, "bin"))
		}},
		{"a program that does not run", "does not run here", func(t *testing.T, r *release) {
			r.publishArchive("v1.2.3", true, archive(t, map[string]string{"mbgate": "#!/no/such/interpreter\n"}))
		}},
		{"no archive at all", "cannot be unpacked", func(_ *testing.T, r *release) { r.publishArchive("v1.2.3", true, "no archive") }},
		{"nothing that downloads", "neither curl nor GNU wget", func(t *testing.T, r *release) { r.only(t, "sha256sum", "shasum", "openssl") }},
		{"a wget that is not GNU's", "neither curl nor GNU wget", func(t *testing.T, r *release) {
			r.only(t, "sha256sum", "shasum", "openssl")
			r.fake(t, "wget", "exit 1")
		}},
		{"nothing that computes checksums", "nothing is installed unverified", func(t *testing.T, r *release) { r.only(t, "curl", "wget") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			each(t, func(t *testing.T, r *release) {
				mustWrite(t, r.bin(), "#!/bin/sh\necho mbgate before\n")
				tt.do(t, r)
				r.wants(1, tt.say)
				if got := r.installed(); got != "before" {
					t.Errorf("the old program is now %q", got)
				}
				r.nothingLeft()
			})
		})
	}
}

// redirectToPlain lets a file of the server be one of another that speaks plain HTTP.
func (r *release) redirectToPlain(t *testing.T, path string) {
	t.Helper()
	plain := httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(plain.Close)
	r.files["plain"] = r.files[path]
	r.files[path] = "redirect:" + plain.URL + "/releases/plain"
}

// A folder that may not be written is one to everybody but the superuser, whom a test can run as.
func TestUnwritableFolder(t *testing.T) {
	each(t, func(t *testing.T, r *release) {
		r.only(t, "curl", "wget", "sha256sum", "shasum", "openssl")
		r.fake(t, "mktemp", "echo 'mktemp: Permission denied' >&2; exit 1")
		r.wants(1, "cannot be written; name another folder with MBGATE_BIN")
		if len(r.asked) > 1 {
			t.Errorf("asked for %q", r.asked)
		}
	})
}

func TestWrongUsage(t *testing.T) {
	each(t, func(_ *testing.T, r *release) {
		r.wants(64, "unknown option --nonsense", "--nonsense")
		r.wants(64, "is no version", "../../x")
		r.wants(64, "is no version", "1.0 && x")
		r.wants(0, "usage: sh install.sh", "--help")
		r.setenv("MBGATE_URL", "http://127.0.0.1/releases")
		r.wants(64, "must begin with https://")
		r.setenv("HOME", "")
		r.setenv("MBGATE_URL", r.url)
		r.wants(64, "HOME is not set")
	})
}

// Each way to download and to compute checksums that this machine has is the only one for once; release-check wants all.
func TestTools(t *testing.T) {
	each(t, func(t *testing.T, r *release) {
		tried := 0
		for _, pair := range [][2]string{{"curl", "sha256sum"}, {"curl", "shasum"}, {"wget", "openssl"}} {
			if !found(pair[0]) || !found(pair[1]) {
				continue
			}
			tried++
			r.only(t, pair[:]...)
			r.publish(fmt.Sprintf("v2.0.%d", tried), true)
			r.wants(0, fmt.Sprintf("mbgate v2.0.%d version", tried))
		}
		if tried == 0 || os.Getenv("INSTALL_TEST_SHELLS") != "" && tried < 3 {
			t.Errorf("tried %d pairs of tools; install curl, GNU wget, sha256sum, shasum and openssl", tried)
		}
	})
}

// Machines that are not this one: the archive that is asked for follows uname, and Rosetta's word.
func TestPlatforms(t *testing.T) {
	for _, tt := range []struct{ system, machine, sysctl, want string }{
		{"Linux", "x86_64", "", "linux_amd64"},
		{"Linux", "amd64", "", "linux_amd64"},
		{"Linux", "aarch64", "", "linux_arm64"},
		{"Darwin", "arm64", "", "darwin_arm64"},
		{"Darwin", "x86_64", "echo 0", "darwin_amd64"},
		{"Darwin", "x86_64", "echo 1", "darwin_arm64"},
		{"Darwin", "x86_64", "exit 1", "darwin_amd64"},
	} {
		each(t, func(t *testing.T, r *release) {
			r.uname(t, tt.system, tt.machine)
			r.fake(t, "sysctl", tt.sysctl)
			r.wants(0, "/download/v1.2.3/mbgate_1.2.3_"+tt.want+".tar.gz\n", "--dry-run")
		})
	}
}

// A download that ended early does nothing, wherever it ended.
func TestTruncated(t *testing.T) {
	data, err := os.ReadFile("../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	script := string(data)
	last := strings.LastIndex(script, "\n{ main")
	if last < 0 || !strings.HasSuffix(script, "\n{ main \"$@\"; }\n") {
		t.Fatal("the last line is not the only one that does anything")
	}
	var ends []int
	for i := 0; i < last; i += 389 {
		ends = append(ends, i)
	}
	for i := last; i < len(script)-1; i++ { // without the newline alone it is whole
		if strings.HasSuffix(script[:i], "}") {
			continue
		}
		ends = append(ends, i)
	}
	each(t, func(t *testing.T, r *release) {
		for _, end := range ends {
			part := filepath.Join(r.home, "part.sh")
			mustWrite(t, part, script[:end])
			out, _ := r.runFile(part)
			if _, err := os.Stat(filepath.Join(r.home, ".local")); err == nil || len(r.asked) > 0 {
				t.Fatalf("the first %d bytes asked for %q and said %s", end, r.asked, out)
			}
		}
	})
}

func found(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

// only makes a PATH of what the script always needs and of the named tools that are here.
func (r *release) only(t *testing.T, tools ...string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range append([]string{"uname", "grep", "cut", "wc", "mkdir", "mktemp", "rm", "chmod", "mv", "cp", "cat", "tar", "gzip"}, tools...) {
		if path, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	shell, err := exec.LookPath(r.shell[0])
	if err != nil {
		t.Fatal(err)
	}
	r.shell[0] = shell
	r.setenv("PATH", dir)
}

// fake puts a script in front of a tool.
func (r *release) fake(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	mustWrite(t, filepath.Join(dir, name), "#!/bin/sh\n"+script+"\n")
	path := os.Getenv("PATH")
	for _, e := range r.env {
		if p, ok := strings.CutPrefix(e, "PATH="); ok {
			path = p
		}
	}
	r.setenv("PATH", dir+":"+path)
}

func (r *release) uname(t *testing.T, system, machine string) {
	t.Helper()
	r.fake(t, "uname", "case $1 in -s) echo "+system+" ;; *) echo "+machine+" ;; esac")
}
