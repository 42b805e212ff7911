import type { Message, Text } from '../../shared/messages/message.js';
import type { ProgramEnd } from '../../shared/ports/camera.js';
import { cameraMessage } from '../messages.js';
import type { CameraFault } from './model.js';

export type FaultCode =
  | 'not-installed'
  | 'not-runnable'
  | 'permission'
  | 'busy'
  | 'legacy'
  | 'missing'
  | 'unsupported'
  | 'bad-option'
  | 'stalled'
  | 'output'
  | 'not-jpeg'
  | 'bad-picture'
  | 'flood'
  | 'crashed';

export interface Classified extends CameraFault {
  code: FaultCode;
}

interface Kind {
  code: FaultCode;
  when: (end: ProgramEnd) => boolean;
  text: Text;
  hint?: Text;
}

const matches =
  (pattern: RegExp) =>
  ({ text }: ProgramEnd): boolean =>
    pattern.test(text);

// Matches only the program's error line, because camera libraries log many harmless "invalid" messages.
const BAD_OPTION = /\*\*\*.*(unrecogni[sz]ed option|the argument .* for option|\binvalid\b)/i;

/**
 * The first matching kind applies. A program that is not permitted to allocate its memory also prints "no
 * cameras available", and a program whose camera is in use also prints that it could not open the camera.
 */
const KINDS: readonly Kind[] = [
  {
    code: 'flood',
    when: ({ code }) => code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER',
    text: cameraMessage('flood'),
  },
  {
    code: 'not-installed',
    when: ({ code }) => code === 127,
    text: cameraMessage('not-installed'),
    hint: cameraMessage('not-installed-hint'),
  },
  {
    code: 'not-runnable',
    when: ({ code }) => code === 126 || code === 'CAMERA_UNUSABLE',
    text: cameraMessage('not-runnable'),
    hint: cameraMessage('not-runnable-hint'),
  },
  {
    code: 'permission',
    when: matches(/dmaHeap|permission denied/i),
    text: cameraMessage('permission'),
    hint: cameraMessage('permission-hint'),
  },
  {
    code: 'busy',
    when: matches(/in use by another process|failed to acquire camera/i),
    text: cameraMessage('busy'),
    hint: cameraMessage('busy-hint'),
  },
  {
    code: 'legacy',
    when: matches(/legacy camera stack/i),
    text: cameraMessage('legacy'),
    hint: cameraMessage('legacy-hint'),
  },
  {
    code: 'missing',
    when: matches(/no cameras available|camera is not available/i),
    text: cameraMessage('missing'),
    hint: cameraMessage('missing-hint'),
  },
  {
    code: 'unsupported',
    when: matches(/only supports the raspberry pi/i),
    text: cameraMessage('unsupported'),
  },
  {
    code: 'bad-option',
    when: (end) => end.code === 'CAMERA_BAD_OPTION' || matches(BAD_OPTION)(end),
    text: cameraMessage('bad-option'),
    hint: cameraMessage('bad-option-hint'),
  },
  {
    code: 'stalled',
    when: matches(/device timeout detected/i),
    text: cameraMessage('stalled'),
    hint: cameraMessage('stalled-hint'),
  },
  {
    code: 'output',
    when: matches(
      /no space left|failed to (open|write|send)|could(n't| not) (open|write)|connection refused/i,
    ),
    text: cameraMessage('output'),
    hint: cameraMessage('output-hint'),
  },
];

const SIGNALS: Readonly<Record<number, Message>> = {
  134: cameraMessage('end.aborted'),
  137: cameraMessage('end.killed'),
  139: cameraMessage('end.crashed'),
  143: cameraMessage('end.terminated'),
};
const MAX_LINES = 5;
const MAX_LINE_LENGTH = 200;

/**
 * A fault found in the program's output takes precedence over `failure`, except the fault `output`: if the
 * gateway ended the program, that fault only results from the closed connection.
 * @param failure the reason why the gateway ended the program, if it did.
 */
export function classify(end: ProgramEnd, failure?: Omit<Classified, 'lines'>): Classified {
  const lines = lastLines(end.text);
  const kind = KINDS.find(({ code, when }) => when(end) && !(failure && code === 'output'));
  if (!kind) return { ...(failure ?? crashed(end)), lines };
  const { code, text, hint } = kind;
  return { code, text, ...(hint === undefined ? {} : { hint }), lines };
}

function crashed({ code }: ProgramEnd): Omit<Classified, 'lines'> {
  const how =
    typeof code === 'number'
      ? (SIGNALS[code] ?? cameraMessage('end.with-status', { status: code }))
      : cameraMessage('end.with-reason', { reason: code });
  return { code: 'crashed', text: cameraMessage('crashed', { how }), hint: cameraMessage('crashed-hint') };
}

function lastLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\p{Cc}/gu, ' ').trim());
  return lines
    .filter(Boolean)
    .slice(-MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE_LENGTH));
}
