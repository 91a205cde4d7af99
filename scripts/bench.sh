#!/usr/bin/env bash
# Measures what mbgate's hooks cost beside an empty Go program; see scripts/bench. Flags are passed on:
#   scripts/bench.sh -rounds 700 -sessions 1,100,10000
set -euo pipefail
cd "$(dirname "$0")/.."
exec go run ./scripts/bench "$@"
