#!/usr/bin/env bash
# Draws the session of the README anew, from a real run of the program: scripts/picture.sh [FOLDER], docs/ without one.
# scripts/docs.sh --check compares what is committed.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -o "$bin/mbgate" ./cmd/mbgate
go run ./scripts/picture "$bin/mbgate" "${1-docs}"
