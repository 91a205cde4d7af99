//go:build !windows

package doctor

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// shellCommand is one line for a shell.
func shellCommand(ctx context.Context, shell, line string) *exec.Cmd {
	return exec.CommandContext(ctx, shell, "-c", line)
}

// foreign reports whether a file belongs to another user.
func foreign(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) != os.Geteuid()
}
