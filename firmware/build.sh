#!/usr/bin/env bash
# Compiles the sketch as the Arduino IDE does, with the Debian packages gcc-avr, avr-libc, binutils-avr and
# arduino-core-avr. Two builds of the same sources and revision give identical files.
set -euo pipefail

usage() {
  cat << 'TEXT'
usage: firmware/build.sh [--sketch DIR] [--config FILE] [--library DIR]... [--revision HASH]
                         [--board uno|mega]... OUT

Writes cgw1-uno.hex and cgw1-mega.hex, their .elf files, and firmware.json, which describes them, to the directory
OUT. A checkout that runs the gateway offers the files in firmware/build for updates of the controller.
  --sketch DIR     the sketch (default: firmware/cgw1)
  --config FILE    the cart's config.h (default: the sketch's own)
  --library DIR    an Arduino library that the sketch includes
  --revision HASH  up to eight hexadecimal digits that the controller reports (default: the commit of the checkout, or
                   0 if the sketch has changed since)
  --board NAME     only this board
TEXT
}

here=$(cd "$(dirname "$0")" && pwd)
sketch=$here/cgw1 config='' libraries=() revision='' boards='' out=''
while [ $# -gt 0 ]; do
  case $1 in
    --sketch) sketch=$(cd "${2:?--sketch needs a directory}" && pwd) && shift ;;
    --config) config=$(realpath -e "${2:?--config needs a file}") && shift ;;
    --library) libraries+=("$(realpath -e "${2:?--library needs a directory}")") && shift ;;
    --revision) revision=${2:?--revision needs a hash} && shift ;;
    --board) boards="$boards ${2:?--board needs a name}" && shift ;;
    -h | --help) usage && exit ;;
    -*) usage >&2 && exit 2 ;;
    *) out=$1 ;;
  esac
  shift
done
[ -n "$out" ] || { usage >&2 && exit 2; }
if [ -z "$revision" ] && git -C "$sketch" diff --quiet HEAD -- . 2> /dev/null; then
  revision=$(git -C "$sketch" log -1 --format=%h --abbrev=8 -- .)
fi
[[ ${revision:=0} =~ ^[0-9a-f]{1,8}$ ]] || { echo "build.sh: $revision is not a hash" >&2 && exit 2; }

avr=${ARDUINO_AVR:-/usr/share/arduino/hardware/arduino/avr}
core=$avr/cores/arduino
[ -d "$core" ] || { echo "build.sh: $core is missing: install arduino-core-avr" >&2 && exit 1; }
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -n "$config" ]; then
  cp -r "$sketch" "$work/sketch"
  sketch=$work/sketch
  cp "$config" "$sketch/config.h"
fi

compile() { # compile MCU VARIANT BOARD NAME
  local parts=$work/$4
  mkdir -p "$parts/core" "$parts/sketch"
  # gcc 5.4 does not define DECIMAL_DIG, which the core needs.
  local target="-mmcu=$1 -DF_CPU=16000000L -DARDUINO=10819 -DARDUINO_$3 -DARDUINO_ARCH_AVR -DDECIMAL_DIG=__DECIMAL_DIG__"
  target="$target -I$core -I$avr/variants/$2 -I$avr/libraries/EEPROM/src"
  local library
  for library in "${libraries[@]}"; do target="$target -I$library/src"; done
  local both='-c -Os -ffunction-sections -fdata-sections -flto -fno-fat-lto-objects'
  local cpp="$both -std=gnu++11 -fpermissive -fno-exceptions -fno-threadsafe-statics -Wno-error=narrowing"
  local own="-Wall -Wextra -Werror -DCGW1_REVISION=0x${revision}UL"
  local file
  # The sketch's options are lists of words.
  # shellcheck disable=SC2086
  {
    for file in "$core"/*.c; do
      avr-gcc $both -w -std=gnu11 $target "$file" -o "$parts/core/${file##*/}.o"
    done
    for file in "$core"/*.S; do
      avr-gcc -c -x assembler-with-cpp -flto $target "$file" -o "$parts/core/${file##*/}.o"
    done
    for file in "$core"/*.cpp; do
      avr-g++ $cpp -w $target "$file" -o "$parts/core/${file##*/}.o"
    done
    avr-gcc-ar rcs "$parts/core.a" "$parts"/core/*.o
    for file in "$sketch"/*.cpp; do
      avr-g++ $cpp $own $target "$file" -o "$parts/sketch/${file##*/}.o"
    done
    for library in "${libraries[@]}"; do
      for file in "$library"/src/*.c "$library"/src/utility/*.c; do
        [ ! -e "$file" ] || avr-gcc $both -w -std=gnu11 $target "$file" -o "$parts/sketch/${file##*/}.o"
      done
      for file in "$library"/src/*.cpp "$library"/src/utility/*.cpp; do
        [ ! -e "$file" ] || avr-g++ $cpp -w $target "$file" -o "$parts/sketch/${file##*/}.o"
      done
    done
    # The IDE compiles the .ino file as C++ after including the core's header.
    for file in "$sketch"/*.ino; do
      avr-g++ $cpp $own $target -x c++ -include Arduino.h "$file" -o "$parts/sketch/${file##*/}.o"
    done
    avr-gcc -w -Os -flto -fuse-linker-plugin -Wl,--gc-sections "-mmcu=$1" -o "$out/$4.elf" "$parts"/sketch/*.o \
      "$parts/core.a" -lm
  }
  avr-objcopy -O ihex -R .eeprom "$out/$4.elf" "$out/$4.hex"
}

for board in ${boards:-uno mega}; do
  case $board in
    uno) compile atmega328p standard AVR_UNO cgw1-uno ;;
    mega) compile atmega2560 mega AVR_MEGA2560 cgw1-mega ;;
    *) echo "build.sh: unknown board $board" >&2 && exit 2 ;;
  esac
done

# The version is the one that the controller reports in HELLO_R.
version=$(sed -n 's|.*/\* version \*/ \([0-9]*\), \([0-9]*\), \([0-9]*\),.*|\1.\2.\3|p' "$sketch"/*.ino)
[ -n "$version" ] || { echo 'build.sh: the sketch has no version' >&2 && exit 1; }
printf '{ "version": "%s", "revision": "%s", "configured": %s }\n' \
  "$version" "$revision" "$([ -n "$config" ] && echo true || echo false)" > "$out/firmware.json"
