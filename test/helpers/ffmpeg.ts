import { spawnSync } from 'node:child_process';

export const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

/**
 * Returns ffmpeg's warnings (`-v warning`) except two: its probe may miss the end of an image, even in files
 * written by libjpeg, and its scaler warns about JPEG's full colour range.
 */
export function complaintsOf(stderr: string): string {
  const lines = stderr.split('\n');
  const [skipped = '', ...more] = lines.filter((line) => line.endsWith('EOI missing, emulating'));
  const relevant = more.length > 0 ? lines : lines.filter((line) => line !== skipped);
  return relevant.filter((line) => !line.includes('deprecated pixel format used')).join('\n');
}
