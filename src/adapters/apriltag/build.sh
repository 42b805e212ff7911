#!/usr/bin/env bash
# Builds detector.wasm reproducibly from detector.c and AprilTag's C source (BSD-2-Clause), which is part of an npm
# package. Needs Debian 12's emscripten 3.1.6 and npm. Run it only to change the detector: detector.wasm is checked in.
set -euo pipefail
cd "$(dirname "$0")"
package=@monumental-works/apriltag-node@1.3.0
sha256=22ecefd0d4dd55e4b14e979b5b8319e9e3d6d228c5df6464978b7f52ac4b58b8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm pack --silent --pack-destination "$work" "$package" > /dev/null
echo "$sha256  $(ls "$work"/*.tgz)" | sha256sum --check --quiet
tar xzf "$work"/*.tgz -C "$work"
source=$work/package/deps/apriltag
common='g2d homography image_u8 image_u8_parallel image_u8x3 image_u8x4 pam matd string_util svd22 time_util unionfind workerpool
  pthreads_cross zarray zmaxheap pnm zhash'
files="apriltag.c apriltag_quad_thresh.c tag36h11.c $(printf 'common/%s.c ' $common)"
cp allocate.h detector.c jpeg.c jpeg.h "$source"
cd "$source"
emcc -O3 -flto -DNDEBUG -I. -include allocate.h detector.c jpeg.c $files --no-entry -o "$work/detector.wasm" \
  -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=16MB -sMAXIMUM_MEMORY=128MB -sFILESYSTEM=0
cp "$work/detector.wasm" LICENSE.md "$OLDPWD"
