import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type GpioChip, headerChip, withHeader } from './pins-chip.js';
import { noPins, type PinsOptions } from './pins-options.js';

/** Where kernels with CONFIG_GPIO_SYSFS show their pins. */
export const SYSFS_GPIO = '/sys/class/gpio';

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
