#!/usr/bin/env bash
# Plays the real clients, at the versions that internal/live/clients pins, against a scripted model: see internal/live.
# It needs Linux, npm, and the right to make a network namespace (root has it), and downloads about 600 MB once.
# Arguments go to go test: scripts/live.sh -run TestLoop/codex
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v npm >/dev/null; then
	echo "npm is not there, and the clients come from it; install it (Debian: apt-get install npm)" >&2
	exit 1
fi
# Clients wait much and compute a little, so twice as many as there are cores are played at once.
exec go test -tags live -count=1 -timeout 14m -parallel "$((2 * $(getconf _NPROCESSORS_ONLN)))" "$@" ./internal/live/
