import { readFileSync } from 'node:fs';

/** What this machine is, and so what may be simulated on it. */
export interface Machine {
  isRaspberryPi: boolean;
}

/** Asks the device tree: only a Raspberry Pi says that it is one. */
export function thisMachine(): Machine {
  try {
    return { isRaspberryPi: readFileSync('/proc/device-tree/model', 'utf8').startsWith('Raspberry Pi') };
  } catch {
    return { isRaspberryPi: false };
  }
}

/**
 * The device behind `serial.path`, or undefined for the simulated controller. A device that is configured or that a Pi
 * should have is never replaced by a simulation when it is missing.
 */
export function devicePath(path: string, { isRaspberryPi }: Machine): string | undefined {
  if (path === 'simulated') return undefined;
  if (path !== 'auto') return path;
  return isRaspberryPi ? '/dev/serial0' : undefined;
}
