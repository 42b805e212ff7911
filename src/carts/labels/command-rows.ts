import {
  ageText,
  isToday,
  metres,
  type Severity,
  shortest,
  timeWithDay,
  upperFirst,
} from '../../i18n/format.js';
import { begun, continued, principalName } from '../../i18n/messages.js';
import { t } from '../../i18n/shared-text.js';
import type { CommandResult, CommandState, CommandView } from '../command/model.js';
import { commandEndText, commandStateText, commandText, namesStop, turn, wasStopped } from './labels.js';

interface StepRow {
  label: string;
  /** Time since the previous step, with a plus sign; in an ended command's last step, also the total time. */
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
   * For example `0.50 m forward, finished: 0.51 m in 2.2 s` or `0.50 m forward, stopped by anna after 0.25 m in
   * 0.9 s`; with the date if the command is from another day.
   */
  line: string;
  speed: string;
  by: string;
  tone: Severity;
  state: string;
  steps: StepRow[];
  /** The failure reason and the distance driven; empty while the command is running. */
  note: string;
}

const ENDED: readonly CommandState[] = ['FINISHED', 'FAILED', 'EXPIRED', 'CANCELLED', 'REJECTED'];
const BAD: readonly CommandState[] = ['FAILED', 'REJECTED', 'EXPIRED'];

export function hasEnded({ state }: Pick<CommandView, 'state'>): boolean {
  return ENDED.includes(state);
}

/** @param isCurrent false if there is no recent data, so that the command may have ended. */
export function commandRow(command: CommandView, isCurrent = true): CommandRow {
  const time = timeWithDay(command.acceptedAt);
  const state = stateText(command, isCurrent);
  const line = lineOf(command, state);
  return {
    commandId: command.commandId,
    cartID: command.cartID,
    time,
    summary: upperFirst(commandText(command)),
    line: isToday(command.acceptedAt) ? line : `${time}: ${line}`,
    speed: command.kind === 'move' && command.maxSpeed > 0 ? t`at ${metres(command.maxSpeed)}/s` : '',
    by: byOf(command.origin),
    tone: toneOf(command),
    state,
    steps: stepsOf(command),
    note: noteOf(command),
  };
}

function stateText(command: CommandView, isCurrent: boolean): string {
  const text = commandEndText(command);
  return isCurrent || ENDED.includes(command.state) ? text : t`last reported as ${text}`;
}

/** @param how the command's state. */
function lineOf(command: CommandView, how: string): string {
  const { state, timeline, reason, result } = command;
  const what = upperFirst(commandText(command));
  if (!ENDED.includes(state)) return t`${what}, ${how}`;
  const took = millis(timeline.at(-1)?.ms ?? 0);
  if (state === 'FINISHED') {
    return result?.distanceMm
      ? t`${what}, ${how}: ${wentText(result)} in ${took}`
      : t`${what}, ${how} in ${took}`;
  }
  const isNamed = reason !== undefined && wasStopped(command) && namesStop(reason.text);
  const end = isNamed ? continued(reason.text) : how;
  const why = reason && !isNamed ? `: ${continued(reason.text)}` : '';
  return result
    ? t`${what}, ${end} after ${wentText(result)} in ${took}${why}`
    : t`${what}, ${end} after ${took}${why}`;
}

function byOf({ principal, claimed }: CommandView['origin']): string {
  const name = principalName(principal);
  return claimed ? t`${name} (not verified)` : name;
}

function toneOf(command: CommandView): Severity {
  return wasStopped(command) ? 'warn' : stateTone(command.state);
}

function stateTone(state: CommandState): Severity {
  if (BAD.includes(state)) return 'stop';
  if (state === 'CANCELLED' || state === 'PAUSED') return 'warn';
  return state === 'FINISHED' ? 'quiet' : 'live';
}

function stepsOf(command: CommandView): StepRow[] {
  return command.timeline.map(({ state, ms }, index) => {
    const before = command.timeline[index - 1];
    const since = before ? `+${millis(ms - before.ms)}` : '';
    const last = index === command.timeline.length - 1;
    // Without the total, the last step would contradict the duration in the command's line.
    const took = last && index > 1 && ENDED.includes(state) ? t`${since} (${millis(ms)} in total)` : since;
    const label = last ? commandEndText(command) : commandStateText(state);
    return { label, took, tone: last ? toneOf(command) : 'quiet' };
  });
}

/** For example `4 ms`, `412 ms` or `3.2 s`. */
function millis(ms: number): string {
  if (ms < 10) return `${shortest(ms)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : ageText(ms);
}

function noteOf({ kind, reason, result }: CommandView): string {
  const why = reason ? begun(reason.text) : '';
  if (!result || kind === 'stop') return why;
  const moved = t`Movement: ${wentText(result)}`;
  return why === '' ? moved : `${why}. ${moved}`;
}

export function isTurn({ distanceMm, angleDeg }: CommandResult): boolean {
  return distanceMm === 0 && angleDeg !== 0;
}

/** For example `0.25 m`, `about 0.25 m` or `90° left`. */
export function wentText(result: CommandResult): string {
  const went = isTurn(result) ? turn(result.angleDeg) : metres(Math.abs(result.distanceMm));
  return result.estimated ? t`about ${went}` : went;
}
