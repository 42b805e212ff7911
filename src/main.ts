import { loadConfig } from './config.js';
import { openGateway } from './gateway.js';
import { GatewayError, messageOf } from './util/errors.js';
import { createLog } from './util/log.js';

/** After this long a stop that hangs is ended by force: the controller's own deadman has stopped the cart by then. */
const STOP_DEADLINE_MS = 5000;

async function main(): Promise<void> {
  const config = loadConfig(process.env, process.cwd());
  const log = createLog(config.logLevel);
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
  log.info('gateway.ready', { url: gateway.url, simulated: gateway.simulated });
}

main().catch((error: unknown) => {
  const text =
    error instanceof GatewayError ? messageOf(error) : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
