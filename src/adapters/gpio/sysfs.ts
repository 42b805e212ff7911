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
import { type GpioChip, headerChip, withHeader } from './chip.js';
import { noPins, type PinsOptions } from './options.js';

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
    `no GPIO chip begins at ${base}; there are: ${bases}`,
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
