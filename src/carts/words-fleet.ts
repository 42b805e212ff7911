import type { FleetRow, FleetState } from './rows-fleet.js';
import { ageText, metres, type Tone, upperFirst } from './words.js';

/** What the fleet page says: on the server for the first lines, in the page for all that come. */

export const STATE_WORDS: Record<FleetState, string> = {
  stopped: 'E-stop latched',
  offline: 'Offline',
  refusing: 'May not move',
  faulty: 'Fault',
  moving: 'Moving',
  ready: 'Ready',
};

const TONES: Record<FleetState, Tone> = {
  stopped: 'stop',
  offline: 'warn',
  refusing: 'warn',
  faulty: 'warn',
  moving: 'live',
  ready: 'quiet',
};

/** One line, ready to be shown. */
export interface FleetLine {
  cartID: number;
  name: string;
  tone: Tone;
  state: string;
  why: string;
  battery: string;
  position: string;
  age: string;
}

/** @param ageMs since the cart's last word, now; null = never heard. */
export function fleetLine(row: FleetRow, ageMs: number | null): FleetLine {
  const { cartID, name, state, why, soc, batteryMv, xMm, yMm } = row;
  const voltage = batteryMv === null ? '–' : `${(batteryMv / 1000).toFixed(1)} V`;
  return {
    ...{ cartID, name, tone: TONES[state], state: STATE_WORDS[state], why: upperFirst(why) },
    battery: soc === null ? voltage : `${soc} %`,
    position: xMm === null || yMm === null ? '–' : `${metres(xMm)}, ${metres(yMm)}`,
    age: ageMs === null ? 'never' : ageText(ageMs),
  };
}
