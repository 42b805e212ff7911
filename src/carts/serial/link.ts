import { type ErrorCode, errorText, GatewayError } from '../../shared/errors.js';
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

const NO_COUNTERS: DriverCounters = { sent: 0, received: 0, dropped: 0, retried: 0 };

/** Adds the counters of a session to those of earlier sessions. */
function addCounters(past: DriverCounters, session: DriverCounters): DriverCounters {
  return {
    sent: past.sent + session.sent,
    received: past.received + session.received,
    dropped: past.dropped + session.dropped,
    retried: past.retried + session.retried,
  };
}

/** Best-effort stop before a session ends. */
function sendFinalStop(driver: MotorDriver): void {
  try {
    driver.stop(1);
    driver.heartbeat(false);
  } catch {
    // The line is lost, so the controller's watchdog stops the cart.
  }
}

const RECONNECT: RetryPolicy = { delaysMs: doubling(250, 5000), jitter: 'slight' };

interface LinkDeps {
  /** Called for each connection, so that new settings take effect. */
  opener: () => ByteLinkOpener;
  createDriver: DriverFactory;
  session: () => Pick<
    DriverDeps,
    'serial' | 'limits' | 'kinematics' | 'safety' | 'protectiveField' | 'cartId'
  >;
  clock: Clock;
  log: Log;
}

/** Why a session ended; also the interrupted command's failure reason. */
interface LinkLoss {
  code: ErrorCode;
  text: Text;
  /** True if the gateway ended the session, for example to apply settings. */
  isIntended?: boolean;
}

