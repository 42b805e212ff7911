import type { Fault } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { settingsMessage } from '../messages.js';
import type { Section } from '../schema/schema.js';
import type { ReadDocument } from './document.js';
import { FILE_NAME } from './file.js';

/** A wrong value in these sections can move a cart too far or too fast, or prevent a stop. */
const BLOCKING: readonly Section[] = [
  'gateway',
  'serial',
  'units',
  'presets',
  'kinematics',
  'limits',
  'protectiveField',
  'gpio',
  'safety',
];

/** Prepends the file name to the paths: `variables.json:/limits/ttlMs`. */
function inFile(faults: Iterable<Fault>): Fault[] {
  return [...faults].map(({ path, message }) => ({ path: `${FILE_NAME}:${path}`, message }));
}

export function faultsOf({ invalid, unknown }: ReadDocument): Fault[] {
  return inFile([...invalid.values()].flat().concat(unknown));
}

/** Returns why the settings block motion; empty if they do not. */
export function motionBlockReason({ invalid }: ReadDocument, lost: string): Text {
  if (lost) return settingsMessage('lost', { file: FILE_NAME, reason: lost });
  const [first, ...others] = BLOCKING.flatMap((section) => invalid.get(section) ?? []);
  if (!first) return '';
  const fault = { file: FILE_NAME, path: first.path, fault: first.message };
  return others.length > 0
    ? settingsMessage('blocked-more', { ...fault, more: others.length })
    : settingsMessage('blocked', fault);
}
