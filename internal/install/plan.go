package install

import (
	"errors"
	"fmt"
	"os"

	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/settings"
)

// Plan is what is going to change, and what the person has to be told about it.
type Plan struct {
	Changes []Change
	Notes   []string
}

func (p *Plan) add(c Change) {
	if !c.none() {
		p.Changes = append(p.Changes, c)
	}
}

func (p *Plan) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// Install works out what an installation changes.
func (e Env) Install(s Site, opts settings.Options) (Plan, error) {
	foreign := ""
	if opts.StatusLine {
		if foreign = e.foreignLine(s, opts); foreign != "" {
			opts.StatusLine = false
		}
	}
	plan, err := e.plan(s, func(before []byte) ([]byte, error) { return s.Client.Install(before, opts) }, settings.OwnFile.Install)
	if foreign != "" {
		plan.note("%s", foreign)
	}
	return plan, err
}

// Uninstall works out what taking mbgate out changes.
func (e Env) Uninstall(s Site, opts settings.Options) (Plan, error) {
	return e.plan(s, func(before []byte) ([]byte, error) {
		backup, err := ReadConfig(s.Hooks + BackupSuffix)
		if err != nil {
			return nil, err
		}
		return s.Client.Remove(before, backup, opts)
	}, func(f settings.OwnFile, before []byte) ([]byte, error) {
		after, err := f.Remove(before)
		if err != nil { // the text is the person's now
			err = settings.OwnError("it was changed since mbgate wrote it; remove it by hand if nobody wants it")
		}
		return after, err
	})
}

// plan works out the changes: hooks edits the file with the hooks, own a file that is all ours.
func (e Env) plan(s Site, hooks func([]byte) ([]byte, error), own func(settings.OwnFile, []byte) ([]byte, error)) (Plan, error) {
	var out Plan
	before, err := ReadConfig(s.Hooks)
	if err != nil {
		return out, err
	}
	after, err := hooks(before)
	if err != nil {
		return out, fmt.Errorf("%s: %w; nothing was changed", e.tidy(s.Hooks), err)
	}
	out.add(Change{s.Hooks, before, after})
	for _, f := range s.own {
		before, err := ReadConfig(f.file)
		if err != nil {
			return out, err
		}
		after, err := own(f.OwnFile, before)
		var why settings.OwnError
		if errors.As(err, &why) {
			out.note("not touched: %s: %s", e.tidy(f.file), why)
		} else if err == nil {
			out.add(Change{f.file, before, after})
		}
	}
	return out, nil
}

// foreignLine says that the person has a status line of their own, in the file itself or in one of wider reach that it
// would hide, and how to have both; "" where there is none.
func (e Env) foreignLine(s Site, opts settings.Options) string {
	files := []string{s.Hooks}
	if s.Root != "" {
		home, _ := e.Home()
		files = append(files, s.Client.Files(home, s.Root, e.Getenv)...)
	}
	for _, file := range files {
		data, err := ReadConfig(file)
		if err != nil {
			continue // what cannot be read is the agent's to complain about
		}
		if l, ok, err := s.Client.LineOf(data, opts); err == nil && ok && !l.Runs {
			return fmt.Sprintf("%s has a status line of its own, which stays: %s\nto have both, add this line to what it runs, with the same standard input: %s",
				e.tidy(file), render.Safe(l.Command), settings.LineCommand(opts))
		}
	}
	return ""
}

// maxPlans is how often a plan is made anew because the file was changed by another program: its own agent, most likely.
const maxPlans = 5

// Apply makes a plan and carries it out, while no other installation runs.
func (e Env) Apply(s Site, plan func() (Plan, error)) (Plan, error) {
	unlock, err := lock()
	if err != nil {
		return Plan{}, err
	}
	defer unlock()
	return e.apply(s, plan)
}

func (e Env) apply(s Site, plan func() (Plan, error)) (Plan, error) {
	for n := 1; ; n++ {
		p, err := plan()
		if err != nil {
			return p, err
		}
		again := false
		for _, c := range p.Changes {
			err := e.write(s, c, &p)
			if again = errors.Is(err, errChanged) && n < maxPlans; again {
				break
			}
			if err != nil {
				return p, fmt.Errorf("%s: %w", e.tidy(c.Path), BareError(err))
			}
		}
		if !again {
			return p, nil
		}
	}
}

// BareError is an error without the path that the system repeats in it.
func BareError(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// write carries one change out, with a copy of what was there before our first entry.
func (e Env) write(s Site, c Change, plan *Plan) error {
	if c.Path == s.Hooks && c.before != nil && c.after != nil {
		old, err := s.Client.Entries(c.before, settings.Options{})
		if err == nil && len(old) == 0 {
			if made, err := c.backup(); err != nil {
				return fmt.Errorf("no copy could be made: %w", BareError(err))
			} else if made {
				plan.note("copied what was there to %s", e.tidy(c.Path+BackupSuffix))
			}
		}
	}
	if err := c.write(); err != nil {
		return err
	}
	if c.after == nil {
		removeEmptyFolders(c.Path, s.top)
	}
	return nil
}
