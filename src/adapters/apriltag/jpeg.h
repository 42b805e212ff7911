#pragma once

#include "common/image_u8.h"

enum jpeg_status { JPEG_OK = 0, JPEG_NOT_JPEG = -1, JPEG_DAMAGED = -2, JPEG_UNSUPPORTED = -3, JPEG_WRONG_SIZE = -4 };

/* Limits for the image size. If `width` and `height` are 0, any size within the other two limits is permitted. */
struct jpeg_limits {
  int width, height, min_side, max_pixels;
};

/*
 * Decodes the brightness of a baseline JPEG (ITU-T T.81) and ignores its colours. Reads only the given bytes.
 * `width` and `height` are set as soon as they are known. `image` is set only if the status is JPEG_OK.
 */
enum jpeg_status jpeg_decode(const uint8_t *bytes, int length, struct jpeg_limits limits, int *width, int *height,
                             image_u8_t **image);
