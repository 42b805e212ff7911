import { encode } from 'uqr';

/** Modules of white around the code: ISO/IEC 18004 wants 4. */
const BORDER = 4;

/** A QR code as an SVG path, one unit a module. */
interface QrCode {
  /** Width and height with the border. */
  size: number;
  path: string;
}

/** Throws a RangeError for a text that is too long for any QR code. */
export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const rows = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''));
  return { size, path: rows.join('') };
}
