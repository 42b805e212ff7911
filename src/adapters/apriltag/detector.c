/*
 * The WebAssembly interface of the marker detector: decodes the brightness of a JPEG and detects AprilTags of the
 * tag36h11 family. build.sh compiles this file, jpeg.c and the AprilTag library to detector.wasm.
 */
#include <emscripten.h>
#include <stdlib.h>

#include "apriltag.h"
#include "jpeg.h"
#include "tag36h11.h"

enum { MAX_DETECTIONS = 64, FIELDS = 11 };

static apriltag_detector_t *detector;
static image_u8_t *image;
/* `MAX_DETECTIONS` rows: ID, number of corrected bits, decision margin, then x and y of each corner in pixels. */
static double results[MAX_DETECTIONS * FIELDS];
/* Width and height of the decoded image. */
static int size[2];

/* `max_hamming`: maximum number of wrong bits to correct. */
EMSCRIPTEN_KEEPALIVE void init(int max_hamming) {
  detector = apriltag_detector_create();
  detector->nthreads = 1;
  apriltag_detector_add_family_bits(detector, tag36h11_create(), max_hamming);
}

EMSCRIPTEN_KEEPALIVE void *reserve(int bytes) { return malloc(bytes); }

EMSCRIPTEN_KEEPALIVE void release(void *bytes) { free(bytes); }

EMSCRIPTEN_KEEPALIVE double *result(void) { return results; }

EMSCRIPTEN_KEEPALIVE int *image_size(void) { return size; }

static void discard(void) {
  if (image) image_u8_destroy(image);
  image = NULL;
}

/*
 * Decodes the image that the next call of `detect` uses. If `width` is 0, any size within the limits is permitted.
 * Returns a `jpeg_status`.
 */
EMSCRIPTEN_KEEPALIVE int decode(const uint8_t *jpeg, int bytes, int width, int height, int min_side, int max_pixels) {
  discard();
  size[0] = size[1] = 0;
  struct jpeg_limits limits = {.width = width, .height = height, .min_side = min_side, .max_pixels = max_pixels};
  return jpeg_decode(jpeg, bytes, limits, &size[0], &size[1], &image);
}

/* Averages squares of 2 x 2 pixels in place. */
static image_u8_t halve(const image_u8_t *full) {
  int width = full->width / 2, height = full->height / 2;
  for (int y = 0; y < height; y++) {
    const uint8_t *upper = full->buf + 2 * y * full->stride, *lower = upper + full->stride;
    uint8_t *out = full->buf + y * full->stride;
    for (int x = 0; x < width; x++) {
      out[x] = (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1] + 2) / 4;
    }
  }
  return (image_u8_t){.width = width, .height = height, .stride = full->stride, .buf = full->buf};
}

static int store(zarray_t *detections, double scale) {
  int count = 0;
  for (int at = 0; at < zarray_size(detections) && count < MAX_DETECTIONS; at++) {
    apriltag_detection_t *found;
    zarray_get(detections, at, &found);
    double *row = results + count++ * FIELDS;
    row[0] = found->id;
    row[1] = found->hamming;
    row[2] = found->decision_margin;
    for (int corner = 0; corner < 4; corner++) {
      row[3 + 2 * corner] = scale * found->p[corner][0];
      row[4 + 2 * corner] = scale * found->p[corner][1];
    }
  }
  return count;
}

/*
 * Returns the number of markers in the decoded image, and discards the image. The corners refer to the full image; the
 * centre of the upper left pixel is (0.5, 0.5).
 */
EMSCRIPTEN_KEEPALIVE int detect(int is_halved, float decimate) {
  if (!image) return 0;
  image_u8_t part = is_halved ? halve(image) : *image;
  detector->quad_decimate = decimate;
  zarray_t *detections = apriltag_detector_detect(detector, &part);
  int count = store(detections, is_halved ? 2 : 1);
  apriltag_detections_destroy(detections);
  discard();
  return count;
}
