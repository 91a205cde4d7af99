// Package arch holds the rules of how the rooms of mbgate depend on each other, as a test: which room may know which,
// what the pure core may not touch, and what would cost every hook its start-up. The rules are data in rules_test.go;
// CONTRIBUTING.md gives the reasons.
package arch
