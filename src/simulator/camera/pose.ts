import { open, readFile } from 'node:fs/promises';
import type { Cancel, Clock } from '../../shared/ports/ports.js';

/** Where the simulated cart is: mm from its start, x along its first heading; degrees, + = left. */
export interface Pose {
  xMm: number;
  yMm: number;
  headingDeg: number;
}

const PERIOD_MS = 50;
/** Every text has the same length, so that a new one covers the old one whole. */
const LENGTH = 64;

/**
 * Keeps a small file up to date with where the simulated cart is, for the simulated camera, which is a process of its
 * own. One write of one page: a reader sees the old text or the new one. Belongs on a tmpfs.
 */
export function tellPose(path: string, pose: () => Pose | undefined, clock: Clock): Cancel {
  let told = '';
  let isWriting = false;
  const tell = async (): Promise<void> => {
    const now = textOf(pose());
    if (isWriting || now === told) return;
    isWriting = true;
    try {
      const file = await open(path, told === '' ? 'w' : 'r+', 0o600);
      await file.write(now, 0).finally(() => file.close());
      told = now;
    } catch {
      // A picture without the cart is no reason to stop anything; the next turn tries again from the start.
      told = '';
    } finally {
      isWriting = false;
    }
  };
  void tell();
  return clock.every(PERIOD_MS, () => void tell());
}

/** What the file says; undefined when there is none, or no cart. */
export async function readPose(path: string): Promise<Pose | undefined> {
  try {
    const [xMm = Number.NaN, yMm = Number.NaN, headingDeg = Number.NaN] = (await readFile(path, 'utf8'))
      .trim()
      .split(' ')
      .map(Number);
    return [xMm, yMm, headingDeg].every(Number.isFinite) ? { xMm, yMm, headingDeg } : undefined;
  } catch {
    return undefined;
  }
}

function textOf(pose: Pose | undefined): string {
  const text = pose
    ? [pose.xMm, pose.yMm, pose.headingDeg].map((value) => value.toFixed(2)).join(' ')
    : 'none';
  return text.padEnd(LENGTH - 1).concat('\n');
}
