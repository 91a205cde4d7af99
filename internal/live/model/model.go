// Package model is a scripted model for tests: a server on loopback that answers the requests of real coding agents in
// their own dialects (Anthropic messages, OpenAI chat completions and responses, Gemini generateContent) with the steps
// that a test laid down, and keeps every request, so that the test can look at what the model was really told.
//
// It is no part of the program.
package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

// The kinds of requests that every client has. A subagent's is "sub:" and the name that its prompt carries as [[sub:NAME]].
const (
	Main    = "main"    // the conversation that the person sees
	Summary = "summary" // a compaction that asks for a summary
	Side    = "side"    // a title, a probe, a count of tokens: nothing that a test scripts
)

// Call is one tool call that the model makes.
type Call struct {
	Name string
	// Args are the arguments of a tool that takes JSON; Text is the whole input of one that takes free text (Codex).
	Args map[string]any
	Text string
	// Space is the namespace of the tool, where a client has such (Codex).
	Space string
}

// Step is one answer of the model. The zero Step ends the turn with the word "done".
type Step struct {
	Text  string
	Calls []Call
	// Tokens is what the model says that the request took of the context, 100 for 0; it makes a client compact.
	Tokens int
	// Error is answered as an error of the server, with status 400, instead of anything else.
	Error string
	// From makes the step out of the request that it answers.
	From func(Request) Step
}

// Do is the step that makes these calls in one answer.
func Do(calls ...Call) Step { return Step{Calls: calls} }

// Say is the step that answers with a text and so ends the turn.
func Say(text string) Step { return Step{Text: text} }

// Request is one request that reached the model.
type Request struct {
	Kind string
	// System is the text of the instructions, First that of the first message of the conversation, Last what came
	// after the model's own last message (a prompt, or results of tools), Whole the whole conversation without the
	// instructions and without what the model itself said.
	System, First, Last, Whole string
	// Results are the texts of the tool results in Last, in their order.
	Results []string
	// Tools are the names of the tools that are offered.
	Tools []string
	Model string
	Path  string
	Body  []byte
	At    time.Time

	stream bool
}

// All is everything that the request tells the model, the instructions included.
func (r Request) All() string { return r.System + "\n" + r.Whole }

// dialect is one protocol between a client and its model.
type dialect interface {
	// parse reads a request; false if the path is not one of this dialect.
	parse(path string, body []byte) (Request, bool)
	// write sends the answer.
	write(w http.ResponseWriter, r Request, s Step)
}

// Server is a scripted model. Make one with Listen.
type Server struct {
	// Kind tells what a request is for where the usual signs do not: "" leaves it to them. Set it before the client starts.
	Kind func(Request) string
	// Tokens is what an answer says of the context that a main request took, where its step says nothing.
	Tokens int
	// Counted is how many tokens it counts in any text, 100 for 0.
	Counted int

	mu       sync.Mutex
	steps    map[string][]Step
	requests []Request
	unknown  []string
	server   *http.Server
	address  string
}

// Listen starts a server on a free port of the loopback interface.
func Listen() (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("scripted model: %w", err)
	}
	s := &Server{steps: map[string][]Step{}, address: listener.Addr().String()}
	s.server = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.server.Serve(listener) }()
	return s, nil
}

// URL is the server's address, without a slash at the end.
func (s *Server) URL() string { return "http://" + s.address }

// Close ends the server and what it is answering.
func (s *Server) Close() { _ = s.server.Close() }

// Script lays down the answers to the next requests of a kind, in place of those that are left.
func (s *Server) Script(kind string, steps ...Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps[kind] = append([]Step(nil), steps...)
}

// Left is how many steps of a kind nobody asked for.
func (s *Server) Left(kind string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.steps[kind])
}

// Count is how many requests there were so far: the mark for Since.
func (s *Server) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// Since are the requests from a mark on.
func (s *Server) Since(mark int) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests[mark:]...)
}

