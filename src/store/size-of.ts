const MAX_DEPTH = 32;
const WORD_BYTES = 8;
const HEADER_BYTES = 16;

/**
 * About how many bytes plain data takes while it waits, to within a factor of two. Throws on data nested deeper than 32:
 * operations take records and rows, not graphs.
 */
export function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return HEADER_BYTES + 2 * value.length;
  if (typeof value !== 'object' || value === null) return WORD_BYTES;
  if (ArrayBuffer.isView(value)) return HEADER_BYTES + value.byteLength;
  if (depth >= MAX_DEPTH) throw new TypeError('the arguments of a write operation are nested too deeply');
  let bytes = HEADER_BYTES;
  if (Array.isArray(value)) {
    for (const item of value) bytes += sizeOf(item, depth + 1);
    return bytes;
  }
  for (const item of Object.values(value)) bytes += WORD_BYTES + sizeOf(item, depth + 1);
  return bytes;
}
