import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { gpioMessage } from './messages.js';

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
export function noPins(text: Text, hint: string, cause?: unknown): GatewayError {
  return new GatewayError('SAFETY_UNAVAILABLE', text, { hint, cause });
}

/** A GPIO chip as the kernel shows it. */
export interface GpioChip {
  /** `gpiochip0`; under sysfs the number is that of its first pin. */
  name: string;
  label: string;
  lines: number;
}

/** The chips that drive the 40 pins of the Raspberry Pi models. RP1 is the Pi 5's, whose processor has pins of its own beside it. */
const HEADER_LABEL = /^pinctrl-(bcm\d+|rp1)$/;
const HEADER_LINES = 28;

/**
 * The chip with the pins of the header, or with the label `wanted` unless that is `auto`. Throws `SAFETY_UNAVAILABLE`
 * when there is none, or more than one: a pin of another chip may switch anything.
 */
export function headerChip<Chip extends GpioChip>(chips: readonly Chip[], wanted: string): Chip {
  const fitting = chips.filter(({ label }) =>
    wanted === 'auto' ? HEADER_LABEL.test(label) : label === wanted,
  );
  const rp1 = fitting.filter(({ label }) => label === 'pinctrl-rp1');
  const [chip, ...others] = rp1.length > 0 ? rp1 : fitting;
  const seen = chips.map(({ name, label }) => `${name} (${label})`).join(', ') || gpioMessage('no-chips');
  if (!chip) {
    const label = wanted === 'auto' ? gpioMessage('pi-label') : `the label ${wanted}`;
    throw noPins(
      gpioMessage('no-chip-has', { what: label, chips: seen }),
      'Set gpio.chip to the label of the right one.',
    );
  }
  if (others.length > 0)
    throw noPins(
      gpioMessage('several-chips', { chips: seen }),
      'Set gpio.chip, or gpio.base where the labels are the same.',
    );
  return withHeader(chip);
}

/** The chip itself when it is large enough to have the header's pins. */
function withHeader<Chip extends GpioChip>(chip: Chip): Chip {
  if (chip.lines >= HEADER_LINES) return chip;
  const { name, label, lines } = chip;
  throw noPins(
    `${name} (${label}) has ${lines} pins, and BCM numbers go to ${HEADER_LINES - 1}`,
    'Set gpio.chip to the label of the right one.',
  );
}

/** Where kernels with CONFIG_GPIO_SYSFS show their pins. */
export const SYSFS_GPIO = '/sys/class/gpio';

/** How the kernel is asked for pins; tests have one of their own. */
export interface SysfsFiles {
  /** Throws what the kernel refuses with. */
  write(path: string, text: string): void;
  /** Throws `EACCES` unless this process may read and write a file. */
  mayUse(path: string): void;
}

export const KERNEL_FILES: SysfsFiles = {
  write: writeFileSync,
  mayUse: (path) => accessSync(path, constants.R_OK | constants.W_OK),
};

const PIN_FILES = ['value', 'direction', 'active_low', 'edge'];

interface SysfsChip extends GpioChip {
  base: number;
}

/**
 * The sysfs number of BCM pin 0. It differs from kernel to kernel (0, 512, 569, 571, …), so it is never assumed. Throws
 * `SAFETY_UNAVAILABLE` when the chip is not there, is not alone, or is too small.
 */
export function sysfsBase(root: string, { chip, base }: Pick<PinsOptions, 'chip' | 'base'>): number {
  const chips = chipsUnder(root);
  if (base === null) return headerChip(chips, chip).base;
  const fixed = chips.find((found) => found.base === base);
  if (fixed) return withHeader(fixed).base;
  const bases = chips.map((found) => found.base).join(', ') || 'none';
  throw noPins(
    gpioMessage('no-chip-begins-at', { base, chips: bases }),
    'Leave gpio.base empty, or set it to one of them.',
  );
}

/** Exports a pin, if nobody has; throws `EACCES` until udev has handed all of it to the group of the gateway. */
export function claimPin(root: string, number: number, files: SysfsFiles): void {
  const dir = join(root, `gpio${number}`);
  if (!existsSync(dir)) files.write(join(root, 'export'), String(number));
  for (const file of readdirSync(dir)) if (PIN_FILES.includes(file)) files.mayUse(join(dir, file));
}

/**
 * Looks at the level of an exported pin. A file of its own: reading takes the news of an edge away from whoever waits for
 * it on the same open file, so that a short press between two looks would be lost.
 */
export class SysfsLevel {
  readonly #file: number;
  readonly #buffer = Buffer.alloc(1);

  constructor(root: string, number: number) {
    this.#file = openSync(join(root, `gpio${number}`, 'value'), 'r');
  }

  isHigh(): boolean {
    readSync(this.#file, this.#buffer, 0, 1, 0);
    return this.#buffer.toString() === '1';
  }

  close(): void {
    closeSync(this.#file);
  }
}

function chipsUnder(root: string): SysfsChip[] {
  const names = readdirSync(root).filter((name) => /^gpiochip\d+$/.test(name));
  return names.map((name) => {
    const read = (file: string): string => readFileSync(join(root, name, file), 'utf8').trim();
    return { name, label: read('label'), base: Number(read('base')), lines: Number(read('ngpio')) };
  });
}
