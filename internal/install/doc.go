// Package install puts mbgate's hooks into the files that an agent is configured by, and takes them out again. Package
// settings knows what the entries look like and turns bytes into bytes; this package finds the files, works out a plan of
// changes and carries it out: atomically, with a backup, and never over what another program wrote meanwhile.
//
// Start with Env in site.go, which holds what the machine says. Env.Site finds the files of an agent, Env.Install and
// Env.Uninstall work out a Plan (plan.go), Env.Apply carries it out (file.go), and report.go says what was done. The
// commands install, uninstall and doctor use it.
//
// It may import everything below cmd/mbgate but doctor. No hook comes here.
package install
