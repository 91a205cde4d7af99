package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
)

// style is the role of a line; the palette gives its colour.
type style int

const (
	none style = iota
	dim
	note
	call
	answer
	remedy
	fine
)

type line struct {
	style style
	text  string
}

// columns is the width that lines are wrapped to. The picture then fits a README without being made smaller.
const columns = 98

// wrapped breaks a text at blanks, what follows the first line being indented as that one is.
func wrapped(st style, text string) []line {
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	var out []line
	for {
		r := []rune(text)
		if len(r) <= columns {
			return append(out, line{st, text})
		}
		at := strings.LastIndex(string(r[:columns]), " ")
		if at <= len(indent) {
			at = len(string(r[:columns]))
		}
		out = append(out, line{st, text[:at]})
		text = indent + strings.TrimLeft(text[at:], " ")
	}
}

// palette is the colours of one theme, GitHub's own.
type palette struct {
	name, back, frame string
	colours           map[style]string
}

func palettes() []palette {
	return []palette{
		{"dark", "#0d1117", "#30363d", map[style]string{
			dim: "#8b949e", note: "#79c0ff", call: "#e6edf3", answer: "#ff7b72", remedy: "#d29922", fine: "#3fb950",
		}},
		{"light", "#ffffff", "#d0d7de", map[style]string{
			dim: "#59636e", note: "#0969da", call: "#1f2328", answer: "#cf222e", remedy: "#9a6700", fine: "#1a7f37",
		}},
	}
}

// Sizes in pixels. Each line is given its length, so that every monospaced font fills the same place.
const (
	fontSize   = 13.5
	advance    = 81 // tenths of a pixel
	lineHeight = 19
	margin     = 22
	titleBar   = 34
)

func svg(lines []line, p palette) []byte {
	width := 2*margin + columns*advance/10
	height := titleBar + len(lines)*lineHeight + margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-labelledby="t">`+"\n", width, height, width, height)
	b.WriteString("<title id=\"t\">A session after a compaction: two writes are refused, the requirement is read again, the write is released</title>\n")
	fmt.Fprintf(&b, `<rect x="0.5" y="0.5" width="%d" height="%d" rx="8" fill="%s" stroke="%s"/>`+"\n", width-1, height-1, p.back, p.frame)
	for i, c := range [...]string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="17" r="5.5" fill="%s"/>`+"\n", margin+i*18, c)
	}
	fmt.Fprintf(&b, `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace" font-size="%g">`+"\n", fontSize)
	for i, l := range lines {
		text := strings.TrimLeft(l.text, " ")
		n := len([]rune(text))
		if n == 0 {
			continue
		}
		x := margin + float64(len(l.text)-len(text))*advance/10
		weight := ""
		if l.style == call {
			weight = ` font-weight="600"`
		}
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="%s"%s>`,
			x, titleBar+(i+1)*lineHeight-5, float64(n)*advance/10, p.colours[l.style], weight)
		_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
		b.WriteString("</text>\n")
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}
