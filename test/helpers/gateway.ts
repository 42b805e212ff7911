import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CartView, CommandView } from '../../src/carts/command/model.js';
import { packageRoot } from '../../src/shared/package-root.js';
import type { BusStatus } from '../../src/shared/ports/mqtt.js';
import { repeatOnce } from './repeat-once.js';
import { ValidationSocket } from './response-validation.js';
import { serviceEnvironment } from './service-environment.js';
import { untilAnswer } from './until.js';

/** The priority in the systemd unit, so that browsers and other tests do not delay the control loop. */
const NICE = -5;

function prioritize({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICE);
  } catch {
    // If the tests may not raise priorities, the gateway keeps the test process's priority.
  }
}

/** Runs the gateway as a process, as `npm start` does. The data directory outlives the process. */
export class GatewayProcess {
  readonly dir: string;
  readonly log: Record<string, unknown>[] = [];
  #child: ChildProcess | undefined;
  /** True after the process has ended and the log contains all of its output. */
  #hasEnded = false;
  #waiting = new Set<() => void>();
  url = '';

  readonly #validation: ValidationSocket;
  #main = join(import.meta.dirname, '../../src/main.js');

  private constructor(dir: string, validator: ValidationSocket) {
    this.dir = dir;
    this.#validation = validator;
  }

  /**
   * Creates a data directory and a static configuration with these settings, and starts the gateway.
   * @param main the compiled program, if it is not the one beside this test.
   */
  static async start(
    settings: object = {},
    env: NodeJS.ProcessEnv = {},
    config: object = {},
    main?: string,
  ): Promise<GatewayProcess> {
    const dir = await mkdtemp(join(tmpdir(), 'gateway-'));
    const gateway = new GatewayProcess(dir, await ValidationSocket.open(dir));
    if (main !== undefined) gateway.#main = main;
    const mqtt = { port: 0 };
    await gateway.configure({ ...config, settings: { mqtt, ...settings } });
    await gateway.spawn(env);
    return gateway;
  }

