import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Fault, GatewayError } from '../../shared/errors.js';
import { readBeacon } from '../registry/check.js';
import type { Beacon } from '../registry/schema.js';

/** One row of an import as it was read: still to be checked, or already known to be wrong. */
export type Candidate = { value: unknown } | { faults: Fault[] };

/** A fault with the row it is in; the first row, after any header, is 1. */
export interface RowFault extends Fault {
  row: number;
}

/** One transaction holds so many, and the writer is busy with them for a tenth of a second. */
export const MAX_IMPORT = 10_000;
/** An answer with more faults than this helps nobody. */
const FAULTS_SHOWN = 1000;
/** Rows checked in one turn of the event loop. */
const SLICE = 500;

/** Checks all rows, in slices. Throws `INVALID_INPUT` with every fault and its row, `TOO_LARGE` for too many rows. */
export async function checkRows(rows: readonly Candidate[]): Promise<Beacon[]> {
  if (rows.length > MAX_IMPORT) {
    const limits = { limit: MAX_IMPORT, unit: 'beacons', hint: 'Send several files.' };
    throw new GatewayError('TOO_LARGE', `one import has at most ${MAX_IMPORT} beacons`, limits);
  }
  const beacons: Beacon[] = [];
  const faults: RowFault[] = [];
  const rowOf = new Map<string, number>();
  for (const [at, candidate] of rows.entries()) {
    if (at % SLICE === SLICE - 1) await nextTurn();
    const row = at + 1;
    const checked = 'faults' in candidate ? candidate : readBeacon(candidate.value);
    if ('faults' in checked) {
      faults.push(...checked.faults.map((fault) => ({ row, ...fault })));
      continue;
    }
    const { id } = checked.value;
    const first = rowOf.get(id);
    if (first !== undefined) faults.push({ row, path: '/id', message: `is the same as in row ${first}` });
    else rowOf.set(id, row);
    beacons.push(checked.value);
  }
  if (faults.length > 0) throw refused('INVALID_INPUT', faults);
  return beacons;
}

/** The rows (0 = first) whose id another beacon has, as one error. */
export function inTheWay(conflicts: readonly number[]): GatewayError {
  const message = 'is the id of a beacon with other content';
  return refused(
    'CONFLICT',
    conflicts.map((at) => ({ row: at + 1, path: '/id', message })),
    'Add ?upsert=true to replace what is there.',
  );
}

function refused(code: string, faults: RowFault[], hint?: string): GatewayError {
  const rows = new Set(faults.map(({ row }) => row)).size;
  const count = rows === 1 ? '1 row is' : `${rows} rows are`;
  const shown = faults.length > FAULTS_SHOWN ? `; the first ${FAULTS_SHOWN} faults are listed` : '';
  return new GatewayError(code, `nothing was imported: ${count} wrong${shown}`, {
    faults: faults.slice(0, FAULTS_SHOWN),
    ...(hint ? { hint } : {}),
  });
}
