package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mbgate/mbgate/internal/wire"
)

// maxQuestion is the longest line of --jsonl that is judged, in bytes; hooks take no more either.
const maxQuestion = wire.MaxInput

// faultJSON answers a line that could not be judged.
type faultJSON struct {
	ID    json.RawMessage `json:"id,omitempty"`
	Error string          `json:"error"`
}

// stream answers questions line by line, each before the next is read.
func (x *explainer) stream(in io.Reader) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, long, err := readLine(r, maxQuestion)
		if text := bytes.TrimSpace(line); len(text) > 0 || long {
			if e := x.app.printJSON(x.reply(text, long)); e != nil {
				return e
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("standard input cannot be read (%w); send the questions through a pipe", err)
		}
	}
}

// reply is the answer to one line. A fault in one question is that question's only.
func (x *explainer) reply(line []byte, long bool) (answer any) {
	var q question
	defer func() {
		if p := recover(); p != nil {
			answer = faultJSON{q.ID, fmt.Sprintf("internal fault: %v; please report it", p)}
		}
	}()
	if long {
		return faultJSON{nil, fmt.Sprintf("the line is longer than %d MB; send less", maxQuestion>>20)}
	}
	if err := json.Unmarshal(line, &q); err != nil {
		what := "it is not JSON"
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			what = "it must be an object"
			if wrong.Field != "" {
				what = wrong.Field + " must be a string"
			}
		}
		return faultJSON{q.ID, "the line is not a question: " + what + `; send {"id","command","cwd"} or {"id","tool_name","tool_input","cwd"}`}
	}
	e, err := x.answer(q)
	if err != nil {
		return faultJSON{q.ID, err.Error()}
	}
	return e.JSON()
}

// readLine reads a line of at most limit bytes; of a longer one nothing is kept.
func readLine(r *bufio.Reader, limit int) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > limit {
			line, long = nil, true
		}
		if !long {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}
