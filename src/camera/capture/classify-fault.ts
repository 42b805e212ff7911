import type { Message, Text } from '../../shared/messages/message.js';
import type { ProgramEnd, ProgramFault } from '../../shared/ports/camera.js';
import { cameraMessage } from '../messages.js';
import type { CameraFault } from './model.js';

export type FaultCode = ProgramFault | 'not-jpeg' | 'bad-picture' | 'crashed';

export interface Classified extends CameraFault {
  code: FaultCode;
}

const TEXTS: Readonly<Record<ProgramFault, { text: Text; hint?: Text }>> = {
  flood: { text: cameraMessage('flood') },
  'not-installed': { text: cameraMessage('not-installed'), hint: cameraMessage('not-installed-hint') },
  'not-runnable': { text: cameraMessage('not-runnable'), hint: cameraMessage('not-runnable-hint') },
  permission: { text: cameraMessage('permission'), hint: cameraMessage('permission-hint') },
  busy: { text: cameraMessage('busy'), hint: cameraMessage('busy-hint') },
  legacy: { text: cameraMessage('legacy'), hint: cameraMessage('legacy-hint') },
  missing: { text: cameraMessage('missing'), hint: cameraMessage('missing-hint') },
  unsupported: { text: cameraMessage('unsupported') },
  'bad-option': { text: cameraMessage('bad-option'), hint: cameraMessage('bad-option-hint') },
  stalled: { text: cameraMessage('stalled'), hint: cameraMessage('stalled-hint') },
  output: { text: cameraMessage('output'), hint: cameraMessage('output-hint') },
};

const SIGNALS: Readonly<Record<number, Message>> = {
  134: cameraMessage('end.aborted'),
  137: cameraMessage('end.killed'),
  139: cameraMessage('end.crashed'),
  143: cameraMessage('end.terminated'),
};
const MAX_LINES = 5;
const MAX_LINE_LENGTH = 200;

/**
 * The fault that the device has recognised takes precedence over `failure`, except the fault `output`: if the
 * gateway ended the program, that fault only results from the closed connection.
 * @param failure why the gateway ended the program, if it did.
 */
export function classify(end: ProgramEnd, failure?: Omit<Classified, 'lines'>): Classified {
  const lines = lastLines(end.text);
  const { fault } = end;
  if (fault === undefined || (failure && fault === 'output')) return { ...(failure ?? crashed(end)), lines };
  return { code: fault, ...TEXTS[fault], lines };
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
