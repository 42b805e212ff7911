import { readFileSync } from 'node:fs';

export interface Machine {
  isRaspberryPi: boolean;
}

/** Detects a Raspberry Pi by its device tree. */
export function thisMachine(): Machine {
  try {
    return { isRaspberryPi: readFileSync('/proc/device-tree/model', 'utf8').startsWith('Raspberry Pi') };
  } catch {
    return { isRaspberryPi: false };
  }
}

/**
 * The serial device for `serial.path`; undefined for the simulated controller. If a configured device or a
 * Pi's default device is missing, it is never replaced by a simulation.
 */
export function devicePath(path: string, { isRaspberryPi }: Machine): string | undefined {
  if (path === 'simulated') return undefined;
  if (path !== 'auto') return path;
  return isRaspberryPi ? '/dev/serial0' : undefined;
}
