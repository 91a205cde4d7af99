//go:build live

// Package live plays the real clients through the gates. It installs the versions that clients/package-lock.json pins,
// runs each of them in a network namespace that has the loopback interface alone, with an environment and a home folder
// of its own and with keys that are made up, lets `mbgate install` configure it, and puts a scripted model in the place
// of its provider. What is asserted is what the model was really told and which files changed.
//
// It needs Linux, npm, and the right to make a network namespace. Run it by
//
//	go test -tags live ./internal/live/
//
// It fails where a client cannot be installed or run: nothing here is skipped.
package live
