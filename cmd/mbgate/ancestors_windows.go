package main

import (
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// processes looks up a process by the name of its program, and its parent. The command line is not looked at, so an agent
// that runs under node is not found here, but the environment reveals it. A parent that ended may have left its number to
// another process, which at worst ends the walk early or refuses a person, who can send mb:clear instead.
func processes() func(pid int) (p process, parent int, ok bool) {
	type entry struct {
		name   string
		parent uint32
	}
	all := map[uint32]entry{}
	if snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0); err == nil {
		defer func() { _ = windows.CloseHandle(snapshot) }()
		e := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
		for err = windows.Process32First(snapshot, &e); err == nil; err = windows.Process32Next(snapshot, &e) {
			name := strings.ToLower(windows.UTF16ToString(e.ExeFile[:]))
			all[e.ProcessID] = entry{strings.TrimSuffix(name, ".exe"), e.ParentProcessID}
		}
	}
	return func(pid int) (process, int, bool) {
		e, ok := all[uint32(pid)]
		return process{name: e.name}, int(e.parent), ok
	}
}
