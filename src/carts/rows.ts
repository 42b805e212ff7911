import type { CartView, CommandState, CommandView } from './model.js';
import {
  ageText,
  metres,
  type Said,
  safetySentence,
  safetyTone,
  stateWord,
  type Tone,
  timeOfDay,
  turn,
  upperFirst,
  wish,
} from './words.js';

/**
 * Carts and commands as rows of text, ready to be shown: by mustache on the server, by the pages when news arrives.
 */

export interface StepRow {
  word: string;
  /** ms since the step before, with its sign and unit; empty for the first. */
  took: string;
  tone: Tone;
}

export interface CommandRow {
  commandId: string;
  cartID: number;
  time: string;
  wish: string;
  speed: string;
  by: string;
  tone: Tone;
  state: string;
  steps: StepRow[];
  /** Why it ended otherwise than finished, or how far it went; empty while under way. */
  note: string;
  simulated: boolean;
}

const BAD: readonly CommandState[] = ['FAILED', 'REJECTED', 'EXPIRED'];

/** One command as a row of the table. */
export function commandRow(command: CommandView): CommandRow {
  return {
    commandId: command.commandId,
    cartID: command.cartID,
    time: timeOfDay(command.acceptedAt),
    wish: upperFirst(wish(command)),
    speed: command.kind === 'move' && command.maxSpeed > 0 ? `at ${metres(command.maxSpeed)}/s` : '',
    by: command.origin.principal,
    tone: stateTone(command.state),
    state: stateWord(command.state),
    steps: stepsOf(command),
    note: noteOf(command),
    simulated: command.simulated,
  };
}

function stateTone(state: CommandState): Tone {
  if (BAD.includes(state)) return 'stop';
  if (state === 'CANCELLED' || state === 'PAUSED') return 'warn';
  return state === 'FINISHED' ? 'quiet' : 'live';
}

function stepsOf(command: CommandView): StepRow[] {
  return command.timeline.map(({ state, ms }, index) => {
    const before = command.timeline[index - 1];
    const took = before ? `+${millis(ms - before.ms)}` : '';
    const last = index === command.timeline.length - 1;
    return { word: stateWord(state), took, tone: last ? stateTone(state) : 'quiet' };
  });
}

/** `4 ms`, `412 ms`, `3.2 s`: three figures are enough to see which step was slow. */
function millis(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : ageText(ms);
}

function noteOf({ kind, reason, result }: CommandView): string {
  if (reason) return `${upperFirst(reason.text)} (${reason.code})`;
  if (!result || kind === 'stop') return '';
  const went = result.distanceMm === 0 ? turn(result.angleDeg) : metres(result.distanceMm);
  return `${result.estimated ? 'Went about' : 'Went'} ${went}`;
}

export interface CartRow extends Said {
  cartID: number;
  name: string;
  simulated: boolean;
  own: boolean;
  /** Ready-made values; a dash where the cart does not say. */
  speed: string;
  heading: string;
  position: string;
  battery: string;
  motors: string;
  driver: string;
  control: string;
  age: string;
  faults: string[];
}

const DASH = '–';

/** One cart as a row: a sentence and its live values. */
export function cartRow(cart: CartView, command?: CommandView): CartRow {
  const { telemetry, pose } = cart;
  return {
    cartID: cart.cartID,
    name: cart.name,
    simulated: cart.simulated,
    own: cart.destination === 'serial',
    tone: safetyTone(cart),
    text: safetySentence(cart, command),
    speed: telemetry ? `${metres(telemetry.speedMmps)}/s` : DASH,
    heading: pose ? `${Math.round(pose.headingDeg)}°` : DASH,
    position: pose ? `${metres(pose.xMm)}, ${metres(pose.yMm)}` : DASH,
    battery: batteryOf(cart),
    motors: motorsOf(cart),
    driver: cart.link ? `${cart.link.driver}, ${cart.link.delivery}` : 'over MQTT',
    control: cart.controlledBy ?? 'nobody',
    age: cart.ageMs === null ? 'never heard' : ageText(cart.ageMs),
    faults: [...(telemetry?.faults ?? []), ...cart.faults.map(({ message }) => message)],
  };
}

function batteryOf({ telemetry }: CartView): string {
  if (!telemetry) return DASH;
  const parts: string[] = [];
  if (telemetry.soc !== null) parts.push(`${telemetry.soc} %`);
  if (telemetry.batteryMv !== null) parts.push(`${(telemetry.batteryMv / 1000).toFixed(1)} V`);
  return parts.join(', ') || DASH;
}

function motorsOf({ telemetry }: CartView): string {
  const temps = [telemetry?.tempM1C, telemetry?.tempM2C].filter((c) => c !== null && c !== undefined);
  return temps.length > 0 ? `${Math.max(...temps)} °C` : DASH;
}
