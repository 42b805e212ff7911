import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Supervisor } from '../../shared/ports/supervisor.js';

/** One part that must work: says why it does not, or nothing. */
export type HealthCheck = () => string;

interface WatchdogDeps {
  supervisor: Pick<Supervisor, 'alive' | 'status'>;
  /** Asked in this order. */
  healthChecks: readonly HealthCheck[];
  /** How the gateway is, one sentence for people. */
  status: () => string;
  clock: Clock;
  log: Log;
}

const EVERY_MS = 1000;
/** A loop that was late once is the loop's business; from here on it is the watchdog's. */
const WORTH_TELLING_MS = 3000;

/**
 * Tells the supervisor once a second that the gateway is alive, while every check part is. It is driven by the control
 * loop and has no timer of its own: a loop that hangs feeds nobody.
 */
export class Watchdog {
  readonly #deps: WatchdogDeps;
  #fedAtMs: number;
  #fault = '';
  #status = '';

  constructor(deps: WatchdogDeps) {
    this.#deps = deps;
    this.#fedAtMs = deps.clock.now();
  }

  /** Called at the end of every turn of the control loop. */
  turn(): void {
    const { supervisor, healthChecks, status, clock } = this.#deps;
    const sinceMs = clock.now() - this.#fedAtMs;
    if (sinceMs < EVERY_MS) return;
    const fault = healthChecks.map((check) => check()).find(Boolean) ?? '';
    if (fault && sinceMs < WORTH_TELLING_MS) return;
    this.#note(fault);
    if (fault) return this.#say(`Not fit to go on: ${fault}`);
    this.#fedAtMs = clock.now();
    supervisor.alive();
    this.#say(status());
  }

  #say(status: string): void {
    if (status !== this.#status) this.#deps.supervisor.status(status);
    this.#status = status;
  }

  #note(fault: string): void {
    if (fault === this.#fault) return;
    if (fault) this.#deps.log.error('watchdog.check_failed', { fault });
    else this.#deps.log.info('watchdog.recovered');
    this.#fault = fault;
  }
}

/** A part that has never worked is a fault of the installation, which starting again does not mend: only a loss counts. */
export function ignoreUntilHealthy(check: HealthCheck): HealthCheck {
  let hasWorked = false;
  return () => {
    const fault = check();
    hasWorked ||= fault === '';
    return hasWorked ? fault : '';
  };
}
