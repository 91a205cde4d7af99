#!/usr/bin/env bash
# Plays a forgetful agent in every real client, with mbgate and without, and writes docs/evidence.json and the page made of it.
# It needs what scripts/live.sh needs.
set -euo pipefail
cd "$(dirname "$0")/.."
MBGATE_EVIDENCE=$PWD/docs/evidence.json ./scripts/live.sh -v -run 'TestEvidence' "$@"
exec ./scripts/docs.sh
