import { GatewayError, saidBy } from '../../shared/errors.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import { span } from '../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { ByteLink, ByteLinkOpener } from '../../shared/ports/serial.js';
import { Backoff, doubling, type RetryPolicy } from '../../shared/retry.js';
import { Signal } from '../../shared/signal.js';
import type { LinkState, LinkView } from '../command/model.js';
import type { DriverCounters, DriverDeps, DriverFactory, Hello, MotorDriver } from './driver.js';
import { serialMessage } from './messages.js';
import { SilenceWatch } from './silence-watch.js';

const RECONNECT: RetryPolicy = { delaysMs: doubling(250, 5000), jitter: 'slight' };

interface LinkDeps {
  /** Asked anew for each connection, so that new settings take effect. */
  opener: () => ByteLinkOpener;
  createDriver: DriverFactory;
  /** What a new session is made with; read anew for each, so that new settings take effect. */
  session: () => Pick<DriverDeps, 'serial' | 'limits' | 'kinematics' | 'safety' | 'cartId'>;
  clock: Clock;
  log: Log;
}

/** Why a session ended, as its command will be told. */
interface LinkLoss {
  code: string;
  text: Text;
}

/**
 * Keeps one session with the controller alive: opens the port, shakes hands, watches for silence, and starts anew with
 * growing pauses. Whatever ends a session ends it for good: the next one begins with a new connection and empty buffers.
 */
export class ControllerLink {
  #deps: LinkDeps;
  #state: LinkState = 'DOWN';
  #reason: Text = serialMessage('not-opened');
  #backoff = new Backoff(RECONNECT);
  #retry: Cancel = () => undefined;
  #connection: ByteLink | undefined;
  #driver: MotorDriver | undefined;
  #hello: Hello | undefined;
  #silence = new SilenceWatch();
  #reconnects = -1;
  #past: DriverCounters = { sent: 0, received: 0, dropped: 0, retried: 0 };
  #closed = false;
  /** Counts connections: what an older one still has to say is not about this one. */
  #generation = 0;
  #ready = new Signal<[MotorDriver]>();
  #lost = new Signal<[LinkLoss]>();
  #change = new Signal();

  constructor(deps: LinkDeps) {
    this.#deps = deps;
  }

  /** A session has begun: wire yourself to its driver. */
  readonly onReady = this.#ready.on.bind(this.#ready);
  /** A session that was ready has ended. */
  readonly onLost = this.#lost.on.bind(this.#lost);
  readonly onChange = this.#change.on.bind(this.#change);

  /** The driver of the running session, or undefined when there is none. */
  get driver(): MotorDriver | undefined {
    return this.#state === 'READY' || this.#state === 'DEGRADED' ? this.#driver : undefined;
  }

  /** Whether new motion may be sent: a degraded link may only be stopped over. */
  get ready(): boolean {
    return this.#state === 'READY';
  }

  /** When the controller was last heard, on the monotonic clock. */
  get heardAtMs(): number {
    return this.#silence.heardAtMs;
  }

  /** What the controller said in the handshake of the running session. */
  get hello(): Hello | undefined {
    return this.#hello;
  }

  start(): void {
    void this.#connect();
  }

  /** Watches for silence; called from the control loop. */
  tick(moving: boolean): void {
    const { level, quietMs } = this.#silence.check(this.#deps.clock.now(), moving);
    if (!this.driver) return;
    if (level === 'lost') {
      const text = serialMessage('silent', { time: span(quietMs) });
      return this.end({ code: 'SERIAL_LOST', text }, 'LOST');
    }
    if (level === 'quiet') this.#become('DEGRADED', serialMessage('quiet', { time: span(quietMs) }));
    else this.#become('READY', '');
  }

  /** Ends the running session, tells why, and tries again later. */
  end(loss: LinkLoss, state: LinkState = 'DOWN'): void {
    const wasReady = this.driver !== undefined;
    if (this.driver) part(this.driver);
    void this.#drop();
    this.#become(state, loss.text);
    this.#schedule();
    if (wasReady) this.#lost.emit(loss);
  }

  /** Ends the running session and begins another at once: for new settings. */
  restart(): void {
    this.end({ code: 'SERIAL_LOST', text: serialMessage('settings-changed') });
    this.#backoff.reset();
    this.#retry();
    void this.#connect();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#retry();
    await this.#drop();
    this.#become('DOWN', serialMessage('closed'));
  }

