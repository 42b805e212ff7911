// The files through which the update service, which runs as root, reports to the gateway.

import { isJsonObject } from '../shared/validation/json.js';
import { RUN_CODES, type RunCode } from './progress.js';

const STEPS = [
  'checking',
  'copying',
  'placing',
  'stopping',
  'starting',
  'testing',
  'returning',
  'done',
] as const;
type UpdateStep = (typeof STEPS)[number];

/**
 * `rejected`: nothing was changed. `returned`: the new release was started, and the previous one is running again.
 * `failed`: neither release could be started.
 */
const RESULTS = ['installed', 'returned', 'rejected', 'failed'] as const;
type UpdateResult = (typeof RESULTS)[number];

/**
 * The latest run of the update service, as stored in its file `progress.json`. Times are Unix times in ms.
 */
export interface UpdateRun {
  /** Random; differs for each run. */
  id: string;
  /** The name of the archive; null if the request was not valid. */
  file: string | null;
  /** The version in the archive; null until it is known. */
  version: string | null;
  /** The version that was installed when the run began. */
  from: string | null;
  /** SHA-256 of the archive. */
  sha256: string | null;
  step: UpdateStep;
  /** Null while the update is running. */
  result: UpdateResult | null;
  code: RunCode | null;
  /** An English sentence. */
  reason: string | null;
  /** The names of the checks of `GET /readyz` that no longer passed. */
  failedChecks: readonly string[];
  startedAt: number;
  updatedAt: number;
}

/** Maximum size of the files that the update service writes. */
export const MAX_STATE_BYTES = 64 * 1024;
const MAX_CHECKS = 20;

/** Checks the content of `progress.json`. Returns undefined if it is not valid. */
export function runOf(json: unknown): UpdateRun | undefined {
  if (!isJsonObject(json)) return undefined;
  const { id, file, version, from, sha256, reason, startedAt, updatedAt } = json;
  const [step, result, code] = [
    STEPS.find((known) => known === json.step),
    RESULTS.find((known) => known === json.result),
    RUN_CODES.find((known) => known === json.code),
  ];
  const failedChecks = checksOf(json.failedChecks);
  if (typeof id !== 'string' || !/^[\da-f]{1,64}$/.test(id)) return undefined;
  if (!isShortOrNull(version, 64) || !isShortOrNull(from, 64) || !isShortOrNull(reason, 300))
    return undefined;
  if (!isShortOrNull(file, 120) || !isShortOrNull(sha256, 64) || !failedChecks || !step) return undefined;
  if ((json.result !== null && !result) || (json.code !== null && !code)) return undefined;
  if (!isTime(startedAt) || !isTime(updatedAt)) return undefined;
  return {
    id,
    file,
    version,
    from,
    sha256,
    step,
    result: result ?? null,
    code: code ?? null,
    reason,
    failedChecks,
    startedAt,
    updatedAt,
  };
}

/** The latest check of the installed files, as in the file `integrity.json`. */
export interface Integrity {
  /** The version whose files were checked. */
  version: string;
  /** An English sentence; null if the files are unchanged. */
  problem: string | null;
}

/** Checks the content of `integrity.json`. Returns undefined if it is not valid. */
export function integrityOf(json: unknown): Integrity | undefined {
  if (!isJsonObject(json)) return undefined;
  const { version, problem } = json;
  if (typeof version !== 'string' || version.length > 64 || !isShortOrNull(problem, 300)) return undefined;
  return { version, problem };
}

function checksOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_CHECKS) return undefined;
  const isName = (name: unknown): name is string => typeof name === 'string' && /^[A-Za-z]{1,40}$/.test(name);
  return value.every(isName) ? value : undefined;
}

function isShortOrNull(value: unknown, maxLength: number): value is string | null {
  return value === null || (typeof value === 'string' && value.length <= maxLength);
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
