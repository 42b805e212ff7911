/** Glyphs of 3×5 blocks: one octal digit per row from the top, one bit per block from the left. */
const GLYPHS: Readonly<Record<string, string>> = {
  A: '25755',
  B: '65656',
  C: '34443',
  D: '65556',
  E: '74647',
  F: '74644',
  G: '34553',
  H: '55755',
  I: '72227',
  J: '11152',
  K: '55655',
  L: '44447',
  M: '57755',
  N: '65555',
  O: '25552',
  P: '65644',
  Q: '25563',
  R: '65655',
  S: '34216',
  T: '72222',
  U: '55557',
  V: '55552',
  W: '55775',
  X: '55255',
  Y: '55222',
  Z: '71247',
  0: '75557',
  1: '26227',
  2: '61247',
  3: '61216',
  4: '55711',
  5: '74616',
  6: '34652',
  7: '71122',
  8: '25252',
  9: '25316',
  '.': '00002',
  ',': '00024',
  ':': '02020',
  '-': '00700',
  '+': '02720',
  '/': '11244',
  "'": '22000',
  '"': '55000',
  '!': '22202',
  '(': '12221',
  ')': '42224',
  '%': '51245',
  '=': '07070',
  _: '00007',
  '*': '05250',
  '#': '57575',
  ' ': '00000',
  '?': '61202',
};

export const LETTER = { width: 4, height: 6 } as const;

/** Draws the text in capitals from the top-left corner (0, 0) by calling `set` for every filled block. */
export function drawText(text: string, set: (column: number, row: number) => void): void {
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
  [...letters].forEach((letter, at) => {
    const rows = GLYPHS[letter] ?? GLYPHS['?'] ?? '';
    for (const [row, digit] of [...rows].entries()) {
      for (let bit = 0; bit < 3; bit++) {
        if (Number(digit) & (4 >> bit)) set(at * LETTER.width + bit, row);
      }
    }
  });
}
