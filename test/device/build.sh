#!/usr/bin/env bash
# build.sh [DIST] builds the stages of a virtual Pi: a Debian kernel with simulated pins, an initramfs, a disk
# without the gateway, and a medium with the release that is built from DIST. If DIST is omitted, builds only
# the kernel and the disk's Debian system, for which it needs only the package mirror.
# Each stage has a directory below $VPI (default ~/.cache/cartwright-device) and is rebuilt only when its
# inputs have changed. Downloaded packages are not cached. Needs root. Prints the directory that contains the
# stages.
# CARTWRIGHT_CLOUD=1 also builds a system with cloud-init.
# CARTWRIGHT_ARCH=arm64 builds a machine with a Pi's processor: kernel modules and addons are cross-compiled,
# and the machine's programs run under qemu-user during the build.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
dist=$checkout/dist
if [ $# -gt 0 ]; then dist=$(cd "$1" && pwd); fi
export PATH=$PATH:/usr/sbin:/sbin

log() { printf '%s %s\n' "$(date +%T)" "$*" >&2; }

arch=${CARTWRIGHT_ARCH:-amd64}
host=$(dpkg --print-architecture)
# The names that compilers, Linux and Node use for the architecture, and the guest's serial device (see
# hardware.ts).
case $arch in
  amd64) triplet=x86_64-linux-gnu kernel_arch=x86 node_arch=x64 serial=/dev/ttyS1 ;;
  arm64) triplet=aarch64-linux-gnu kernel_arch=arm64 node_arch=arm64 serial=/dev/ttyS0 ;;
  *) log "CARTWRIGHT_ARCH is amd64 or arm64, not $arch" && exit 2 ;;
esac
is_native() { [ "$arch" = "$host" ]; }
cache=${VPI:-${XDG_CACHE_HOME:-$HOME/.cache}/cartwright-device}/$arch

# stage NAME KEY: builds $cache/NAME with make_NAME, unless it was already built with the same key.
stage() {
  local name=$1 key=$2 new=$cache/$1.new started=$SECONDS
  if [ "$(cat "$cache/$name/.key" 2> /dev/null)" = "$key" ]; then return; fi
  log "$name: building"
  rm -rf "$new"
  mkdir -p "$new"
  # The subshell runs in the background, because `set -e` has no effect in the condition of an `if`.
  (
    cd "$new"
    "make_$name"
  ) > "$cache/$name.log" 2>&1 &
  if ! wait $!; then
    tail -n 20 "$cache/$name.log" >&2
    log "$name: failed, see $cache/$name.log"
    exit 1
  fi
  printf '%s\n' "$key" > "$new/.key"
  rm -rf "${cache:?}/$name"
  mv "$new" "$cache/$name"
  log "$name: built in $((SECONDS - started)) s"
}

# Prints a digest of file names and contents, so that identical checkouts share stages.
digest() {
  find "$@" -type f -print0 | sort -z | xargs -0 sha256sum | sed "s|  $dist/|  dist/|; s|  $checkout/|  |" |
    sha256sum | cut -c1-16
}
modules() { modprobe -d "$cache/kernel" -S "$version" --show-depends "$1" | awk '$1 == "insmod" { print $2 }'; }

