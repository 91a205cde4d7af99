package install

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mbgate/mbgate/internal/agents"
	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/settings"
)

// Diff is what --dry-run prints.
func (p Plan) Diff() string {
	var b strings.Builder
	for _, c := range p.Changes {
		b.WriteString(c.diff())
	}
	for _, n := range p.Notes {
		b.WriteString(n + "\n")
	}
	if len(p.Changes) == 0 {
		b.WriteString("nothing would change\n")
	}
	return b.String()
}

// Installed says what was done, and what a person has to know now. In a project where mbgate is inert, it says so.
func (e Env) Installed(s Site, opts settings.Options, plan Plan, inert bool) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if len(plan.Changes) == 0 {
		say("mbgate is installed for %s already: %s", s.Client.Title, e.tidy(s.Hooks))
	} else {
		say("installed mbgate for %s:", s.Client.Title)
		for _, c := range plan.Changes {
			say("  %s", e.tidy(c.Path))
		}
	}
	for _, n := range plan.Notes {
		say("%s", n)
	}
	if opts.Shared {
		say("commit these files: they hold no path of yours, and find mbgate on PATH or in node_modules/.bin of the project")
	} else {
		say("the hooks run %s", render.ShellWord(opts.Binary))
	}
	data, err := ReadConfig(s.Hooks)
	if err == nil {
		if l, ok, _ := s.Client.LineOf(data, opts); ok && l.Runs {
			say("the status line runs %s", render.Safe(l.Command))
		}
		for _, says := range s.Client.SwitchedOff(data) {
			say("warning: %s, in %s: mbgate is not asked until you remove it", says, e.tidy(s.Hooks))
		}
	}
	if s.exposed {
		say("warning: teammates get %s once it is committed, and the path of the binary above is yours; for a team there is --shared", relative(s.Root, s.Hooks))
	}
	if other := e.other(s); other != "" {
		say("warning: it is installed in %s, too; every event then comes twice and counts once", e.tidy(other))
	}

	b.WriteString("\n")
	if s.Client.Trust != "" {
		say("before it works: %s.", s.Client.Trust)
	}
	say("next: %s.", s.Client.Start)
	if inert {
		say("there is no memory bank in %s: mbgate does nothing there until it has a folder memory-bank/ with a MEMORY.md in it.", e.tidy(e.Project))
	}
	say("to check: let the agent read a file in a project with a memory bank; `mbgate status` there then shows its session.")
	if c, ok := agents.Facts(s.Client.Name); ok && len(c.Uncovered) > 0 {
		say("\nnot covered with %s (%s):", c.Title, c.KnownFrom())
		for _, u := range c.Uncovered {
			say("  - %s", u)
		}
	}
	return b.String()
}

// InstalledBriefly is one line on what was done, and what the person has to know or do before it works.
func (e Env) InstalledBriefly(s Site, plan Plan) string {
	text := "mbgate is installed for " + s.Client.Title + " already: " + e.tidy(s.Hooks) + "\n"
	if len(plan.Changes) > 0 {
		text = "installed mbgate for " + s.Client.Title + ": " + e.tidy(s.Hooks) + "\n"
	}
	for _, n := range plan.Notes {
		text += n + "\n"
	}
	if s.Client.Trust != "" && s.Root != "" { // of one's own hooks doctor says what is left
		text += "before it works: " + s.Client.Trust + "\n"
	}
	return text
}

// relative is a file of a project as people call it there.
func relative(root, file string) string {
	if rel, err := filepath.Rel(root, file); err == nil {
		return render.Safe(filepath.ToSlash(rel))
	}
	return render.Safe(file)
}

// Uninstalled says what was taken out and what is still there. It removes the backup where that says nothing new.
func (e Env) Uninstalled(s Site, plan Plan) string {
	var b strings.Builder
	if len(plan.Changes) == 0 {
		fmt.Fprintf(&b, "mbgate is not installed for %s in %s\n", s.Client.Title, e.tidy(s.Hooks))
	}
	for _, c := range plan.Changes {
		if c.after == nil {
			fmt.Fprintf(&b, "removed %s\n", e.tidy(c.Path))
		} else {
			fmt.Fprintf(&b, "took mbgate out of %s\n", e.tidy(c.Path))
		}
		if c.Path == s.Hooks && c.dropBackup() {
			fmt.Fprintf(&b, "the copy of before the first installation stays, since the file was changed meanwhile: %s\n", e.tidy(c.Path+BackupSuffix))
		}
	}
	for _, n := range plan.Notes {
		b.WriteString(n + "\n")
	}
	if other := e.other(s); other != "" {
		scope := "--project"
		if s.Root != "" {
			scope = "--user"
		}
		fmt.Fprintf(&b, "it is still installed in %s: mbgate uninstall %s %s\n", e.tidy(other), s.Client.Name, scope)
	}
	return b.String()
}

// List shows the agents and where mbgate is installed.
func (e Env) List() (string, error) {
	var b strings.Builder
	for _, c := range agents.Installable() {
		fmt.Fprintf(&b, "%-12s %s\n", c.Name, c.Title)
		for _, project := range []bool{false, true} {
			s, err := e.Site(c, project)
			if err != nil {
				return "", err
			}
			where, name := "user", e.tidy(s.Hooks)
			if project {
				where, name = "project", relative(s.Root, s.Hooks)
			}
			fmt.Fprintf(&b, "  %-8s %s: %s\n", where, name, e.status(s))
		}
	}
	return b.String(), nil
}

// status says in a few words how a file stands.
func (e Env) status(s Site) string {
	data, err := ReadConfig(s.Hooks)
	if err != nil {
		return "cannot be read: " + render.Safe(BareError(err).Error())
	}
	opts, err := e.Options(s)
	if err != nil {
		opts = settings.Options{}
	}
	entries, err := s.Client.Entries(data, opts)
	switch {
	case err != nil:
		return "cannot be read: " + render.Safe(err.Error())
	case len(entries) == 0:
		return "not installed"
	}
	if next, err := s.Client.Install(data, opts); err == nil && (Change{s.Hooks, data, next}).none() {
		return "installed"
	}
	return "installed by another version or for another path; install it again"
}
