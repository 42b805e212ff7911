import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ErrorCode, type Fault, GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { beaconMessage } from '../messages.js';
import { type IsRegistered, readBeacon } from '../registry/check.js';
import type { Beacon } from '../registry/schema.js';

/** A parsed row of an import. */
export interface Candidate {
  /** The row's value, which has not been validated yet. */
  value?: unknown;
  /** The row is rejected for these errors. */
  faults?: Fault[];
  /** The row is rejected for this error, unless its ID is registered. */
  unlessRegistered?: Fault;
  /** The first line of the row in a CSV file, counted from 1. */
  line?: number;
}

/** Row numbers start at 1; the header and empty rows are not counted. Line numbers include them. */
export interface RowFault extends Fault {
  row: number;
  line?: number;
  /** The beacon's ID and the invalid value; missing if the row has no such field or could not be read. */
  id?: string;
  value?: string;
}

/** An import is one transaction; at this size, it occupies the writer for about 0.1 s. */
export const MAX_IMPORT = 10_000;
const MAX_FAULTS_LISTED = 1000;
const SLICE = 500;

/** Throws `TOO_LARGE`, or `INVALID_INPUT` with all errors and row numbers. */
export async function checkRows(rows: readonly Candidate[], isRegistered: IsRegistered): Promise<Beacon[]> {
  if (rows.length > MAX_IMPORT) {
    const limits = { limit: MAX_IMPORT, unit: 'beacons', hint: beaconMessage('import-too-long-hint') };
    throw new GatewayError('TOO_LARGE', beaconMessage('import-too-long', { limit: MAX_IMPORT }), limits);
  }
  const beacons: Beacon[] = [];
  const faults: RowFault[] = [];
  const firstWith = new Map<string, Place>();
  for (const [at, candidate] of rows.entries()) {
    if (at % SLICE === SLICE - 1) await nextTurn();
    const place = placeOf(at, candidate);
    const found = faultsOf(candidate, isRegistered);
    if ('faults' in found) {
      faults.push(...found.faults.map((fault) => ({ ...place, ...fault, ...shownValues(candidate, fault) })));
      continue;
    }
    const { id } = found.value;
    const first = firstWith.get(id);
    if (first !== undefined) faults.push({ ...place, path: '/id', message: sameIdAs(first), id, value: id });
    else firstWith.set(id, place);
    beacons.push(found.value);
  }
  if (faults.length > 0) throw importError('INVALID_INPUT', faults);
  return beacons;
}

const MAX_SHOWN = 40;

function shownValues({ value }: Candidate, { path }: Fault): Pick<RowFault, 'id' | 'value'> {
  if (!isJsonObject(value)) return {};
  const [id, own] = [value.id, value[path.slice(1)]].map((member) =>
    typeof member === 'string' || typeof member === 'number' ? String(member).slice(0, MAX_SHOWN) : undefined,
  );
  return { ...(id === undefined ? {} : { id }), ...(own === undefined ? {} : { value: own }) };
}

type Place = Pick<RowFault, 'row' | 'line'>;

function placeOf(at: number, { line }: Candidate): Place {
  return { row: at + 1, ...(line === undefined ? {} : { line }) };
}

function faultsOf(
  { value, faults, unlessRegistered }: Candidate,
  isRegistered: IsRegistered,
): ReturnType<typeof readBeacon> {
  if (faults) return { faults };
  const checked = readBeacon(value, isRegistered);
  if (!unlessRegistered || 'faults' in checked || isRegistered(checked.value.id)) return checked;
  return { faults: [unlessRegistered] };
}

function sameIdAs({ row, line }: Place): Text {
  return line === undefined
    ? beaconMessage('import-same-row', { row })
    : beaconMessage('import-same-line', { line });
}

/** @param conflicts indices in `rows`. */
export function conflictError(conflicts: readonly number[], rows: readonly Candidate[]): GatewayError {
  const message = beaconMessage('import-conflict');
  return importError(
    'CONFLICT',
    conflicts.map((at) => {
      const fault = { path: '/id', message };
      return { ...placeOf(at, rows[at] ?? {}), ...fault, ...shownValues(rows[at] ?? {}, fault) };
    }),
    beaconMessage('import-conflict-hint'),
  );
}

function importError(code: ErrorCode, faults: RowFault[], hint?: Text): GatewayError {
  const rows = new Set(faults.map(({ row }) => row)).size;
  const rejected =
    rows === 1 ? beaconMessage('import-invalid-1') : beaconMessage('import-invalid', { count: rows });
  const message =
    faults.length > MAX_FAULTS_LISTED
      ? beaconMessage('import-listed', { rejected, limit: MAX_FAULTS_LISTED })
      : rejected;
  return new GatewayError(code, message, {
    faults: faults.slice(0, MAX_FAULTS_LISTED),
    ...(hint ? { hint } : {}),
  });
}
