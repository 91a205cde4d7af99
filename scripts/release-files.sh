#!/usr/bin/env bash
# Writes into .release/ what a release holds and no commit does: the manual pages, plain for the archives and compressed
# for the packages, the packages' changelog, and the licences of what is linked. No byte of it says when or where it was made.
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf .release
mkdir -p .release/man.gz
scripts/man.sh .release/man
for page in .release/man/*.1; do
	gzip -9n <"$page" >".release/man.gz/${page##*/}.gz"
done
gzip -9n <CHANGELOG.md >.release/changelog.gz
go run ./scripts/release notices >.release/THIRD_PARTY_NOTICES
