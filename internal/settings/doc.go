// Package settings puts mbgate's entries into agents' own configuration files and takes them out again.
//
// Everything here is bytes in, bytes out; files are the caller's business. A configuration file belongs to a person: its
// text is edited in place, never written anew, so comments, trailing commas, order, indentation, line ends, a byte order
// mark and other people's hooks stay as they are, byte for byte. Remove after Install gives back the bytes of before,
// and nil where there was no file.
//
// What is installed for which agent is the table in clients.go, with the source of each fact.
//
// The package is linked into the binary that runs as a hook, so it has no package variables and no init: GODEBUG=inittrace=1
// lists nothing for it, and the embedded texts (about 20 kB) are data that is paged in when `mbgate install` reads it. That
// is also why the editor is its own: tailscale/hujson, which would be the library for it, has no package init worth the
// name either, but keeps a tree of values instead of offsets, so each edit here would be written in white space anyway,
// and its promise would be "the same tree" where ours is "the same bytes outside the edit".
package settings
