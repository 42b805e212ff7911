import { spawnSync } from 'node:child_process';

export const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

/**
 * What ffmpeg says at `-v warning` of the picture itself. Two lines are not of it: while it guesses the stream it skips the
 * picture's data and may miss the end, of libjpeg's own files, too; and its scaler does not like the range of any JPEG.
 */
export function complaintsOf(stderr: string): string {
  const lines = stderr.split('\n');
  const [skipped = '', ...more] = lines.filter((line) => line.endsWith('EOI missing, emulating'));
  const said = more.length > 0 ? lines : lines.filter((line) => line !== skipped);
  return said.filter((line) => !line.includes('deprecated pixel format used')).join('\n');
}
