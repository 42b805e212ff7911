#include "jpeg.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FAST_BITS = 9, MAX_COMPONENTS = 3, TABLES = 4 };

/* A Huffman table. `fast` maps the next 9 bits to (code length << 8 | symbol), or to 0 for longer codes. */
struct huffman {
  bool is_defined;
  uint16_t fast[1 << FAST_BITS];
  uint8_t symbols[256];
  /* For each code length: the first code after the codes of this length, and the index of a symbol minus its code. */
  int32_t end[17], offset[17];
};

struct component {
  int id, across, down, quantisation, dc_table, ac_table, prediction;
};

struct decoder {
  const uint8_t *at, *end;
  /* The next `available` bits. After the end of the data, zero bits are appended; `padding` counts them. */
  uint64_t bits;
  int available, padding;
  int width, height, count, restart_interval;
  struct component components[MAX_COMPONENTS];
  struct huffman dc[TABLES], ac[TABLES];
  /* Includes the scale factors of the inverse DCT. */
  float quantisation[TABLES][64];
  bool is_quantisation_defined[TABLES];
  image_u8_t *image;
};

static const uint8_t ZIGZAG[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
                                   41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
                                   30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

/* Huffman tables of T.81, annex K.3, which Motion JPEG omits: the number of codes of each length, then the symbols. */
static const uint8_t STANDARD_DC[] = {0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const uint8_t STANDARD_DC_COLOUR[] = {0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const uint8_t STANDARD_AC[] = {
    0,    2,    1,    3,    3,    2,    4,    3,    5,    5,    4,    4,    0,    0,    1,    0x7d, 0x01, 0x02, 0x03, 0x00,
    0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08,
    0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a,
    0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49,
    0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75,
    0x76, 0x77, 0x78, 0x79, 0x7a, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98,
    0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba,
    0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2,
    0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa};
static const uint8_t STANDARD_AC_COLOUR[] = {
    0,    2,    1,    2,    4,    4,    3,    4,    7,    5,    4,    4,    0,    1,    2,    0x77, 0x00, 0x01, 0x02, 0x03,
    0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91,
    0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33, 0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17,
    0x18, 0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48,
    0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74,
    0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96,
    0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8,
    0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda,
    0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa};

/* Reads the 16 code counts and the symbols. Returns the number of bytes read, or 0 if the table is invalid. */
static int define_huffman(struct huffman *table, const uint8_t *bytes, int length) {
  if (length < 16) return 0;
  memset(table, 0, sizeof *table);
  int code = 0, index = 0;
  for (int bits = 1; bits <= 16; bits++) {
    int codes = bytes[bits - 1];
    if (index + codes > 256 || code + codes > 1 << bits || 16 + index + codes > length) return 0;
    table->offset[bits] = index - code;
    for (int nth = 0; nth < codes; nth++, code++, index++) {
      uint8_t symbol = table->symbols[index] = bytes[16 + index];
      if (bits > FAST_BITS) continue;
      int first = code << (FAST_BITS - bits);
      for (int other = 0; other < 1 << (FAST_BITS - bits); other++) table->fast[first + other] = bits << 8 | symbol;
    }
    table->end[bits] = code;
    code <<= 1;
  }
  table->is_defined = true;
  return 16 + index;
}

static void define_standard_tables(struct decoder *d) {
  define_huffman(&d->dc[0], STANDARD_DC, sizeof STANDARD_DC);
  define_huffman(&d->dc[1], STANDARD_DC_COLOUR, sizeof STANDARD_DC_COLOUR);
  define_huffman(&d->ac[0], STANDARD_AC, sizeof STANDARD_AC);
  define_huffman(&d->ac[1], STANDARD_AC_COLOUR, sizeof STANDARD_AC_COLOUR);
}

/* The data of a scan ends at the first marker. */
static void refill(struct decoder *d) {
  while (d->available <= 56) {
    uint8_t byte = 0;
    if (d->at < d->end && (*d->at != 0xff || (d->end - d->at > 1 && d->at[1] == 0))) {
      byte = *d->at;
      d->at += byte == 0xff ? 2 : 1;
    } else {
      d->padding += 8;
    }
    d->bits = d->bits << 8 | byte;
    d->available += 8;
  }
}

static inline int peek(const struct decoder *d, int count) { return d->bits >> (d->available - count) & ((1u << count) - 1); }

/* Returns the next symbol, or -1 if no code matches. */
static inline int read_symbol(struct decoder *d, const struct huffman *table) {
  if (d->available < 32) refill(d);
  int found = table->fast[peek(d, FAST_BITS)];
  if (found) {
    d->available -= found >> 8;
    return found & 0xff;
  }
  for (int bits = FAST_BITS + 1; bits <= 16; bits++) {
    int code = peek(d, bits);
    if (code < table->end[bits]) {
      d->available -= bits;
      return table->symbols[(code + table->offset[bits]) & 0xff];
    }
  }
  return -1;
}

/* Reads a signed number of `size` bits (at most 15). `read_symbol` makes enough bits available. */
static inline int read_number(struct decoder *d, int size) {
  if (size == 0) return 0;
  int value = peek(d, size);
  d->available -= size;
  return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

/* Inverse DCT of Arai, Agui and Nakajima; `step` is the distance between the values. */
static inline void transform(float *v, int step) {
  float even0 = v[0] + v[4 * step], even1 = v[0] - v[4 * step];
  float sum = v[2 * step] + v[6 * step], difference = (v[2 * step] - v[6 * step]) * 1.414213562f - sum;
  float a0 = even0 + sum, a3 = even0 - sum, a1 = even1 + difference, a2 = even1 - difference;
  float z13 = v[5 * step] + v[3 * step], z10 = v[5 * step] - v[3 * step];
  float z11 = v[step] + v[7 * step], z12 = v[step] - v[7 * step];
  float z5 = (z10 + z12) * 1.847759065f;
  float b7 = z11 + z13;
  float b6 = z5 - z10 * 2.613125930f - b7;
  float b5 = (z11 - z13) * 1.414213562f - b6;
  float b4 = z5 - z12 * 1.082392200f - b5;
  v[0] = a0 + b7, v[7 * step] = a0 - b7, v[step] = a1 + b6, v[6 * step] = a1 - b6;
  v[2 * step] = a2 + b5, v[5 * step] = a2 - b5, v[3 * step] = a3 + b4, v[4 * step] = a3 - b4;
}

static inline uint8_t to_byte(float value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

/* Draws the part of a block that is inside the image. `has_ac` is false if the block contains only its mean. */
static void draw(const struct decoder *d, float *block, bool has_ac, int x, int y) {
  image_u8_t *image = d->image;
  int columns = image->width - x < 8 ? image->width - x : 8, rows = image->height - y < 8 ? image->height - y : 8;
  if (columns <= 0 || rows <= 0) return;
  if (has_ac) {
    for (int column = 0; column < 8; column++) transform(block + column, 8);
    for (int row = 0; row < rows; row++) transform(block + 8 * row, 1);
  }
  for (int row = 0; row < rows; row++) {
    uint8_t *out = image->buf + (y + row) * image->stride + x;
    for (int column = 0; column < columns; column++) out[column] = to_byte((has_ac ? block[8 * row + column] : block[0]) + 128.5f);
  }
}

/* Reads a block, and draws it if it belongs to the first component. */
static bool read_block(struct decoder *d, struct component *component, int x, int y) {
  const struct huffman *ac = &d->ac[component->ac_table];
  bool is_grey = component == d->components, has_ac = false;
  const float *quantisation = d->quantisation[component->quantisation];
  float block[64];
  if (is_grey) memset(block, 0, sizeof block);
  int size = read_symbol(d, &d->dc[component->dc_table]);
  if (size < 0 || size > 11) return false;
  component->prediction += read_number(d, size);
  if (is_grey) block[0] = component->prediction * quantisation[0];
  for (int at = 1; at < 64; at++) {
    int symbol = read_symbol(d, ac);
    if (symbol < 0) return false;
    int run = symbol >> 4;
    size = symbol & 15;
    if (size == 0 && run != 15) break;
    at += run;
    if (at > 63) return false;
    int value = read_number(d, size);
    if (!is_grey || size == 0) continue;
    has_ac = true;
    block[ZIGZAG[at]] = value * quantisation[at];
  }
  if (is_grey) draw(d, block, has_ac, x, y);
  return true;
}

static void start_interval(struct decoder *d) {
  d->bits = 0;
  d->available = d->padding = 0;
  for (int nth = 0; nth < d->count; nth++) d->components[nth].prediction = 0;
}

static bool is_overrun(const struct decoder *d) { return d->padding > d->available; }

/* Continues after the restart marker `expected` (0…7). */
static bool restart(struct decoder *d, int expected) {
  if (is_overrun(d)) return false;
  while (d->end - d->at > 2 && d->at[0] == 0xff && d->at[1] == 0xff) d->at++;
  if (d->end - d->at < 2 || d->at[0] != 0xff || d->at[1] != 0xd0 + expected) return false;
  d->at += 2;
  start_interval(d);
  return true;
}

static enum jpeg_status read_scan(struct decoder *d) {
  int across = 1, down = 1;
  for (int nth = 0; nth < d->count; nth++) {
    if (d->components[nth].across > across) across = d->components[nth].across;
    if (d->components[nth].down > down) down = d->components[nth].down;
  }
  int columns = (d->width + 8 * across - 1) / (8 * across), rows = (d->height + 8 * down - 1) / (8 * down);
  start_interval(d);
  int left = d->restart_interval, restarts = 0;
  for (int row = 0; row < rows; row++) {
    for (int column = 0; column < columns; column++) {
      if (d->restart_interval && left-- == 0) {
        if (!restart(d, restarts++ & 7)) return JPEG_DAMAGED;
        left = d->restart_interval - 1;
      }
      for (int nth = 0; nth < d->count; nth++) {
        struct component *component = &d->components[nth];
        for (int v = 0; v < component->down; v++) {
          for (int h = 0; h < component->across; h++) {
            if (!read_block(d, component, 8 * (column * component->across + h), 8 * (row * component->down + v))) return JPEG_DAMAGED;
          }
        }
      }
    }
    if (is_overrun(d)) return JPEG_DAMAGED;
  }
  refill(d);
  while (d->end - d->at > 2 && d->at[0] == 0xff && d->at[1] == 0xff) d->at++;
  return d->end - d->at >= 2 && d->at[0] == 0xff && d->at[1] == 0xd9 ? JPEG_OK : JPEG_DAMAGED;
}

static bool read_quantisation(struct decoder *d, const uint8_t *bytes, int length) {
  static const float SCALES[8] = {1, 1.387039845f, 1.306562965f, 1.175875602f, 1, 0.785694958f, 0.541196100f, 0.275899379f};
  while (length > 0) {
    int width = (bytes[0] >> 4) + 1, table = bytes[0] & 15;
    if (width > 2 || table >= TABLES || length < 1 + 64 * width) return false;
    for (int at = 0; at < 64; at++) {
      int value = width == 2 ? bytes[1 + 2 * at] << 8 | bytes[2 + 2 * at] : bytes[1 + at];
      d->quantisation[table][at] = value * SCALES[ZIGZAG[at] >> 3] * SCALES[ZIGZAG[at] & 7] / 8;
    }
    d->is_quantisation_defined[table] = true;
    bytes += 1 + 64 * width;
    length -= 1 + 64 * width;
  }
  return true;
}

static bool read_huffman(struct decoder *d, const uint8_t *bytes, int length) {
  while (length > 0) {
    int kind = bytes[0] >> 4, table = bytes[0] & 15;
    if (kind > 1 || table >= TABLES) return false;
    int used = define_huffman(kind ? &d->ac[table] : &d->dc[table], bytes + 1, length - 1);
    if (used == 0) return false;
    bytes += 1 + used;
    length -= 1 + used;
  }
  return true;
}

static enum jpeg_status read_size(struct decoder *d, const uint8_t *bytes, int length) {
  if (d->count || length < 6) return JPEG_DAMAGED;
  d->height = bytes[1] << 8 | bytes[2];
  d->width = bytes[3] << 8 | bytes[4];
  d->count = bytes[5];
  if (bytes[0] != 8 || (d->count != 1 && d->count != 3)) return JPEG_UNSUPPORTED;
  if (d->width == 0 || d->height == 0 || length < 6 + 3 * d->count) return JPEG_DAMAGED;
  for (int nth = 0; nth < d->count; nth++) {
    const uint8_t *from = bytes + 6 + 3 * nth;
    struct component component = {.id = from[0], .across = from[1] >> 4, .down = from[1] & 15, .quantisation = from[2]};
    /* In a scan with a single component, the order of the blocks does not depend on the sampling factors. */
    if (d->count == 1) component.across = component.down = 1;
    if (component.across < 1 || component.across > 4 || component.down < 1 || component.down > 4 || component.quantisation >= TABLES) return JPEG_DAMAGED;
    d->components[nth] = component;
    if (component.across > d->components[0].across || component.down > d->components[0].down) return JPEG_UNSUPPORTED;
  }
  return JPEG_OK;
}

static enum jpeg_status read_scan_header(struct decoder *d, const uint8_t *bytes, int length) {
  if (d->count == 0 || length < 4 || length < 4 + 2 * bytes[0]) return JPEG_DAMAGED;
  if (bytes[0] != d->count) return JPEG_UNSUPPORTED;
  for (int nth = 0; nth < d->count; nth++) {
    struct component *component = &d->components[nth];
    const uint8_t *from = bytes + 1 + 2 * nth;
    component->dc_table = from[1] >> 4;
    component->ac_table = from[1] & 15;
    if (from[0] != component->id || component->dc_table >= TABLES || component->ac_table >= TABLES) return JPEG_DAMAGED;
    if (!d->dc[component->dc_table].is_defined || !d->ac[component->ac_table].is_defined) return JPEG_DAMAGED;
    if (!d->is_quantisation_defined[component->quantisation]) return JPEG_DAMAGED;
  }
  return JPEG_OK;
}

static enum jpeg_status check_size(const struct decoder *d, struct jpeg_limits limits) {
  if (limits.width && (d->width != limits.width || d->height != limits.height)) return JPEG_WRONG_SIZE;
  bool is_small = d->width < limits.min_side || d->height < limits.min_side;
  return is_small || d->width > limits.max_pixels / d->height ? JPEG_WRONG_SIZE : JPEG_OK;
}

/* Reads the segments before the scan and then the scan. */
static enum jpeg_status read_segments(struct decoder *d, struct jpeg_limits limits) {
  while (d->end - d->at >= 4) {
    if (*d->at++ != 0xff) return JPEG_DAMAGED;
    while (d->end - d->at > 3 && *d->at == 0xff) d->at++;
    int marker = *d->at++, length = (d->at[0] << 8 | d->at[1]) - 2;
    const uint8_t *content = d->at + 2;
    if (length < 0 || length > d->end - content) return JPEG_DAMAGED;
    d->at = content + length;
    enum jpeg_status status = JPEG_OK;
    if (marker == 0xdb && !read_quantisation(d, content, length)) return JPEG_DAMAGED;
    if (marker == 0xc4 && !read_huffman(d, content, length)) return JPEG_DAMAGED;
    if (marker == 0xdd && length < 2) return JPEG_DAMAGED;
    if (marker == 0xdd) d->restart_interval = content[0] << 8 | content[1];
    if (marker == 0xc0 || marker == 0xc1) {
      status = read_size(d, content, length);
      if (status == JPEG_OK) status = check_size(d, limits);
    } else if ((marker >= 0xc2 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8) || marker == 0xdc) {
      return JPEG_UNSUPPORTED;
    }
    if (marker == 0xda) {
      status = read_scan_header(d, content, length);
      if (status != JPEG_OK) return status;
      d->image = image_u8_create(d->width, d->height);
      return read_scan(d);
    }
    if (status != JPEG_OK) return status;
  }
  return JPEG_DAMAGED;
}

enum jpeg_status jpeg_decode(const uint8_t *bytes, int length, struct jpeg_limits limits, int *width, int *height,
                             image_u8_t **image) {
  if (length < 4 || bytes[0] != 0xff || bytes[1] != 0xd8) return JPEG_NOT_JPEG;
  struct decoder *d = calloc(1, sizeof *d);
  d->at = bytes + 2;
  d->end = bytes + length;
  define_standard_tables(d);
  enum jpeg_status status = read_segments(d, limits);
  *width = d->width;
  *height = d->height;
  if (status == JPEG_OK) *image = d->image;
  else if (d->image) image_u8_destroy(d->image);
  free(d);
  return status;
}
