import type { Gpio } from 'onoff';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Cancel, Clock, Log, SafetyPins } from '../../shared/ports/ports.js';
import { KERNEL_FILES, noPins, type PinsOptions, SYSFS_GPIO, type SysfsFiles } from './chip.js';
import { EstopEdges } from './edges.js';
import {
  claimPins,
  closeOnoff,
  type OnoffModule,
  type OnoffPins,
  openOnoff,
  switchOffOnoff,
} from './onoff-open.js';

const TRY_EVERY_MS = 100;
const TRIES = 300;

export interface OnoffKernel {
  /** The tree of the pins; tests have one of their own. */
  root?: string;
  files?: SysfsFiles;
  load?: () => Promise<OnoffModule>;
}

export interface OnoffDeps extends OnoffKernel {
  clock: Clock;
  log: Log;
}

/** Switches the motors off and touches nothing else. Rejects `SAFETY_UNAVAILABLE` when it cannot. */
export async function motorsOffByOnoff(options: PinsOptions, kernel: OnoffKernel = {}): Promise<void> {
  const { root, load } = kernelOf(kernel);
  switchOffOnoff(await load(), options, root);
}

/** Real pins through sysfs. Rejects `SAFETY_UNAVAILABLE` when one of them is missing, taken or not as it should be. */
export async function openOnoffPins(options: PinsOptions, deps: OnoffDeps): Promise<SafetyPins> {
  const { root, files, load } = kernelOf(deps);
  const module = await load();
  for (let tries = 1; ; tries++) {
    try {
      claimPins(options, root, files);
      return new SysfsPins(options, openOnoff(module, options, root), deps.log);
    } catch (error) {
      // udev hands a pin to its group some time after it was exported, later still while the machine starts.
      if (!isForbidden(error) || tries === TRIES) throw error;
      if (tries === 1) deps.log.info('pins.awaited', { reason: messageOf(error) });
      await new Promise<void>((resolve) => deps.clock.after(TRY_EVERY_MS, resolve));
    }
  }
}

function isForbidden(error: unknown): boolean {
  return (
    error instanceof GatewayError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EACCES'
  );
}

/** onoff is native code: it is loaded only where there are pins. */
function kernelOf({
  root = SYSFS_GPIO,
  files = KERNEL_FILES,
  load = () => import('onoff'),
}: OnoffKernel): Required<OnoffKernel> {
  return { root, files, load };
}

class SysfsPins implements SafetyPins {
  readonly kind = 'onoff';
  #options: PinsOptions;
  #pins: OnoffPins;
  #log: Log;
  #edges: EstopEdges;
  #fault: GatewayError | undefined;
  #isLedLost = false;

  constructor(options: PinsOptions, pins: OnoffPins, log: Log) {
    this.#options = options;
    this.#pins = pins;
    this.#log = log;
    this.#edges = new EstopEdges(pins.estop.readSync() === 1);
    pins.estop.watch((error, value) => (error ? this.#fail('read', error) : this.#edges.saw(value === 1)));
  }

  readEstopHealthy(): boolean {
    if (this.#fault) throw this.#fault;
    return this.#edges.told ?? this.#pins.level.isHigh();
  }

  onEstopEdge(listener: () => void): Cancel {
    return this.#edges.on(listener);
  }

  writeEnable(on: boolean): void {
    try {
      write(this.#pins.enable, on === this.#options.enable.activeHigh);
    } catch (error) {
      this.#fail('switch the motors', error);
    }
  }

  readPowered(): boolean | undefined {
    const { readBack } = this.#pins;
    return readBack && (readBack.readSync() === 1) === this.#options.readBack.activeHigh;
  }

  writeLed(on: boolean): void {
    if (this.#isLedLost) return;
    try {
      write(this.#pins.led, on);
    } catch (error) {
      this.#isLedLost = true;
      this.#log.warn('led.lost', { reason: messageOf(error) });
    }
  }

  async close(): Promise<void> {
    this.writeEnable(false);
    this.writeLed(false);
    closeOnoff(this.#pins);
  }

  /** A pin that does not obey is worth as much as a button that nobody watches: from now on nothing moves. */
  #fail(what: string, cause: unknown): void {
    if (this.#fault) return;
    const text = `the pins of this machine failed to ${what}: ${messageOf(cause)}`;
    this.#fault = noPins(text, 'Start the gateway again; if it stays, look at the wiring.', cause);
    this.#log.error('pins.failed', { reason: text });
    this.#edges.alarm();
  }
}

function write(pin: Gpio, high: boolean): void {
  pin.writeSync(high ? 1 : 0);
}
