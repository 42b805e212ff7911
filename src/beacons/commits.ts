import type { Commit, CommittedWrite } from '../ports.js';
import { beaconWrites } from './writes.js';

/** Whether a transaction changed the registry, or may have changed it. */
export function changesBeacons({ outcome, writes }: Commit): boolean {
  return writes.some((write) => isOurs(write) && (outcome === 'unknown' || hasEffect(write)));
}

function isOurs({ name }: CommittedWrite): boolean {
  return Object.hasOwn(beaconWrites, name);
}

function hasEffect({ result }: CommittedWrite): boolean {
  return result !== 'unchanged' && result !== 'conflict' && result !== null;
}
