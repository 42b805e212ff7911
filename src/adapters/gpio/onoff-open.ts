import type { Direction, Edge, Gpio } from 'onoff';
import { GatewayError, saidBy } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import {
  claimPin,
  namedPins,
  noPins,
  type PinsOptions,
  type SysfsFiles,
  SysfsLevel,
  sysfsBase,
} from './chip.js';
import { gpioMessage } from './messages.js';

export interface OnoffModule {
  Gpio: new (number: number, direction: Direction, edge?: Edge, options?: { activeLow: boolean }) => Gpio;
}

export interface OnoffPins {
  /** Tells the edges of the E-stop input. */
  estop: Gpio;
  /** Its level at any time. */
  level: SysfsLevel;
  enable: Gpio;
  readBack?: Gpio;
  led: Gpio;
}

/** What the kernel's refusals mean, and what to do about them. */
const REFUSALS: Record<string, [Text, string]> = {
  EINVAL: [gpioMessage('no-such-pin'), 'Leave gpio.chip and gpio.base as they are by default.'],
  EACCES: [gpioMessage('not-permitted'), 'The user who runs the gateway must be in the group gpio.'],
  EPERM: [gpioMessage('not-permitted'), 'The user who runs the gateway must be in the group gpio.'],
  EBUSY: [gpioMessage('taken'), 'Choose another pin, or take that driver out of config.txt.'],
};

/**
 * Exports every pin. Throws `SAFETY_UNAVAILABLE`, whose cause is `EACCES` until udev has handed the pins over: whoever
 * leaves the exporting to onoff has the whole process wait for that in a loop of up to 10,000 tries a file.
 */
export function claimPins(options: PinsOptions, root: string, files: SysfsFiles): void {
  const base = sysfsBase(root, options);
  for (const [bcm, name] of namedPins(options)) {
    asPin(bcm, name, base, () => claimPin(root, base + bcm, files));
  }
}

/**
 * Opens every pin, outputs switched off. All or none: throws `SAFETY_UNAVAILABLE`, which names the pin and the setting.
 */
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

/** Opens the motor enable alone, switched off, and leaves it so. */
export function switchOffOnoff(module: OnoffModule, options: PinsOptions, root: string): void {
  openEnable(opener(module, options, sysfsBase(root, options)), options);
}

/**
 * Lets go of the inputs. The outputs stay exported, driven to "off": a pin that is let go floats, and a low level may
 * mean "on".
 */
export function closeOnoff({ estop, level, readBack }: Partial<OnoffPins>): void {
  level?.close();
  estop?.unexport();
  readBack?.unexport();
}

type Open = (bcm: number, direction: Direction, edge?: Edge) => Gpio;

function openEnable(open: Open, { enable }: PinsOptions): Gpio {
  return open(enable.bcm, enable.activeHigh ? 'low' : 'high');
}

/** Opens pins of one chip. */
function opener(module: OnoffModule, options: PinsOptions, base: number): Open {
  const names = namedPins(options);
  return (bcm, direction, edge) =>
    asPin(bcm, names.get(bcm) ?? '', base, () => {
      const pin = new module.Gpio(base + bcm, direction, edge, { activeLow: false });
      check(pin, direction, edge);
      return pin;
    });
}

/** What fails is told with the pin, its setting and what to do. */
function asPin<T>(bcm: number, name: string, base: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const [why = saidBy(error), hint = 'Is another program using it?'] = REFUSALS[code] ?? [];
    throw noPins(gpioMessage('pin-unusable', { bcm, name, number: base + bcm, reason: why }), hint, error);
  }
}

/** onoff keeps quiet when a pin that was exported before cannot be set up, so every pin is read back. */
function check(pin: Gpio, direction: Direction, edge: Edge | undefined): void {
  const wanted = direction === 'in' ? 'in' : 'out';
  const found = pin.direction();
  if (found !== wanted) throw wrong(gpioMessage('direction-fixed', { direction: found, wanted }));
  if (pin.activeLow()) throw wrong('it is inverted (active_low) and cannot be changed back');
  if (edge && pin.edge() !== edge) throw wrong(`it tells the edges "${pin.edge()}" and not "${edge}"`);
  const off = direction === 'high' ? 1 : 0;
  if (wanted === 'out' && pin.readSync() !== off)
    throw wrong(gpioMessage('wrong-direction', { direction: off }));
}

function wrong(text: Text): GatewayError {
  return new GatewayError('SAFETY_UNAVAILABLE', text);
}
