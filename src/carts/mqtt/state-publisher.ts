import { messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { FreshnessWindow } from '../command/freshness-window.js';
import type { EmergencyStop } from '../command/model.js';
import { changeKey, type StateSource, stateBody } from './messages/state.js';
import { visualizationBody } from './messages/write.js';
import type { CartPublisher } from './publisher.js';

const VISUALIZATION_MS = 200;

interface StatePublisherDeps {
  publisher: CartPublisher;
  clock: Clock;
  log: Log;
  /** Remembers which state went out when. */
  basis: FreshnessWindow;
  source: () => StateSource;
}

/** Tells the tree how the cart is: `state` in its time and on a change, `visualization` while the cart moves. */
export class StatePublisher {
  #deps: StatePublisherDeps;
  #reports: StateThrottle;
  #toldKey = '';
  #toldStop: EmergencyStop = 'NONE';
  #visualizedMs = Number.NEGATIVE_INFINITY;

  constructor(deps: StatePublisherDeps) {
    this.#deps = deps;
    this.#reports = new StateThrottle(deps.clock, () => this.#report());
  }

  start(): void {
    this.#reports.start();
  }

  stop(): void {
    this.#reports.stop();
  }

  /** Tells the state, whatever the last one's age. */
  now(): void {
    this.#reports.now();
  }

  /** Something may have changed: tells it if it is worth telling. */
  changed(): void {
    const source = this.#deps.source();
    const { emergencyStop } = source.view.safety;
    // An emergency stop waits for nothing, not even for the pause between two states.
    if (emergencyStop !== this.#toldStop) this.#reports.now();
    else if (changeKey(source) !== this.#toldKey) this.#reports.changed();
    if (source.view.moving) this.#visualize(source);
  }

  #report(): void {
    const { publisher, basis, clock, log, source } = this.#deps;
    if (!publisher.connected) return;
    const now = source();
    this.#toldKey = changeKey(now);
    this.#toldStop = now.view.safety.emergencyStop;
    const header = publisher.header('state');
    basis.add(header.headerId, clock.now());
    publisher
      .publishWith(header, 'state', stateBody(now), { qos: 0, expiryS: 5 })
      .catch((thrown: unknown) => {
        log.debug('tree.not_said', { topic: 'state', reason: messageOf(thrown) });
      });
  }

  #visualize({ view }: StateSource): void {
    const { clock, publisher } = this.#deps;
    if (clock.now() - this.#visualizedMs < VISUALIZATION_MS) return;
    this.#visualizedMs = clock.now();
    void publisher.publish('visualization', visualizationBody(view), { qos: 0, expiryS: 1 });
  }
}

const PERIOD_MS = 1000;
const APART_MS = 200;

/** When to report the state: every second, and at once on a change, but never two within 200 ms. */
export class StateThrottle {
  #clock: Clock;
  #report: () => void;
  #cancel: Cancel = () => {};
  #lastMs = Number.NEGATIVE_INFINITY;
  #dueMs = Number.POSITIVE_INFINITY;
  #running = false;

  constructor(clock: Clock, report: () => void) {
    this.#clock = clock;
    this.#report = report;
  }

  start(): void {
    this.#running = true;
    this.#next(this.#clock.now() + PERIOD_MS);
  }

  stop(): void {
    this.#running = false;
    this.#cancel();
  }

  /** Something worth telling has changed. */
  changed(): void {
    if (!this.#running) return;
    const dueMs = this.#lastMs + APART_MS;
    if (this.#clock.now() >= dueMs) this.now();
    else if (dueMs < this.#dueMs) this.#next(dueMs);
  }

  /** Reports whatever the last report's age. */
  now(): void {
    if (!this.#running) return;
    this.#lastMs = this.#clock.now();
    this.#next(this.#lastMs + PERIOD_MS);
    this.#report();
  }

  #next(dueMs: number): void {
    this.#cancel();
    this.#dueMs = dueMs;
    this.#cancel = this.#clock.after(dueMs - this.#clock.now(), () => this.now());
  }
}
