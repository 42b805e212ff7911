import { messageOf } from '../../shared/errors.js';
import type { Clock, Log } from '../../shared/ports/ports.js';
import type { FreshnessWindow } from '../command/freshness-window.js';
import type { EmergencyStop } from '../command/model.js';
import { changeKey, type StateSource, stateBody } from './messages/state.js';
import { visualizationBody } from './messages/write.js';
import type { CartPublisher } from './publisher.js';
import { StateThrottle } from './state-throttle.js';

const VISUALIZATION_MS = 200;

interface StateTellerDeps {
  publisher: CartPublisher;
  clock: Clock;
  log: Log;
  /** Remembers which state went out when. */
  basis: FreshnessWindow;
  source: () => StateSource;
}

/** Tells the tree how the cart is: `state` in its time and on a change, `visualization` while the cart moves. */
export class StatePublisher {
  #deps: StateTellerDeps;
  #reports: StateThrottle;
  #toldKey = '';
  #toldStop: EmergencyStop = 'NONE';
  #visualizedMs = Number.NEGATIVE_INFINITY;

  constructor(deps: StateTellerDeps) {
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
