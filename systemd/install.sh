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
  --node PATH        Node for the gateway, 20.19 or newer (default: /usr/bin/node, else the first on the PATH)
  --uninstall        remove the gateway, and keep its data, settings and user
  --purge            remove those as well
  --root DIR         work on the system in DIR, such as an image, and start nothing

A release that is not ready within 60 s is rolled back to the previous one.
TEXT
}

info() { printf '%s\n' "$*"; }
die() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=switch.sh
. "$here/systemd/switch.sh"
# shellcheck source-path=SCRIPTDIR source=processor.sh
. "$here/systemd/processor.sh"
# shellcheck source-path=SCRIPTDIR source=verify.sh
. "$here/systemd/verify.sh"

root='' source=$here node='' act=install purge=false
key=$here/systemd/release.pub allow_unsigned=false allow_downgrade=false
while [ $# -gt 0 ]; do
  case $1 in
    --release) source=${2:?--release needs a directory or a file} && shift ;;
    --node) node=${2:?--node needs a path} && shift ;;
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

opt=$root/opt/cartwright
data=$root/var/lib/cartwright
etc=$root/etc/cartwright
unit=$root/etc/systemd/system/cartwright.service
rules=$root/etc/udev/rules.d/99-cartwright.rules
sysusers=$root/etc/sysusers.d/cartwright.conf
command=$root/usr/local/bin/cartwright
is_live() { [ -z "$root" ]; }

check_machine() {
  is_live || return 0
  [ "$(id -u)" -eq 0 ] || die 'needs root: sudo systemd/install.sh'
  [ -d /run/systemd/system ] || die 'systemd is not running; --root DIR prepares a system that is not running'
  # Every user can create links in /run/lock.
  exec 9> /run/cartwright-install.lock
  flock -n 9 || die 'another installation is running'
}

