#!/bin/sh
# Installs mbgate from the archives of its releases, for people without Go. It needs curl or GNU wget, tar, and one of
# sha256sum, shasum and openssl. It asks for no rights, runs nothing but the mbgate whose checksum it compared, and
# tells nobody anything. Read it first, then:
#
#   sh install.sh [--dry-run] [--extras] [VERSION]      the latest version, or the one that is named
#   sh install.sh --uninstall                           takes away what it installed
#
#   MBGATE_VERSION   the version, where none is named
#   MBGATE_BIN       the folder of the program; ~/.local/bin otherwise
#   MBGATE_URL       a mirror: what stands for https://github.com/mbgate/mbgate/releases
#
# Everything is in functions, and the last line is one compound command: half a script does nothing.
set -eu

usage() {
	cat <<'USAGE'
usage: sh install.sh [--dry-run] [--extras] [--uninstall] [VERSION]

  --dry-run     say what would be done, and change nothing
  --extras      install the manual pages and the shells' completions, too
  --uninstall   take away what this script installed

environment: MBGATE_VERSION, MBGATE_BIN (~/.local/bin), MBGATE_URL (a mirror of the releases)
USAGE
}

say() { printf '%s\n' "$*"; }

fail() {
	printf 'install.sh: %s\n' "$*" >&2
	exit 1
}

wrong_usage() {
	printf 'install.sh: %s; see --help\n' "$*" >&2
	exit 64
}

have() { command -v "$1" >/dev/null 2>&1; }

# platform prints the operating system and the architecture as the archives' names have them.
platform() {
	os=$(uname -s)
	arch=$(uname -m)
	case $os in
	Linux) os=linux ;;
	Darwin) os=darwin ;;
	*) fail "there is no archive for $os here; take one from $url, or use: go install github.com/mbgate/mbgate/cmd/mbgate@latest" ;;
	esac
	case $arch in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) fail "there is no archive for $os on $arch; use: go install github.com/mbgate/mbgate/cmd/mbgate@latest" ;;
	esac
	# A shell that Rosetta translates calls an Apple processor x86_64.
	if [ "$os/$arch" = darwin/amd64 ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || :)" = 1 ]; then
		arch=arm64
	fi
	say "${os}_$arch"
}

# find_tools names what downloads and what computes checksums. Other wgets than GNU's may not look at certificates at all.
find_tools() {
	if have curl; then
		downloader=curl
	elif have wget && wget --version 2>/dev/null | grep -q 'GNU Wget'; then
		downloader=wget
	else
		fail "neither curl nor GNU wget is here; install one of them"
	fi
	for summer in sha256sum shasum openssl none; do
		! have "$summer" || break
	done
	[ "$summer" != none ] ||
		fail "none of sha256sum, shasum and openssl is here, and nothing is installed unverified; install one of them"
	have tar || fail "tar is not here; install it"
}

# fetch URL writes what is there to standard output. It follows redirections, but only to HTTPS: wget has no option for
# that, so it meets a proxy for plain HTTP where nothing listens.
fetch() {
	case $downloader in
	curl) curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --retry 2 -- "$1" ;;
	*) http_proxy=http://127.0.0.1:9 wget --no-verbose --tries=3 --output-document=- -- "$1" ;;
	esac
}

# sha256 FILE prints the checksum of a file.
sha256() {
	case $summer in
	sha256sum) sha256sum <"$1" ;;
	shasum) shasum -a 256 <"$1" ;;
	*) openssl dgst -sha256 -r <"$1" ;;
	esac | cut -d ' ' -f 1
}

# put FILE TARGET puts a file in its place in one step, whatever runs from there at the moment.
put() {
	mkdir -p "${2%/*}"
	cp "$1" "$2.new.$$"
	chmod 644 "$2.new.$$"
	mv -f "$2.new.$$" "$2"
}

# extras FROM installs the manual pages and the completions of an unpacked archive where man and the shells look for them.
extras() {
	for page in "$1"/man/*.1; do
		put "$page" "$share/man/man1/${page##*/}"
	done
	put "$1/completions/mbgate.bash" "$share/bash-completion/completions/mbgate"
	put "$1/completions/mbgate.fish" "$share/fish/vendor_completions.d/mbgate.fish"
	put "$1/completions/_mbgate" "$share/zsh/site-functions/_mbgate"
	say "installed manual pages and completions below $share"
	say "  (zsh looks there after: fpath=($share/zsh/site-functions \$fpath))"
}

uninstall() {
	for file in "$bin/mbgate" "$share"/man/man1/mbgate.1 "$share"/man/man1/mbgate-*.1 \
		"$share/bash-completion/completions/mbgate" "$share/fish/vendor_completions.d/mbgate.fish" \
		"$share/zsh/site-functions/_mbgate"; do
		if [ -f "$file" ]; then
			say "removing $file"
			[ "$dry" = yes ] || rm -f "$file"
		fi
	done
	say "hooks that are still in an agent's configuration now find no mbgate; \`mbgate uninstall AGENT\` takes them out beforehand"
}

