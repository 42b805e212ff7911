import { spawnSync } from 'node:child_process';

export const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

/**
 * Warnings of ffmpeg (`-v warning`) about the image. Two lines are ignored: while probing the stream it may miss the
 * end of an image, also of libjpeg's own files; and its scaler warns about the full colour range of JPEG.
 */
export function complaintsOf(stderr: string): string {
  const lines = stderr.split('\n');
  const [skipped = '', ...more] = lines.filter((line) => line.endsWith('EOI missing, emulating'));
  const relevant = more.length > 0 ? lines : lines.filter((line) => line !== skipped);
  return relevant.filter((line) => !line.includes('deprecated pixel format used')).join('\n');
}
