import { setTimeout } from 'node:timers/promises';
import type { Mosquitto } from '../e2e/mqtt/mosquitto.js';
import type { GatewayProcess } from '../helpers/gateway.js';

const WORDS = { longDescription: 'of the soak', txPower: -59, lat: 52.1, long: 4.3 };
const COMMAND_PAUSE_MS = 200;
const WRITE_PAUSE_MS = 20;
const VIEW_MS = 30_000;
const BROKER_UP_MS = 20_000;
const BROKER_DOWN_MS = 5000;
/** As many as a fleet of beacons; each is written again and again. */
const BEACONS = 2000;

/** What users and machines do to a gateway all day, counted. */
export class Load {
  readonly #gateway: GatewayProcess;
  readonly #mosquitto: Mosquitto;
  readonly #end = new AbortController();
  /** The description of each beacon that was acknowledged last. */
  readonly beacons = new Map<string, string>();
  readonly count = { writes: 0, commands: 0, refusedCommands: 0, pictures: 0, flaps: 0 };
  #running: Promise<unknown> = Promise.resolve();

  constructor(gateway: GatewayProcess, mosquitto: Mosquitto) {
    this.#gateway = gateway;
    this.#mosquitto = mosquitto;
  }

  start(): void {
    this.#running = Promise.all([this.#write(), this.#command(), this.#watch(), this.#watch(), this.#flap()]);
    // Awaited in end(); until then a failure must not count as unhandled.
    this.#running.catch(() => undefined);
  }

  /** Resolves when everybody has put down what they held; rejects when one of them was let down. */
  async end(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #write(): Promise<void> {
    for (let turn = 0; await this.#goesOn(WRITE_PAUSE_MS); turn += 1) {
      const id = `soak-${turn % BEACONS}`;
      const description = `write ${turn}`;
      const { status, body } = await this.#gateway.call('PUT', `/beacon/${id}`, {
        ...WORDS,
        id,
        description,
      });
      if (status !== 200) throw new Error(`a beacon was refused with ${status}: ${JSON.stringify(body)}`);
      this.beacons.set(id, description);
      this.count.writes += 1;
    }
  }

  async #command(): Promise<void> {
    for (let turn = 0; await this.#goesOn(COMMAND_PAUSE_MS); turn += 1) {
      const { status } = await this.#gateway.move(1, turn % 2 === 0 ? 100 : -100, {}, '?wait=done');
      if (status === 200) this.count.commands += 1;
      else this.count.refusedCommands += 1;
    }
  }

  /** A viewer who looks for half a minute, leaves, and comes again. */
  async #watch(): Promise<void> {
    while (await this.#goesOn(0)) {
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
    while (await this.#goesOn(BROKER_UP_MS)) {
      await this.#mosquitto.kill();
      this.count.flaps += 1;
      await this.#goesOn(BROKER_DOWN_MS);
      await this.#mosquitto.start();
    }
  }

  /** Pauses; false when the soak is over. */
  async #goesOn(pauseMs: number): Promise<boolean> {
    await setTimeout(pauseMs, undefined, { signal: this.#end.signal }).catch(() => undefined);
    return !this.#end.signal.aborted;
  }
}

const isStartOfPart = (piece: Uint8Array): boolean => Buffer.from(piece).includes('Content-Type: image/jpeg');