/**
 * Opens the port, performs the handshake, detects silence and reconnects with backoff. Each new session
 * starts with empty buffers; a session is never resumed.
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
  #sessions = 0;
  #reconnects = 0;
  /** True from an unintended loss until the next session. */
  #isLost = false;
  #past = NO_COUNTERS;
  #closed = false;
  #isSuspended = false;
  /** Resolves when opening the port has succeeded or failed; a port no longer needed is closed first. */
  #opening: Promise<unknown> = Promise.resolve();
  #released = Promise.resolve();
  /** Incremented for each connection, so that late events from an earlier connection are ignored. */
  #generation = 0;
  #ready = new Signal<[MotorDriver]>();
  #lost = new Signal<[LinkLoss]>();
  #change = new Signal();

  constructor(deps: LinkDeps) {
    this.#deps = deps;
  }

  readonly onReady = this.#ready.on.bind(this.#ready);
  readonly onLost = this.#lost.on.bind(this.#lost);
  readonly onChange = this.#change.on.bind(this.#change);

  get driver(): MotorDriver | undefined {
    return this.#state === 'READY' || this.#state === 'DEGRADED' ? this.#driver : undefined;
  }

  /** True if motion commands are accepted. A degraded link accepts only stops. */
  get ready(): boolean {
    return this.#state === 'READY';
  }

  get lastReportMs(): number {
    return this.#silence.lastReportMs;
  }

  get hello(): Hello | undefined {
    return this.#hello;
  }

  start(): void {
    void this.#connect();
  }

  tick(moving: boolean): void {
    const { level, quietMs } = this.#silence.check(this.#deps.clock.now(), moving);
    if (!this.driver) return;
    if (level === 'lost') {
      const text = serialMessage('silent', { time: span(quietMs) });
      return this.end({ code: 'SERIAL_LOST', text }, 'LOST');
    }
    if (level === 'quiet') this.#setState('DEGRADED', serialMessage('quiet', { time: span(quietMs) }));
    else this.#setState('READY', '');
  }

  end(loss: LinkLoss, state: LinkState = 'DOWN'): void {
    const wasReady = this.driver !== undefined;
    if (this.driver) sendFinalStop(this.driver);
    this.#released = this.#disconnect();
    this.#setState(state, loss.text);
    this.#schedule();
    if (!wasReady) return;
    if (!loss.isIntended) this.#isLost = true;
    this.#lost.emit(loss);
  }

  /** Ends the session because a frame could not be written. */
  fail(error: unknown): void {
    this.end({ code: 'SERIAL_LOST', text: errorText(error) });
  }

  /** Ends the session and keeps the port closed until `resume`. Resolves when the port is closed. */
  async suspend(text: Text): Promise<void> {
    this.#isSuspended = true;
    this.end({ code: 'FIRMWARE_UPDATE', text, isIntended: true });
    await Promise.all([this.#released, this.#opening]);
  }

  resume(): void {
    if (!this.#isSuspended) return;
    this.#isSuspended = false;
    this.#backoff.reset();
    void this.#connect();
  }

  restart(): void {
    if (this.#isSuspended) return;
    this.end({ code: 'SERIAL_LOST', text: serialMessage('settings-changed'), isIntended: true });
    this.#backoff.reset();
    const generation = this.#generation;
    // serialport locks the port until the old descriptor is closed; if closing takes too long, the scheduled
    // retry connects.
    void this.#released.then(() => {
      if (generation !== this.#generation) return;
      this.#retry();
      void this.#connect();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#retry();
    await this.#disconnect();
    this.#setState('DOWN', serialMessage('closed'));
  }

  view(): LinkView {
    const { opener, session } = this.#deps;
    return {
      state: this.#state,
      reason: this.#reason,
      path: opener().path,
      driver: session().serial.driver,
      simulated: this.simulated,
      delivery: this.#driver?.traits.ack === 'none' ? 'unconfirmed' : 'confirmed',
      ...(this.#hello ? { firmware: this.#hello.firmware } : {}),
      counters: {
        ...addCounters(this.#past, this.#driver?.counters ?? NO_COUNTERS),
        reconnects: this.#reconnects,
        sessions: this.#sessions,
      },
    };
  }

  get simulated(): boolean {
    return this.#deps.opener().simulated || (this.#hello?.simulated ?? false);
  }

  async #connect(): Promise<void> {
    if (this.#closed || this.#isSuspended) return;
    const generation = ++this.#generation;
    this.#setState('OPENING', serialMessage('opening', { path: this.#deps.opener().path }));
    try {
      const opening = this.#deps.opener().open();
      const isCurrent = (): boolean => !this.#closed && generation === this.#generation;
      this.#opening = opening.then(
        (opened) => (isCurrent() ? undefined : opened.close()),
        () => undefined,
      );
      const connection = await opening;
      if (!isCurrent()) return;
      await this.#handshake(connection);
    } catch (error) {
      if (generation !== this.#generation) return;
      const incompatible = error instanceof GatewayError && error.code === 'INCOMPATIBLE';
      this.end({ code: 'SERIAL_DOWN', text: errorText(error) }, incompatible ? 'INCOMPATIBLE' : 'DOWN');
    }
  }

  async #handshake(connection: ByteLink): Promise<void> {
    const { createDriver, session, clock, log } = this.#deps;
    this.#connection = connection;
    connection.onClose((cause) => {
      if (this.#connection !== connection) return;
      const text = cause ? serialMessage('lost-why', { reason: errorText(cause) }) : serialMessage('lost');
      this.end({ code: 'SERIAL_LOST', text });
    });
    const driver = createDriver({ link: connection, ...session(), clock, log });
    this.#driver = driver;
    this.#setState('HELLO', serialMessage('handshake'));
    driver.onTelemetry(() => this.#onReport());
    driver.onMotion(() => this.#onReport());
    driver.onSessionFault((fault) => this.#driver === driver && this.end(fault, 'LOST'));
    const hello = await driver.open();
    if (this.#driver !== driver) return;
    this.#hello = hello;
    this.#onReport();
    this.#sessions += 1;
    if (this.#isLost) this.#reconnects += 1;
    this.#isLost = false;
    this.#backoff.reset();
    this.#setState('READY', '');
    this.#ready.emit(driver);
  }

  #onReport(): void {
    this.#silence.reset(this.#deps.clock.now());
  }

  #disconnect(): Promise<void> {
    const [driver, connection] = [this.#driver, this.#connection];
    this.#generation += 1;
    this.#driver = undefined;
    this.#connection = undefined;
    this.#hello = undefined;
    if (driver) {
      this.#past = addCounters(this.#past, driver.counters);
      driver.close();
    }
    return connection?.close() ?? Promise.resolve();
  }

  #schedule(): void {
    this.#retry();
    if (this.#closed || this.#isSuspended) return;
    this.#retry = this.#deps.clock.after(this.#backoff.next(), () => void this.#connect());
  }

  #setState(state: LinkState, reason: Text): void {
    const isSame = textOf(reason) === textOf(this.#reason);
    if (state === this.#state && (isSame || state === 'DEGRADED')) return;
    // A repeated failure is logged only once.
    const isLogged = state === 'READY' || (state !== 'OPENING' && state !== 'HELLO' && !isSame);
    this.#state = state;
    this.#reason = reason;
    if (isLogged)
      this.#deps.log[state === 'READY' ? 'info' : 'warn']('link.changed', {
        state,
        reason,
        path: this.#deps.opener().path,
      });
    this.#change.emit();
  }
}
