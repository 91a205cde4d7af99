// Package gate decides. Given what is remembered of a session, one event and the facts about the disk, it says what to
// remember next and what to answer: Gate.Handle is a function of its arguments. A Decision holds typed values only; package
// render makes sentences of them and package state keeps the Session.
//
// Start with gates.go: the ordered list of gates that judge a tool call. refusal.go is the gate of a pending recovery, pending.go
// what is left to read of it, recovery.go how one begins, after.go what a finished call shows, recorded.go what
// entered the context without one, guard.go, binding.go and readgate.go the other gates, session.go what is remembered.
//
// The package is pure: no clock, no files. Of this module it imports event, place, prompt, anchor, risk, capsule, bank, layout and
// transcript.
package gate

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/mbgate/mbgate/internal/anchor"
	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/place"
	"github.com/mbgate/mbgate/internal/prompt"
	"github.com/mbgate/mbgate/internal/risk"
	"github.com/mbgate/mbgate/internal/risk/reason"
	"github.com/mbgate/mbgate/internal/transcript"
)

// Disk is what the gate asks about files. Implementations never block and never run anything.
type Disk interface {
	place.Files
	// Anchor locates an anchor by its canonical path for the context at hand (P4).
	Anchor(path string) place.Place
	// Fallback are the documents that the patterns of the fallback name now, five at most (A3).
	Fallback(patterns []string) []string
	// Stamp tells the version of a regular file by one stat; false when it is none or cannot be told.
	Stamp(p place.Place) (anchor.Stamp, bool)
	// Doc scans a file for the lines that a recovery may demand; an error says why it cannot be read. It is a *ShortageError
	// where that is no matter of the file.
	Doc(p place.Place) (anchor.Doc, error)
	// Defined reports whether the client has a subagent of that name defined.
	Defined(c *event.Client, subagent string) bool
	// BankDirty reports whether the memory bank has changes that are in no commit. Without git, or where that cannot be
	// told, it is false.
	BankDirty() bool
	// HookFiles are the client's configuration files whose hooks call mbgate before a tool runs.
	HookFiles(c *event.Client) []string
	// Recorded is what the client's own record says of the event's context since its last compaction; nothing where there is
	// none that can be read (A8).
	Recorded(ev event.Event) transcript.Found
	// Unhooks reports whether a client's configuration file turns hooks off or, where it had mbgate's, has lost them.
	Unhooks(c *event.Client, path string, had bool) bool
}

// ShortageError says that the machine has no descriptors or no memory left to read a file with. The file itself is sound.
type ShortageError struct{ Err error }

// Error implements error.
func (e *ShortageError) Error() string { return e.Err.Error() + "; close programs or raise the limit" }

func (e *ShortageError) Unwrap() error { return e.Err }

// Policy is how a project wants to be guarded (SPEC §16).
type Policy struct {
	// Anchors and Fallback are globs (A1, A3).
	Anchors, Fallback []string
	// Budget is how many bytes of anchors one recovery requires at most (A3).
	Budget int
	// Recovery is ModeOff, ModeWarn, ModeStrict, and anything else is ModeBlock.
	Recovery event.Mode
	// Ceiling is after how many refusals a gate stands down whose session shows no reads; 0 is never (R5).
	Ceiling         int
	Sensitive, Safe []string
	// WriteGuard is who may write the memory bank (SPEC §11): ModeOff, ModeMarkdown, ModeWriter, and anything else is ModeConsent.
	WriteGuard event.Mode
	// Read is how the read gate rules (SPEC §10): ModeOff, ModeBlock, ModeStrict, and anything else reminds.
	Read event.Mode
	// Proposals is ModeOff where nobody wants the reminder of SPEC §12.
	Proposals event.Mode
	// Deny are globs of files that nobody but a person changes (C5).
	Deny []string
	// KeepWords is set where what a person says is kept (C7).
	KeepWords bool
	// RunFile is the session's run file, relative to the root; "" for none (C5).
	RunFile string
	// HasBank is set when the project has a memory bank.
	HasBank bool
}

// Gate is the one decider. It is made anew for every event.
type Gate struct {
	Policy Policy
	Disk   Disk
	Now    time.Time
	// Root and Home are absolute folders; Vars are known environment variables of the agent's shell.
	Root, Home string
	Vars       map[string]string
	// Agents says where coding agents are configured.
	Agents risk.AgentFiles
	// Own are absolute paths of mbgate's own files and folders that exist, so that removing a folder above them is seen.
	Own []string
	// Self is the absolute path of mbgate's own binary.
	Self string
	// Prints reports whether what is said for a decision holds all of the memory bank's entry; nil is "it does not".
	Prints func(Decision) bool
}

// The subagents that the gate knows (SPEC §1).
const (
	Reader = "memory-reader"
	Writer = "memory-bank-writer"
)

