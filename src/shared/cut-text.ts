/**
 * Cuts a text to at most `max` Unicode code points, as JSON Schema's `maxLength` counts them. A character that
 * consists of several code points, such as an emoji with a skin tone, is kept or dropped as a whole.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  let kept = '';
  let length = 0;
  // A code point has at most two code units, so text beyond `2 * max` code units is never kept and need not be
  // segmented.
  for (const { segment } of graphemes.segment(text.slice(0, 2 * max + 2))) {
    length += [...segment].length;
    if (length > max) break;
    kept += segment;
  }
  // A single character can have more than `max` code points.
  return kept || [...text.slice(0, 2 * max)].slice(0, max).join('');
}
