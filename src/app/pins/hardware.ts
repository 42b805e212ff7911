import { readFileSync } from 'node:fs';

export interface Machine {
  isRaspberryPi: boolean;
}

export function thisMachine(): Machine {
  try {
    return { isRaspberryPi: readFileSync('/proc/device-tree/model', 'utf8').startsWith('Raspberry Pi') };
  } catch {
    return { isRaspberryPi: false };
  }
}

/**
 * Returns the path of the serial device; undefined if the controller is simulated. A simulation never replaces a
 * missing device.
 */
export function devicePath(path: string, { isRaspberryPi }: Machine): string | undefined {
  if (path === 'simulated') return undefined;
  if (path !== 'auto') return path;
  return isRaspberryPi ? '/dev/serial0' : undefined;
}