// step is one event on its way through the gate.
type step struct {
	Gate
	s   *Session
	ctx *Context
	ev  event.Event
	d   Decision
	// relied is set once the call showed, or was meant to show, a file that can be a source anchor.
	relied bool
	// givesBank is set where the event gives the model the memory bank's context, emptyEntry where MEMORY.md has nothing for it.
	givesBank, emptyEntry bool
	// armedAnew is set once a compaction or fork was counted or told.
	armedAnew bool
	// judgements are those of a finished call, by the folder that its paths are relative to.
	judgements map[string]risk.Assessment
}

// Handle decides one event: what to remember of the session from now on, and what to answer. It changes nothing of its
// arguments and gives the same answer for the same ones.
func (g Gate) Handle(old Session, ev event.Event) (Session, Decision) {
	s := old.Clone()
	if s.Schema == 0 {
		s.Schema = Schema
	}
	if s.ID == "" {
		s.ID = ev.Session
	}
	if s.StartedAt.IsZero() {
		s.StartedAt = g.Now
	}
	if s.Agent == "" && ev.Client != nil {
		s.Agent = ev.Client.Name
	}
	if s.Root == "" {
		s.Root = g.Root
	}
	if ev.Kind != event.SessionEnd {
		s.EndedAt = time.Time{}
	}
	sub, known := s.attribute(ev)
	if !known {
		return old, Decision{}
	}
	ev.Sub = sub
	st := &step{Gate: g, s: &s, ev: ev}
	st.ctx = s.context(ev.Sub.ID, ev.Sub.Type, g.Now)
	before := st.ctx.clone()
	if s.Damaged {
		st.damaged()
	}
	switch ev.Kind {
	case event.SessionStart:
		st.start()
		if ev.Source == "resume" && st.client().ForksResume && g.isNew(old) {
			st.forked()
		}
	case event.SessionEnd:
		s.EndedAt, s.Running = g.Now, 0
	case event.Prompt:
		st.prompt()
		st.showBlock(st.client().InjectsAtPrompt)
	case event.Compacting:
		st.ctx.Pair.Closed = true
		if st.client().HearsBeforeSummary {
			st.d.Summary = st.summary()
		}
	case event.Compacted:
		st.compacted()
	case event.Forked:
		st.forked()
	case event.ToolBefore:
		st.before()
	case event.ToolAfter:
		st.after()
		st.showBlock(st.client().InjectsAfterTools)
	case event.Notice:
		st.notice()
	case event.Unread:
		st.unread()
	case event.ConfigChange:
		st.configChange()
	case event.Stop:
		st.stop()
	}
	if st.d.Block != nil || st.d.Capsule != nil || st.armedAnew && st.ev.Injects {
		st.d.Carried = st.carried()
	}
	st.creditPrinted()
	st.trim()
	st.respell()
	if !reflect.DeepEqual(before, st.ctx) {
		st.ctx.UsedAt = g.Now
	}
	if !reflect.DeepEqual(old, s) {
		s.LastAt = g.Now
	}
	return s, st.d
}

// startGrace is how long after the first event of a session its start may come. Copilot CLI 1.0.102 sends the first prompt
// 30 ms after the start and waits for neither, so on a busy machine they change places.
const startGrace = 10 * time.Second

// isNew reports whether a session that starts is new here, apart from events that may overtake its start.
func (g Gate) isNew(old Session) bool {
	return old.StartedAt.IsZero() || !old.Reported && old.Announced == 0 && g.Now.Sub(old.StartedAt) < startGrace
}

func (st *step) log(e LogEntry) { st.d.Log = append(st.d.Log, e) }

// client is the client's capabilities; an event without a client has none.
func (st *step) client() event.Client {
	if st.ev.Client == nil {
		return event.Client{}
	}
	return *st.ev.Client
}

// world is what a judgement of a call may ask.
func (g Gate) world() risk.World {
	return risk.World{
		Files: g.Disk, Root: g.Root, Home: g.Home, Agents: g.Agents, Vars: g.Vars, HasBank: g.Policy.HasBank, Own: g.Own, Self: g.Self,
	}
}

// start answers a session that starts or resumes: the memory bank, and a recovery that is still pending. Resuming never
// disarms (R1).
func (st *step) start() {
	if st.ev.Source == "startup" || st.ev.Source == "clear" {
		st.ctx.Given = Given{}
	}
	st.giveBank()
	st.s.Running = 0
	st.s.Hooks = st.Disk.HookFiles(st.ev.Client)
	if p := st.pending(); p != nil {
		st.d.Block = st.block(p)
		p.rec.Told = p.rec.Told || st.client().InjectsAtStart
		st.d.Capsule = st.capsuleForModel()
	}
}

