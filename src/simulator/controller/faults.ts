import { FaultPanel, type FaultRange } from '../fault-panel.js';

const VERBS = {
  /** Sends nothing, but still receives. */
  mute: { defaultValue: 0, min: 0, max: 0 },
  /** Drops the next `n` ACK or NACK frames. */
  dropAck: { defaultValue: 1, min: 1, max: 1_000_000 },
  /** Probability that one bit of an outgoing chunk is flipped. */
  corrupt: { defaultValue: 0.5, min: 0, max: 1 },
  /** Restarts immediately and sends the startup text. */
  reset: { defaultValue: 0, min: 0, max: 0 },
  /** Delay of all output, in ms. */
  slow: { defaultValue: 200, min: 0, max: 60_000 },
  stall: { defaultValue: 0, min: 0, max: 0 },
  /** Interval in ms between random bytes. */
  noise: { defaultValue: 50, min: 1, max: 60_000 },
  /** Reported battery voltage in mV. */
  lowBattery: { defaultValue: 21_000, min: 0, max: 65_535 },
  /** Reported motor temperature in °C. */
  hot: { defaultValue: 95, min: -127, max: 127 },
  /** Number of the distance sensor that makes no measurements. */
  sensorSilent: { defaultValue: 0, min: 0, max: 7 },
  /** Probability that a distance sensor's measurement is missing. */
  sensorDropouts: { defaultValue: 0.02, min: 0, max: 1 },
  /** Pressed bumpers: the sum of 1 (front left), 2 (front right), 4 (rear left) and 8 (rear right). */
  bumper: { defaultValue: 1, min: 0, max: 15 },
  /** Share of the wheels' travel that does not move the cart. */
  wheelSlip: { defaultValue: 0.02, min: 0, max: 0.5 },
} as const satisfies Record<string, FaultRange>;

export type FaultVerb = keyof typeof VERBS;

export const FAULT_VERBS = Object.keys(VERBS) as FaultVerb[];

export function isFaultVerb(text: string): text is FaultVerb {
  return Object.hasOwn(VERBS, text);
}

export class ControllerFaults extends FaultPanel<FaultVerb> {
  constructor() {
    super(VERBS);
  }
}
