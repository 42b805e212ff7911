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

/** Section `gpio` of the settings. Pins are BCM numbers on the chip of the 40-pin header. */
export interface PinsOptions {
  /** Label of the chip; `auto` finds that of a Raspberry Pi. */
  chip: string;
  /** First sysfs number of the chip, if its label is not unique; null = unique. */
  base: number | null;
  estop: { bcm: number };
  enable: { bcm: number; activeHigh: boolean; mode: 'pulse' | 'level' };
  /** `bcm` null = no read-back. */
  readBack: { bcm: number | null; activeHigh: boolean };
  led: { bcm: number };
}

/** Setting names by BCM number. Throws `SAFETY_UNAVAILABLE` if two settings use one pin. */
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

/** The error `SAFETY_UNAVAILABLE` with a hint. */
export function pinsUnavailable(text: Text, hint: Text, cause?: unknown): GatewayError {
  return new GatewayError('SAFETY_UNAVAILABLE', text, { hint, cause });
}

export interface GpioChip {
  /** `gpiochip0`; in sysfs the number is that of its first pin. */
  name: string;
  label: string;
  lines: number;
}

/** Chips of the 40-pin header. On the Pi 5 that is RP1; the processor's own pins are not on the header. */
const HEADER_LABEL = /^pinctrl-(bcm\d+|rp1)$/;
const HEADER_LINES = 28;

/** The chip labelled `wanted`, or the header's for `auto`. Throws `SAFETY_UNAVAILABLE` unless exactly one matches. */
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

/** Returns the chip; throws `SAFETY_UNAVAILABLE` if it has fewer pins than the header. */
function withHeader<Chip extends GpioChip>(chip: Chip): Chip {
  if (chip.lines >= HEADER_LINES) return chip;
  const { name, label, lines } = chip;
  const text = gpioMessage('chip-too-small', { name, label, lines, needed: HEADER_LINES });
  throw pinsUnavailable(text, gpioMessage('chip-hint'));
}

/** Needs a kernel with CONFIG_GPIO_SYSFS. */
export const SYSFS_GPIO = '/sys/class/gpio';

export interface SysfsFiles {
  /** Throws the kernel's error. */
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

/** Sysfs number of BCM pin 0, which differs between kernels (0, 512, 569, …). Throws `SAFETY_UNAVAILABLE`. */
export function sysfsBase(root: string, { chip, base }: Pick<PinsOptions, 'chip' | 'base'>): number {
  const chips = chipsUnder(root);
  if (base === null) return headerChip(chips, chip).base;
  const fixed = chips.find((found) => found.base === base);
  if (fixed) return withHeader(fixed).base;
  const bases = chips.map((found) => found.base).join(', ') || gpioMessage('no-chips');
  throw pinsUnavailable(
    gpioMessage('no-chip-begins-at', { base, chips: bases }),
    gpioMessage('no-chip-begins-at-hint'),
  );
}

/** Exports a pin unless it is exported. Throws `EACCES` until udev has granted the group access to all its files. */
export function claimPin(root: string, number: number, files: SysfsFiles): void {
  const dir = join(root, `gpio${number}`);
  if (!existsSync(dir)) files.write(join(root, 'export'), String(number));
  for (const file of readdirSync(dir)) if (PIN_FILES.includes(file)) files.mayUse(join(dir, file));
}

/** Reads through its own descriptor: a read on the watcher's would clear its edge, and a short press would be missed. */
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
