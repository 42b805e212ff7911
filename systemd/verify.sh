# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154
# Part of install.sh and update.sh: checks the signature and the version of a release. Uses these variables of its
# caller: source (as specified by the user), key (a file), allow_unsigned and allow_downgrade (flags), opt (a
# directory); and these functions: version_of, and die, which ends the program with the reason. The variable `code`
# classifies the reason.

# Largest signature of an archive, in bytes, and largest archive, in bytes.
MAX_SIGNATURE=65536
MAX_ARCHIVE=1000000000

# Reads and verifies the signature of an archive (see sign.sh), and sets archive_version, archive_arch, archive_bytes
# and archive_sha256. Writes files beside it.
read_archive_signature() { # read_archive_signature FILE
  local lines=() header format='^Cartwright release 1\|version: ([0-9][0-9A-Za-z.+-]{0,63})\|architecture: (arm64|arm|x64)\|'
  format+='bytes: ([1-9][0-9]{0,9})\|sha256: ([0-9a-f]{64})\|\|$'
  command -v openssl > /dev/null || die 'openssl is missing: sudo apt install openssl'
  [ -f "$key" ] || die "public key not found: $key"
  [ "$(stat -c %s -- "$1")" -le "$MAX_SIGNATURE" ] || code=SIGNATURE die "the signature of $source is larger than 64 KiB"
  head -n -1 -- "$1" > "$1.text"
  tail -n 1 -- "$1" | sed -n 's/^signature: //p' | base64 -d > "$1.raw" 2> /dev/null || true
  openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$1.text" -sigfile "$1.raw" > /dev/null 2>&1 ||
    code=SIGNATURE die "$source is not signed with the key $key: another key signed it, or its signature was changed"
  mapfile -t -n 6 lines < "$1.text"
  printf -v header '%s|' "${lines[@]}"
  [[ $header =~ $format ]] ||
    code=SIGNATURE die "the signature of $source has a format that this version does not support"
  archive_version=${BASH_REMATCH[1]} archive_arch=${BASH_REMATCH[2]}
  archive_bytes=${BASH_REMATCH[3]} archive_sha256=${BASH_REMATCH[4]}
  [ "$archive_bytes" -le "$MAX_ARCHIVE" ] || code=SIGNATURE die "$source is larger than 1 GB"
}

# Fails unless the file is the archive that was signed.
check_archive_contents() { # check_archive_contents FILE
  [ "$(stat -L -c %s -- "$1") $(sha256sum < "$1" | cut -c 1-64)" = "$archive_bytes $archive_sha256" ] ||
    code=DAMAGED die "$source is damaged or was changed: it does not match its signature"
}

# Fails unless the release contains exactly the files in the signed list, all unchanged.
check_signature() { # check_signature DIR
  if [ ! -e "$1/SHA256SUMS.sig" ]; then
    $allow_unsigned || code=SIGNATURE die "$source is not signed; --allow-unsigned installs it anyway"
    return 0
  fi
  command -v openssl > /dev/null || die 'openssl is missing: sudo apt install openssl'
  [ -f "$key" ] || die "public key not found: $key"
  openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$1/SHA256SUMS" -sigfile "$1/SHA256SUMS.sig" > /dev/null 2>&1 ||
    code=SIGNATURE die "$source is not signed with the key $key: another key signed it, or its list of files was changed"
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

die_changed() { code=DAMAGED die "$source is damaged or was changed: its files do not match the signature"; }

files_in() { (cd "$1" && find . -type f ! -path ./SHA256SUMS ! -path ./SHA256SUMS.sig | LC_ALL=C sort); }

check_downgrade() { # check_downgrade VERSION
  local installed
  [ -f "$opt/current/package.json" ] || return 0
  installed=$(version_of "$opt/current")
  ! is_older "$1" "$installed" || $allow_downgrade ||
    code=OLDER die "$1 is older than the installed $installed; --allow-downgrade installs it anyway"
}

# Compares semantic versions: 1.0.0-rc.1 is older than 1.0.0, and 1.9.0 is older than 1.10.0.
is_older() { # is_older VERSION THAN
  [ "$1" != "$2" ] && [ "$(printf '%s\n' "${1/-/\~}" "${2/-/\~}" | LC_ALL=C sort -V | head -n 1)" = "${1/-/\~}" ]
}
