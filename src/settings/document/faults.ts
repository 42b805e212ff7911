import type { Fault } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { settingsMessage } from '../messages.js';
import type { Section } from '../schema/schema.js';
import type { Reading } from './document.js';
import { FILE_NAME } from './file.js';

/** A wrong guess in one of these can move a cart too far, too fast, or not stop it. */
const BLOCKING: readonly Section[] = [
  'gateway',
  'serial',
  'units',
  'presets',
  'kinematics',
  'limits',
  'gpio',
  'safety',
];

/** The same faults with the file in their path: `variables.json:/limits/ttlMs`. */
function inFile(faults: Iterable<Fault>): Fault[] {
  return [...faults].map(({ path, message }) => ({ path: `${FILE_NAME}:${path}`, message }));
}

/** Everything that is wrong with a reading of the file. */
export function faultsOf({ invalid, unknown }: Reading): Fault[] {
  return inFile([...invalid.values()].flat().concat(unknown));
}

/** Why nothing may move with these settings, for people; empty when it may. */
export function blockedBy({ invalid }: Reading, lost: string): Text {
  if (lost) return settingsMessage('lost', { file: FILE_NAME, reason: lost });
  const [first, ...others] = BLOCKING.flatMap((section) => invalid.get(section) ?? []);
  if (!first) return '';
  const fault = { file: FILE_NAME, path: first.path, fault: first.message };
  return others.length > 0
    ? settingsMessage('blocked-more', { ...fault, more: others.length })
    : settingsMessage('blocked', fault);
}
