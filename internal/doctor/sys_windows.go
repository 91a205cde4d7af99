package doctor

import (
	"context"
	"io/fs"
	"os/exec"
	"syscall"
)

// shellCommand is one line for cmd, which has its own way of quoting.
func shellCommand(ctx context.Context, shell, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, shell)
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: shell + ` /d /s /c "` + line + `"`}
	return cmd
}

// foreign reports whether a file belongs to another user, which is not asked here.
func foreign(fs.FileInfo) bool { return false }
