import { loadConfig } from './app/config.js';
import { type Gateway, openGateway } from './app/gateway.js';
import { bannerText, startFailure } from './app/start/banner.js';
import { boundHeap } from './app/start/heap.js';
import { RunRecord } from './app/start/run-record.js';
import { keepTickShape } from './app/start/tick-shape.js';
import { seedFaults } from './settings/index.js';
import { systemClock } from './shared/clock.js';
import { GatewayError } from './shared/errors.js';
import { createLog, createTerminalLog, LogThreshold } from './shared/log.js';
import { runtimeDirectory } from './shared/process-environment.js';

const isTerminal = process.stdout.isTTY;

/** Deadline for an orderly shutdown. The controller's watchdog stops the cart long before this deadline. */
const STOP_DEADLINE_MS = 5000;

async function main(run: RunRecord, requests: StopRequests): Promise<void> {
  process.umask(0o077);
  keepTickShape();
  if (isTerminal) process.stdout.write('Starting Cartwright ...\n');
  const config = loadConfig(process.env, process.cwd(), seedFaults);
  const logThreshold = new LogThreshold(config.logLevel);
  const log = isTerminal ? createTerminalLog(logThreshold) : createLog(logThreshold);
  for (const { path, message } of config.notices ?? [])
    log.warn('config.member_ignored', { member: path, reason: message });
  if (run.fault !== '') log.warn('run_record.write_failed', { reason: run.fault });
  const { uncleanEnds, delayMs } = run;
  if (run.isStopOnly) log.error('gateway.stop_only_entered', { uncleanEnds });
  if (delayMs > 0) log.warn('gateway.start_delayed', { delayMs, uncleanEnds });
  await new Promise<void>((resolve) => systemClock.after(delayMs, resolve));
  const gateway = await openGateway(config, {
    log,
    logThreshold,
    uncleanEnds: run.isStopOnly ? uncleanEnds : 0,
    restart(why) {
      run.stopRequested();
      void stop(why, 0);
    },
  });
  const stop = orderlyStop(gateway, log);
  const failed = (event: string) => (error: unknown) => {
    log.error(event, { error });
    // The process is in an undefined state, so the cart is stopped, and the service manager restarts the gateway.
    stop(event, 1).catch(() => process.exit(1));
  };
  requests.handle((why) => void stop(why, 0));
  process.on('uncaughtException', failed('gateway.crashed'));
  process.on('unhandledRejection', failed('gateway.rejection_unhandled'));
  boundHeap();
  run.serving(systemClock);
  log.info('gateway.ready', { url: gateway.url, simulated: gateway.simulated });
  if (isTerminal) process.stdout.write(bannerText(gateway.facts));
}

/** Returns a function that stops the cart, closes the gateway and exits; repeated calls are ignored. */
function orderlyStop(gateway: Gateway, log: ReturnType<typeof createLog>) {
  let stopping = false;
  return async (why: string, code: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info('gateway.stopping', { why });
    setTimeout(() => {
      log.error('gateway.stop_timed_out', { afterMs: STOP_DEADLINE_MS });
      process.exit(1);
    }, STOP_DEADLINE_MS).unref();
    await gateway.close();
    log.info('gateway.stopped');
    process.exit(code);
  };
}

/** Until a handler is set, a stop request ends the process, because nothing moves during startup. */
class StopRequests {
  #stop: (why: string) => void = () => process.exit(0);

  constructor(onRequest: () => void) {
    const request = (why: string): void => {
      onRequest();
      this.#stop(why);
    };
    process.on('SIGTERM', () => request('SIGTERM'));
    process.on('SIGINT', () => request('SIGINT'));
    // The IPC channel has closed, so the parent process has ended.
    process.on('disconnect', () => request('supervisor disconnected'));
  }

  handle(stop: (why: string) => void): void {
    this.#stop = stop;
  }
}

// `StopRequests` is created before the run record, so that a stop request never counts as a crash.
const requests = new StopRequests(() => run.stopRequested());
const run = new RunRecord(runtimeDirectory(process.env));
main(run, requests).catch((error: unknown) => {
  if (error instanceof GatewayError) run.startFailed();
  process.stderr.write(isTerminal ? startFailure(error).text : startFailure(error).line);
  process.exit(1);
});
