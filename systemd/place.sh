# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154
# Part of install.sh and update.sh: places a release on the disk and makes it the current one. Uses these variables of
# its caller: root (prefix of the system, empty for the running one), source (a release), node (a program, or empty),
# chosen_node (true if the operator chose it) and allow_unsigned; and these functions: info, die, and those of verify.sh,
# state.sh and processor.sh.

opt=$root/opt/cartwright
data=$root/var/lib/cartwright
etc=$root/etc/cartwright
state=$root/var/lib/cartwright-update
rules=$root/etc/udev/rules.d/99-cartwright.rules
sysusers=$root/etc/sysusers.d/cartwright.conf
command=$root/usr/local/bin/cartwright
units=$root/etc/systemd/system
# The units, and the links that start them at boot.
linked=(cartwright.service cartwright-recover.service cartwright-update.path cartwright-update.service
  cartwright-integrity.timer cartwright-integrity.service media-cartwright.mount)
enabled=(multi-user.target.wants/{cartwright.service,cartwright-recover.service,cartwright-update.path}
  timers.target.wants/cartwright-integrity.timer)

is_live() { [ -z "$root" ]; }

# Only one program at a time changes the installation. Every user can create links in /run/lock.
lock() { # lock [OPTION OF FLOCK…]
  exec 9> /run/cartwright-install.lock
  flock "$@" 9
}

version_of() { sed -n 's/^  "version": "\([^"]*\)",$/\1/p' "$1/package.json"; }

# Sets `previous` to the directory name of the current release, or to an empty string, and `previous_node` to the target
# of its link `node`.
find_previous() {
  previous_node=$(readlink "$opt/node" 2> /dev/null || true)
  previous=$(readlink "$opt/current" 2> /dev/null || true)
  previous=${previous#releases/}
  [[ $previous =~ ^[0-9][0-9A-Za-z.+-]*$ ]] || previous=''
}

# A release may contain the Node that runs it.
has_node() { ! $chosen_node && [ -f "$1/bin/node" ]; }

# Prints the target of the link `node` for a placed release. The previous release keeps the Node that it had.
node_of() {
  if [ "$1" = "${previous:-}" ] && [ "$1" != "${id:-}" ] && [ -n "${previous_node:-}" ]; then
    printf %s "$previous_node"
  elif has_node "$opt/releases/$1"; then
    printf /opt/cartwright/current/bin/node
  else
    printf %s "$node"
  fi
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
  local addon=$1/node_modules/better-sqlite3/build/Release/better_sqlite3.node program=$root$node name=$node own
  # The machine's shell is for the processor whose programs the system can run.
  if has_node "$1"; then program=$root/bin/bash name='this system'; fi
  [ -f "$addon" ] && [ -f "$program" ] || return 0
  own=$(processor_of "$program")
  [ "$own" = unknown ] || [ "$own" = "$(processor_of "$addon")" ] ||
    code=PROCESSOR die "$source is packed for $(processor_of "$addon"), and $name is for $own: pack it on a machine for $own"
}

# Only root can reach the files in this directory, until they have been verified and their modes are final.
make_incoming() {
  umask 022
  mkdir -p "$opt/releases"
  rm -rf "$opt/.incoming"
  mkdir -m 700 "$opt/.incoming"
}

# Places the release in releases/<version> and sets `id` to the directory name and `is_new` to true. If that directory
# exists, it is kept only if it is identical to the verified release; otherwise, a digest is appended to the name.
place_release() {
  local placing=$opt/.incoming/release packed digest n=1
  is_new=false
  mkdir "$placing"
  unpack_release "$placing" || die_unwritten
  check_types "$placing"
  chmod -R ug-s,o-t,u+rwX,go+rX,go-w "$placing"
  [ -f "$placing/dist/src/main.js" ] || die "$source is not a release: it has no dist/src/main.js"
  check_signature "$placing"
  has_node "$placing" || check_node
  check_processor "$placing"
  packed=$(version_of "$placing")
  [[ $packed =~ ^[0-9][0-9A-Za-z.+-]*$ ]] || die "$source is not a release: its package.json has no version"
  check_downgrade "$packed"
  digest=$(digest_of "$placing" | cut -c 1-8)
  id=$packed
  while [ -e "$opt/releases/$id" ] || [ -L "$opt/releases/$id" ]; do
    if is_same "$placing" "$opt/releases/$id"; then return; fi
    id=$packed-$digest
    [ "$n" -eq 1 ] || id=$id-$n
    n=$((n + 1))
  done
  # The release is synced before it is renamed, so that a power cut cannot leave it incomplete.
  sync -f "$placing"
  mv -T "$placing" "$opt/releases/$id"
  sync "$opt/releases"
  is_new=true
}

# Ends the program because the disk is full or the release cannot be read.
die_unwritten() {
  [ "$(free_kb "$opt")" -ge 1024 ] || code=DISK_FULL die 'the disk is full'
  code=DAMAGED die "$source could not be read and unpacked"
}

free_kb() { df -k --output=avail "$1" | tail -n 1 | tr -d ' '; }

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
  packed=$("${as[@]}" mktemp -d) && "${as[@]}" "$source/systemd/pack.sh" "$packed/release" &&
    cp -R -- "$packed/release/." "$1" && rm -rf "$packed"
}

