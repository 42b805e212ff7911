import type { Gpio } from 'onoff';
import { errorText, GatewayError, messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import { type PinsOptions, pinsUnavailable } from './chip.js';
import { EstopEdges } from './edges.js';
import { gpioMessage } from './messages.js';
import {
  claimPins,
  closeOnoff,
  type OnoffModule,
  type OnoffPins,
  openOnoff,
  switchOffOnoff,
} from './onoff-pins.js';
import { KERNEL_FILES, SYSFS_GPIO, type SysfsFiles } from './sysfs.js';

/** Interval between attempts; `MAX_TRIES` attempts give udev 30 s to grant access. */
const RETRY_MS = 100;
const MAX_TRIES = 300;

export interface OnoffKernel {
  root?: string;
  files?: SysfsFiles;
  load?: () => Promise<OnoffModule>;
}

export interface OnoffDeps extends OnoffKernel {
  clock: Clock;
  log: Log;
}

/** Switches the motor enable off and uses no other pin. Rejects with `SAFETY_UNAVAILABLE`. */
export async function motorsOffByOnoff(options: PinsOptions, kernel: OnoffKernel = {}): Promise<void> {
  const { root, load } = kernelOf(kernel);
  switchOffOnoff(await load(), options, root);
}

/** Opens pins through sysfs. Rejects with `SAFETY_UNAVAILABLE` if a pin is missing, busy or misconfigured. */
export async function openOnoffPins(options: PinsOptions, deps: OnoffDeps): Promise<SafetyPins> {
  const { root, files, load } = kernelOf(deps);
  const module = await load();
  for (let tries = 1; ; tries++) {
    try {
      claimPins(options, root, files);
      return new SysfsPins(options, openOnoff(module, options, root), deps.log);
    } catch (error) {
      // udev grants access to an exported pin with a delay, which is longer during boot.
      if (!isForbidden(error) || tries === MAX_TRIES) throw error;
      if (tries === 1) deps.log.info('pins.awaited', { reason: messageOf(error) });
      await new Promise<void>((resolve) => deps.clock.after(RETRY_MS, resolve));
    }
  }
}

function isForbidden(error: unknown): boolean {
  return (
    error instanceof GatewayError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EACCES'
  );
}

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
  #ledFailed = false;

  constructor(options: PinsOptions, pins: OnoffPins, log: Log) {
    this.#options = options;
    this.#pins = pins;
    this.#log = log;
    this.#edges = new EstopEdges(pins.estop.readSync() === 1);
    pins.estop.watch((error, value) =>
      error ? this.#fail('read-failed', error) : this.#edges.record(value === 1),
    );
  }

  readEstopHealthy(): boolean {
    if (this.#fault) throw this.#fault;
    return this.#edges.current ?? this.#pins.level.isHigh();
  }

  onEstopEdge(listener: () => void): Cancel {
    return this.#edges.on(listener);
  }

  writeEnable(on: boolean): void {
    try {
      write(this.#pins.enable, on === this.#options.enable.activeHigh);
    } catch (error) {
      this.#fail('switch-failed', error);
    }
  }

  readPowered(): boolean | undefined {
    const { readBack } = this.#pins;
    return readBack && (readBack.readSync() === 1) === this.#options.readBack.activeHigh;
  }

  writeLed(on: boolean): void {
    if (this.#ledFailed) return;
    try {
      write(this.#pins.led, on);
    } catch (error) {
      this.#ledFailed = true;
      this.#log.warn('led.failed', { reason: messageOf(error) });
    }
  }

  async close(): Promise<void> {
    this.writeEnable(false);
    this.writeLed(false);
    closeOnoff(this.#pins);
  }

  /** A failed read or write makes every later reading throw, so that the cart does not move. */
  #fail(key: 'read-failed' | 'switch-failed', cause: unknown): void {
    if (this.#fault) return;
    const text = gpioMessage(key, { reason: errorText(cause) });
    this.#fault = pinsUnavailable(text, gpioMessage('pins-failed-hint'), cause);
    this.#log.error('pins.failed', { reason: text });
    this.#edges.alarm();
  }
}

function write(pin: Gpio, high: boolean): void {
  pin.writeSync(high ? 1 : 0);
}
