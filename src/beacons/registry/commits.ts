import type { Commit, CommittedWrite } from '../../shared/ports/ports.js';
import { beaconWrites, type CreateRequest, type RemoveRequest } from './writes.js';

/**
 * The ids of the beacons that a transaction changed, or may have changed; `all` after an import. Empty: the registry is as
 * it was.
 */
export function changedBeacons({ outcome, writes }: Commit): readonly string[] | 'all' {
  const changed: string[] = [];
  for (const write of writes) {
    if (!isOurs(write) || (outcome === 'saved' && !hasEffect(write))) continue;
    if (write.name === 'beacons.import') return 'all';
    changed.push((write.args as CreateRequest | RemoveRequest).id);
  }
  return changed;
}

function isOurs({ name }: CommittedWrite): boolean {
  return Object.hasOwn(beaconWrites, name);
}

function hasEffect({ result }: CommittedWrite): boolean {
  return result !== 'unchanged' && result !== 'conflict' && result !== null;
}
