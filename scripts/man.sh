#!/usr/bin/env bash
# Writes the man pages into man/, or into the folder that is named. They are not committed: a release makes them.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${1-man}
mkdir -p "$dir"
rm -f "$dir"/mbgate*.1
go run ./cmd/mbgate man "$dir"
if ! [ -s "$dir/mbgate.1" ]; then
	echo "no man page came out in $dir; look at the hidden command \`mbgate man\`" >&2
	exit 1
fi
