import { setTimeout } from 'node:timers/promises';
import type { Mosquitto } from '../e2e/mqtt/mosquitto.js';
import type { GatewayProcess } from '../helpers/gateway.js';

const BEACON = { longDescription: 'of the soak', txPower: -59, lat: 52.1, long: 4.3 };
const COMMAND_PAUSE_MS = 200;
const WRITE_PAUSE_MS = 20;
const VIEW_MS = 30_000;
const BROKER_UP_MS = 20_000;
const BROKER_DOWN_MS = 5000;
/** Number of beacons on a large site; each one is overwritten repeatedly. */
const BEACONS = 2000;

/** Simulates a day of activity by users and machines, and counts the actions. */
export class Load {
  readonly #gateway: GatewayProcess;
  readonly #mosquitto: Mosquitto;
  readonly #end = new AbortController();
  readonly beacons = new Map<string, string>();
  readonly count = { writes: 0, commands: 0, refusedCommands: 0, pictures: 0, flaps: 0 };
  #running: Promise<unknown> = Promise.resolve();

  constructor(gateway: GatewayProcess, mosquitto: Mosquitto) {
    this.#gateway = gateway;
    this.#mosquitto = mosquitto;
  }

  start(): void {
    this.#running = Promise.all([this.#write(), this.#command(), this.#watch(), this.#watch(), this.#flap()]);
    // `end()` awaits this promise; until then, a rejection must not count as unhandled.
    this.#running.catch(() => undefined);
  }

  /** Ends all loops and resolves when they have ended; rejects if one of them failed. */
  async end(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #write(): Promise<void> {
    for (let turn = 0; await this.#pause(WRITE_PAUSE_MS); turn += 1) {
      const id = `soak-${turn % BEACONS}`;
      const description = `write ${turn}`;
      const { status, body } = await this.#gateway.call('PUT', `/beacon/${id}`, {
        ...BEACON,
        id,
        description,
      });
      if (status !== 200) throw new Error(`a beacon was rejected with ${status}: ${JSON.stringify(body)}`);
      this.beacons.set(id, description);
      this.count.writes += 1;
    }
  }

  async #command(): Promise<void> {
    for (let turn = 0; await this.#pause(COMMAND_PAUSE_MS); turn += 1) {
      const { status } = await this.#gateway.move(1, turn % 2 === 0 ? 100 : -100, {}, '?wait=done');
      if (status === 200) this.count.commands += 1;
      else this.count.refusedCommands += 1;
    }
  }

  /** Simulates a viewer that watches the live view for half a minute, disconnects and reconnects. */
  async #watch(): Promise<void> {
    while (await this.#pause(0)) {
      const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(VIEW_MS)]);
      try {
        const { body } = await fetch(`${this.#gateway.url}/camera/stream.mjpg?fps=5`, { signal });
        for await (const piece of body ?? []) if (isStartOfPart(piece)) this.count.pictures += 1;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }

  async #flap(): Promise<void> {
    while (await this.#pause(BROKER_UP_MS)) {
      await this.#mosquitto.kill();
      this.count.flaps += 1;
      await this.#pause(BROKER_DOWN_MS);
      await this.#mosquitto.start();
    }
  }

  /** Pauses for `pauseMs`. Returns false if the soak test has ended. */
  async #pause(pauseMs: number): Promise<boolean> {
    await setTimeout(pauseMs, undefined, { signal: this.#end.signal }).catch(() => undefined);
    return !this.#end.signal.aborted;
  }
}

const isStartOfPart = (piece: Uint8Array): boolean => Buffer.from(piece).includes('Content-Type: image/jpeg');
