package render

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// auditBar is how many columns a session's bar has, auditWorst how many moments are shown one by one.
const (
	auditBar   = 10
	auditWorst = 5
)

// AuditText is the report of an audit for people.
func AuditText(s *Screen, r *Audit) string {
	p := page{Screen: s}
	n := r.Sum
	if r.Files == 0 {
		p.prose(0, inkPlain, "No records of sessions were found. Name files or folders, or see --all-projects and --since.")
		return p.b.String()
	}
	p.line(p.in(inkStrong, fmt.Sprintf("%s, %s, %.0f MB", plural(r.Files, "record"), plural(n.Compactions, "compaction"), float64(r.Bytes)/1e6)))
	p.entry(0, 12, "compactions", inkPlain, fmt.Sprintf("%d automatic, %d asked for; %d came after documents that frame a task were read", n.Automatic, n.Compactions-n.Automatic, n.WithDocuments))
	p.entry(0, 12, "after those", inkPlain, fmt.Sprintf("files were written after %d of %d; in %d of these none of the documents was read again", n.Written, n.WithDocuments, n.NeverRead))
	p.entry(0, 12, "writes", inkPlain, fmt.Sprintf("%d of %d were made while one of the documents was unread", n.WritesUnread, n.Writes))
	if n.PutBack > 0 {
		p.entry(0, 12, "put back", inkPlain, plural(n.PutBack, "document")+" by the client itself, which counts as read")
	}
	cost := fmt.Sprintf("%s, %s to read, about %d tokens", plural(n.Refusals, "refusal"), plural(n.Reads, "document"), n.Tokens)
	if n.Unknown > 0 {
		cost += fmt.Sprintf(" and %s of unknown length", plural(n.Unknown, "document"))
	}
	p.entry(0, 12, "with mbgate", inkPlain, cost+fmt.Sprintf("; %s that changed nothing in the project would have been refused", plural(n.Harmless, "call")))
	p.prose(0, inkFaint, "Unread does not mean wrong: only a person can say whether a document was about the work at hand.")
	auditSessions(&p, r)
	auditMoments(&p, r)
	if len(r.Proposal) > 0 && !r.Given {
		p.line()
		p.prose(0, inkPlain, "To have these documents asked for, put this into .mbgate.toml, as far as they frame your tasks:")
		p.line()
		p.line(AnchorsLine(r.Proposal))
	}
	if r.Damaged > 0 {
		p.prose(0, inkWarn, plural(r.Damaged, "damaged line")+" skipped")
	}
	return p.b.String()
}

// auditSessions are the sessions in which documents were read before a compaction, one bar each: what part of the writes was made
// while one was unread.
func auditSessions(p *page, r *Audit) {
	var rows []item
	for _, s := range r.Sessions {
		var n AuditSum
		for _, c := range s.Compactions {
			n.add(c)
		}
		if n.WithDocuments == 0 {
			continue
		}
		filled := 0
		if n.Writes > 0 {
			filled = (n.WritesUnread*auditBar + n.Writes - 1) / n.Writes
		}
		rows = append(rows, item{
			mark: "·", ink: inkFaint, nameInk: inkStrong,
			name: strings.Repeat("█", filled) + strings.Repeat("░", auditBar-filled) + " " + Safe(s.ID[:min(len(s.ID), 8)]),
			note: fmt.Sprintf("%d of %s unread, %s", n.WritesUnread, plural(n.Writes, "write"), plural(n.Compactions, "compaction")),
		})
	}
	if len(rows) > 0 {
		p.line()
		p.line(p.in(inkStrong, "Writes while a document was unread"))
		p.items(0, rows)
	}
}

// auditMoments are the compactions after which most was written while a document was unread.
func auditMoments(p *page, r *Audit) {
	type moment struct {
		session string
		Compaction
	}
	var worst []moment
	for _, s := range r.Sessions {
		for _, c := range s.Compactions {
			if c.WritesUnread > 0 {
				worst = append(worst, moment{s.ID, c})
			}
		}
	}
	slices.SortStableFunc(worst, func(a, b moment) int { return b.WritesUnread - a.WritesUnread })
	if len(worst) == 0 {
		return
	}
	p.line()
	p.line(p.in(inkStrong, "Most writes while a document was unread"))
	for _, m := range worst[:min(len(worst), auditWorst)] {
		var names []string
		for _, d := range m.Documents {
			if !d.PutBack {
				names = append(names, Safe(path.Base(d.Path)))
			}
		}
		first := "right after"
		if m.Calls > 0 {
			first = plural(m.Calls, "call") + " after"
		}
		p.hang(p.in(inkFaint, m.First.UTC().Format("2006-01-02 15:04")+"  "+Safe(m.session[:min(len(m.session), 8)])+"  "), inkPlain,
			fmt.Sprintf("%s, the first %s the compaction, with %s unread", plural(m.WritesUnread, "write"), first, strings.Join(names, ", ")))
	}
}

// AnchorsLine is the line of a configuration that names anchors.
func AnchorsLine(patterns []string) string {
	return "anchors = [" + strings.Join(quoted(patterns), ", ") + "]"
}

func quoted(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, jsonString(s))
	}
	return out
}
