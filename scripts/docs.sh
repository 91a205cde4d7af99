#!/usr/bin/env bash
# Writes what is made in docs/: the pages from the program's own tables, and the picture of the README from a run of the
# program. With --check it writes nothing and fails when they are not what is committed: CI runs that, so that they cannot
# fall behind.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1-}" != --check ]; then
	mkdir -p docs
	go run ./scripts/docs docs
	exec ./scripts/picture.sh docs
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go run ./scripts/docs "$tmp"
./scripts/picture.sh "$tmp"
for page in "$tmp"/*; do
	if ! diff "$page" "docs/${page##*/}"; then
		echo "docs/${page##*/} is out of date; run scripts/docs.sh and commit docs/" >&2
		exit 1
	fi
done
