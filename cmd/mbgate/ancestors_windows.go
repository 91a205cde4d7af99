package main

import (
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

const maxAncestors = 64

// ancestors are the processes above this one, the nearest first, by the names of their programs. Command lines are not
// looked at, so an agent that runs under node is not found here; the environment still tells. A parent that ended may
// have left its number to another process, which at worst ends the walk early or refuses a person who can send mb:clear.
func ancestors() []process {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = windows.CloseHandle(snapshot) }()
	type entry struct {
		name   string
		parent uint32
	}
	all := map[uint32]entry{}
	e := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &e); err == nil; err = windows.Process32Next(snapshot, &e) {
		name := strings.ToLower(windows.UTF16ToString(e.ExeFile[:]))
		all[e.ProcessID] = entry{strings.TrimSuffix(name, ".exe"), e.ParentProcessID}
	}
	var list []process
	pid := uint32(os.Getppid())
	for range maxAncestors {
		p, ok := all[pid]
		if !ok || pid == 0 {
			break
		}
		list = append(list, process{name: p.name})
		delete(all, pid)
		pid = p.parent
	}
	return list
}
