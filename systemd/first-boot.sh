#!/usr/bin/env bash
# Installs the release of a boot kit at the first boot: first-boot.sh DIR, the kit's folder on the boot partition.
# Runs at every boot until the installation has succeeded. Writes the log and the setup code to DIR.
set -euo pipefail

kit=${1:?usage: first-boot.sh DIR}
done=/var/lib/cartwright-first-boot
units=/etc/systemd/system
log=$kit/first-boot.log

install_release() {
  local release
  release=$(find "$kit" -maxdepth 1 -name 'cartwright-*.tar.gz')
  [ -f "$release" ] || { printf 'first-boot.sh: %s must contain exactly one release\n' "$kit" && return 1; }
  [ -e /etc/cartwright/config.json ] || install -D -m 644 "$kit/config.json" /etc/cartwright/config.json
  bash "$kit/systemd/install.sh" --release "$release"
}

# Keeps a copy of the setup code on the boot partition. The gateway makes a new code at each start, and deletes it when
# the first administrator exists.
copy_setup_code() {
  cat > "$units/cartwright-setup-code.path" << 'UNIT'
[Unit]
Description=Copies the setup code to the boot partition

[Path]
PathChanged=/var/lib/cartwright/setup-code

[Install]
WantedBy=multi-user.target
UNIT
  cat > "$units/cartwright-setup-code.service" << UNIT
[Unit]
Description=Copies the setup code to the boot partition

[Service]
Type=oneshot
ExecStart=/opt/cartwright/current/systemd/setup-code.sh $kit/setup-code.txt
UNIT
  systemctl daemon-reload
  systemctl enable --quiet --now cartwright-setup-code.path
  systemctl start cartwright-setup-code.service
}

{
  printf '\n%s\n' "$(date --utc +%FT%TZ)"
  install_release
  copy_setup_code
  touch "$done"
  sync -f "$done"
  printf 'The installation is complete.\n'
} 2>&1 | tee -a "$log"