# where_from says where the folder stands on PATH, and which other mbgate comes before it.
where_from() {
	case ":$PATH:" in
	*":$bin:"*) ;;
	*)
		say "$bin is not on your PATH; add this to your shell's start-up file:"
		say "  export PATH=\"$bin:\$PATH\""
		return
		;;
	esac
	first=$(command -v mbgate || :)
	if [ -n "$first" ] && [ "$first" != "$bin/mbgate" ]; then
		say "another mbgate comes first on your PATH: $first"
	fi
}

install() {
	platform=$(platform)
	find_tools
	if [ -n "$version" ]; then
		version=v${version#v}
		sums=$(fetch "$url/download/$version/checksums.txt") || fail "there is no release $version at $url, or it cannot be reached"
	else
		sums=$(fetch "$url/latest/download/checksums.txt") || fail "the latest release at $url cannot be reached"
	fi
	# A line is a checksum, two spaces and a name: mbgate_1.2.3_linux_amd64.tar.gz
	line=$(say "$sums" | grep "^[0-9a-f]\{64\}  mbgate_[0-9A-Za-z.+-]*_$platform\.tar\.gz\$") ||
		fail "the checksums of the release ${version:-latest} name no archive for $platform; look at $url"
	[ "$(say "$line" | wc -l)" -eq 1 ] || fail "the checksums name several archives for $platform; nothing is installed"
	want=${line%% *}
	archive=${line##* }
	found=${archive#mbgate_}
	found=v${found%"_$platform.tar.gz"}
	if [ -n "$version" ] && [ "$version" != "$found" ]; then
		fail "the checksums of the release $version name $archive; nothing is installed"
	fi
	from=$url/download/$found/$archive
	if [ "$dry" = yes ]; then
		say "would download $from"
		say "would compare its SHA-256 with $want"
		say "would install $bin/mbgate"
		[ "$extras" = no ] || say "would install manual pages and completions below $share"
		where_from
		return
	fi

	# The temporary folder is beside the target, so that the last step is a rename within one file system.
	if ! { mkdir -p "$bin" && tmp=$(mktemp -d "$bin/.mbgate-install.XXXXXX"); }; then
		fail "$bin cannot be written; name another folder with MBGATE_BIN"
	fi
	trap 'rm -rf "$tmp"' EXIT
	trap 'exit 1' HUP INT TERM
	fetch "$from" >"$tmp/archive" || fail "$from cannot be downloaded; nothing is installed"
	got=$(sha256 "$tmp/archive")
	if [ "$got" != "$want" ]; then
		fail "the checksum of $archive is $got, and $want was promised; nothing is installed"
	fi
	mkdir "$tmp/unpacked"
	tar -xzf "$tmp/archive" -C "$tmp/unpacked" || fail "$archive cannot be unpacked; nothing is installed"
	chmod 755 "$tmp/unpacked/mbgate"
	about=$("$tmp/unpacked/mbgate" version) || fail "the mbgate of $archive does not run here; nothing is installed"
	if [ -d "$bin/mbgate" ]; then
		fail "$bin/mbgate is a folder; move it away, or name another folder with MBGATE_BIN"
	fi
	# A copy: what tar unpacks piece by piece lies in small pieces in the page cache, and each hook would take 20 % longer.
	cp "$tmp/unpacked/mbgate" "$tmp/mbgate"
	chmod 755 "$tmp/mbgate"
	mv -f "$tmp/mbgate" "$bin/mbgate"
	say "installed $bin/mbgate"
	say "$about"
	[ "$extras" = no ] || extras "$tmp/unpacked"
	where_from
	say "next: mbgate demo"
}

main() {
	version=${MBGATE_VERSION:-}
	url=${MBGATE_URL:-https://github.com/mbgate/mbgate/releases}
	url=${url%/}
	dry=no
	extras=no
	action=install
	while [ $# -gt 0 ]; do
		case $1 in
		--dry-run) dry=yes ;;
		--extras) extras=yes ;;
		--uninstall) action=uninstall ;;
		-h | --help)
			usage
			return
			;;
		-*) wrong_usage "unknown option $1" ;;
		*) version=$1 ;;
		esac
		shift
	done
	[ "$version" != latest ] || version=
	case $version in
	*[!0-9A-Za-z.+-]*) wrong_usage "$version is no version" ;;
	esac
	case $url in
	https://*) ;;
	*) wrong_usage "MBGATE_URL must begin with https://" ;;
	esac
	if [ -z "${HOME:-}" ] && { [ -z "${MBGATE_BIN:-}" ] || [ -z "${XDG_DATA_HOME:-}" ]; }; then
		wrong_usage "HOME is not set; name a folder with MBGATE_BIN and one with XDG_DATA_HOME"
	fi
	bin=${MBGATE_BIN:-$HOME/.local/bin}
	share=${XDG_DATA_HOME:-${HOME:-}/.local/share}
	case $bin in
	/*) ;;
	*) bin=$PWD/$bin ;;
	esac
	"$action"
}

{ main "$@"; }
