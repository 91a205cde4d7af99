//go:build !linux && !darwin && !windows

package main

// ancestors is empty where nobody wrote down how to ask: only the environment tells of an agent there.
func ancestors() []process { return nil }