// prompt starts a turn if a person sent it, and acts on mb: words (SPEC §12).
func (st *step) prompt() {
	text := strings.TrimSpace(st.ev.Prompt)
	if !st.ev.Main() || st.ev.Synthetic || text == "" || strings.HasPrefix(text, event.Reminder) {
		return
	}
	c, begins := prompt.Parse(text)
	if c.Answered {
		st.answerWord(c)
		return
	}
	st.keepWords(text, st.s.Turn.Since.IsZero())
	st.s.Turn = Turn{ID: st.ev.Turn, Since: st.Now}
	st.s.Creating, st.ctx.ReadOut = false, 0
	if !st.s.Consent.Writer {
		st.s.Consent = Consent{}
	}
	st.s.dropPlanned()
	st.uncreditCleared()
	st.takeAnswer(c)
	if st.d.Person != NoAnswer {
		return
	}
	if begins && c.Glued {
		st.d.Person = IgnoreWord
	}
	st.s.Proposals.Settled = st.s.Proposals.Settled || prompt.Settles(text)
	st.route()
}

// answerWord answers a prompt that is for mbgate and starts no turn of the agent.
func (st *step) answerWord(c prompt.Command) {
	st.d.Person = ShowWords
	switch {
	case c.Word == prompt.Keep && c.Rest != "":
		st.d.Person = st.keepWord(c.Rest)
	case c.Word == prompt.Drop && c.Rest != "":
		st.d.Person = st.dropWord(c.Rest)
	case c.Rest != "":
	case c.Word == prompt.Status:
		st.d.Person = ShowStatus
	case c.Word != prompt.Clear:
	case st.mayBeSubagents():
		st.d.Person = NotNow
	case st.s.Clear():
		st.d.Person = Cleared
		st.log(LogEntry{What: RecoveryEnded})
	default:
		st.d.Person = NothingToClear
	}
}

// Clear ends every recovery of the session and suspends what binds it until the next compaction, as a person may (R4,
// C5); it reports whether there was anything.
func (s *Session) Clear() bool {
	had := s.Damaged
	s.Damaged = false
	for _, c := range s.Contexts {
		had = had || c.Recovery != nil
		c.Recovery = nil
		c.Reader = nil
	}
	if s.hasBindings() {
		had = true
		s.suspend()
	}
	return had
}

// notice gives what stands before every request to the model while a recovery is pending, for clients that have no other
// lasting channel.
func (st *step) notice() {
	if st.client().Summarises {
		st.summarised()
	}
	if !st.client().InjectsAtStart {
		st.giveBank()
	}
	if p := st.pending(); p != nil {
		st.d.Block = st.block(p)
	}
	if !st.client().InjectsAtStart || st.d.Block != nil {
		st.d.Capsule = st.capsuleForModel()
	}
}

// unread takes back the credit of the files whose content the client dropped from the context: the one that it states, and
// those that the dropped call showed. It never arms.
func (st *step) unread() {
	delete(st.ctx.Reads, st.Disk.Locate(st.ev.Cwd, st.ev.Path).Key)
	for _, r := range st.judge(st.ev.Cwd).Reads {
		delete(st.ctx.Reads, r.Place.Key)
	}
}

// configChange refuses a configuration change that removes the hooks while a recovery is pending (R6).
func (st *step) configChange() {
	if st.ev.Path == "" || !st.Disk.Unhooks(st.ev.Client, st.ev.Path, slices.Contains(st.s.Hooks, st.ev.Path)) {
		return
	}
	if p := st.pending(); p != nil && st.Policy.Recovery != event.ModeWarn && p.rec.StoodDown == "" {
		st.d.Verdict, st.d.Rule = event.Block, RuleConfig
	}
}

// Suppose judges a call as if the fallback anchors existed, none of them were read and a recovery with them were
// pending (SPEC §19): what `explain` answers where there is no session to ask.
func (g Gate) Suppose(t event.Tool, cwd string) Decision {
	d := Decision{Verdict: event.Block, Rule: RuleRecovery}
	d.Assessment = risk.Judge(t, cwd, g.world(), risk.Rules{
		Sensitive: g.Policy.Sensitive,
		Safe:      g.Policy.Safe,
		Recovery:  true,
		Unread: func(p place.Place) bool {
			return anchor.Match(g.Policy.Fallback, p) != ""
		},
	})
	switch {
	case d.Assessment.Own.Kind != reason.None:
		d.Rule = RuleOwn
	case d.Assessment.Level == risk.Low:
		d.Verdict, d.Rule = event.Allow, RuleNone
	}
	if b := g.Policy.denies(d.Assessment); b != nil && d.Rule != RuleOwn {
		d.Verdict, d.Rule, d.Binding = event.Block, RuleCapsule, b
	}
	return d
}
