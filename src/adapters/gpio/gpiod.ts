import type { GatewayError } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import { headerChip, namedPins, type PinsOptions, pinsUnavailable } from './chip.js';
import { EstopEdges } from './edges.js';
import { type GpiodOutputs, openOutputs } from './gpiod-outputs.js';
import { detectChips, GpiodChild, type GpiodTools, installedTools, run } from './gpiod-tools.js';
import { gpioMessage } from './messages.js';

/** With `MAX_CHECKS`, gives the tools 2 s to claim their pins. */
const CHECK_MS = 25;
const MAX_CHECKS = 80;

interface GpiodDeps {
  clock: Clock;
  log: Log;
}

/**
 * Opens real pins with the libgpiod tools, for kernels without sysfs GPIO. Rejects with `SAFETY_UNAVAILABLE` if
 * a tool or a pin is unavailable. gpiomon starts a few milliseconds after the first reading, and the kernel
 * does not allow a reading while gpiomon holds the line (EBUSY). A press within this time is therefore detected
 * only when the button is released. The same applies to a press whose edge the kernel drops because gpiomon
 * does not read it.
 */
export async function openGpiodPins(options: PinsOptions, deps: GpiodDeps): Promise<SafetyPins> {
  const names = namedPins(options);
  const tools = await installedTools();
  // With libgpiod 1, pulses would start 20 gpioset processes per second, which would delay the heartbeats.
  if (tools.version === 1 && options.enable.mode === 'pulse') {
    const hint = gpioMessage('no-pulse-hint');
    throw pinsUnavailable(gpioMessage('no-pulse'), hint);
  }
  const { name: chip } = headerChip(await detectChips(), options.chip);
  const inputs = [options.estop.bcm, ...(options.readBack.bcm === null ? [] : [options.readBack.bcm])];
  const read = (await run(tools.get(chip, inputs))).trim().split(/\s+/);
  const levels = new Map(inputs.map((line, at) => [line, read[at] === '1']));
  const pins = new GpiodPins({ options, tools, chip, levels, log: deps.log });
  try {
    await waitUntilHeld({ tools, chip, names, inputs, pins, clock: deps.clock });
    return pins;
  } catch (error) {
    await pins.close().catch(() => undefined);
    throw error;
  }
}

/** Switches the motor enable off and uses no other pin. Rejects with `SAFETY_UNAVAILABLE`. */
export async function motorsOffByGpiod({ chip, enable }: PinsOptions): Promise<void> {
  const tools = await installedTools();
  const { name } = headerChip(await detectChips(), chip);
  await run(tools.once(name, [`${enable.bcm}=${enable.activeHigh ? 0 : 1}`]));
}

interface Holding {
  tools: GpiodTools;
  chip: string;
  names: ReadonlyMap<number, string>;
  inputs: readonly number[];
  pins: GpiodPins;
  clock: Clock;
}

/** Resolves when gpioinfo shows that gpiomon or gpioset holds every pin in the correct direction. */
async function waitUntilHeld({ tools, chip, names, inputs, pins, clock }: Holding): Promise<void> {
  for (let checks = 0; ; checks++) {
    const info = await run(tools.info(chip));
    pins.check();
    const missing = [...names].find(([line]) => {
      const [, state = ''] = new RegExp(`^\\s*line\\s+${line}:(.*)$`, 'm').exec(info) ?? [];
      const [tool, direction] = inputs.includes(line) ? ['"gpiomon"', 'input'] : ['"gpioset"', 'output'];
      return !(state.includes(tool) && state.includes(direction));
    });
    if (!missing) return;
    if (checks === MAX_CHECKS)
      throw pinsUnavailable(
        gpioMessage('pin-not-held', { bcm: missing[0], name: missing[1], chip }),
        gpioMessage('pin-not-held-hint'),
      );
    await new Promise<void>((resolve) => clock.after(CHECK_MS, resolve));
  }
}

interface GpiodPinsOptions {
  options: PinsOptions;
  tools: GpiodTools;
  chip: string;
  levels: Map<number, boolean>;
  log: Log;
}

class GpiodPins implements SafetyPins {
  readonly kind = 'gpiod';
  #options: PinsOptions;
  #log: Log;
  #levels: Map<number, boolean>;
  #edges: EstopEdges;
  #monitor: GpiodChild;
  #outputs: GpiodOutputs;
  #fault: GatewayError | undefined;
  #isClosing = false;

  constructor({ options, tools, chip, levels, log }: GpiodPinsOptions) {
    const { estop, enable, led } = options;
    this.#options = options;
    this.#log = log;
    this.#levels = levels;
    this.#edges = new EstopEdges(levels.get(estop.bcm) ?? false);
    this.#monitor = new GpiodChild(tools.monitor(chip, [...levels.keys()]), (line) => this.#onEdge(line));
    void this.#monitor.ended.then((error) => this.#fail(error));
    const off = new Map([
      [enable.bcm, !enable.activeHigh],
      [led.bcm, false],
    ]);
    this.#outputs = openOutputs({ tools, chip, levels: off, onLost: (error) => this.#fail(error) });
  }

  check(): void {
    if (this.#fault) throw this.#fault;
  }

  readEstopHealthy(): boolean {
    this.check();
    return this.#edges.last;
  }

  onEstopEdge(listener: () => void): Cancel {
    return this.#edges.on(listener);
  }

  writeEnable(on: boolean): void {
    const { bcm, activeHigh } = this.#options.enable;
    this.#outputs.set(bcm, on === activeHigh);
  }

  readPowered(): boolean | undefined {
    const { bcm, activeHigh } = this.#options.readBack;
    if (bcm === null) return undefined;
    this.check();
    return this.#levels.get(bcm) === activeHigh;
  }

  writeLed(on: boolean): void {
    this.#outputs.set(this.#options.led.bcm, on);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.writeEnable(false);
    this.writeLed(false);
    this.#monitor.kill();
    await this.#monitor.ended;
    await this.#outputs.close();
  }

  /** Handles an edge: `17 1` is a rising edge on line 17; falling is 0 (version 1) or 2 (version 2). */
  #onEdge(text: string): void {
    const [line, edge] = text.split(' ');
    const high = edge === '1';
    this.#levels.set(Number(line), high);
    if (Number(line) === this.#options.estop.bcm) this.#edges.record(high);
  }

  /** If a tool has exited, every reading throws, so that the cart cannot move with unmonitored pins. */
  #fail(error: GatewayError): void {
    if (this.#fault || this.#isClosing) return;
    this.#fault = error;
    this.#log.error('pins.failed', { reason: error.message });
    this.#edges.alarm();
  }
}
