package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mbgate/mbgate/internal/render"
)

// The manual pages are written here and not by cobra/doc, which links a Markdown and a YAML library into every hook: it
// made a tool-before 0.42 ms (17 %) slower at the median of 700 rounds and the binary 348 kB larger. They hold no date,
// so they are the same wherever they are made.

func newManCmd(a *app, root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write the manual pages into a folder",
		Long:    "Writes a manual page for mbgate and each of its commands into a folder, for packages.\n\nEXIT STATUS\n  0 · 1 mbgate's own failure · 64 wrong usage",
		Example: "  mbgate man /usr/local/share/man/man1",
		Hidden:  true,
		RunE: a.work(func(args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			return writeManual(root, args[0])
		}),
	}
}

func writeManual(c *cobra.Command, dir string) error {
	file := filepath.Join(dir, manName(c)+".1")
	if err := os.WriteFile(file, []byte(manPage(c)), 0o644); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if documented(sub) {
			if err := writeManual(sub, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage is one page in the man macros.
func manPage(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" mbgate \"mbgate manual\"\n", strings.ToUpper(roff(manName(c))))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(c)), roff(lowerFirst(c.Short)))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	about, status, _ := strings.Cut(c.Long, "\nEXIT STATUS\n")
	b.WriteString(".SH DESCRIPTION\n" + roffText(about))
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range c.Commands() {
			if documented(sub) {
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(sub.Name()), roff(sub.Short))
			}
		}
	}
	if list := argumentsOf(c); len(list) > 0 {
		b.WriteString(".SH ARGUMENTS\n")
		for _, r := range list {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(r.Name)), roff(r.What))
		}
	}
	for n, list := range flagsOf(c) {
		b.WriteString([...]string{".SH OPTIONS\n", ".SS Keys of the configuration, over all its other places\n"}[n])
		for _, f := range list.Rows {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(f.Name)), roff(f.What))
		}
	}
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n.nf\n" + roffLines(c.Example) + ".fi\n")
	}
	if status != "" {
		b.WriteString(".SH EXIT STATUS\n" + roffStatus(status))
	}
	if p := c.Parent(); p != nil {
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", roff(manName(p)))
	}
	return b.String()
}

// roffStatus is the list of exit statuses.
func roffStatus(s string) string {
	var b strings.Builder
	for _, r := range render.Statuses(s) {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(r.Name), roff(r.What))
	}
	return b.String()
}

// roffText is running text; lines that are indented stand as they are.
func roffText(s string) string {
	var b strings.Builder
	asIs := false
	for line := range strings.Lines(strings.Trim(s, "\n") + "\n") {
		indented := strings.HasPrefix(line, "  ")
		switch {
		case indented && !asIs:
			b.WriteString(".nf\n")
		case !indented && asIs:
			b.WriteString(".fi\n")
		}
		asIs = indented
		if strings.TrimSpace(line) == "" {
			b.WriteString(".PP\n")
			continue
		}
		b.WriteString(roffLines(strings.TrimSuffix(line, "\n")))
	}
	if asIs {
		b.WriteString(".fi\n")
	}
	return b.String()
}

func roffLines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(roff(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.String()
}

// roff escapes what the formatter would take for a command.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "·", `\(md`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
