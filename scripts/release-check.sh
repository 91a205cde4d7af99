#!/usr/bin/env bash
# What a maintainer runs before a tag: makes a snapshot of the release from clones of the last commit and looks at everything
# in it. It publishes nothing and leaves the checkout alone. It takes minutes and wants, besides Go, git and the Go proxy:
#   busybox, dash, zsh, shellcheck, curl, wget, sha256sum, shasum, openssl, dpkg-deb, dpkg, rpm, rpm2cpio, cpio, unzip, npm
# (Debian: apt install shellcheck busybox zsh curl wget perl openssl rpm rpm2cpio cpio unzip npm; Node 20 or newer). A tool that is missing is an error,
# not a check less. With --cold the second build starts from an empty build cache, which proves more and takes longer.
# GORELEASER names a goreleaser that is built already; scripts/release.sh otherwise builds the one it wants.
set -euo pipefail
cd "$(dirname "$0")/.."

tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
trap 'echo "release-check: line $LINENO failed: $BASH_COMMAND" >&2' ERR
step() { printf '\n== %s\n' "$*"; }
fail() {
	printf 'release-check: %s\n' "$*" >&2
	exit 1
}
# same FILE FILE fails where two files differ.
same() { cmp "$1" "$2" || fail "$1 and $2 differ; find what says when, where or by whom it was built"; }
# has FILE NAME... fails where a list lacks a line.
has() {
	local list=$1 name
	shift
	for name; do
		grep -qxF -- "$name" "$list" || fail "${list##*/} lacks $name"
	done
}

for tool in git shellcheck busybox dash zsh curl wget sha256sum shasum openssl dpkg-deb dpkg rpm rpm2cpio cpio tar unzip npm; do
	command -v "$tool" >/dev/null || fail "$tool is not here; install it (the head of this script names the packages)"
done

step shellcheck
shellcheck scripts/*.sh .ci/run

step 'install.sh in every shell'
INSTALL_TEST_SHELLS=$'sh\ndash\nbash\nbusybox sh\nzsh --emulate sh' go test -count=1 ./scripts/install ./scripts/release

# The two builds share nothing that they could take over: other folders, times, masks, homes, zones and flags.
unset GOEXPERIMENT
export GOFLAGS=-buildvcs=auto # an empty one lets those of `go env -w` in
go_cache=$(go env GOCACHE)
export GOPATH GOMODCACHE GOPROXY
GOPATH=$(go env GOPATH) GOMODCACHE=$(go env GOMODCACHE) GOPROXY=$(go env GOPROXY)

step 'a snapshot'
git clone -q . "$tmp/one"
(cd "$tmp/one" && umask 022 && scripts/release.sh release --snapshot --clean) >"$tmp/one.log" 2>&1 || {
	tail -n 30 "$tmp/one.log"
	fail "goreleaser failed"
}
[ -z "$(git -C "$tmp/one" status --porcelain)" ] || fail "the release changed the checkout: every program would call itself dirty"
dist=$tmp/one/dist

step 'another from elsewhere'
git clone -q "$tmp/one" "$tmp/two, with spaces" # and not of what may have a new commit by now
mkdir "$tmp/home"
cache=$go_cache
[ "${1-}" != --cold ] || cache=$tmp/cache
(
	cd "$tmp/two, with spaces"
	umask 077
	chmod -R go-rwx .
	find . -path ./.git -prune -o -type f -exec touch -d '2001-02-03 04:05' {} +
	env HOME="$tmp/home" TZ=Asia/Tokyo LC_ALL=C GOCACHE="$cache" GOFLAGS='-buildvcs=false -tags=other' \
		scripts/release.sh release --snapshot --clean
) >"$tmp/two.log" 2>&1 || {
	tail -n 30 "$tmp/two.log"
	fail "goreleaser failed elsewhere"
}
(cd "$dist" && find . -maxdepth 2 ! -path "./scoop/*" \( -name 'mbgate*' -o -name checksums.txt \) -type f) >"$tmp/made"
[ "$(wc -l <"$tmp/made")" -eq 17 ] || fail "6 programs, 6 archives, 4 packages and their checksums were expected, and there are $(wc -l <"$tmp/made")"
while read -r file; do
	same "$dist/$file" "$tmp/two, with spaces/dist/$file"
done <"$tmp/made"
echo "$(wc -l <"$tmp/made") files are the same, byte for byte"

step checksums
(cd "$dist" && cp ../scripts/install.sh . && sha256sum --check --quiet --strict checksums.txt)
for file in "$dist"/mbgate*.*; do
	[ -d "$file" ] || cut -c 67- "$dist/checksums.txt" | grep -qxF "${file##*/}" || fail "${file##*/} has no checksum"
done

step archives
pages=$(cd "$tmp/one/.release/man" && ls)
for archive in "$dist"/*.tar.gz "$dist"/*.zip; do
	list=$tmp/${archive##*/}.list
	program=mbgate
	case $archive in
	*.zip) program=mbgate.exe && unzip -Z1 "$archive" >"$list" ;;
	*) tar -tzf "$archive" >"$list" ;;
	esac
	has "$list" "$program" LICENSE THIRD_PARTY_NOTICES README.md CHANGELOG.md completions/_mbgate \
		completions/mbgate.bash completions/mbgate.fish completions/mbgate.ps1 man/mbgate.1
	for page in $pages; do has "$list" "man/$page"; done
	! grep -E '^/|\.\.' "$list" || fail "${archive##*/} holds a path that leads out of it"
