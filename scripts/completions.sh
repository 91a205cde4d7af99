#!/usr/bin/env bash
# Writes the shells' completions into completions/, or into the folder that is named. With --check it writes nothing
# and fails when completions/ is not what the program gives: CI runs that, so that they cannot fall behind.
set -euo pipefail
cd "$(dirname "$0")/.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -buildvcs=false -o "$tmp/mbgate" ./cmd/mbgate

generate() {
	mkdir -p "$1"
	"$tmp/mbgate" completion bash >"$1/mbgate.bash"
	"$tmp/mbgate" completion zsh >"$1/_mbgate"
	"$tmp/mbgate" completion fish >"$1/mbgate.fish"
	"$tmp/mbgate" completion powershell >"$1/mbgate.ps1"
}

if [ "${1-}" = --check ]; then
	generate "$tmp/completions"
	if ! diff -r "$tmp/completions" completions; then
		echo "completions are out of date; run scripts/completions.sh and commit completions/" >&2
		exit 1
	fi
else
	generate "${1-completions}"
fi