// Unknown are the paths that were asked for and belong to no dialect, each with its method.
func (s *Server) Unknown() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.unknown...)
}

func (s *Server) serve(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	if req.Method == http.MethodPost {
		for _, d := range []dialect{anthropic{}, responses{}, chat{}, gemini{}} {
			r, ok := d.parse(req.URL.Path, body)
			if !ok {
				continue
			}
			r.Path, r.Body, r.At = req.URL.Path, body, time.Now()
			step := s.answer(&r)
			if step.Error != "" {
				reply(w, http.StatusBadRequest, map[string]any{"type": "error", "error": map[string]any{
					"type": "invalid_request_error", "code": "context_length_exceeded", "message": step.Error,
				}})
				return
			}
			d.write(w, r, step)
			return
		}
	}
	s.mu.Lock()
	s.unknown = append(s.unknown, req.Method+" "+req.URL.Path)
	s.mu.Unlock()
	switch {
	case strings.HasSuffix(req.URL.Path, "/count_tokens"):
		reply(w, http.StatusOK, map[string]any{"input_tokens": cmp.Or(s.Counted, 100)})
	case strings.HasSuffix(req.URL.Path, ":countTokens"):
		reply(w, http.StatusOK, map[string]any{"totalTokens": 100})
	case strings.HasSuffix(req.URL.Path, "/models"):
		reply(w, http.StatusOK, map[string]any{"object": "list", "data": []any{}, "models": []any{}})
	default:
		// What a package registry says of a package that it does not have; a client that asks goes on at once.
		reply(w, http.StatusNotFound, map[string]any{})
	}
}

// answer sorts a request in and takes its step.
func (s *Server) answer(r *Request) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Kind = s.kind(*r)
	s.requests = append(s.requests, *r)
	var step Step
	if queue := s.steps[r.Kind]; len(queue) > 0 {
		step, s.steps[r.Kind] = queue[0], queue[1:]
	} else {
		step = standard(r.Kind)
	}
	if step.From != nil {
		tokens := step.Tokens
		if step = step.From(*r); step.Tokens == 0 {
			step.Tokens = tokens
		}
	}
	if step.Tokens == 0 && r.Kind == Main {
		step.Tokens = s.Tokens
	}
	if step.Tokens == 0 {
		step.Tokens = 100
	}
	if step.Text == "" && len(step.Calls) == 0 {
		step.Text = "done"
	}
	return step
}

// standard is the answer where nothing is scripted.
func standard(kind string) Step {
	switch kind {
	case Summary:
		return Say("<analysis>x</analysis><summary>We edited files. Of the requirements nothing is said here.</summary>")
	case Side:
		return Say(`{"title":"A title"}`)
	default:
		return Say("done")
	}
}

func (s *Server) kind(r Request) string {
	if s.Kind != nil {
		if kind := s.Kind(r); kind != "" {
			return kind
		}
	}
	if sub := marker(r.First); sub != "" {
		return "sub:" + sub
	}
	if len(r.Tools) == 0 {
		return Side
	}
	return Main
}

// Marker is what a subagent's prompt carries so that its requests are told apart.
func Marker(name string) string { return "[[sub:" + name + "]]" }

func marker(text string) string {
	found := regexp.MustCompile(`\[\[sub:(\w+)\]\]`).FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1]
}

// MarkerOf is the name of the first subagent that a text is marked with, "" for none.
func MarkerOf(text string) string { return marker(text) }

func reply(w http.ResponseWriter, status int, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(data)))
	w.WriteHeader(status)
	_, _ = w.Write(data)
}

// events sends server-sent events; a name of "" sends the data alone.
func events(w http.ResponseWriter, list ...event) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	for _, e := range list {
		if e.name != "" {
			_, _ = fmt.Fprintf(w, "event: %s\n", e.name)
		}
		data, ok := e.data.(string)
		if !ok {
			raw, err := json.Marshal(e.data)
			if err != nil {
				panic(err)
			}
			data = string(raw)
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
	}
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

type event struct {
	name string
	data any
}