done
mkdir "$tmp/unpacked"
tar -xzf "$dist"/*_linux_amd64.tar.gz -C "$tmp/unpacked"
"$tmp/unpacked/mbgate" version
(cd "$tmp" && "$tmp/unpacked/mbgate" demo >"$tmp/demo") || fail "the demo of the archive's program failed"
tail -n 3 "$tmp/demo"

step 'npm packages'
scripts/npm.sh "$tmp/npm" "$(sed -n 's/.*"version":"\([^"]*\)".*/\1/p' "$dist/metadata.json")" "$dist"
[ "$(find "$tmp/npm" -name '*.tgz' | wc -l)" -eq 7 ] || fail "mbgate and six platforms were expected as npm packages"

step 'Homebrew and Scoop'
for file in "$dist/homebrew/Casks/mbgate.rb" "$dist/scoop/mbgate.json"; do
	[ -s "$file" ] || fail "goreleaser did not make ${file#"$dist"/}"
done

step 'modules'
for program in "$dist"/mbgate_*/mbgate*; do
	go version -m "$program" | awk '$1 == "dep" { print $2, $3 }' >"$tmp/linked"
	[ -s "$tmp/linked" ] || fail "go version -m names no module of $program"
	while read -r module; do
		grep -qF "$module (" "$tmp/one/.release/THIRD_PARTY_NOTICES" || fail "the notices lack $module, which is in $program"
	done <"$tmp/linked"
done
echo "the notices name every module that a program is linked from"

step 'packages'
for package in "$dist"/*.deb "$dist"/*.rpm; do
	root=$tmp/root
	rm -rf "$root"
	mkdir "$root"
	case $package in
	*.deb)
		dpkg-deb -x "$package" "$root"
		zsh=vendor-completions
		;;
	*)
		# Its names begin with a slash: without the option cpio would write into the real /usr. rpm2cpio 4.18 says 1 of
		# what nfpm packs, though it is whole: what came out is compared below.
		{ rpm2cpio "$package" || :; } >"$tmp/cpio"
		(cd "$root" && cpio -id --quiet --no-absolute-filenames <"$tmp/cpio" 2>"$tmp/cpio.log") || fail "$(cat "$tmp/cpio.log")"
		zsh=site-functions
		;;
	esac
	list=$tmp/${package##*/}.list
	(cd "$root" && find . -type f) >"$list"
	has "$list" ./usr/bin/mbgate ./usr/share/doc/mbgate/copyright ./usr/share/doc/mbgate/THIRD_PARTY_NOTICES \
		./usr/share/doc/mbgate/README.md ./usr/share/doc/mbgate/changelog.gz ./usr/share/zsh/$zsh/_mbgate \
		./usr/share/bash-completion/completions/mbgate ./usr/share/fish/vendor_completions.d/mbgate.fish
	for page in $pages; do
		has "$list" "./usr/share/man/man1/$page.gz"
		gzip -dc "$root/usr/share/man/man1/$page.gz" | cmp - "$tmp/one/.release/man/$page"
	done
	[ "$(find "$root" -type f -perm /022)" = "" ] || fail "${package##*/} holds files that others may write"
	case $package in
	*amd64.*) same "$root/usr/bin/mbgate" "$dist/mbgate_linux_amd64_v1/mbgate" ;;
	*) same "$root/usr/bin/mbgate" "$dist"/mbgate_linux_arm64*/mbgate ;;
	esac
