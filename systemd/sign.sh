#!/usr/bin/env bash
# Signs a release: systemd/sign.sh KEY DIR. KEY is an Ed25519 private key in PEM format. Writes three files to
# DIR: a list of the SHA-256 hashes of all files, the list's signature, and the public key for verifying the
# next release.
set -euo pipefail

[ $# -eq 2 ] || { printf 'usage: systemd/sign.sh KEY DIR\n' >&2 && exit 2; }
key=$(realpath -- "$1")
cd "$2"
rm -f SHA256SUMS SHA256SUMS.sig
openssl pkey -in "$key" -pubout -out systemd/release.pub
find . -type f ! -path ./SHA256SUMS -print0 | LC_ALL=C sort -z | xargs -0 sha256sum > SHA256SUMS
openssl pkeyutl -sign -inkey "$key" -rawin -in SHA256SUMS -out SHA256SUMS.sig
