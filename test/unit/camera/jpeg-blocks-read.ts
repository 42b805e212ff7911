import assert from 'node:assert/strict';

/** Decodes a JPEG that consists of single-colour blocks, with the Huffman tables in the file (T.81 annex F). */
export function readBlocks(jpeg: Buffer): { width: number; height: number; luma: number[][] } {
  const at = (marker: number) => jpeg.indexOf(Buffer.from([0xff, marker])) + 4;
  const frame = at(0xc0);
  const [height, width] = [jpeg.readUInt16BE(frame + 1), jpeg.readUInt16BE(frame + 3)];
  const codes = codesOf(jpeg.subarray(at(0xc4)));
  const scan = at(0xda) + 10;
  const bits = [...jpeg.subarray(scan, -2)]
    .filter((byte, index, all) => !(byte === 0 && all[index - 1] === 255))
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  let position = 0;
  const take = (count: number): string => {
    position += count;
    return bits.slice(position - count, position);
  };
  const difference = (): number => {
    let code = take(1);
    while (!codes.has(code)) code += take(1);
    const category = codes.get(code) ?? 0;
    const value = take(category);
    assert.equal(take(1), '0', 'end of block');
    if (category === 0) return 0;
    const number = Number.parseInt(value, 2);
    return value.startsWith('1') ? number : number - 2 ** category + 1;
  };
  const values = [0, 0, 0];
  const luma = Array.from({ length: Math.ceil(height / 8) }, () =>
    Array.from({ length: Math.ceil(width / 8) }, () => {
      for (const part of values.keys()) values[part] = (values[part] ?? 0) + difference();
      return (values[0] ?? 0) + 128;
    }),
  );
  assert.ok(/^1{0,7}$/.test(bits.slice(position)), 'only padding ones remain');
  return { width, height, luma };
}

/** Returns a Huffman table's codes as bit strings. */
function codesOf(table: Buffer): Map<string, number> {
  const codes = new Map<string, number>();
  let [code, symbol] = [0, 17];
  for (let length = 1; length <= 16; length++) {
    for (let count = table[length] ?? 0; count > 0; count--) {
      codes.set(code.toString(2).padStart(length, '0'), table[symbol++] ?? 0);
      code += 1;
    }
    code <<= 1;
  }
  return codes;
}
