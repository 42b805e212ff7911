import { translated } from '../../i18n/messages.js';
import { t } from '../../i18n/shared-text.js';
import type { Fault } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';

export type { Fault } from '../../shared/errors.js';

/** Returns true if the fault is in the field at `pointer` or in a nested field. */
export function concerns(pointer: string, { path }: Fault): boolean {
  return path === pointer || path.startsWith(`${pointer}/`);
}

/**
 * Returns a fault's message for display beside the field at `pointer`. For a nested field, the remaining path
 * precedes the message, with indices counted from 1: `/carts/0/cartID` beside `/carts` becomes `1, cartID
 * must be at least 1`.
 * @param list the list at `pointer`, one entry per line; if specified, the message begins with the entry's
 * line: `line 2: must be a whole number`.
 */
export function faultText(pointer: string, fault: Fault, list?: string): string {
  const inside = concerns(pointer, fault) ? fault.path.slice(pointer.length + 1) : '';
  const names = inside.split('/').map((key) => (/^\d+$/.test(key) ? String(Number(key) + 1) : key));
  const text = translated(fault.message);
  if (inside === '') return text;
  return list === undefined
    ? `${names.join(', ')} ${text}`
    : t('line {0}: {1}', lineOf(list, Number(inside)), text);
}

/** Returns the number of an entry's line, counted from 1. Blank lines are not entries. */
function lineOf(list: string, entry: number): number {
  const lines = list.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [at + 1]));
  return lines[entry] ?? entry + 1;
}

interface TrialEnd {
  what: Text;
  outcome: 'confirmed' | 'rolledBack' | 'expired';
  by: Text;
}

/** Returns a text such as `Changes to MQTT broker kept: confirmed by anna.` */
export function trialEndText({ what, outcome, by }: TrialEnd): string {
  const titles = translated(what);
  const name = translated(by);
  if (outcome === 'confirmed') return t('Changes to {0} kept: confirmed by {1}.', titles, name);
  if (outcome === 'rolledBack') return t('Changes to {0} rolled back by {1}.', titles, name);
  return t('Changes to {0} rolled back: not confirmed in time.', titles);
}

export function trialText({ what, by, leftMs }: { what: Text; by: Text; leftMs: number }): string {
  const made = t('{0} changed by {1}.', translated(what), translated(by));
  if (leftMs <= 0)
    return `${made} ${t('The change was not confirmed in time and will be rolled back as soon as the cart is stationary.')}`;
  return `${made} ${t('The change will be rolled back in {0} s unless it is confirmed.', Math.ceil(leftMs / 1000))}`;
}
