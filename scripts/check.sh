#!/usr/bin/env bash
# Everything that must hold before a change goes in, and what CI runs. It needs Go and, for the race detector, a C
# compiler; the tools are built by Go at the versions named here. It leaves the checkout as it was.
set -euo pipefail
cd "$(dirname "$0")/.."

gofumpt=mvdan.cc/gofumpt@v0.12.0
staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

step() { printf '\n== %s\n' "$*"; }

# status is what git sees of the checkout; nothing where it is none, as in a release's archive.
status() { git status --porcelain --untracked-files=all 2>/dev/null || true; }
before=$(status)

step format
unformatted=$(go run "$gofumpt" -l .)
if [ -n "$unformatted" ]; then
	printf '%s\n' "$unformatted"
	echo "these files are not formatted; run: go run $gofumpt -w ." >&2
	exit 1
fi

step vet
for os in linux darwin windows; do
	# With the flags of the builds below, so that Go compiles everything once only.
	GOOS=$os CGO_ENABLED=0 go vet -trimpath ./...
done

# The suite of the real agents is built behind a tag, for Linux only.
GOOS=linux CGO_ENABLED=0 go vet -trimpath -tags live ./internal/live/

step staticcheck
go run "$staticcheck" ./...
if [ "$(go env GOHOSTOS)" = linux ]; then
	go run "$staticcheck" -tags live ./internal/live/
fi

step test
go test ./...

step 'names that fold'
# The path of macOS and Windows, played on a file system that tells letter case apart: what is shown keeps its spelling.
go test -tags folded -run '^TestScripts$' ./cmd/mbgate

step race
if command -v "$(go env CC)" >/dev/null; then
	# Of cmd without what starts the instrumented program again and again, 10 minutes on two cores, to watch processes that
	# have one goroutine each. What several processes do to one state is state's own test.
	CGO_ENABLED=1 go test -race ./internal/state/... ./internal/journal/... ./internal/stdin/...
	# Without the sessions of thousands of events, which are one goroutine each and a minute here.
	CGO_ENABLED=1 go test -race -skip '^Test(StateStaysSmall|Driver|DemandsDoNotCompactAgainAndAgain)$' ./internal/gate/...
	CGO_ENABLED=1 go test -race -skip '^Test(Scripts|DocsExamplesRun|InstalledLinesRun)$' ./cmd/...
else
	echo "LEFT OUT: the race detector needs a C compiler, and $(go env CC) is not there" >&2
fi

step completions
scripts/completions.sh --check

step 'pages made from tables'
scripts/docs.sh --check

step 'man pages'
scripts/man.sh "$tmp/man"

step 'licences of what is linked'
go run ./scripts/release notices >"$tmp/THIRD_PARTY_NOTICES"

step 'binaries for six targets'
for os in linux darwin windows; do
	for arch in amd64 arm64; do
		echo "$os/$arch"
		CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -buildvcs=false -trimpath -ldflags '-s -w' -o "$tmp/mbgate-$os-$arch" ./cmd/mbgate
	done
done
size=$(wc -c <"$tmp/mbgate-linux-amd64")
if [ "$size" -gt 10000000 ]; then
	echo "the binary has $size bytes, and 10,000,000 are allowed; look for a new dependency with: go version -m" >&2
	exit 1
fi

step "OpenCode's plugin"
if node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null; then
	node internal/agents/testdata/shim/check.mjs "$tmp/mbgate-$(go env GOHOSTOS)-$(go env GOHOSTARCH)"
else
	echo "LEFT OUT: the plugin's own checks need node 20 or newer, and that is not there" >&2
fi

step 'clean checkout'
if [ "$(status)" != "$before" ]; then
	git status --short
	echo "the checks changed the checkout; a test must write into its own temporary folder" >&2
	exit 1
fi
printf '\nall is well\n'
