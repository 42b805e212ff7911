import type { CommandResult, CommandState, CommandView } from '../../carts/pure.js';
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
import { commandEndText, commandStateText, commandText, namesStop, turn, wasStopped } from './labels.js';

interface StepRow {
  label: string;
  /**
   * Time since the previous step, with a plus sign; for the last step of a finished command, also the total
   * time.
   */
  took: string;
  tone: Severity;
}

export interface CommandRow {
  commandId: string;
  cartID: number;
  /** Includes the date if the command was not accepted today. */
  time: string;
  summary: string;
  /** The command and its outcome, for example `0.50 m forward, finished: 0.51 m in 2.2 s`. */
  line: string;
  /**
   * For example `Finished: 0.51 m in 2.2 s`, `Stopped by anna after 0.25 m in 0.9 s` or `Running + 2
   * waiting`; with the date if the command is from another day.
   */
  outcome: string;
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

/** The command that a cart is executing; otherwise its next command, or its last one if no command is waiting. */
export interface ShownCommand {
  command: CommandView;
  /** Number of commands that wait for their turn behind this one. */
  waiting: number;
}

const WAITING: readonly CommandState[] = ['ACCEPTED', 'QUEUED'];

/**
 * Returns true for a command that was cancelled before it started. A stop also cancels the waiting commands, which
 * are newer than the command that it interrupted.
 */
function isUnstarted({ state, timeline }: CommandView): boolean {
  return state === 'CANCELLED' && !timeline.some((step) => step.state === 'RUNNING');
}

/** @param commands newest first. */
export function shownCommand(commands: readonly CommandView[], cartID: number): ShownCommand | undefined {
  const own = commands.filter((command) => command.cartID === cartID);
  const open = own.filter((command) => !hasEnded(command) && command.kind !== 'stop');
  const queue = open.filter(({ state }) => WAITING.includes(state));
  const running = open.find(({ state }) => state === 'RUNNING' || state === 'PAUSED');
  const started = running ?? open.filter((command) => !queue.includes(command)).at(-1);
  if (started) return { command: started, waiting: queue.length };
  const command = queue.at(-1) ?? own.find((ended) => !isUnstarted(ended)) ?? own[0];
  return command && { command, waiting: Math.max(0, queue.length - 1) };
}

/**
 * @param isCurrent false if there is no recent data, so that the command may have ended.
 * @param waiting number of commands that wait behind this one.
 */
export function commandRow(command: CommandView, isCurrent = true, waiting = 0): CommandRow {
  const time = timeWithDay(command.acceptedAt);
  const state = stateText(command, isCurrent);
  const summary = upperFirst(commandText(command));
  const how = outcomeOf(command, state);
  const outcome = upperFirst(waiting > 0 ? t('{0} + {1} waiting', how, waiting) : how);
  return {
    commandId: command.commandId,
    cartID: command.cartID,
    time,
    summary,
    line: t('{0}, {1}', summary, how),
    outcome: isToday(command.acceptedAt) ? outcome : `${time}: ${outcome}`,
    speed: command.kind === 'move' && command.maxSpeed > 0 ? t('at {0}/s', metres(command.maxSpeed)) : '',
    by: byOf(command.origin),
    tone: toneOf(command),
    state,
    steps: stepsOf(command),
    note: noteOf(command),
  };
}

function stateText(command: CommandView, isCurrent: boolean): string {
  const text = commandEndText(command);
  return isCurrent || ENDED.includes(command.state) ? text : t('last reported as {0}', text);
}

/** @param how the command's state. */
function outcomeOf(command: CommandView, how: string): string {
  const { state, reason, result } = command;
  if (!ENDED.includes(state)) return how;
  const took = millis(durationMs(command));
  if (state === 'FINISHED') {
    return result?.distanceMm
      ? t('{0}: {1} in {2}', how, wentText(result), took)
      : t('{0} in {1}', how, took);
  }
  const isNamed = reason !== undefined && wasStopped(command) && namesStop(reason.text);
  const end = isNamed ? continued(reason.text) : how;
  const why = reason && !isNamed ? `: ${continued(reason.text)}` : '';
  return result
    ? t('{0} after {1} in {2}{3}', end, wentText(result), took, why)
    : t('{0} after {1}{2}', end, took, why);
}

/** Returns the duration of the motion in ms, or the time since acceptance if the motion did not start. */
function durationMs({ timeline }: CommandView): number {
  const start = timeline.find(({ state }) => state === 'RUNNING');
  return (timeline.at(-1)?.ms ?? 0) - (start?.ms ?? 0);
}

function byOf({ principal, claimed }: CommandView['origin']): string {
  const name = principalName(principal);
  return claimed ? t('{0} (not verified)', name) : name;
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
    // The total is added, because the duration in the command's line does not include the time before the start.
    const took =
      last && index > 1 && ENDED.includes(state) ? t('{0} ({1} in total)', since, millis(ms)) : since;
    const label = last ? commandEndText(command) : commandStateText(state);
    return { label, took, tone: last ? toneOf(command) : 'quiet' };
  });
}

/** Returns a text such as `4 ms`, `412 ms` or `3.2 s`. */
function millis(ms: number): string {
  if (ms < 10) return `${shortest(ms)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : ageText(ms);
}

function noteOf({ kind, reason, result }: CommandView): string {
  const why = reason ? begun(reason.text) : '';
  if (!result || kind === 'stop') return why;
  const moved = t('Movement: {0}', wentText(result));
  return why === '' ? moved : `${why}. ${moved}`;
}

export function isTurn({ distanceMm, angleDeg }: CommandResult): boolean {
  return distanceMm === 0 && angleDeg !== 0;
}

/** Returns a text such as `0.25 m`, `about 0.25 m` or `90° left`. */
export function wentText(result: CommandResult): string {
  const went = isTurn(result) ? turn(result.angleDeg) : metres(Math.abs(result.distanceMm));
  return result.estimated ? t('about {0}', went) : went;
}
