#!/usr/bin/env bash
# Runs goreleaser at the version that .goreleaser.yaml was written for; Go fetches and builds it. GORELEASER names a binary
# that is there already.
#   scripts/release.sh release               what the release workflow does on a tag
#   scripts/release.sh release --snapshot    the same for any commit, and nothing leaves this machine
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -n "${GORELEASER-}" ]; then
	exec "$GORELEASER" "$@"
fi
exec go run github.com/goreleaser/goreleaser/v2@v2.16.0 "$@"
