import type { ProgramEnd } from './device.js';
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
  text: string;
  hint?: string;
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
    text: 'the camera program said more than anybody can listen to',
  },
  {
    code: 'not-installed',
    when: ({ code }) => code === 127,
    text: 'the camera programs are not installed',
    hint: 'Install them: sudo apt install rpicam-apps',
  },
  {
    code: 'not-runnable',
    when: ({ code }) => code === 126 || code === 'CAMERA_UNUSABLE',
    text: 'the camera program cannot be run',
    hint: 'Check that rpicam-vid works for this user, and that its file system is not mounted noexec.',
  },
  {
    code: 'permission',
    when: says(/dmaHeap|permission denied/i),
    text: 'the gateway has no permission to use the camera',
    hint: 'Add its user to the group video, then restart the service: sudo usermod -aG video <user>',
  },
  {
    code: 'busy',
    when: says(/in use by another process|failed to acquire camera/i),
    text: 'another program is using the camera',
    hint: 'Stop the other program, for example libcamera-hello or motion. This one tries again every two seconds.',
  },
  {
    code: 'legacy',
    when: says(/legacy camera stack/i),
    text: 'the old camera system is switched on',
    hint: 'Switch "Legacy Camera" off in sudo raspi-config, then restart the Pi.',
  },
  {
    code: 'missing',
    when: says(/no cameras available|camera is not available/i),
    text: 'no camera is connected',
    hint: 'Check the ribbon cable at both ends with the power off; rpicam-hello --list-cameras shows what is there.',
  },
  {
    code: 'unsupported',
    when: says(/only supports the raspberry pi/i),
    text: 'this machine has no camera that these programs can use',
  },
  {
    code: 'bad-option',
    when: (end) => end.code === 'CAMERA_BAD_OPTION' || says(BAD_OPTION)(end),
    text: 'the camera program does not accept one of the camera settings',
    hint: 'Its last line names the option. Change that setting.',
  },
  {
    code: 'stalled',
    when: says(/device timeout detected/i),
    text: 'the camera has stopped giving pictures',
    hint: 'Most often this is the ribbon cable: seat it anew at both ends with the power off.',
  },
  {
    code: 'output',
    when: says(/no space left|failed to (open|write|send)|could(n't| not) (open|write)|connection refused/i),
    text: 'the camera program could not hand over its pictures',
    hint: 'Check that there is free space in the temporary directory.',
  },
];

const SIGNALS: Readonly<Record<number, string>> = {
  134: 'aborted',
  137: 'was killed',
  139: 'crashed',
  143: 'was ended',
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
  const how = typeof code === 'number' ? (SIGNALS[code] ?? `ended with ${code}`) : `ended (${code})`;
  return { code: 'crashed', text: `the camera program ${how}`, hint: 'It is started again by itself.' };
}

/** The last lines for people: no control characters, none too long. */
function lastLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\p{Cc}/gu, ' ').trim());
  return lines
    .filter(Boolean)
    .slice(-MOST_LINES)
    .map((line) => line.slice(0, LONGEST_LINE));
}
