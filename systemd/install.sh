#!/usr/bin/env bash
# Installs, updates and removes Cartwright on Raspberry Pi OS or Debian (Bookworm, Trixie).
set -euo pipefail

usage() {
  cat << 'TEXT'
usage: sudo systemd/install.sh [--release DIR|FILE.tar.gz] [--node PATH] [--key FILE]
                               [--allow-unsigned] [--allow-downgrade]
       sudo systemd/install.sh --uninstall [--purge]

Without --release it installs the release or checkout that contains this script. A checkout is packed first.
  --key FILE         public key of the signature (default: release.pub beside this script)
  --allow-unsigned   install a release without a signature, such as a checkout
  --allow-downgrade  install a release that is older than the installed one
  --node PATH        Node for the gateway, 20.19 or newer (default: the Node in the release, else /usr/bin/node, else
                     the first on the PATH)
  --uninstall        remove the gateway, and keep its data, settings and user
  --purge            remove those as well
  --root DIR         work on the system in DIR, such as an image, and start nothing

If FILE.tar.gz.sig exists, it is verified before the file is unpacked. A release that is not ready within 60 s is
rolled back to the previous one.
TEXT
}

info() { printf '%s\n' "$*"; }
die() {
  printf 'install.sh: %s\n' "$*" >&2
  [ -z "${phase:-}" ] || forget
  exit 1
}

here=$(cd "$(dirname "$0")/.." && pwd)
root='' source=$here node='' chosen_node=false act=install purge=false
key=$here/systemd/release.pub allow_unsigned=false allow_downgrade=false
while [ $# -gt 0 ]; do
  case $1 in
    --release) source=${2:?--release needs a directory or a file} && shift ;;
    --node) node=${2:?--node needs a path} chosen_node=true && shift ;;
    --key) key=$(realpath -- "${2:?--key needs a file}") && shift ;;
    --allow-unsigned) allow_unsigned=true ;;
    --allow-downgrade) allow_downgrade=true ;;
    --root) root=$(cd "${2:?--root needs a directory}" && pwd) && shift ;;
    --uninstall) act=uninstall ;;
    --purge) purge=true ;;
    -h | --help) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift
done

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

check_machine() {
  is_live || return 0
  [ "$(id -u)" -eq 0 ] || die 'needs root: sudo systemd/install.sh'
  [ -d /run/systemd/system ] || die 'systemd is not running; --root DIR prepares a system that is not running'
  lock --nonblock || die 'another installation is running'
  [ "$act" = uninstall ] || [ ! -e "$state/journal" ] || finish_interrupted
}

# The installed release may have no programs for this: they are missing if its own installation was interrupted.
finish_interrupted() {
  info 'an installation was interrupted, which is finished or reverted first'
  flock --unlock 9
  bash "$here/systemd/update.sh" resume
  lock --nonblock || die 'another installation is running'
}

# The signature of an archive is checked before the archive is unpacked, and the signature of its files afterwards.
check_archive() {
  [ -f "$source" ] && [ -e "$source.sig" ] || return 0
  head -c $((MAX_SIGNATURE + 1)) -- "$source.sig" > "$opt/.incoming/archive.sig"
  read_archive_signature "$opt/.incoming/archive.sig"
  check_archive_contents "$source"
}

install_release() {
  local url
  [ -z "$node" ] || check_node
  find_previous
  trap 'rm -rf "$opt/.incoming"' EXIT
  make_incoming
  check_archive
  place_release
  configure "$id"
  if ! is_live; then
    activate "$id"
    info "Cartwright $id is installed in $root"
    return
  fi
  note_checks
  switch
  settle
  url=$(serving_at || true)
  # The gateway reports localhost if it listens on all addresses.
  info "Cartwright $id is ready at ${url/localhost/${HOSTNAME%%.*}.local}"
  if [ -f "$root/etc/credstore/cartwright.setup-code" ]; then
    info 'Create its administrator there, with the setup code of the boot kit'
  elif [ -f "$data/setup-code" ]; then
    info "Create its administrator there: the setup code is in $data/setup-code"
  fi
}

uninstall() {
  local name
  if is_live; then systemctl disable --now --quiet "${linked[@]}" 2> /dev/null || true; fi
  for name in "${linked[@]}"; do rm -rf "${units:?}/$name" "$units/$name.d"; done
  for name in "${enabled[@]}"; do rm -f "$units/$name"; done
  rm -rf "$opt" "$rules" "$sysusers" "$command" "$state"
  if is_live; then
    systemctl daemon-reload
    apply_rules
  fi
  if ! $purge; then
    info "Cartwright was removed. Its data is in $data, its configuration in $etc; --purge removes both as well"
    return
  fi
  rm -rf "$data" "$data.before" "$data.failed" "$etc" "$root"/etc/credstore/cartwright.*
  userdel ${root:+--prefix "$root"} cartwright 2> /dev/null || true
  info 'Cartwright was removed, with its data and its user'
}

check_machine
case $act in
  install) install_release ;;
  uninstall) uninstall ;;
esac
