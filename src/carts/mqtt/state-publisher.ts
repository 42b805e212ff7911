import { messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { EmergencyStop } from '../command/model.js';
import type { FreshnessWindow } from './freshness-window.js';
import { changeKey, type StateSource, stateBody } from './messages/state.js';
import { visualizationBody } from './messages/write.js';
import type { CartPublisher } from './publisher.js';

const VISUALIZATION_MS = 200;

interface StatePublisherDeps {
  publisher: CartPublisher;
  clock: Clock;
  log: Log;
  basis: FreshnessWindow;
  source: () => StateSource;
}

export class StatePublisher {
  #deps: StatePublisherDeps;
  #throttle: StateThrottle;
  #publishedKey = '';
  #publishedStop: EmergencyStop = 'NONE';
  #visualizedMs = Number.NEGATIVE_INFINITY;

  constructor(deps: StatePublisherDeps) {
    this.#deps = deps;
    this.#throttle = new StateThrottle(deps.clock, () => this.#publishState());
  }

  start(): void {
    this.#throttle.start();
  }

  stop(): void {
    this.#throttle.stop();
  }

  publish(): void {
    this.#throttle.publish();
  }

  /** Publishes the state if anything except measured values has changed. */
  changed(): void {
    const source = this.#deps.source();
    const { emergencyStop } = source.view.safety;
    // When a stop is latched or reset, the state is published immediately, regardless of the minimum interval.
    if (emergencyStop !== this.#publishedStop) this.#throttle.publish();
    else if (changeKey(source) !== this.#publishedKey) this.#throttle.changed();
    if (source.view.moving) this.#visualize(source);
  }

  #publishState(): void {
    const { publisher, basis, clock, log, source } = this.#deps;
    if (!publisher.connected) return;
    const current = source();
    this.#publishedKey = changeKey(current);
    this.#publishedStop = current.view.safety.emergencyStop;
    const header = publisher.header('state');
    basis.add(header.headerId, clock.now());
    publisher
      .publishWith(header, 'state', stateBody(current), { qos: 0, expiryS: 5 })
      .catch((thrown: unknown) => {
        log.debug('mqtt.publish_failed', { topic: 'state', reason: messageOf(thrown) });
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
const MIN_INTERVAL_MS = 200;

/** Publishes the state every second and on every change, but at most every 200 ms. */
export class StateThrottle {
  #clock: Clock;
  #publishState: () => void;
  #cancel: Cancel = () => {};
  #lastMs = Number.NEGATIVE_INFINITY;
  #dueMs = Number.POSITIVE_INFINITY;
  #running = false;

  constructor(clock: Clock, report: () => void) {
    this.#clock = clock;
    this.#publishState = report;
  }

  start(): void {
    this.#running = true;
    this.#next(this.#clock.now() + PERIOD_MS);
  }

  stop(): void {
    this.#running = false;
    this.#cancel();
  }

  changed(): void {
    if (!this.#running) return;
    const dueMs = this.#lastMs + MIN_INTERVAL_MS;
    if (this.#clock.now() >= dueMs) this.publish();
    else if (dueMs < this.#dueMs) this.#next(dueMs);
  }

  publish(): void {
    if (!this.#running) return;
    this.#lastMs = this.#clock.now();
    this.#next(this.#lastMs + PERIOD_MS);
    this.#publishState();
  }

  #next(dueMs: number): void {
    this.#cancel();
    this.#dueMs = dueMs;
    this.#cancel = this.#clock.after(dueMs - this.#clock.now(), () => this.publish());
  }
}
