import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { gpioMessage } from './messages.js';

/** The `gpio` section of the settings. Pins are BCM numbers on the 40-pin header's chip. */
export interface PinsOptions {
  /** Chip label; `auto` selects the Raspberry Pi's chip. */
  chip: string;
  /** The sysfs number of the chip's first pin if the label is not unique; otherwise null. */
  base: number | null;
  estop: { bcm: number };
  enable: { bcm: number; activeHigh: boolean; mode: 'pulse' | 'level' };
  readBack: { bcm: number | null; activeHigh: boolean };
  led: { bcm: number };
}

/** Returns setting names by BCM number. Throws `SAFETY_UNAVAILABLE` if two settings use the same pin. */
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
    if (other)
      throw pinsUnavailable(
        gpioMessage('pin-twice', { first: other, second: name, bcm }),
        gpioMessage('pin-twice-hint'),
      );
    names.set(bcm, name);
  }
  return names;
}

export function pinsUnavailable(text: Text, hint: Text, cause?: unknown): GatewayError {
  return new GatewayError('SAFETY_UNAVAILABLE', text, { hint, cause });
}

export interface GpioChip {
  /** For example `gpiochip0`; in sysfs, the number of the chip's first pin. */
  name: string;
  label: string;
  lines: number;
}

/** Labels of chips that drive the 40-pin header: the processor or, on the Pi 5, the RP1 chip. */
const HEADER_LABEL = /^pinctrl-(bcm\d+|rp1)$/;
const HEADER_LINES = 28;

/** `auto` selects the header's chip. Throws `SAFETY_UNAVAILABLE` unless exactly one chip matches. */
export function headerChip<Chip extends GpioChip>(chips: readonly Chip[], wanted: string): Chip {
  const matching = chips.filter(({ label }) =>
    wanted === 'auto' ? HEADER_LABEL.test(label) : label === wanted,
  );
  const rp1 = matching.filter(({ label }) => label === 'pinctrl-rp1');
  const [chip, ...others] = rp1.length > 0 ? rp1 : matching;
  const available =
    chips.map(({ name, label }) => `${name} (${label})`).join(', ') || gpioMessage('no-chips');
  if (!chip) {
    const label = wanted === 'auto' ? gpioMessage('pi-label') : gpioMessage('own-label', { label: wanted });
    throw pinsUnavailable(
      gpioMessage('no-chip-has', { what: label, chips: available }),
      gpioMessage('chip-hint'),
    );
  }
  if (others.length > 0)
    throw pinsUnavailable(
      gpioMessage('several-chips', { chips: available }),
      gpioMessage('several-chips-hint'),
    );
  return withHeader(chip);
}

/** Throws `SAFETY_UNAVAILABLE` if the chip has fewer pins than the header. */
export function withHeader<Chip extends GpioChip>(chip: Chip): Chip {
  if (chip.lines >= HEADER_LINES) return chip;
  const { name, label, lines } = chip;
  const text = gpioMessage('chip-too-small', { name, label, lines, needed: HEADER_LINES });
  throw pinsUnavailable(text, gpioMessage('chip-hint'));
}
