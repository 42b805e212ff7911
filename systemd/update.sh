#!/usr/bin/env bash
# Installs a release at the request of the gateway, which has no rights to do so. Run by systemd units as root:
#   update.sh install   installs the requested release, or continues an update that was interrupted (cartwright-update)
#   update.sh resume    continues an update that was interrupted (install.sh and first-boot.sh)
#   update.sh recover   finishes or reverts the files of an interrupted update at boot (cartwright-recover)
#   update.sh verify    compares the installed release with its signature (cartwright-integrity)
#
# The gateway's user writes the archive of a release, its signature and the request to the spool, the folder `updates`
# of the data directory. Root reads the spool with the rights of that user, so that a link leads only to what that user
# can read, and limits the size and the time. Everything that follows is decided by the signature.
# docs/decisions/0019-updates-by-a-request-and-a-journal.md gives the reasons.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd -P)
root='' source='' node='' chosen_node=false
key=$here/systemd/release.pub allow_unsigned=false allow_downgrade=false
# shellcheck source-path=SCRIPTDIR source=processor.sh
. "$here/systemd/processor.sh"
# shellcheck source-path=SCRIPTDIR source=verify.sh
. "$here/systemd/verify.sh"
# shellcheck source-path=SCRIPTDIR source=state.sh
. "$here/systemd/state.sh"
# shellcheck source-path=SCRIPTDIR source=place.sh
. "$here/systemd/place.sh"
# shellcheck source-path=SCRIPTDIR source=switch.sh
. "$here/systemd/switch.sh"

# Free space that an update must leave, in KiB.
RESERVE_KB=65536
spool=$data/updates
incoming=$opt/.incoming

info() { printf '%s\n' "$*"; }

