#!/usr/bin/env bash
# Writes the pages of docs/ that are made from the program's own tables. With --check it writes nothing and fails when they
# are not what the tables say: CI runs that, so that they cannot fall behind.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1-}" != --check ]; then
	mkdir -p docs
	exec go run ./scripts/docs docs
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go run ./scripts/docs "$tmp"
for page in "$tmp"/*; do
	if ! diff "$page" "docs/${page##*/}"; then
		echo "docs/${page##*/} is out of date; run scripts/docs.sh and commit docs/" >&2
		exit 1
	fi
done
