// Package settings puts mbgate's entries into agents' own configuration files and takes them out again.
//
// Everything here is bytes in, bytes out; files are the caller's business. A configuration file belongs to a person: its
// text is edited in place, never written anew, so comments, trailing commas, order, indentation, line ends, a byte order
// mark and other people's hooks stay as they are, byte for byte. Remove after Install gives back the bytes of before,
// and nil where there was no file.
//
// What is installed for which agent is the table in clients.go, with the source of each fact.
//
// The package is linked into the binary that runs as a hook, so nothing in it runs at start-up: GODEBUG=inittrace=1 lists
// no init for it, nor for what draws the diff of --dry-run; together they are 250 kB of the binary's 8.8 MB (stripped, CGO
// off), texts included, which no hook ever pages in. The editor is its own because tailscale/hujson, the library for this,
// keeps a tree of values with the white space between them: an edit there is written in white space, too, and what it
// promises is the same tree, where the promise here is the same bytes outside of the edit.
package settings