# Makes a release the current one. Its units, udev rules and Node are used through the link `current`, so that on an
# installed system, one rename switches everything. The units that update and recover are used through the link `updater`,
# which `settle` changes: an interrupted update is continued by the release that was used before, and also if the current
# release has no such units. Is used in conditions, where `set -e` has no effect.
activate() { # activate RELEASE
  local scripts=$opt/releases/$1/systemd name target link from
  target=$(node_of "$1")
  # Without Node, neither the gateway nor the program that disables the motors could start.
  [ -n "$target" ] || { info "there is no Node for $1" && return 1; }
  install -d -m 755 "$state" || return
  mkdir -p "$units" "${rules%/*}" "${sysusers%/*}" "${command%/*}" || return
  systemd-sysusers ${root:+--root="$root"} "$scripts/cartwright.sysusers" || return
  if ! is_live || [ ! -f "$opt/updater/systemd/update.sh" ]; then use_updater "$1" || return; fi
  for name in "${linked[@]}"; do
    link=current from=$scripts
    case $name in cartwright-recover.* | cartwright-update.*) link=updater from=$opt/updater/systemd ;; esac
    # Releases before 0.3 contain only the gateway's unit.
    if [ ! -f "$from/$name" ]; then
      rm -f "$units/$name"
    else
      point "$units/$name" "/opt/cartwright/$link/systemd/$name" || return
    fi
  done
  # `systemctl enable` would create links to the directory of one release.
  for name in "${enabled[@]}"; do
    mkdir -p "$units/${name%/*}" || return
    if [ ! -L "$units/${name#*/}" ]; then rm -f "$units/$name"; else point "$units/$name" "../${name#*/}" || return; fi
  done
  point "$rules" /opt/cartwright/current/systemd/99-cartwright.rules || return
  point "$sysusers" /opt/cartwright/current/systemd/cartwright.sysusers || return
  point "$command" /opt/cartwright/current/systemd/cartwright.sh || return
  point "$opt/current" "releases/$1" || return
  point "$opt/node" "$target" || return
  sync "$opt" "$units" "$units"/{multi-user,timers}.target.wants || return
  is_live || return 0
  systemctl daemon-reload
  apply_rules
}

use_updater() { # use_updater RELEASE
  [ ! -f "$opt/releases/$1/systemd/update.sh" ] || point "$opt/updater" "releases/$1"
}

# Completes the installation of a release that is ready.
settle() {
  local name
  use_updater "$id"
  sync "$opt"
  systemctl daemon-reload
  [ "$id" = "$previous" ] || sweep
  # These units wait for a request and for the daily check.
  for name in cartwright-update.path cartwright-integrity.timer; do
    [ ! -e "$units/$name" ] || systemctl start --no-block "$name" || true
  done
}

# Reloads the udev rules and applies them to connected devices. Does nothing in a container, which has no
# udev.
apply_rules() {
  [ -S /run/udev/control ] || return 0
  udevadm control --reload
  udevadm trigger --subsystem-match=tty --subsystem-match=gpio --subsystem-match=video4linux \
    --subsystem-match=block --settle
}

# Makes LINK lead to TARGET, and replaces a file of that name.
point() { # point LINK TARGET
  [ "$(readlink "$1" 2> /dev/null)" != "$2" ] || return 0
  ln -sfn "$2" "$1.new" && mv -T "$1.new" "$1"
}

configure() {
  [ -s "$etc/config.json" ] && return
  install -d -m 755 "$etc"
  # The unit sets the data directory, so the setting `dataDir` is removed.
  sed '/"dataDir"/d' "$opt/releases/$1/config/default.json" | write_durably "$etc/config.json"
}

# Removes old releases except the previous one, which is needed for a manual rollback, and the one that updates.
sweep() {
  local release updater
  updater=$(readlink "$opt/updater" || true)
  updater=${updater#releases/}
  for release in "$opt"/releases/*; do
    case ${release##*/} in
      "$id" | "$previous" | "$updater") ;;
      *) rm -rf "$release" ;;
    esac
  done
}