# Ends the run with the reason. The variable `result` is "returned" or "failed" if the gateway was changed.
die() {
  local text=${*//"$incoming/"/}
  text=${text%%; --allow-*}
  info "$text"
  finish "${result:-rejected}" "${code:-INTERNAL}" "$text"
  exit 0
}

# Removes what a rejected update has placed, and reports the result.
finish() { # finish RESULT [CODE REASON]
  rm -rf "$incoming"
  if [ "$1" = rejected ] && [ "${is_new:-}" = true ] && [ "$(readlink "$opt/current")" != "releases/$id" ]; then
    rm -rf "${opt:?}/releases/$id"
  fi
  progress "done" "$1" "${2:-}" "${3:-}"
  forget
}

finish_installed() {
  settle
  finish installed
}

# Prints at most MAX bytes of a file in the spool. A process of the gateway's user could be held for ever, for example
# by a FIFO, so root does not wait for it; systemd ends it together with this program.
read_spool() { # read_spool NAME MAX SECONDS
  timeout "$3" head -c "$2" < <(as_service cat -- "$spool/$1" 2> /dev/null)
}

remove_request() {
  # shellcheck disable=SC2016
  timeout 20 head -c 1 < <(as_service sh -c 'rm -rf -- "$1/install"; sync -- "$1"; echo' sh "$spool" 2> /dev/null) > /dev/null || true
}

# Fails unless there is room for the archive, the unpacked release (at most five times as large) and a copy of the data.
check_space() {
  local release_kb=$((archive_bytes * 6 / 1024)) data_kb
  data_kb=$(find "$data" -mindepth 1 -maxdepth 1 ! "${KEEP_OUT[@]}" -exec du -sk {} + | awk '{ sum += $1 } END { print sum + 0 }')
  if [ "$(stat -c %d "$opt")" = "$(stat -c %d "${data%/*}")" ]; then release_kb=$((release_kb + data_kb)); fi
  [ "$(free_kb "$opt")" -ge $((release_kb + RESERVE_KB)) ] ||
    code=DISK_FULL die "the update needs $(((release_kb + RESERVE_KB) / 1024)) MB, and $(($(free_kb "$opt") / 1024)) MB are free"
  [ "$(free_kb "${data%/*}")" -ge $((data_kb + RESERVE_KB)) ] ||
    code=DISK_FULL die "the copy of the data needs $(((data_kb + RESERVE_KB) / 1024)) MB, and $(($(free_kb "${data%/*}") / 1024)) MB are free"
}

check_parked() {
  note_checks
  [ "$is_parked" != false ] || code=NOT_PARKED die 'the cart is moving or has a command; the update needs a parked cart'
}

install_requested() {
  local request archive stopped
  [ -e "$spool/install" ] || [ -L "$spool/install" ] || return 0
  run=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n') started=$(date +%s%3N)
  file='' version='' sha256='' from='' id='' is_new=false recovered='' boots=0
  from=$(version_of "$opt/current")
  find_previous
  node=$previous_node
  [ "$node" != /opt/cartwright/current/bin/node ] || node=''
  record preparing
  # The progress exists before the request is removed, so that the gateway refuses motion without a gap.
  request=$(read_spool install 200 5 | tr -d '\0') || true
  if [[ $request =~ ^cartwright-[0-9][0-9A-Za-z.+-]{0,63}-(arm64|arm|x64)\.tar\.gz$ ]]; then file=$request; fi
  progress checking
  remove_request
  [ -n "$file" ] || die 'the request does not name a release'
  make_incoming
  archive=$incoming/$file source=$archive
  read_spool "$file.sig" $((MAX_SIGNATURE + 1)) 10 > "$archive.sig" || true
  [ -s "$archive.sig" ] || code=SIGNATURE die "$file has no signature"
  read_archive_signature "$archive.sig"
  version=$archive_version sha256=$archive_sha256
  [ "$file" = "cartwright-$version-$archive_arch.tar.gz" ] ||
    code=SIGNATURE die "the signature of $file belongs to version $version for $archive_arch"
  [ "$archive_arch" = "$(processor_of /bin/bash)" ] ||
    code=PROCESSOR die "$file is for $archive_arch, and this system is for $(processor_of /bin/bash)"
  check_downgrade "$version"
  check_space
  check_parked
  progress copying
  # One more byte shows that a file is too long.
  read_spool "$file" $((archive_bytes + 1)) 600 > "$archive" || die_unwritten
  check_archive_contents "$archive"
  progress placing
  place_release
  rm -rf "$incoming"
  record preparing
  [ "$(version_of "$opt/releases/$id")" = "$version" ] || code=DAMAGED die "$file contains another version than its signature"
  check_parked
  stopped=$SECONDS
  switch
  info "Cartwright $id is installed. The gateway was replaced in $((SECONDS - stopped)) s"
  finish_installed
}

# Brings the files of an interrupted run into the state in which the gateway can start. The gateway is not running.
recover() {
  recovered=$(cat /proc/sys/kernel/random/boot_id) boots=$((boots + 1))
  # The journal is written by root, and its names become paths.
  [[ $id =~ ^([0-9][0-9A-Za-z.+-]*)?$ && $previous =~ ^([0-9][0-9A-Za-z.+-]*)?$ ]] || die 'the journal is damaged'
  if [ "$phase" = switched ] && [ "$boots" -gt 1 ] && [ -n "$previous" ] && [ "$id" != "$previous" ]; then
    code=INTERRUPTED why="the update to $id was interrupted twice"
    phase=returning
  fi
  record "$phase" || true
  case $phase in
    preparing | placed)
      if [ "$phase" = placed ]; then rm -rf "$data.before"; fi
      [ -z "$previous" ] || start
      code=INTERRUPTED die 'the update was interrupted before the release was replaced'
      ;;
    switched) activate "$id" ;;
    clearing | restoring)
      put_data_back || keep_stopped
      activate "$previous"
      ;;
    *) activate "$previous" ;;
  esac
}

# Continues a run whose files have been recovered.
resume() {
  info "continuing the interrupted update to $id"
  case $phase in
    switched)
      start
      progress testing
      wait_ready "$id" || go_back
      finish_installed
      ;;
    returning) use_previous ;;
    *)
      if [ "$phase" != restored ]; then
        systemctl stop cartwright
        put_data_back || keep_stopped
        activate "$previous"
      fi
      needed=''
      start
      wait_ready "$previous" || result=failed die "$why, and $previous is not ready either: journalctl -u cartwright"
      result=returned die "$why; $previous runs again"
      ;;
  esac
}

# Compares the installed release with its signed list of files, and writes the result for the gateway.
verify_installed() {
  local installed problem
  installed=$(realpath "$opt/current")
  source='the installed release'
  problem=$(
    die() { printf '%s' "$*" && exit 1; }
    [ -e "$installed/SHA256SUMS.sig" ] || die 'the installed release is not signed, so changes to its files are not detected'
    check_types "$installed"
    check_signature "$installed"
    is_protected "$installed" || die 'users other than root can change files of the installed release'
  ) || true
  install -d -m 755 "$state"
  printf '{"checkedAt":%s,"version":%s,"problem":%s}\n' "$(date +%s%3N)" "$(json "$(version_of "$installed")")" "$(json "$problem")" |
    write_durably "$state/integrity.json"
  info "${problem:-the installed release is unchanged}"
}

case ${1:-} in
  install | resume)
    lock --wait 600
    if ! read_journal; then
      [ "$1" = resume ] || install_requested
    elif [ "$recovered" = "$(cat /proc/sys/kernel/random/boot_id)" ]; then
      resume
    else
      # This program or install.sh was killed. In a first installation, the unit may be missing.
      systemctl stop cartwright 2> /dev/null || true
      recover
      resume
    fi
    ;;
  recover)
    lock --wait 600
    read_journal || exit 0
    recover
    systemctl start --no-block cartwright-update.service
    ;;
  verify) verify_installed ;;
  *) printf 'usage: update.sh install|resume|recover|verify\n' >&2 && exit 2 ;;
esac