done

# Installing and removing for real, in a root of their own. dpkg asks for the superuser's rights; rpm has its own database.
arch=$(go env GOARCH)
root=$tmp/deb-root
mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info"
touch "$root/var/lib/dpkg/status"
dpkg_root() { dpkg --root="$root" --force-not-root --force-script-chrootless --force-architecture --log="$tmp/dpkg.log" "$@"; }
dpkg_root -i "$dist"/*_linux_"$arch".deb
"$root/usr/bin/mbgate" version
dpkg_root -r mbgate
[ -z "$(find "$root/usr" -type f 2>/dev/null)" ] || fail "removing the deb left files behind"
root=$tmp/rpm-root
mkdir "$root"
rpm_root() { rpm --root "$root" --nodeps "$@"; }
rpm_root -i --ignorearch --nosignature "$dist"/*_linux_"$arch".rpm
"$root/usr/bin/mbgate" version
rpm_root -e mbgate
[ -z "$(find "$root/usr" -name '*mbgate*' -type f 2>/dev/null)" ] || fail "removing the rpm left files behind"

step 'versions, in every way to build'
# A clone with tags takes the place of the repository on the net: Go itself makes the module's archive, as for the proxy.
git clone -q "$tmp/one" "$tmp/origin"
at() { git -C "$tmp/origin" -c user.name=x -c user.email=x@example.com "$@"; }
at commit -q --allow-empty -m 'after the release' && at tag v0.98.0 HEAD~1 && at tag v0.99.0-rc.1 HEAD
head=$(at rev-parse --short=12 HEAD~1)
# expect HOW PROGRAM PATTERN compares the first line of `mbgate version` with a pattern.
expect() {
	local said
	said=$("$2" version | head -n 1)
	echo "$1: $said"
	[[ $said =~ ^mbgate\ $3\ \(go ]] || fail "$1: $said; want $3"
}
published() {
	env GOBIN="$tmp/bin" GOMODCACHE="$tmp/modules" GOFLAGS='-modcacherw -trimpath' GOCACHE="$go_cache" CGO_ENABLED=0 "${@:2}" \
		go install "github.com/mbgate/mbgate/cmd/mbgate@$1" 2>"$tmp/go.log" || {
		cat "$tmp/go.log"
		fail "go install @$1 failed"
	}
}
# First from git, where only this module's checksum is not asked of the public database, then from what a proxy serves.
vcs=(GOPRIVATE=github.com/mbgate/mbgate GIT_CONFIG_COUNT=1
	GIT_CONFIG_KEY_0="url.file://$tmp/origin.insteadOf" GIT_CONFIG_VALUE_0=https://github.com/mbgate/mbgate)
published latest "${vcs[@]}" && expect 'go install @latest' "$tmp/bin/mbgate" 'v0\.98\.0'
published v0.99.0-rc.1 "${vcs[@]}" && expect 'go install of a release candidate' "$tmp/bin/mbgate" 'v0\.99\.0-rc\.1'
at tag -d v0.98.0 >/dev/null && rm -rf "$tmp/modules/cache/vcs"
published "$head" "${vcs[@]}" && expect 'go install of a commit' "$tmp/bin/mbgate" "v0\.[0-9.]+-[0-9.]*[0-9]{14}-$head"
cp -r "$tmp/modules/cache/download" "$tmp/proxy"
rm -rf "$tmp/modules/github.com/mbgate" "$tmp/modules/cache/download/github.com/mbgate"
published v0.98.0 GONOSUMDB=github.com/mbgate/mbgate GOPROXY="file://$tmp/proxy" &&
	expect 'go install from a proxy' "$tmp/bin/mbgate" 'v0\.98\.0'

at checkout -q v0.99.0-rc.1
build() { (cd "$tmp/origin" && GOCACHE=$go_cache go build -o "$tmp/built" "$@" ./cmd/mbgate); }
build && expect 'a tagged checkout' "$tmp/built" 'v0\.99\.0-rc\.1'
build -buildvcs=false && expect '-buildvcs=false' "$tmp/built" '\(devel\)'
echo >>"$tmp/origin/README.md"
build && expect 'a changed checkout' "$tmp/built" 'v0\.99\.0-rc\.1\+dirty'

printf '\nthe release is as it should be\n'
