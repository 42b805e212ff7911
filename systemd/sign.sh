#!/usr/bin/env bash
# Signs a release with KEY, an Ed25519 private key in PEM format.
#
# sign.sh KEY DIR writes three files to DIR: a list of the SHA-256 hashes of all files, the list's signature, and the
# public key for verifying the next release.
#
# sign.sh KEY ARCHIVE VERSION ARCH < NOTES writes ARCHIVE.sig, with which a gateway verifies the archive before
# unpacking it: a text of at most 64 KiB with the archive's facts, the release notes, and the signature of all lines
# before the last one.
set -euo pipefail

[ $# -eq 2 ] || [ $# -eq 4 ] || { printf 'usage: systemd/sign.sh KEY DIR|ARCHIVE VERSION ARCH\n' >&2 && exit 2; }
key=$(realpath -- "$1")
target=$2

sign_files() {
  cd "$target"
  rm -f SHA256SUMS SHA256SUMS.sig
  openssl pkey -in "$key" -pubout -out systemd/release.pub
  find . -type f ! -path ./SHA256SUMS -print0 | LC_ALL=C sort -z | xargs -0 sha256sum > SHA256SUMS
  openssl pkeyutl -sign -inkey "$key" -rawin -in SHA256SUMS -out SHA256SUMS.sig
}

# Release notes that are too long are cut at the end of a line.
sign_archive() { # sign_archive VERSION ARCH
  local facts=$target.sig.new
  {
    printf 'Cartwright release 1\nversion: %s\narchitecture: %s\n' "$1" "$2"
    printf 'bytes: %s\nsha256: %s\n\n' "$(stat -c %s -- "$target")" "$(sha256sum < "$target" | cut -c 1-64)"
    LC_ALL=C awk '{ size += length($0) + 1 } size > 60000 { if (!cut++) print "[...]"; next } { print }'
  } > "$facts"
  openssl pkeyutl -sign -inkey "$key" -rawin -in "$facts" -out "$facts.raw"
  printf 'signature: %s\n' "$(base64 -w 0 "$facts.raw")" >> "$facts"
  mv -- "$facts" "$target.sig"
  rm -- "$facts.raw"
}

if [ -d "$target" ]; then sign_files; else sign_archive "${3:?VERSION}" "${4:?ARCH}"; fi