  configure(config: object): Promise<void> {
    return writeFile(join(this.dir, 'config.json'), JSON.stringify(config));
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** @param main another version of the program, which replaces the one that ran before. */
  async spawn(env: NodeJS.ProcessEnv = {}, main = this.#main): Promise<void> {
    this.#main = main;
    const own = {
      PORT: '0',
      HTTPS_PORT: '0',
      HOST: '127.0.0.1',
      CARTWRIGHT_DATA_DIR: join(this.dir, 'data'),
      CARTWRIGHT_CONFIG: join(this.dir, 'config.json'),
      CARTWRIGHT_AUTH: 'trusted-lan',
      ...env,
    };
    // Every response is validated against the OpenAPI document, except in tests that measure the gateway's
    // memory.
    const validator = new URL('validation-preload.js', import.meta.url).href;
    const { NO_VALIDATION = process.env.NO_VALIDATION } = env;
    const preload = NO_VALIDATION ? [] : ['--import', validator];
    const service = NO_VALIDATION ? await serviceEnvironment() : {};
    const child = spawn(process.execPath, [...preload, this.#main], {
      cwd: packageRoot(),
      env: { ...process.env, ...service, VALIDATION_SOCKET: this.#validation.path, ...own },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    prioritize(child);
    this.log.length = 0;
    this.#hasEnded = false;
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(line));
    child.once('close', () => {
      // A gateway that ended by itself may already have been replaced.
      if (this.#child !== child) return;
      this.#hasEnded = true;
      this.#wake();
    });
    const ready = await this.logged('gateway.ready');
    this.url = String(ready.url);
  }

  /**
   * Resolves with the first log line that has this event and these fields; the line may have been logged
   * before the call.
   */
  async logged(event: string, fields: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const fits = (line: Record<string, unknown>): boolean =>
      line.event === event && Object.entries(fields).every(([key, value]) => line[key] === value);
    for (;;) {
      const found = this.log.find(fits);
      if (found) return found;
      const { exitCode, signalCode } = this.#child ?? {};
      if (this.#hasEnded) throw new Error(`the gateway ended with ${exitCode ?? signalCode} before ${event}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: T }> {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const init =
      body === undefined
        ? { method, headers: { accept: headers.accept } }
        : { method, headers, body: JSON.stringify(body) };
    const res = await fetch(`${this.url}${path}`, init);
    // `/updateJson` returns an HTML page, not JSON.
    const isJson = res.headers.get('content-type')?.includes('json');
    return { status: res.status, body: (isJson ? await res.json() : { page: await res.text() }) as T };
  }

  move(
    cartID: number,
    distanceID: number,
    more: object = {},
    query = '',
  ): Promise<{ status: number; body: CommandView & { code?: string } }> {
    return this.call('POST', `/${query}`, { cartID, distanceID, angleID: 0, ...more });
  }

  /** Moves a cart and waits until the move ends. Repeats the move once after LOOP_LAG. */
  moveToEnd(
    cartID: number,
    distanceID: number,
  ): Promise<{ status: number; body: CommandView & { code?: string } }> {
    const move = async () => {
      await this.untilCart(cartID, ({ safety, moving }) => safety.mayMove && !moving);
      return this.move(cartID, distanceID, {}, '?wait=done');
    };
    return repeatOnce(move, ({ body }) => body.reason?.code);
  }

  /** Returns the code of the reason why a command ended; undefined if it has not ended or was executed. */
  async endCode(commandId: string): Promise<string | undefined> {
    return (await this.call<CommandView>('GET', `/commands/${commandId}`)).body.reason?.code;
  }

  async cart(cartID: number): Promise<CartView> {
    return (await this.call<CartView>('GET', `/carts/${cartID}`)).body;
  }

  /** Resolves when a cart's state matches; rejects with its last state after `GIVE_UP_MS`. */
  untilCart(cartID: number, matches: (cart: CartView) => boolean): Promise<CartView> {
    return this.#until(`/carts/${cartID}`, matches);
  }

  /**
   * Resets each stopped cart, with retries, until the cart is allowed to move. A page sends an E-stop over
   * two connections, and a reset based on the state before the second E-stop message is rejected.
   */
  async resetCarts(...cartIDs: number[]): Promise<void> {
    for (const cartID of cartIDs) {
      await this.untilCart(cartID, ({ safety }) => safety.emergencyStop !== 'NONE');
      await this.resetCart(cartID);
    }
  }

  async resetCart(cartID: number): Promise<void> {
    const reset = () => this.call('POST', '/estop/reset', { cartID });
    await this.#until<CartView>(`/carts/${cartID}`, ({ safety }) => safety.mayMove, reset);
  }

  /**
   * Retries the reset until it is accepted, because the E-stop input must have been healthy for
   * `gpio.estop.releaseMs`.
   */
  reset(cartID: number): Promise<{ status: number; body: Record<string, unknown> }> {
    const reset = () => this.call('POST', '/estop/reset', { cartID });
    return untilAnswer(reset, ({ body }) => body.code !== 'RESET_REFUSED');
  }

  /**
   * Resolves with the broker's URL when the gateway is connected to the broker, which happens some time after
   * READY.
   */
  async untilBroker(): Promise<string> {
    type Health = { links: { broker: BusStatus } };
    const { links } = await this.#until<Health>('/health', ({ links }) => links.broker.connected);
    return links.broker.url;
  }

  async #until<T>(path: string, matches: (body: T) => boolean, before?: () => Promise<unknown>): Promise<T> {
    const request = async () => {
      await before?.();
      return { path, ...(await this.call<T>('GET', path)) };
    };
    return (await untilAnswer(request, ({ status, body }) => status === 200 && matches(body))).body;
  }

  async kill(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const close = once(child, 'close');
    child.kill(signal);
    const [code] = await close;
    return code;
  }

  async close(): Promise<number | null> {
    const code = await this.kill('SIGTERM');
    const undocumented = await this.#validation.close();
    await rm(this.dir, { recursive: true, force: true });
    assert.deepEqual(undocumented, []);
    return code;
  }

  #take(line: string): void {
    this.log.push(JSON.parse(line));
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
