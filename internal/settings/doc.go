// Package settings puts mbgate's entries into agents' own configuration files and takes them out again.
//
// Everything here is bytes in, bytes out; files are the caller's business. A configuration file belongs to a person: its
// tree (tailscale/hujson, which keeps comments, trailing commas, order and white space) is edited in place, never written
// anew. Remove after Install gives back the bytes of before, and nil where there was no file: it is told what the backup
// holds, and knows by an installation into that whether anybody else changed the file. If so, only our entries go.
//
// What is installed for which agent is the table in clients.go, with the source of each fact.
//
// The package is linked into the binary that runs as a hook, so nothing in it runs at start-up.
package settings
