#!/usr/bin/env bash
# Packs the npm packages and tries them in a project of its own, without the network: npx mbgate version and demo, what the package
# brings for OpenCode, and that nothing runs when it is installed.
#   scripts/npm.sh FOLDER [VERSION [DIST]]    the packed files come into FOLDER
# DIST is goreleaser's; without it a program is built for this machine alone. It wants npm, and Node 20 or newer.
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# -ge 1 ] || { echo "usage: scripts/npm.sh FOLDER [VERSION [DIST]]" >&2; exit 64; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
version=${2-0.0.0}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
dist=${3-}
if [ -z "$dist" ]; then
	dist=$tmp/dist
	CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags '-s -w' -o "$dist/mbgate_$(go env GOOS)_$(go env GOARCH)/mbgate" ./cmd/mbgate
fi
go run ./scripts/plugins npm "$tmp/npm" "$version" "$dist"
for package in "$tmp"/npm/*; do
	(cd "$package" && npm pack --silent --pack-destination "$out" >/dev/null)
done

mkdir "$tmp/project" && cd "$tmp/project"
own=$(node -p 'process.platform + "-" + process.arch')
export npm_config_cache=$tmp/cache HOME=$tmp/home XDG_STATE_HOME=$tmp/state
mkdir -p "$HOME"
npm init --yes --silent >/dev/null
npm install --silent --offline --ignore-scripts --no-audit --no-fund "$out/mbgate-$version.tgz" "$out/mbgate-$own-$version.tgz"
npx --offline mbgate version
npx --offline mbgate demo >"$tmp/demo"
tail -n 1 "$tmp/demo"
status=0
npx --offline mbgate no-such-command 2>/dev/null || status=$?
[ "$status" = 64 ] || { echo "npx mbgate ended with $status where mbgate ends with 64" >&2; exit 1; }
node --input-type=module -e 'const plugin = await import("mbgate"); if (typeof plugin.default !== "function" || Object.keys(plugin).length !== 1) process.exit(1)'
