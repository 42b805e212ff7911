# shellcheck shell=bash
# shellcheck disable=SC2154
# Part of install.sh: which releases are installed. Uses its variables (source, what the user named; key, a file; the flags
# allow_unsigned and allow_downgrade; opt, a directory) and its functions die and version_of.

# Whether every file of a release is as it was signed with the key, and there are no others.
check_signature() { # check_signature DIR
  if [ ! -e "$1/SHA256SUMS.sig" ]; then
    $allow_unsigned || die "$source is not signed; --allow-unsigned installs it all the same"
    return 0
  fi
  command -v openssl > /dev/null || die 'openssl is missing: sudo apt install openssl'
  [ -f "$key" ] || die "there is no public key at $key"
  # A link would lead out of what is signed.
  [ -z "$(find "$1" -mindepth 1 ! -type f ! -type d -print -quit)" ] || die_changed
  openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$1/SHA256SUMS" -sigfile "$1/SHA256SUMS.sig" > /dev/null 2>&1 ||
    die "$source is not signed with the key $key: it is of somebody else, or its list of files was changed"
  [ "$(files_in "$1")" = "$(cut -c 67- "$1/SHA256SUMS" | LC_ALL=C sort)" ] || die_changed
  (cd "$1" && sha256sum --check --strict --status SHA256SUMS) || die_changed
}

die_changed() { die "$source is damaged or was changed: its files are not those that were signed"; }

files_in() { (cd "$1" && find . -type f ! -path ./SHA256SUMS ! -path ./SHA256SUMS.sig | LC_ALL=C sort); }

check_downgrade() { # check_downgrade VERSION
  local installed
  [ -f "$opt/current/package.json" ] || return 0
  installed=$(version_of "$opt/current")
  ! is_older "$1" "$installed" || $allow_downgrade ||
    die "$1 is older than $installed, which is installed; --allow-downgrade installs it all the same"
}

# By the rules of versions: 1.0.0-rc.1 is older than 1.0.0, and 1.9.0 than 1.10.0.
is_older() { # is_older VERSION THAN
  [ "$1" != "$2" ] && [ "$(printf '%s\n' "${1/-/\~}" "${2/-/\~}" | LC_ALL=C sort -V | head -n 1)" = "${1/-/\~}" ]
}
