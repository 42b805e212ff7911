import type { CommandState } from '../../../carts/command/model.js';
import { commandStateText, commandText } from '../../../carts/labels/labels.js';
import { upperFirst } from '../../../i18n/format.js';
import { translated } from '../../../i18n/messages.js';
import { field, post, type Reply } from '../post.js';
import { TEXTS } from '../texts.js';

/**
 * Timeout in ms. Longer than the gateway waits for an acknowledgement, so that the gateway's response arrives
 * first.
 */
const ANSWER_WITHIN_MS = 12_000;

export interface CommandAnswer {
  /** False if there was no response: the cart may have received the command. */
  isAnswered: boolean;
  tone: 'quiet' | 'stop';
  lines: readonly string[];
}

/** Sends a command to `POST /`. Never throws. */
export async function sendCommand(
  command: Readonly<Record<string, string | number>>,
): Promise<CommandAnswer> {
  const reply = await post('/', command, { timeoutMs: ANSWER_WITHIN_MS });
  if (reply.status === 0) return { isAnswered: false, tone: 'stop', lines: [TEXTS.noAnswer] };
  if (!reply.ok) return { isAnswered: true, tone: 'stop', lines: rejection(reply) };
  const state = upperFirst(commandStateText(field(reply.body, 'state') as CommandState));
  return { isAnswered: true, tone: 'quiet', lines: [state] };
}

/** Shows the lines as paragraphs, in the colour of the tone. */
export function showLines(
  box: HTMLElement | undefined,
  { tone, lines }: Pick<CommandAnswer, 'tone' | 'lines'>,
): void {
  if (!box) return;
  box.dataset.tone = tone;
  box.replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement('p'), { textContent: line })),
  );
}

/** For example `Turn 90° left, then 1.00 m forward`. */
export function motionText(distanceMm: number, angleDeg: number): string {
  return upperFirst(commandText({ kind: 'move', distanceMm, angleDeg }));
}

function rejection({ message, faults, hint }: Reply): string[] {
  const texts = faults.map(({ path, message }) => `${path.replace('/', '')} ${translated(message)}`);
  return [TEXTS.refused, `${upperFirst(message)}.`.replace('..', '.'), ...texts, hint].filter(Boolean);
}

/**
 * Returns a version 4 UUID. `crypto.randomUUID` exists only in secure contexts, but carts may use plain HTTP.
 */
export function newCommandId(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  const bytes = (crypto as Crypto).getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, at) => {
    const fixed = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return fixed.toString(16).padStart(2, '0');
  });
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
