import type { CommandState } from '../../../carts/pure.js';
import { type Severity, sentence, upperFirst } from '../../../i18n/format.js';
import { translated } from '../../../i18n/messages.js';
import { commandStateText, commandText } from '../../labels/labels.js';
import { field, post, type Reply, textField } from '../post.js';
import { TEXTS } from '../texts.js';

/** Timeout in ms, longer than the gateway's timeout for an acknowledgement. */
const ANSWER_WITHIN_MS = 12_000;

export interface CommandAnswer {
  /** False if there was no response; the cart may still have received the command. */
  isAnswered: boolean;
  tone: 'quiet' | 'stop';
  /** Error code of a rejection. */
  code?: string;
  lines: readonly string[];
}

/** Sends a command and returns the gateway's answer. Never throws. */
export async function sendCommand(
  command: Readonly<Record<string, string | number>>,
): Promise<CommandAnswer> {
  // A queued command is acknowledged only when the cart starts it, so the response does not wait for the
  // acknowledgement.
  const address = command.onBusy === 'queue' ? '/?wait=accept' : '/';
  const reply = await post(address, command, { timeoutMs: ANSWER_WITHIN_MS });
  if (reply.status === 0) return { isAnswered: false, tone: 'stop', lines: [TEXTS.noAnswer] };
  if (!reply.ok)
    return { isAnswered: true, tone: 'stop', code: textField(reply.body, 'code'), lines: rejection(reply) };
  const state = upperFirst(commandStateText(field(reply.body, 'state') as CommandState));
  return { isAnswered: true, tone: 'quiet', lines: [state] };
}

export function showLines(
  box: HTMLElement | undefined,
  { tone, code = '', lines }: { tone: Severity; code?: string; lines: readonly string[] },
): void {
  if (!box) return;
  box.dataset.tone = tone;
  box.dataset.code = code;
  box.replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement('p'), { textContent: line })),
  );
}

/** Returns a text such as `Turn 90° left, then 1.00 m forward`. */
export function motionText(distanceMm: number, angleDeg: number): string {
  return upperFirst(commandText({ kind: 'move', distanceMm, angleDeg }));
}

function rejection({ message, faults, hint }: Reply): string[] {
  const texts = faults.map(({ path, message }) => `${path.replace('/', '')} ${translated(message)}`);
  return [TEXTS.refused, sentence(message), ...texts, hint].filter(Boolean);
}
