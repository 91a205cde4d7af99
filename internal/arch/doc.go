// Package arch holds the rules of how the packages of mbgate depend on each other, as a test: which package may import
// which, what the pure core may not touch, what would cost every hook its start-up, and how long a function may be. The rules are tables in
// rules_test.go, CONTRIBUTING.md gives the reasons, and check_test.go reads the source and finds what breaks a rule. The
// package holds no code of the program.
package arch
