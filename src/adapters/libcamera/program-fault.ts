import type { ProgramEnd, ProgramFault } from '../../shared/ports/camera.js';

type Condition = (end: Pick<ProgramEnd, 'code' | 'text'>) => boolean;

const matches =
  (pattern: RegExp): Condition =>
  ({ text }) =>
    pattern.test(text);

// Matches only the program's error line, because camera libraries log many harmless "invalid" messages.
const BAD_OPTION = /\*\*\*.*(unrecogni[sz]ed option|the argument .* for option|\binvalid\b)/i;

/**
 * The first matching fault applies. A program that is not permitted to allocate its memory also prints "no
 * cameras available", and a program whose camera is in use also prints that it could not open the camera.
 */
const FAULTS: readonly (readonly [ProgramFault, Condition])[] = [
  ['flood', ({ code }) => code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'],
  ['not-installed', ({ code }) => code === 127],
  ['not-runnable', ({ code }) => code === 126 || code === 'CAMERA_UNUSABLE'],
  ['permission', matches(/dmaHeap|permission denied/i)],
  ['busy', matches(/in use by another process|failed to acquire camera/i)],
  ['legacy', matches(/legacy camera stack/i)],
  ['missing', matches(/no cameras available|camera is not available/i)],
  ['unsupported', matches(/only supports the raspberry pi/i)],
  ['bad-option', (end) => end.code === 'CAMERA_BAD_OPTION' || matches(BAD_OPTION)(end)],
  ['stalled', matches(/device timeout detected/i)],
  [
    'output',
    matches(/no space left|failed to (open|write|send)|could(n't| not) (open|write)|connection refused/i),
  ],
];

/** Adds the fault that the exit status or the output shows, if any. */
export function withFault(end: Pick<ProgramEnd, 'code' | 'text'>): ProgramEnd {
  const [fault] = FAULTS.find(([, isMet]) => isMet(end)) ?? [];
  return fault === undefined ? end : { ...end, fault };
}
