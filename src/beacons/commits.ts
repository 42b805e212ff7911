import type { Commit, CommittedWrite } from '../ports.js';
import { beaconWrites, type CreateRequest, type ImportRequest, type RemoveRequest } from './writes.js';

/** Our writes as the store tells of them: it gives back the arguments that we gave it. */
type BeaconWrite = CommittedWrite &
  (
    | { name: 'beacons.create'; args: CreateRequest }
    | { name: 'beacons.remove'; args: RemoveRequest }
    | { name: 'beacons.import'; args: ImportRequest }
  );

/** The ids of the beacons that a transaction changed, or may have changed; `many` when it was an import. */
export function changedBy({ outcome, writes }: Commit): 'nothing' | 'many' | string[] {
  const ids: string[] = [];
  for (const write of writes) {
    if (!isBeaconWrite(write) || (outcome === 'saved' && changedNothing(write.result))) continue;
    if (write.name === 'beacons.import') return 'many';
    ids.push(write.name === 'beacons.create' ? write.args.beacon.id : write.args.id);
  }
  return ids.length === 0 ? 'nothing' : ids;
}

function isBeaconWrite(write: CommittedWrite): write is BeaconWrite {
  return Object.hasOwn(beaconWrites, write.name);
}

function changedNothing(result: unknown): boolean {
  return result === 'unchanged' || result === 'conflict' || result === null;
}
