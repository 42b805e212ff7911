#!/usr/bin/env bash
# Installs the release of a boot kit at the first boot: first-boot.sh DIR, the kit's folder on the boot partition.
# Runs at every boot until the installation has succeeded. Writes the log to DIR.
set -euo pipefail

kit=${1:?usage: first-boot.sh DIR}
done=/var/lib/cartwright-first-boot
log=$kit/first-boot.log
# shellcheck source-path=SCRIPTDIR source=state.sh
. "$kit/systemd/state.sh"

install_release() {
  local release
  release=$(find "$kit" -maxdepth 1 -name 'cartwright-*.tar.gz')
  [ -f "$release" ] || { printf 'first-boot.sh: %s must contain exactly one release\n' "$kit" && return 1; }
  bash "$kit/systemd/update.sh" resume
  # A power cut may have interrupted only the last steps of this program.
  [ ! -e /opt/cartwright/current ] || return 0
  install -d -m 755 /etc/cartwright
  install -d -m 700 /etc/credstore
  [ -s /etc/cartwright/config.json ] || write_durably /etc/cartwright/config.json < "$kit/config.json"
  (umask 077 && write_durably /etc/credstore/cartwright.setup-code < "$kit/setup-code.txt")
  bash "$kit/systemd/install.sh" --release "$release"
}

{
  printf '\n%s\n' "$(date --utc +%FT%TZ)"
  install_release
  touch "$done"
  sync -f "$done"
  printf 'The installation is complete.\n'
} 2>&1 | tee -a "$log"
