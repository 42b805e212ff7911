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
import { type GpioChip, headerChip, type PinsOptions, pinsUnavailable, withHeader } from './chip.js';
import { gpioMessage } from './messages.js';

/** Requires a kernel with CONFIG_GPIO_SYSFS. */
export const SYSFS_GPIO = '/sys/class/gpio';

export interface SysfsFiles {
  write(path: string, text: string): void;
  /** Throws `EACCES` unless this process has read and write access to the file. */
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

/** Returns the sysfs number of BCM pin 0, such as 0, 512 or 569. Throws `SAFETY_UNAVAILABLE`. */
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

/** Exports the pin if necessary. Throws `EACCES` until udev has granted access to all of its files. */
export function claimPin(root: string, number: number, files: SysfsFiles): void {
  const dir = join(root, `gpio${number}`);
  if (!existsSync(dir)) files.write(join(root, 'export'), String(number));
  for (const file of readdirSync(dir)) if (PIN_FILES.includes(file)) files.mayUse(join(dir, file));
}

/** Has its own file descriptor, because a read from the watcher's descriptor would clear the edge of a short press. */
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
