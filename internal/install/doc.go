// Package install puts mbgate's hooks into the files that an agent is configured by, and takes them out again. What the
// entries look like is the business of package settings, which turns bytes into bytes; this package finds the files, works
// out a plan of changes, and writes them: atomically, with a backup, and never over what another program wrote meanwhile.
//
// Start with Env, which holds what the machine says; Env.User and Env.Site find the files, Env.Plan works out the changes,
// Plan.Diff and Env.Apply show them or carry them out. The commands install, uninstall, init and doctor use it.
//
// It may import everything below cmd/mbgate and doctor; no hook comes here.
package install