check_node() {
  if [ -z "$node" ]; then
    node=/usr/bin/node
    [ -x "$root$node" ] || node=$(command -v node || true)
  fi
  case $node in
    '') die 'Node was not found: see docs/install-pi.md' ;;
    /home/* | /root/*) die "services cannot access $node; install Node system-wide" ;;
  esac
  is_live || return 0
  is_protected_program "$node" || die "$node is not protected: it or a directory above it can be changed without root"
  "$node" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
    die "$node is $("$node" --version), and Cartwright needs 20.19 or newer: see docs/install-pi.md"
}

# Without this check, addons built for a different processor would fail only when the gateway starts.
check_processor() {
  local addon=$1/node_modules/better-sqlite3/build/Release/better_sqlite3.node own
  [ -f "$addon" ] && [ -f "$root$node" ] || return 0
  own=$(if is_live; then "$node" --print process.arch; else processor_of "$root$node"; fi)
  [ "$own" = unknown ] || [ "$own" = "$(processor_of "$addon")" ] ||
    die "$source is packed for $(processor_of "$addon"), and $node is for $own: pack it on a machine for $own"
}

version_of() { sed -n 's/^  "version": "\([^"]*\)",$/\1/p' "$1/package.json"; }

# Places the release in releases/<version> and sets `id` to the directory name. If that directory exists, it is
# kept only if it is identical to the verified release; otherwise, a digest is appended to the name.
place_release() {
  local incoming=$opt/.incoming/release version digest n=1
  umask 022
  mkdir -p "$opt/releases"
  rm -rf "$opt/.incoming"
  trap 'rm -rf "$opt/.incoming"' EXIT
  # Only root can reach the files until they have been verified and their modes are final.
  mkdir -m 700 "$opt/.incoming"
  mkdir "$incoming"
  unpack_release "$incoming"
  check_types "$incoming"
  chmod -R ug-s,o-t,u+rwX,go+rX,go-w "$incoming"
  [ -f "$incoming/dist/src/main.js" ] || die "$source is not a release: it has no dist/src/main.js"
  check_signature "$incoming"
  check_processor "$incoming"
  version=$(version_of "$incoming")
  [[ $version =~ ^[0-9][0-9A-Za-z.+-]*$ ]] || die "$source is not a release: its package.json has no version"
  check_downgrade "$version"
  digest=$(digest_of "$incoming" | cut -c 1-8)
  id=$version
  while [ -e "$opt/releases/$id" ] || [ -L "$opt/releases/$id" ]; do
    if is_same "$incoming" "$opt/releases/$id"; then return; fi
    id=$version-$digest
    [ "$n" -eq 1 ] || id=$id-$n
    n=$((n + 1))
  done
  # The release is synced before it is renamed, so that a power cut cannot leave it incomplete.
  sync -f "$incoming"
  mv -T "$incoming" "$opt/releases/$id"
}

unpack_release() { # unpack_release DIR
  if [ -f "$source" ]; then
    tar -C "$1" --strip-components=1 --no-same-owner --force-local -xzf "$source"
  elif [ -d "$source/src" ]; then
    $allow_unsigned || die "$source is a checkout, which is not signed; --allow-unsigned installs it anyway"
    pack_checkout "$1"
  else
    # The trailing `/.` copies the directory itself if `source` is a link.
    cp -R -- "$source/." "$1"
  fi
}

# Packs the checkout as the user who invoked sudo, because the checkout and npm belong to that user.
pack_checkout() { # pack_checkout DIR
  local packed as=()
  [ -z "${SUDO_USER:-}" ] || as=(sudo -u "$SUDO_USER")
  packed=$("${as[@]}" mktemp -d)
  "${as[@]}" "$source/systemd/pack.sh" "$packed/release"
  cp -R -- "$packed/release/." "$1"
  rm -rf "$packed"
}

# Makes a release the current one: installs the unit and the udev rules, creates the user, and replaces the
# release link atomically.
activate() {
  local from=$opt/releases/$1/systemd
  install -D -m 644 "$from/cartwright.service" "$unit"
  install -D -m 644 "$from/99-cartwright.rules" "$rules"
  install -D -m 644 "$from/cartwright.sysusers" "$sysusers"
  systemd-sysusers ${root:+--root="$root"} "$sysusers"
  point "$opt/node" "$node"
  point "$opt/current" "releases/$1"
  mkdir -p "${command%/*}"
  point "$command" /opt/cartwright/current/systemd/cartwright.sh
  if is_live; then
    systemctl daemon-reload
    apply_rules
  fi
  systemctl ${root:+--root="$root"} enable --quiet cartwright.service
}

# Reloads the udev rules and applies them to connected devices. Does nothing in a container, which has no
# udev.
apply_rules() {
  [ -S /run/udev/control ] || return 0
  udevadm control --reload
  udevadm trigger --subsystem-match=tty --subsystem-match=gpio --subsystem-match=video4linux --settle
}

point() {
  ln -sfn "$2" "$1.new"
  mv -T "$1.new" "$1"
}

configure() {
  [ -e "$etc/config.json" ] && return
  install -d -m 755 "$etc"
  # The unit sets the data directory, so the setting `dataDir` is removed.
  sed '/"dataDir"/d' "$opt/releases/$1/config/default.json" > "$etc/config.json"
}

# Removes old releases except the previous one, which is needed for a manual rollback.
sweep() {
  local release
  for release in "$opt"/releases/*; do
    case ${release##*/} in
      "$id" | "$previous") ;;
      *) rm -rf "$release" ;;
    esac
  done
}

install_release() {
  check_node
  previous=$(readlink "$opt/current" 2> /dev/null || true)
  previous=${previous#releases/}
  [[ $previous =~ ^[0-9][0-9A-Za-z.+-]*$ ]] || previous=''
  place_release
  configure "$id"
  if ! is_live; then
    activate "$id"
    info "Cartwright $id is installed in $root"
    return
  fi
  switch
  [ "$id" = "$previous" ] || sweep
  info "Cartwright $id is ready at $(serving_at)"
  if [ -f "$data/setup-code" ]; then info "Create its administrator there: the setup code is in $data/setup-code"; fi
}

uninstall() {
  if is_live; then
    systemctl disable --now --quiet cartwright.service 2> /dev/null || true
  else
    systemctl --root="$root" disable --quiet cartwright.service 2> /dev/null || true
  fi
  rm -rf "$opt" "$unit" "$unit.d" "$rules" "$sysusers" "$command"
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
