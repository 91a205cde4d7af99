// Package settings puts mbgate's entries into agents' own configuration files and takes them out again.
//
// Everything here is bytes in, bytes out; files are the caller's business. A configuration file belongs to a person: its
// tree (tailscale/hujson, which keeps comments, trailing commas, order and white space) is edited in place, never written
// anew. Remove after Install gives back the bytes of before, and nil where there was no file: it is told what the backup
// holds, and knows by an installation into that whether anybody else changed the file. If so, only our entries go.
//
// What is installed for which agent is a Client; package agents has one for each. The package imports nothing of mbgate, and
// runs nothing at start-up, since every hook is linked with it. Start reading with Client.Install.
package settings
