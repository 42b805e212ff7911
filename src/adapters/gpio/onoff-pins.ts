import type { Direction, Edge, Gpio } from 'onoff';
import { errorText, GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { namedPins, type PinsOptions, pinsUnavailable } from './chip.js';
import { gpioMessage } from './messages.js';
import { claimPin, type SysfsFiles, SysfsLevel, sysfsBase } from './sysfs.js';

export interface OnoffModule {
  Gpio: new (number: number, direction: Direction, edge?: Edge, options?: { activeLow: boolean }) => Gpio;
}

export interface OnoffPins {
  estop: Gpio;
  level: SysfsLevel;
  enable: Gpio;
  readBack?: Gpio;
  led: Gpio;
}

const KERNEL_ERRORS: Record<string, [Text, Text]> = {
  EINVAL: [gpioMessage('no-such-pin'), gpioMessage('no-such-pin-hint')],
  EACCES: [gpioMessage('not-permitted'), gpioMessage('not-permitted-hint')],
  EPERM: [gpioMessage('not-permitted'), gpioMessage('not-permitted-hint')],
  EBUSY: [gpioMessage('taken'), gpioMessage('taken-hint')],
};

/**
 * Throws an error with cause `EACCES` until udev has granted access; onoff itself would busy-wait for the
 * access.
 */
export function claimPins(options: PinsOptions, root: string, files: SysfsFiles): void {
  const base = sysfsBase(root, options);
  for (const [bcm, name] of namedPins(options)) {
    withPinContext(bcm, name, base, () => claimPin(root, base + bcm, files));
  }
}

/** Opens all pins, with the outputs off, or none of them. Throws `SAFETY_UNAVAILABLE`. */
export function openOnoff(module: OnoffModule, options: PinsOptions, root: string): OnoffPins {
  const base = sysfsBase(root, options);
  const open = opener(module, options, base);
  const { estop, readBack, led } = options;
  const pins: Partial<OnoffPins> = {};
  try {
    pins.estop = open(estop.bcm, 'in', 'both');
    pins.level = new SysfsLevel(root, base + estop.bcm);
    if (readBack.bcm !== null) pins.readBack = open(readBack.bcm, 'in');
    const enable = openEnable(open, options);
    return { ...pins, estop: pins.estop, level: pins.level, enable, led: open(led.bcm, 'low') };
  } catch (error) {
    closeOnoff(pins);
    throw error;
  }
}

export function switchOffOnoff(module: OnoffModule, options: PinsOptions, root: string): void {
  openEnable(opener(module, options, sysfsBase(root, options)), options);
}

/** Releases the inputs but keeps the outputs "off", because a released pin floats, and a low level can mean "on". */
export function closeOnoff({ estop, level, readBack }: Partial<OnoffPins>): void {
  level?.close();
  estop?.unexport();
  readBack?.unexport();
}

type Open = (bcm: number, direction: Direction, edge?: Edge) => Gpio;

function openEnable(open: Open, { enable }: PinsOptions): Gpio {
  return open(enable.bcm, enable.activeHigh ? 'low' : 'high');
}

function opener(module: OnoffModule, options: PinsOptions, base: number): Open {
  const names = namedPins(options);
  return (bcm, direction, edge) =>
    withPinContext(bcm, names.get(bcm) ?? '', base, () => {
      const pin = new module.Gpio(base + bcm, direction, edge, { activeLow: false });
      check(pin, direction, edge);
      return pin;
    });
}

/** Rethrows any error as `SAFETY_UNAVAILABLE` with the pin, the setting and a hint. */
function withPinContext<T>(bcm: number, name: string, base: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const [reason = errorText(error), hint = gpioMessage('pin-unusable-hint')] = KERNEL_ERRORS[code] ?? [];
    throw pinsUnavailable(
      gpioMessage('pin-unusable', { bcm, name, number: base + bcm, reason }),
      hint,
      error,
    );
  }
}

/** Reads the configuration back, because onoff ignores failures to configure a pin that was already exported. */
function check(pin: Gpio, direction: Direction, edge: Edge | undefined): void {
  const wanted = direction === 'in' ? 'in' : 'out';
  const found = pin.direction();
  if (found !== wanted) throw wrong(gpioMessage('direction-fixed', { direction: found, wanted }));
  if (pin.activeLow()) throw wrong(gpioMessage('inverted'));
  if (edge && pin.edge() !== edge)
    throw wrong(gpioMessage('wrong-edge', { edges: pin.edge(), wanted: edge }));
  const off = direction === 'high' ? 1 : 0;
  if (wanted === 'out' && pin.readSync() !== off)
    throw wrong(gpioMessage('wrong-direction', { direction: off }));
}

function wrong(text: Text): GatewayError {
  return new GatewayError('SAFETY_UNAVAILABLE', text);
}
