import { GatewayError } from '../../shared/errors.js';

/** Which pin does what: the section `gpio` of the settings. Pins are BCM numbers on the chip of the 40-pin header. */
export interface PinsOptions {
  /** The label of the chip; `auto` finds that of a Raspberry Pi. */
  chip: string;
  /** The first sysfs number of the chip, where the label does not tell it apart; null = the label does. */
  base: number | null;
  estop: { bcm: number };
  enable: { bcm: number; activeHigh: boolean; mode: 'pulse' | 'level' };
  /** `bcm` null = no read-back is wired. */
  readBack: { bcm: number | null; activeHigh: boolean };
  led: { bcm: number };
}

/** The pins with what they are for, in words. Throws `SAFETY_UNAVAILABLE` when one is to do two things. */
export function namedPins({ estop, enable, readBack, led }: PinsOptions): ReadonlyMap<number, string> {
  const wanted: [number | null, string][] = [
    [estop.bcm, 'gpio.estop.bcm'],
    [enable.bcm, 'gpio.enable.bcm'],
    [readBack.bcm, 'gpio.readBack.bcm'],
    [led.bcm, 'gpio.led.bcm'],
  ];
  const names = new Map<number, string>();
  for (const [bcm, name] of wanted) {
    if (bcm === null) continue;
    const other = names.get(bcm);
    if (other) throw noPins(`${other} and ${name} are both GPIO ${bcm}`, 'Give each its own pin.');
    names.set(bcm, name);
  }
  return names;
}

/** Why the pins cannot be used: a sentence, and what to do about it. */
export function noPins(text: string, hint: string, cause?: unknown): GatewayError {
  return new GatewayError('SAFETY_UNAVAILABLE', text, { hint, cause });
}
