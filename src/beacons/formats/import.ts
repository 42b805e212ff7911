import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Fault, GatewayError } from '../../shared/errors.js';
import { type IsRegistered, readBeacon } from '../registry/check.js';
import type { Beacon } from '../registry/schema.js';

/** A parsed row of an import: an unvalidated value, or the faults for which the row was rejected. */
export type Candidate = { value: unknown } | { faults: Fault[] };

/** Row numbers start at 1; the header is not counted. */
export interface RowFault extends Fault {
  row: number;
}

/** An import is one transaction; at this size, it occupies the writer for about 0.1 s. */
export const MAX_IMPORT = 10_000;
const MAX_FAULTS_LISTED = 1000;
const SLICE = 500;

/** Throws `TOO_LARGE`, or `INVALID_INPUT` with all errors and row numbers. */
export async function checkRows(rows: readonly Candidate[], isRegistered: IsRegistered): Promise<Beacon[]> {
  if (rows.length > MAX_IMPORT) {
    const limits = { limit: MAX_IMPORT, unit: 'beacons', hint: 'Split the file.' };
    throw new GatewayError('TOO_LARGE', `an import can contain at most ${MAX_IMPORT} beacons`, limits);
  }
  const beacons: Beacon[] = [];
  const faults: RowFault[] = [];
  const rowOf = new Map<string, number>();
  for (const [at, candidate] of rows.entries()) {
    if (at % SLICE === SLICE - 1) await nextTurn();
    const row = at + 1;
    const checked = 'faults' in candidate ? candidate : readBeacon(candidate.value, isRegistered);
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
  if (faults.length > 0) throw importError('INVALID_INPUT', faults);
  return beacons;
}

/** @param conflicts row numbers, counted from 0. */
export function conflictError(conflicts: readonly number[]): GatewayError {
  const message = 'is the id of an existing beacon with different content';
  return importError(
    'CONFLICT',
    conflicts.map((at) => ({ row: at + 1, path: '/id', message })),
    'Add ?upsert=true to replace existing beacons.',
  );
}

function importError(code: string, faults: RowFault[], hint?: string): GatewayError {
  const rows = new Set(faults.map(({ row }) => row)).size;
  const count = rows === 1 ? '1 row is' : `${rows} rows are`;
  const listed =
    faults.length > MAX_FAULTS_LISTED ? `; the first ${MAX_FAULTS_LISTED} errors are listed` : '';
  return new GatewayError(code, `nothing was imported: ${count} invalid${listed}`, {
    faults: faults.slice(0, MAX_FAULTS_LISTED),
    ...(hint ? { hint } : {}),
  });
}
