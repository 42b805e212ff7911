import type { Message, Text } from '../../shared/messages/message.js';
import type { ProgramEnd } from '../../shared/ports/camera.js';
import { cameraMessage } from '../messages.js';
import type { CameraFault } from './model.js';

/** Everything that keeps the camera from giving pictures. */
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

/** A fault of one of these kinds. */
export interface Classified extends CameraFault {
  code: FaultCode;
}

interface Kind {
  code: FaultCode;
  when: (end: ProgramEnd) => boolean;
  text: Text;
  hint?: Text;
}

const says =
  (pattern: RegExp) =>
  ({ text }: ProgramEnd): boolean =>
    pattern.test(text);

// Only in the last word of the program itself: the camera's libraries call many things invalid.
const BAD_OPTION = /\*\*\*.*(unrecogni[sz]ed option|the argument .* for option|\binvalid\b)/i;

/**
 * The first that fits is it. The order matters: without permission for its memory the camera program goes on to say that
 * there is no camera, and a camera in use has more to say than that it could not be opened.
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
    when: says(/dmaHeap|permission denied/i),
    text: cameraMessage('permission'),
    hint: cameraMessage('permission-hint'),
  },
  {
    code: 'busy',
    when: says(/in use by another process|failed to acquire camera/i),
    text: cameraMessage('busy'),
    hint: cameraMessage('busy-hint'),
  },
  {
    code: 'legacy',
    when: says(/legacy camera stack/i),
    text: cameraMessage('legacy'),
    hint: cameraMessage('legacy-hint'),
  },
  {
    code: 'missing',
    when: says(/no cameras available|camera is not available/i),
    text: cameraMessage('missing'),
    hint: cameraMessage('missing-hint'),
  },
  {
    code: 'unsupported',
    when: says(/only supports the raspberry pi/i),
    text: cameraMessage('unsupported'),
  },
  {
    code: 'bad-option',
    when: (end) => end.code === 'CAMERA_BAD_OPTION' || says(BAD_OPTION)(end),
    text: cameraMessage('bad-option'),
    hint: cameraMessage('bad-option-hint'),
  },
  {
    code: 'stalled',
    when: says(/device timeout detected/i),
    text: cameraMessage('stalled'),
    hint: cameraMessage('stalled-hint'),
  },
  {
    code: 'output',
    when: says(/no space left|failed to (open|write|send)|could(n't| not) (open|write)|connection refused/i),
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
const MOST_LINES = 5;
const LONGEST_LINE = 200;

/**
 * Says in words why a camera program ended. `failure` is why it was ended, when that was our doing: the program may know
 * the reason better, but not that its connection was lost.
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

/** The last lines for people: no control characters, none too long. */
function lastLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\p{Cc}/gu, ' ').trim());
  return lines
    .filter(Boolean)
    .slice(-MOST_LINES)
    .map((line) => line.slice(0, LONGEST_LINE));
}
