import {
  ageText,
  isToday,
  lowerFirst,
  metres,
  type Severity,
  shortest,
  timeWithDay,
  upperFirst,
} from '../../i18n/format.js';
import { principalName, translated } from '../../i18n/messages.js';
import { t } from '../../i18n/shared-text.js';
import type { CommandState, CommandView } from '../command/model.js';
import { commandStateText, commandText, turn } from './labels.js';

interface StepRow {
  label: string;
  /** Time since the previous step, with a plus sign and a unit; empty for the first step. */
  took: string;
  tone: Severity;
}

export interface CommandRow {
  commandId: string;
  cartID: number;
  /** Includes the date if the command was not accepted today. */
  time: string;
  summary: string;
  /**
   * What the command did, for example `0.50 m forward, finished in 2.2 s`, preceded by the date and time if it
   * was not accepted today.
   */
  line: string;
  speed: string;
  by: string;
  tone: Severity;
  state: string;
  steps: StepRow[];
  /** The failure reason or the distance driven; empty while the command is running. */
  note: string;
}

const ENDED: readonly CommandState[] = ['FINISHED', 'FAILED', 'EXPIRED', 'CANCELLED', 'REJECTED'];
const BAD: readonly CommandState[] = ['FAILED', 'REJECTED', 'EXPIRED'];

export function commandRow(command: CommandView): CommandRow {
  const time = timeWithDay(command.acceptedAt);
  const line = lineOf(command);
  return {
    commandId: command.commandId,
    cartID: command.cartID,
    time,
    summary: upperFirst(commandText(command)),
    line: isToday(command.acceptedAt) ? line : `${time}: ${line}`,
    speed: command.kind === 'move' && command.maxSpeed > 0 ? t`at ${metres(command.maxSpeed)}/s` : '',
    by: byOf(command.origin),
    tone: stateTone(command.state),
    state: commandStateText(command.state),
    steps: stepsOf(command),
    note: noteOf(command),
  };
}

function lineOf(command: CommandView): string {
  const { state, timeline, reason } = command;
  const what = upperFirst(commandText(command));
  const how = commandStateText(state);
  if (!ENDED.includes(state)) return t`${what}, ${how}`;
  const took = millis(timeline.at(-1)?.ms ?? 0);
  if (state === 'FINISHED') return t`${what}, ${how} in ${took}`;
  const why = reason ? `: ${lowerFirst(translated(reason.text))}` : '';
  return t`${what}, ${how} after ${took}${why}`;
}

function byOf({ principal, claimed }: CommandView['origin']): string {
  const name = principalName(principal);
  return claimed ? t`${name} (not verified)` : name;
}

function stateTone(state: CommandState): Severity {
  if (BAD.includes(state)) return 'stop';
  if (state === 'CANCELLED' || state === 'PAUSED') return 'warn';
  return state === 'FINISHED' ? 'quiet' : 'live';
}

function stepsOf(command: CommandView): StepRow[] {
  return command.timeline.map(({ state, ms }, index) => {
    const before = command.timeline[index - 1];
    const took = before ? `+${millis(ms - before.ms)}` : '';
    const last = index === command.timeline.length - 1;
    return { label: commandStateText(state), took, tone: last ? stateTone(state) : 'quiet' };
  });
}

/** For example `4 ms`, `412 ms` or `3.2 s`. */
function millis(ms: number): string {
  if (ms < 10) return `${shortest(ms)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : ageText(ms);
}

function noteOf({ kind, reason, result }: CommandView): string {
  if (reason) return `${upperFirst(translated(reason.text))} (${reason.code})`;
  if (!result || kind === 'stop') return '';
  const went = result.distanceMm === 0 ? turn(result.angleDeg) : metres(result.distanceMm);
  return result.estimated ? t`Movement: about ${went}` : t`Movement: ${went}`;
}
