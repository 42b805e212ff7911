#!/usr/bin/env bash
# Installs the release of a boot kit at the first boot: first-boot.sh DIR, the kit's folder on the boot partition.
# Runs at every boot until the installation has succeeded. Writes the log to DIR.
set -euo pipefail

kit=${1:?usage: first-boot.sh DIR}
done=/var/lib/cartwright-first-boot
log=$kit/first-boot.log

install_release() {
  local release
  release=$(find "$kit" -maxdepth 1 -name 'cartwright-*.tar.gz')
  [ -f "$release" ] || { printf 'first-boot.sh: %s must contain exactly one release\n' "$kit" && return 1; }
  [ -e /etc/cartwright/config.json ] || install -D -m 644 "$kit/config.json" /etc/cartwright/config.json
  install -D -m 600 "$kit/setup-code.txt" /etc/credstore/cartwright.setup-code
  bash "$kit/systemd/install.sh" --release "$release"
}

{
  printf '\n%s\n' "$(date --utc +%FT%TZ)"
  install_release
  touch "$done"
  sync -f "$done"
  printf 'The installation is complete.\n'
} 2>&1 | tee -a "$log"
