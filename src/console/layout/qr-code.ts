import { encode } from 'uqr';

/** Width of the quiet zone in modules, as required by ISO/IEC 18004. */
const BORDER = 4;

/** A QR code as an SVG path; one unit is one module. */
interface QrCode {
  size: number;
  path: string;
}

/** Throws `RangeError` if the text is too long for a QR code. */
export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const rows = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''));
  return { size, path: rows.join('') };
}
