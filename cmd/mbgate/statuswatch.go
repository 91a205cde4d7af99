package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/signal"
	"slices"
	"time"

	"golang.org/x/term"

	"github.com/mbgate/mbgate/internal/render"
	"github.com/mbgate/mbgate/internal/state"
)

// How often status --watch looks: at the state folder's time, and at all that is shown: documents may change on disk,
// and time goes by. A look at all takes 1 to 3 ms with ten sessions.
const (
	watchStat = 500 * time.Millisecond
	watchLook = 2 * time.Second
	watchList = time.Minute
)

// watchStatus shows the status until it is ended.
func (a *app) watchStatus(o statusOptions) error {
	store, err := a.openStore()
	if err != nil {
		return err
	}
	w := &watcher{app: a, options: o, store: store}
	if o.json {
		return w.lines()
	}
	out, ok := a.stdout.(*os.File)
	if !ok || !term.IsTerminal(int(out.Fd())) || a.getenv("TERM") == "dumb" {
		return &usageError{problem: "--watch draws on a terminal, and standard output is none that can be drawn on; add --json for an object for each change, or leave --watch out"}
	}
	if _, err := w.look(); err != nil {
		return err
	}
	return w.draw(out)
}

// watcher looks at the same sessions again and again.
type watcher struct {
	app     *app
	options statusOptions
	store   *state.Store

	list           state.Listing
	listed, looked time.Time
	// saved is the state folder's time before it was listed.
	saved time.Time
}

// due reports whether a look could find anything new.
func (w *watcher) due() bool {
	return w.app.now().Sub(w.looked).Abs() >= watchLook || w.stale()
}

// stale reports whether a session may have been saved since the list was made. A folder's time has the grain of the
// system's clock, 4 ms and more, so what changed just before the list was made may have changed after it, too.
func (w *watcher) stale() bool {
	info, err := os.Stat(w.store.Dir())
	switch {
	case w.listed.IsZero():
		return true
	case err != nil:
		return !w.saved.IsZero()
	case !info.ModTime().Equal(w.saved) || w.listed.Sub(w.saved) < watchLook:
		return true
	}
	return w.app.now().Sub(w.listed).Abs() >= watchList
}

// look gathers what there is to show. It reads the sessions again only if one may have been saved.
func (w *watcher) look() (render.Status, error) {
	w.looked = w.app.now()
	if w.stale() {
		w.saved, w.listed = time.Time{}, w.looked
		if info, err := os.Stat(w.store.Dir()); err == nil {
			w.saved = info.ModTime()
		}
		list, err := w.app.listing(w.store, w.options)
		if err != nil {
			w.listed = time.Time{}
			return render.Status{}, err
		}
		w.list = list
	}
	return w.app.statusFrom(w.options, w.list)
}

// lines prints an object for each change.
func (w *watcher) lines() error {
	var last []byte
	for ; ; time.Sleep(watchStat) {
		if last != nil && !w.due() {
			continue
		}
		st, err := w.look()
		if err != nil {
			return err
		}
		now, err := json.Marshal(timeless(st).JSON())
		if err != nil {
			return err
		}
		if bytes.Equal(now, last) {
			continue
		}
		if last = now; w.app.printJSON(st.JSON()) != nil {
			return nil // the reader has gone away
		}
	}
}

// timeless is a status without the creation times of its capsules, which differ at each look although nothing changed.
func timeless(st render.Status) render.Status {
	st.Sessions = slices.Clone(st.Sessions)
	for i, e := range st.Sessions {
		if e.Capsule != nil {
			c := *e.Capsule
			c.CreatedAt = time.Time{}
			st.Sessions[i].Capsule = &c
		}
	}
	return st
}

// draw keeps the screen up to date until a key or a signal ends it. It always restores the terminal, even in a panic.
func (w *watcher) draw(out *os.File) error {
	s := &liveScreen{in: w.app.stdin, out: out}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, watchSignals()...)
	defer signal.Stop(signals)
	end := "Ctrl-C ends this"
	var keys chan byte
	if s.was != nil {
		end = "q ends this"
		keys = make(chan byte)
		go read(w.app.stdin, keys)
	}
	tick := time.NewTicker(watchStat)
	defer tick.Stop()
	for {
		if s.resized() || w.due() {
			if err := s.show(w.text(), end); err != nil {
				return err
			}
		}
		select {
		case <-tick.C:
		case key, ok := <-keys:
			switch {
			case !ok:
				keys = nil
			case key == 'q' || key == 'Q' || key == ctrlC || key == ctrlD:
				return nil
			case key == ctrlZ:
				s.leave()
				suspend()
				if err := s.enter(); err != nil {
					return err
				}
			}
		case sig := <-signals:
			if !ends(sig) {
				s.forget() // another size, or back in the foreground
				continue
			}
			if sig == os.Interrupt {
				return nil
			}
			s.leave()
			die(sig)
			return &quietError{exitFailure}
		}
	}
}

// text is the content of the screen: the status, or why it cannot be shown.
func (w *watcher) text() string {
	st, err := w.look()
	if err != nil {
		return w.app.screen().Prose(0, "mbgate: "+render.Safe(err.Error()))
	}
	return st.Text(w.app.screen())
}

// Keys as a raw terminal sends them.
const (
	ctrlC = 3
	ctrlD = 4
	ctrlZ = 26
)

// read passes keys on. It is the only goroutine here, cannot panic, and ends with the process: a read of a terminal cannot
// be cancelled.
func read(in *os.File, keys chan<- byte) {
	var b [1]byte
	for {
		if n, err := in.Read(b[:]); n == 0 || err != nil {
			close(keys)
			return
		}
		keys <- b[0]
	}
}
