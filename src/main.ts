import { loadConfig } from './config.js';
import { openGateway } from './gateway.js';
import { seedFaults } from './settings/boot.js';
import { bannerText } from './util/banner.js';
import { boundHeap } from './util/heap.js';
import { createLog } from './util/log.js';
import { startFailure } from './util/start-failure.js';
import { createTerminalLog } from './util/terminal-log.js';

/** A person reads a terminal; everything else reads JSON lines. */
const isTerminal = process.stdout.isTTY;

/** After this long a stop that hangs is ended by force: the controller's own deadman has stopped the cart by then. */
const STOP_DEADLINE_MS = 5000;

async function main(): Promise<void> {
  // Files and folders are for the gateway alone, however it is started.
  process.umask(0o077);
  if (isTerminal) process.stdout.write('Starting Cartwright ...\n');
  const config = loadConfig(process.env, process.cwd(), seedFaults);
  const log = isTerminal ? createTerminalLog(config.logLevel) : createLog(config.logLevel);
  const gateway = await openGateway(config, { log });
  let stopping = false;
  const stop = async (why: string, code: number): Promise<void> => {
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
  const failed = (event: string) => (error: unknown) => {
    log.error(event, { error });
    // Never "log and carry on": nobody knows what else is broken. The cart is stopped, the service manager starts anew.
    stop(event, 1).catch(() => process.exit(1));
  };
  process.on('SIGTERM', () => void stop('SIGTERM', 0));
  process.on('SIGINT', () => void stop('SIGINT', 0));
  // The parent that started this process under its watch is gone: nobody would end it any more.
  process.on('disconnect', () => void stop('the supervisor is gone', 0));
  process.on('uncaughtException', failed('gateway.crashed'));
  process.on('unhandledRejection', failed('gateway.rejection_unhandled'));
  boundHeap();
  log.info('gateway.ready', { url: gateway.url, simulated: gateway.simulated });
  if (isTerminal) process.stdout.write(bannerText(gateway.facts));
}

main().catch((error: unknown) => {
  process.stderr.write(isTerminal ? startFailure(error).text : startFailure(error).line);
  process.exit(1);
});
