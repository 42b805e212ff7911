import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Supervisor } from '../../shared/ports/supervisor.js';

/** Returns a component's fault, or an empty string if the component is healthy. */
export type HealthCheck = () => string;

interface WatchdogDeps {
  supervisor: Pick<Supervisor, 'alive' | 'status'>;
  healthChecks: readonly HealthCheck[];
  status: () => string;
  clock: Clock;
  log: Log;
}

const INTERVAL_MS = 1000;
/** Minimum duration of a fault that is reported. Shorter faults, such as a late control cycle, are ignored. */
const FAULT_DELAY_MS = 3000;

/** Notifies the supervisor from the control loop, so that notifications stop if the loop hangs. */
export class Watchdog {
  readonly #deps: WatchdogDeps;
  #fedAtMs: number;
  #fault = '';
  #status = '';

  constructor(deps: WatchdogDeps) {
    this.#deps = deps;
    this.#fedAtMs = deps.clock.now();
  }

  /** Call this at the end of every control cycle. */
  turn(): void {
    const { supervisor, healthChecks, status, clock } = this.#deps;
    const sinceMs = clock.now() - this.#fedAtMs;
    if (sinceMs < INTERVAL_MS) return;
    const fault = healthChecks.map((check) => check()).find(Boolean) ?? '';
    if (fault && sinceMs < FAULT_DELAY_MS) return;
    this.#logChange(fault);
    if (fault) return this.#setStatus(`Watchdog not notified: ${fault}`);
    this.#fedAtMs = clock.now();
    supervisor.alive();
    this.#setStatus(status());
  }

  #setStatus(status: string): void {
    if (status !== this.#status) this.#deps.supervisor.status(status);
    this.#status = status;
  }

  #logChange(fault: string): void {
    if (fault === this.#fault) return;
    if (fault) this.#deps.log.error('watchdog.check_failed', { fault });
    else this.#deps.log.info('watchdog.recovered');
    this.#fault = fault;
  }
}

/** Ignores faults until the first healthy state, because a restart cannot fix a component that has never worked. */
export function ignoreUntilHealthy(check: HealthCheck): HealthCheck {
  let wasHealthy = false;
  return () => {
    const fault = check();
    wasHealthy ||= fault === '';
    return wasHealthy ? fault : '';
  };
}

/** Ignores faults until they have lasted for `limitMs` without interruption. */
export function ignoreUntilLasting(
  check: HealthCheck,
  limitMs: number,
  clock: Pick<Clock, 'now'>,
): HealthCheck {
  let healthyAtMs = clock.now();
  return () => {
    const fault = check();
    if (!fault) healthyAtMs = clock.now();
    return clock.now() - healthyAtMs >= limitMs ? fault : '';
  };
}
