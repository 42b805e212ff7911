#!/usr/bin/env bash
# Makes a release: all that runs, and nothing that builds. It is for machines of the kind this one is, since some packages
# have compiled parts.
set -euo pipefail

usage() {
  cat << 'TEXT'
usage: systemd/pack.sh [--dist DIR] [--node-modules DIR] RELEASE

RELEASE is a directory that is not there yet, or a file that ends in .tar.gz.
  --dist DIR          take this build instead of building
  --node-modules DIR  take these packages (built for another kind of machine, say) instead of those of the checkout
TEXT
}

die() {
  printf 'pack.sh: %s\n' "$*" >&2
  exit 1
}

dist='' modules='' target=''
while [ $# -gt 0 ]; do
  case $1 in
    --dist) dist=${2:?--dist needs a directory} && shift ;;
    --node-modules) modules=${2:?--node-modules needs a directory} && shift ;;
    -h | --help) usage && exit ;;
    -*) usage >&2 && exit 2 ;;
    *) target=$1 ;;
  esac
  shift
done
[ -n "$target" ] || { usage >&2 && exit 2; }
[ ! -e "$target" ] || die "$target is there already"

from=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
release=$work/cartwright

if [ -z "$modules" ]; then
  modules=$from/node_modules
  [ -d "$modules" ] || (cd "$from" && npm ci --no-audit --no-fund)
  (cd "$from" && node --input-type=module --eval "
    await import('unix-dgram');
    new (await import('better-sqlite3')).default(':memory:');
  ") || die 'packages were not compiled: are g++, make and python3 there?'
fi
[ -d "$modules" ] || die "$modules is no directory"
modules=$(cd "$modules" && pwd)
if [ -z "$dist" ]; then
  (cd "$from" && npm run --silent build)
  dist=$from/dist
fi
[ -f "$dist/src/main.js" ] || die "$dist is no build: it has no src/main.js"

mkdir -p "$release/dist"
cp -R "$dist/src" "$release/dist/"
find "$release/dist" -name '*.map' -delete
for part in views config systemd package.json package-lock.json ecosystem.config.js README.md CHANGELOG.md LICENSE; do
  cp -R "$from/$part" "$release/"
done

cd "$release"
# Those of production, as npm would take them. What lies inside one of them comes along.
names=$(node --print '
  const { packages } = JSON.parse(fs.readFileSync("package-lock.json"));
  const isNeeded = ([path, { dev, optional, devOptional }]) =>
    path.lastIndexOf("node_modules/") === 0 && !dev && !optional && !devOptional;
  Object.entries(packages).filter(isNeeded).map(([path]) => path.slice("node_modules/".length)).join("\n")
')
for name in $names; do
  [ -d "$modules/$name" ] || die "$modules is not as package-lock.json has it: $name is missing"
  mkdir -p "node_modules/$(dirname "$name")"
  cp -R "$modules/$name" "node_modules/$name"
done

cd "$OLDPWD"
case $target in
  *.tar.gz) tar -C "$work" -czf "$target" cartwright ;;
  *) mv "$release" "$target" ;;
esac
printf 'packed %s\n' "$target"
