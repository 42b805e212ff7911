#!/usr/bin/env bash
# Builds a release, which contains everything that Cartwright needs to run but no build tools. A release is
# for one processor architecture, because some packages contain compiled addons.
set -euo pipefail

usage() {
  cat << 'TEXT'
usage: systemd/pack.sh [--dist DIR] [--node-modules DIR] [--node FILE] [--arch ARCH] [--sign KEY] RELEASE

RELEASE is a directory that does not exist yet, or a file name ending in .tar.gz. A signed file is named
cartwright-<version>-<arch>.tar.gz, and its signature is written to a second file with the suffix .sig.
  --dist DIR          use this build instead of building
  --node-modules DIR  use these packages instead of those of the checkout, for example for another processor
  --node FILE         include this Node program, which then runs the gateway (default: the Node of the Pi)
  --firmware DIR      the motor controller's firmware, as built by firmware/build.sh, for example with the cart's own
                      configuration (default: build it, if arduino-core-avr is installed)
  --arch ARCH         the processor of the release: arm64, arm or x64 (default: that of this machine); addons that are
                      compiled for another one are rejected
  --sign KEY          sign it with this Ed25519 private key (PEM); see docs/install-pi.md
  --public-key FILE   use this public key of KEY instead of systemd/release.pub and require no contact for
                      vulnerabilities, for a release that is not published
TEXT
}

die() {
  printf 'pack.sh: %s\n' "$*" >&2
  exit 1
}

dist='' modules='' node='' firmware='' arch='' sign='' public='' target=''
while [ $# -gt 0 ]; do
  case $1 in
    --dist) dist=${2:?--dist needs a directory} && shift ;;
    --node-modules) modules=${2:?--node-modules needs a directory} && shift ;;
    --node) node=$(realpath -e -- "${2:?--node needs a file}") && shift ;;
    --firmware) firmware=$(realpath -e -- "${2:?--firmware needs a directory}") && shift ;;
    --sign) sign=$(realpath -- "${2:?--sign needs a key}") && shift ;;
    --public-key) public=$(realpath -e -- "${2:?--public-key needs a file}") && shift ;;
    --arch) arch=${2:?--arch needs a name} && shift ;;
    -h | --help) usage && exit ;;
    -*) usage >&2 && exit 2 ;;
    *) target=$1 ;;
  esac
  shift
done
[ -n "$target" ] || { usage >&2 && exit 2; }
[ ! -e "$target" ] || die "$target already exists"
here=$(node --print process.arch)
arch=${arch:-$here}
case $arch in
  arm64 | arm | x64) ;;
  *) die "--arch must be arm64, arm or x64, not $arch" ;;
esac

from=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=processor.sh
. "$from/systemd/processor.sh"
version=$(sed -n 's/^  "version": "\([^"]*\)",$/\1/p' "$from/package.json")
[ -z "$node" ] || [ "$(processor_of "$node")" = "$arch" ] ||
  die "$node is a program for $(processor_of "$node"), and the release is for $arch"

# Gateways accept a later release only if it is signed with the key that belongs to `release.pub`.
check_key() {
  local key=${public:-$from/systemd/release.pub} contact
  ! grep -q '^Placeholder' "$key" ||
    die "$key is a placeholder: replace it with the public key of your releases (docs/install-pi.md, Signed releases)"
  [ "$(openssl pkey -in "$sign" -pubout)" = "$(openssl pkey -pubin -in "$key")" ] ||
    die "the private key $sign does not belong to the public key $key"
  contact=$(cd "$from" && node --print 'JSON.parse(fs.readFileSync("package.json")).support.contact')
  [ -n "$public" ] || [[ $contact =~ ^(mailto|https|tel): ]] ||
    die 'package.json (support.contact) must name the contact for reports of vulnerabilities, such as mailto:security@example.com'
}
if [ -n "$sign" ]; then
  case $target in
    *.tar.gz)
      # Gateways compare the name of an uploaded release with its signature.
      [ "${target##*/}" = "cartwright-$version-$arch.tar.gz" ] ||
        die "a signed release of this version must be named cartwright-$version-$arch.tar.gz, not ${target##*/}"
      ;;
  esac
  check_key
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
release=$work/cartwright

if [ -z "$modules" ]; then
  modules=$from/node_modules
  [ -d "$modules" ] || (cd "$from" && npm ci --no-audit --no-fund)
fi
[ -d "$modules" ] || die "$modules is not a directory"
modules=$(cd "$modules" && pwd)
if [ -z "$dist" ]; then
  # A build keeps the compiled files of deleted sources.
  (cd "$from" && rm -rf dist && npm run --silent build)
  dist=$from/dist
fi
[ -f "$dist/src/main.js" ] || die "$dist is not a build: it has no src/main.js"

mkdir -p "$release/dist"
cp -R "$dist/src" "$release/dist/"
# Only the bundle's source maps are kept, for `npm run trace`.
find "$release/dist" -name '*.map' -not -path '*/bundle/*' -delete
for part in views config systemd package.json package-lock.json ecosystem.config.js docs README.md CHANGELOG.md LICENSE; do
  cp -R "$from/$part" "$release/"