  view(): LinkView {
    const { opener, session } = this.#deps;
    const now = this.#driver?.counters ?? { sent: 0, received: 0, dropped: 0, retried: 0 };
    const past = this.#past;
    return {
      state: this.#state,
      reason: this.#reason,
      path: opener().path,
      driver: session().serial.driver,
      simulated: this.simulated,
      delivery: this.#driver?.traits.ack === 'none' ? 'unconfirmed' : 'confirmed',
      ...(this.#hello ? { firmware: this.#hello.firmware } : {}),
      counters: {
        sent: past.sent + now.sent,
        received: past.received + now.received,
        dropped: past.dropped + now.dropped,
        retried: past.retried + now.retried,
        reconnects: Math.max(0, this.#reconnects),
      },
    };
  }

  /** No metal at the end of this line: the opener knows, or the controller says so. */
  get simulated(): boolean {
    return this.#deps.opener().simulated || (this.#hello?.simulated ?? false);
  }

  async #connect(): Promise<void> {
    if (this.#closed) return;
    const generation = ++this.#generation;
    this.#become('OPENING', serialMessage('opening', { path: this.#deps.opener().path }));
    try {
      const connection = await this.#deps.opener().open();
      if (this.#closed || generation !== this.#generation) return void connection.close();
      await this.#greet(connection);
    } catch (error) {
      if (generation !== this.#generation) return;
      const incompatible = error instanceof GatewayError && error.code === 'INCOMPATIBLE';
      this.end({ code: 'SERIAL_DOWN', text: saidBy(error) }, incompatible ? 'INCOMPATIBLE' : 'DOWN');
    }
  }

  async #greet(connection: ByteLink): Promise<void> {
    const { createDriver, session, clock, log } = this.#deps;
    this.#connection = connection;
    connection.onClose((cause) => {
      if (this.#connection !== connection) return;
      const text = cause ? serialMessage('lost-why', { reason: saidBy(cause) }) : serialMessage('lost');
      this.end({ code: 'SERIAL_LOST', text });
    });
    const driver = createDriver({ link: connection, ...session(), clock, log });
    this.#driver = driver;
    this.#become('HELLO', serialMessage('handshake'));
    driver.onTelemetry(() => this.#heard());
    driver.onMotion(() => this.#heard());
    driver.onSessionFault((fault) => this.#driver === driver && this.end(fault, 'LOST'));
    const hello = await driver.open();
    if (this.#driver !== driver) return;
    this.#hello = hello;
    this.#heard();
    this.#reconnects += 1;
    this.#backoff.reset();
    this.#become('READY', '');
    this.#ready.emit(driver);
  }

  #heard(): void {
    this.#silence.heard(this.#deps.clock.now());
  }

  /** Takes the connection down; resolves when the port is released. */
  #drop(): Promise<void> {
    const [driver, connection] = [this.#driver, this.#connection];
    this.#generation += 1;
    this.#driver = undefined;
    this.#connection = undefined;
    this.#hello = undefined;
    if (driver) {
      for (const key of ['sent', 'received', 'dropped', 'retried'] as const)
        this.#past[key] += driver.counters[key];
      driver.close();
    }
    return connection?.close() ?? Promise.resolve();
  }

  #schedule(): void {
    this.#retry();
    if (this.#closed) return;
    this.#retry = this.#deps.clock.after(this.#backoff.next(), () => void this.#connect());
  }

  #become(state: LinkState, reason: Text): void {
    const isSame = textOf(reason) === textOf(this.#reason);
    if (state === this.#state && (isSame || state === 'DEGRADED')) return;
    // The same failure again and again is one line in the log, not one a second.
    const news = state === 'READY' || (state !== 'OPENING' && state !== 'HELLO' && !isSame);
    this.#state = state;
    this.#reason = reason;
    if (news)
      this.#deps.log[state === 'READY' ? 'info' : 'warn']('link.changed', {
        state,
        reason,
        path: this.#deps.opener().path,
      });
    this.#change.emit();
  }
}

/** The last words to a controller that may still hear: it is silence from then on, but not with the wheels turning. */
function part(driver: MotorDriver): void {
  try {
    driver.stop(1);
    driver.heartbeat(false);
  } catch {
    // The line is gone: the controller's own deadman stops the cart.
  }
}
