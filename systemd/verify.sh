# shellcheck shell=bash
# shellcheck disable=SC2154
# Part of install.sh: checks the signature and the version of a release. Uses these variables of install.sh:
# source (as specified by the user), key (a file), allow_unsigned and allow_downgrade (flags), opt (a
# directory); and these functions: die and version_of.

# Fails unless the release contains exactly the files in the signed list, all unchanged.
check_signature() { # check_signature DIR
  if [ ! -e "$1/SHA256SUMS.sig" ]; then
    $allow_unsigned || die "$source is not signed; --allow-unsigned installs it anyway"
    return 0
  fi
  command -v openssl > /dev/null || die 'openssl is missing: sudo apt install openssl'
  [ -f "$key" ] || die "public key not found: $key"
  openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$1/SHA256SUMS" -sigfile "$1/SHA256SUMS.sig" > /dev/null 2>&1 ||
    die "$source is not signed with the key $key: another key signed it, or its list of files was changed"
  [ "$(files_in "$1")" = "$(cut -c 67- "$1/SHA256SUMS" | LC_ALL=C sort)" ] || die_changed
  (cd "$1" && sha256sum --check --strict --status SHA256SUMS) || die_changed
}

# Fails if the release contains anything but files and directories: a link could lead to files that are not
# part of the release.
check_types() { # check_types DIR
  [ -n "$(find "$1" ! -type f ! -type d -print -quit)" ] || return 0
  [ ! -e "$1/SHA256SUMS.sig" ] || die_changed
  die "$source is not a release: it contains links or special files"
}

# Succeeds if both directories have the same files with the same contents, owners and modes.
is_same() { # is_same DIR DIR
  [ -d "$2" ] && [ ! -L "$2" ] && [ "$(digest_of "$1")" = "$(digest_of "$2")" ]
}

digest_of() { # digest_of DIR
  (
    cd "$1" || exit
    {
      find . -printf '%p %y %m %U %l\0' | LC_ALL=C sort -z
      find . -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum
    } | sha256sum | cut -c 1-64
  )
}

# Succeeds if only root can change the files in the directory.
is_protected() { # is_protected DIR
  [ -z "$(find "$1" '(' ! -user root -o ! -type l -perm /022 ')' -print -quit)" ]
}

# Succeeds if only root can replace the program: its file, the directories above it and the links that lead to
# it belong to root. Debian lets the group staff (50) write in /usr/local.
is_protected_program() { # is_protected_program PATH
  local path target
  path=$(realpath -es -- "$1") || return 1
  while :; do
    [ -z "$(find "$path" -maxdepth 0 ! -user root)" ] || return 1
    if [ -L "$path" ]; then
      target=$(readlink -- "$path")
      [ "${target#/}" != "$target" ] || target=${path%/*}/$target
      is_protected_program "$target" || return 1
    else
      [ -z "$(find "$path" -maxdepth 0 '(' -perm -o=w -o -perm -g=w ! -gid 0 ! -gid 50 ')')" ] || return 1
    fi
    [ "$path" != / ] || return 0
    path=$(dirname "$path")
  done
}

die_changed() { die "$source is damaged or was changed: its files do not match the signature"; }

files_in() { (cd "$1" && find . -type f ! -path ./SHA256SUMS ! -path ./SHA256SUMS.sig | LC_ALL=C sort); }

check_downgrade() { # check_downgrade VERSION
  local installed
  [ -f "$opt/current/package.json" ] || return 0
  installed=$(version_of "$opt/current")
  ! is_older "$1" "$installed" || $allow_downgrade ||
    die "$1 is older than the installed $installed; --allow-downgrade installs it anyway"
}

# Compares semantic versions: 1.0.0-rc.1 is older than 1.0.0, and 1.9.0 is older than 1.10.0.
is_older() { # is_older VERSION THAN
  [ "$1" != "$2" ] && [ "$(printf '%s\n' "${1/-/\~}" "${2/-/\~}" | LC_ALL=C sort -V | head -n 1)" = "${1/-/\~}" ]
}
