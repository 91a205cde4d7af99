package event

// Verdict is the answer to what an agent wants to do. The zero Verdict is no opinion, which is how events other than a
// tool call end. None of them approves: where a client asks its user, it still does.
type Verdict string

// The verdicts.
const (
	NoOpinion Verdict = ""
	Allow     Verdict = "allow"
	Warn      Verdict = "warn"
	Block     Verdict = "block"
)

// Mode is how strict a rule is, in the words of the configuration (SPEC §16). The zero Mode is "not set"; a rule relaxes
// only on a word that says so, so a forgotten setting never opens a gate.
type Mode string

// The modes; package config's table says which key allows which.
const (
	ModeOff      Mode = "off"
	ModeWarn     Mode = "warn"
	ModeBlock    Mode = "block"
	ModeStrict   Mode = "strict"
	ModeConsent  Mode = "consent"
	ModeWriter   Mode = "writer"
	ModeMarkdown Mode = "markdown"
	ModeRemind   Mode = "remind"
	ModeOpen     Mode = "open"
	ModeClosed   Mode = "closed"
)
