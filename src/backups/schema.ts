import type { FromSchema } from 'json-schema-to-ts';
import { GatewayError } from '../shared/errors.js';
import { faultSentence } from '../shared/validation/messages.js';
import { type Checker, checkerFor } from '../shared/validation/validate.js';
import { GROUPS, type Group } from './contents.js';
import { backupMessage } from './messages.js';
import { INTERVALS, type Interval } from './schedule.js';

const passphrase = { type: 'string', maxLength: 256 } as const;
const MIN_PASSPHRASE = 12;

/** A missing or empty passphrase is rejected with `BACKUP_PASSPHRASE`. */
export const newBackupSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    passphrase,
    /** The passphrase again, from a form. */
    repeat: passphrase,
    include: { type: 'array', uniqueItems: true, items: { type: 'string', enum: GROUPS } },
  },
} as const;

export const passphraseSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { passphrase },
} as const;

export const scheduleSchema = {
  ...newBackupSchema,
  required: ['every'],
  properties: { ...newBackupSchema.properties, every: { type: 'string', enum: INTERVALS } },
} as const;

/** A request with the setup code, from the setup page. */
export const setupRestoreSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['code'],
  properties: { code: { type: 'string', minLength: 1, maxLength: 64 }, passphrase },
} as const;

export type NewBackup = FromSchema<typeof newBackupSchema>;

const checkNew = checkerFor<NewBackup>(newBackupSchema);
const checkSetupRestore = checkerFor<FromSchema<typeof setupRestoreSchema>>(setupRestoreSchema);
const checkSchedule = checkerFor<FromSchema<typeof scheduleSchema>>(scheduleSchema);
const checkPassphrase = checkerFor<FromSchema<typeof passphraseSchema>>(passphraseSchema);

/** Throws `INVALID_INPUT`. */
export function newBackupOf(input: unknown): NewBackup {
  return withPassphrase(checked(checkNew, input));
}

/** Throws `INVALID_INPUT`, or `BACKUP_PASSPHRASE` if there is no passphrase. */
export function scheduleOf(input: unknown): {
  every: Interval;
  passphrase: string;
  include: readonly Group[];
} {
  const { every, passphrase: text = '', include = [] } = withPassphrase(checked(checkSchedule, input));
  if (text !== '') return { every, passphrase: text, include };
  const details = { field: 'passphrase', hint: backupMessage('passphrase-hint') };
  throw new GatewayError('BACKUP_PASSPHRASE', backupMessage('passphrase-missing'), details);
}

function withPassphrase<T extends NewBackup>(request: T): T {
  const { passphrase: text = '', repeat = text } = request;
  if (text !== '' && [...text].length < MIN_PASSPHRASE) {
    const details = { field: 'passphrase', limit: MIN_PASSPHRASE, unit: 'characters' };
    throw new GatewayError('INVALID_INPUT', backupMessage('passphrase-short'), details);
  }
  if (repeat !== text) {
    throw new GatewayError('INVALID_INPUT', backupMessage('passphrase-differs'), { field: 'repeat' });
  }
  return request;
}

/** Returns the passphrase; empty if there is none. Throws `INVALID_INPUT`. */
export function passphraseOf(input: unknown): string {
  return checked(checkPassphrase, input).passphrase ?? '';
}

/** Returns the setup code and the passphrase; the latter is empty if there is none. Throws `INVALID_INPUT`. */
export function setupRestoreOf(input: unknown): { code: string; passphrase: string } {
  const { code, passphrase: text = '' } = checked(checkSetupRestore, input);
  return { code, passphrase: text };
}

function checked<T>(check: Checker<T>, input: unknown): T {
  const found = check(input);
  if ('value' in found) return found.value;
  const named = found.faults.map(({ path, message }) => ({ path: path.slice(1), message }));
  throw new GatewayError('INVALID_INPUT', faultSentence(named), { faults: found.faults });
}