# Debian's kernel and the gpio-sim module. Debian omits gpio-sim, so it is built from source together with
# the interrupt simulation.
make_kernel() {
  local headers=$PWD/headers/usr/src/linux-headers-$version source apt=(apt-get -q)
  source=linux-source-$(cut -d. -f1,2 <<< "$version")
  # Installs the common headers and this machine's build tools; the headers of every architecture need both.
  apt-get install -y -qq --no-install-recommends "linux-headers-${version%"$arch"}$host"
  if ! is_native; then
    # Uses separate package lists, so that this machine's configuration does not include the other
    # architecture.
    mkdir lists
    apt+=(-o "APT::Architecture=$arch" -o "APT::Architectures::=$arch" -o "Dir::State::lists=$PWD/lists"
      -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
    "${apt[@]}" update
  fi
  "${apt[@]}" download "linux-image-$version" "linux-headers-$version" "$source"
  dpkg -x linux-headers-*.deb headers
  mkdir -p headers/usr/lib
  ln -s /usr/lib/linux-kbuild-* headers/usr/lib/
  dpkg -x linux-image-*.deb .
  mkdir build
  dpkg-deb --fsys-tarfile "$source"_*.deb | tar -xO "./usr/src/$source.tar.xz" |
    tar -xJ -C build --strip-components=1 --wildcards '*/drivers/gpio/gpio-sim.c' '*/drivers/gpio/gpiolib.h' '*/kernel/irq/irq_sim.c'
  cp build/drivers/gpio/* build/kernel/irq/irq_sim.c build/
  # irq_to_desc is not exported to modules. generic_handle_irq is exported and has the same effect.
  sed -i -e 's|handle_simple_irq(irq_to_desc(irqnum));|generic_handle_irq(irqnum);|' \
    -e 's|#include <linux/slab.h>|&\n#include <linux/module.h>|' build/irq_sim.c
  echo 'MODULE_LICENSE("GPL");' >> build/irq_sim.c
  echo 'obj-m += irq_sim.o gpio-sim.o' > build/Makefile
  nice -n 10 make -s -C "$headers" M="$PWD/build" "ARCH=$kernel_arch" "CROSS_COMPILE=$triplet-" modules
  install -D -m 644 -t "lib/modules/$version/extra" build/*.ko
  depmod -b . "$version"
  rm -rf build headers lists ./*.deb
}

# Debian with systemd as init, without documentation or package sources.
make_rootfs() { # make_rootfs [PACKAGE…]
  local sources=/etc/apt/sources.list.d/debian.sources
  [ -e "$sources" ] || sources=/etc/apt/sources.list
  nice -n 10 mmdebstrap --mode=root --variant=minbase --architectures="$arch" --aptopt='Acquire::Languages "none"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --include="$(paste -sd, "$here/guest/packages.txt")${*:+,}$(IFS=, && echo "$*")" \
    bookworm root "$sources"
  rm -rf root/etc/apt/sources.list* root/var/lib/apt/lists/* root/var/log/*
}

# Debian with cloud-init, configured as in Raspberry Pi OS, for tests of the boot kit. It contains no Node.
make_cloud() {
  make_rootfs cloud-init netplan.io openssh-server
  cat > root/etc/cloud/cloud.cfg.d/99-boot-partition.cfg << 'TEXT'
datasource_list: [NoCloud, None]
datasource: { NoCloud: { seedfrom: file:///boot/firmware/ } }
TEXT
  printf '%032x\n' 1 > root/etc/machine-id
  mkdir -p root/boot/firmware
  chroot root systemctl -q mask systemd-networkd-wait-online systemd-firstboot
}

# Copies this machine's Node or, for a different architecture, downloads the same version from npm.
make_node() {
  if is_native; then
    install -D -m 755 -t bin "$(readlink -f "$(command -v node)")"
    return
  fi
  npm pack "node-linux-$node_arch@$(node --print process.versions.node)"
  tar -xzf node-linux-*.tgz --strip-components=1 package/bin package/include
  rm node-linux-*.tgz
}

# The checkout's packages, with addons cross-compiled for the virtual Pi's architecture.
make_addons() {
  local made
  cp -a --reflink=auto "$(readlink -f "$checkout/node_modules")" node_modules
  # npm's node-gyp reads these variables, which override the user's configuration.
  export npm_config_arch=$node_arch npm_config_nodedir=$cache/node
  export CC=$triplet-gcc CXX=$triplet-g++ AR=$triplet-ar
  find node_modules -path '*/build/Release' -prune | while read -r made; do
    (cd "${made%/build/Release}" && nice -n 10 npm exec --call 'node-gyp rebuild --release' < /dev/null)
  done
}

# Builds the system without the gateway: Debian, the kernel modules, Node, and the test machine's files.
make_system() {
  local root=root module
  cp -a --reflink=auto "$cache/rootfs/root" "$root"
  while read -r module; do modules "$module"; done < "$here/guest/modules.txt" | sort -u |
    sed "s|^$cache/kernel/||" | (cd "$cache/kernel" && cpio -pdm --quiet "$OLDPWD/$root/usr")
  cp "$cache/kernel/lib/modules/$version"/modules.{builtin,builtin.modinfo,order} "$root/usr/lib/modules/$version/"
  depmod -b "$root" "$version"
  install -m 755 "$cache/node/bin/node" "$root/usr/bin/node"
  cp -r "$here/guest/root/." "$root/"
  [ ! -d "$here/guest/$arch" ] || cp -r "$here/guest/$arch/." "$root/"
  sed -i "s|@SERIAL@|$serial|" "$root/etc/cartwright/config.json"
  "$triplet-gcc" -O2 -Wall -static -o "$root/usr/local/sbin/vpi-stall" "$here/guest/vpi-stall.c"
  printf '%032x\n' 1 > "$root/etc/machine-id"
  chroot "$root" systemctl -q enable vpi-agent vpi-pins systemd-networkd
  chroot "$root" systemctl -q mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer \
    e2scrub_reap fstrim.timer systemd-networkd-wait-online ldconfig systemd-hwdb-update \
    systemd-journal-catalog-update systemd-update-utmp getty@tty1 serial-getty@{ttyS0,ttyAMA0} systemd-firstboot systemd-pstore
  make_initramfs "$root"
  cp "$cache/kernel/boot/vmlinuz-$version" vmlinuz
}

make_initramfs() {
  local tree=initramfs module
  mkdir -p "$tree"/{bin,modules,proc,sys,dev,root}
  cp "$1/bin/busybox" "$tree/bin/"
  ln -s busybox "$tree/bin/sh"
  install -m 755 "$here/guest/init" "$tree/init"
  for module in virtio_pci virtio_blk crc32c_generic ext4; do modules "$module"; done | awk '!seen[$0]++' |
    while read -r module; do
      cp "$module" "$tree/modules/"
      basename "$module" >> "$tree/modules/order"
    done
  (cd "$tree" && find . | cpio -o -H newc --quiet | gzip -1) > initrd.gz
  rm -r "$tree"
}

# A release packed by pack.sh and signed with a temporary key, as a directory and as a disk image. The key is kept for
# the releases that tests derive from it.
make_release() {
  openssl genpkey -quiet -algorithm ed25519 -out key.pem
  openssl pkey -in key.pem -pubout -out key.pub
  nice -n 10 "$checkout/systemd/pack.sh" --dist "$dist" --node-modules "$packages" --arch "$node_arch" --sign key.pem \
    --public-key key.pub "$PWD/release"
  rm key.pub
  truncate -s 512M disk.img
  mke2fs -q -t ext4 -O ^has_journal -L release -d release disk.img
}

# The boot disk, with the gateway installed by `install.sh --root`.
make_installed() {
  cp -a --reflink=auto "$cache/system/root" root
  cp -a --reflink=auto "$cache/release/release" root/release
  chroot root /release/systemd/install.sh --root /
  rm -r root/release
  truncate -s 2G disk.img
  mke2fs -q -t ext4 -L root -d root disk.img
  rm -r root
}

# Building missing stages requires the package mirror. If the mirror is unreachable, exit status 75 causes the
# tests to be skipped.
reach_mirror() {
  local probe
  if [ -e "$cache/kernel/.key" ] && [ -e "$cache/rootfs/.key" ]; then return; fi
  probe=$(mktemp -d)
  if ! (cd "$probe" && apt-get download -qq "linux-image-$host" > /dev/null 2>&1); then
    rm -r "$probe"
    log 'the package mirror cannot be reached'
    exit 75
  fi
  rm -r "$probe"
}

# Registers the interpreter for the other architecture's programs until the next reboot.
register_interpreter() {
  local known=/proc/sys/fs/binfmt_misc interpreter=qemu-${triplet%%-*}
  [ -e "$known/register" ] || mount -t binfmt_misc binfmt_misc "$known"
  [ -e "$known/$interpreter" ] || cat "/usr/lib/binfmt.d/$interpreter.conf" > "$known/register"
}

mkdir -p "$cache"
# Only one build runs at a time.
exec 9> "$cache/.lock"
flock 9
reach_mirror
is_native || register_interpreter
version=$(apt-cache depends "linux-image-$host" | awk '/Depends: linux-image/ { sub("linux-image-", "", $2); print $2; exit }')
version=${version%"$host"}$arch
stage kernel "$version"
stage rootfs "$(digest "$here/guest/packages.txt")"
if [ $# -eq 0 ]; then exit; fi
packages=$(readlink -f "$checkout/node_modules")
stage node "$(node --version)"
stage system "$(cat "$cache"/{kernel,rootfs,node}/.key) $(digest "$here/build.sh" "$here/guest")"
if ! is_native; then
  stage addons "$(cat "$cache/node/.key") $(digest "$checkout/package-lock.json")"
  packages=$cache/addons/node_modules
fi
stage release "$(cat "$cache/node/.key") $(digest "$dist/src" "$checkout"/{views,config,systemd,package.json,package-lock.json,ecosystem.config.js})"
stage installed "$(cat "$cache"/{system,release}/.key)"
[ -z "${CARTWRIGHT_CLOUD:-}" ] || stage cloud "$(cat "$cache/rootfs/.key") $(digest "$here/build.sh")"
echo "$cache"