done

if [ -n "$node" ]; then install -D -m 755 "$node" "$release/bin/node"; fi

# The controller's firmware, which the gateway writes only if it is unchanged (src/carts/firmware/release.ts).
if [ -z "$firmware" ] && [ -d "${ARDUINO_AVR:-/usr/share/arduino/hardware/arduino/avr}" ]; then
  firmware=$work/firmware
  "$from/firmware/build.sh" "$firmware"
fi
if [ -n "$firmware" ]; then
  mkdir -p "$release/firmware/build"
  cp "$firmware"/{cgw1-uno.hex,cgw1-mega.hex,firmware.json} "$release/firmware/build/"
else
  printf 'packed without the firmware of the motor controller: arduino-core-avr is not installed\n'
fi

cd "$release"
# Selects the same production packages as npm. Nested packages are copied with their parents.
names=$(node --print '
  const { packages } = JSON.parse(fs.readFileSync("package-lock.json"));
  const isNeeded = ([path, { dev, optional, devOptional }]) =>
    path.lastIndexOf("node_modules/") === 0 && !dev && !optional && !devOptional;
  Object.entries(packages).filter(isNeeded).map(([path]) => path.slice("node_modules/".length)).join("\n")
')
for name in $names; do
  [ -d "$modules/$name" ] || die "$modules does not match package-lock.json: $name is missing"
  mkdir -p "node_modules/$(dirname "$name")"
  cp -R "$modules/$name" "node_modules/$name"
done

# A native package must have a compiled addon or a prebuilt addon that its loader selects.
check_compiled() { # check_compiled PACKAGE
  local addon addons compiled
  addons=$(find "$1/build/Release" -maxdepth 1 -name '*.node' 2> /dev/null || true)
  [ -n "$addons" ] || addons=$(find "$1/prebuilds/linux-$arch" -name '*.node' 2> /dev/null || true)
  [ -n "$addons" ] || die "$1 was not compiled: are g++, make and python3 installed?"
  for addon in $addons; do
    compiled=$(processor_of "$addon")
    [ "$compiled" = "$arch" ] ||
      die "$addon is compiled for $compiled, and the release is for $arch: --node-modules selects packages compiled for it"
  done
}

find node_modules -name binding.gyp -printf '%h\n' | while read -r package; do check_compiled "$package"; done
# Addons for this machine's architecture are also loaded as a test, because they may have been compiled for a
# different Node version.
[ "$arch" != "$here" ] || node --input-type=module --eval "
  await import('unix-dgram');
  new (await import('better-sqlite3')).default(':memory:');
" || die "the compiled addons do not load in Node $(node --version): npm rebuild compiles them again"

# Lists every package in the release, for security scanners. `--omit dev` would also omit packages that are
# needed both in development and at run time.
npm sbom --sbom-format cyclonedx --package-lock-only > "$work/all.cdx.json"
# shellcheck disable=SC2016
node --print '
  const [sbom, { packages }] = [process.argv[1], "package-lock.json"].map((path) => JSON.parse(fs.readFileSync(path)));
  const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const packed = Object.entries(packages).filter(([path]) => path !== "" && fs.existsSync(path));
  const ids = new Set(packed.map(([path, { version }]) => `${nameOf(path)}@${version}`));
  sbom.components = sbom.components.filter(({ name, version }) => ids.has(`${name}@${version}`));
  const refs = new Set([sbom.metadata.component, ...sbom.components].map((each) => each["bom-ref"]));
  const known = (ref) => refs.has(ref);
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => known(ref))
    .map((each) => ({ ...each, dependsOn: each.dependsOn.filter(known) }));
  JSON.stringify(sbom, null, 2)
' "$work/all.cdx.json" > sbom.cdx.json

# States which known vulnerabilities of the packages affect the gateway, as recorded in vex.json.
node --print '
  const [name, version] = process.argv.slice(1);
  const { vulnerabilities } = JSON.parse(fs.readFileSync("systemd/vex.json"));
  const metadata = { timestamp: new Date().toISOString(), component: { type: "application", name, version } };
  JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.5", version: 1, metadata, vulnerabilities }, null, 2)
' cartwright "$version" > vex.cdx.json

# Prints the changes of this version or, if it has no section of its own, the unreleased changes.
notes() {
  local section
  for section in "$version" Unreleased; do
    awk -v heading="## [$section]" '/^## / { found = index($0, heading) == 1; next } found' "$from/CHANGELOG.md" > "$work/notes"
    if [ -s "$work/notes" ]; then break; fi
  done
  cat "$work/notes"
}

cd "$OLDPWD"
[ -z "$sign" ] || "$from/systemd/sign.sh" "$sign" "$release"
case $target in
  *.tar.gz)
    tar -C "$work" -czf "$target" cartwright
    [ -z "$sign" ] || notes | "$from/systemd/sign.sh" "$sign" "$target" "$version" "$arch"
    ;;
  *) mv "$release" "$target" ;;
esac
printf 'packed %s\n' "$target"
