import type { Log } from '../ports/ports.js';
import { isAtLeastLevel, type LogLevel, stdoutAfterwards } from './log.js';
import { fieldsText } from './log-text.js';

/** Control characters could move the cursor or hide text; log fields may hold text from the network. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const CONTROLS = /[\x00-\x1f\x7f-\x9f]+/g;

/**
 * A log for a person at a terminal: `14:02:11 WARN  broker.not_opened  reason …`, one line each. `info` shows only
 * warnings and errors; `debug` shows everything. The links that close while the gateway stops are no warnings.
 */
export function createTerminalLog(level: LogLevel, write: (line: string) => void = stdoutAfterwards()): Log {
  const least = level === 'info' ? 'warn' : level;
  let stopping = false;
  const at =
    (name: LogLevel) =>
    (event: string, fields: Record<string, unknown> = {}) => {
      if (event === 'gateway.stopping') {
        stopping = true;
        write('Stopping the carts and closing ...\n');
      }
      if (event === 'gateway.stopped') write('Stopped.\n');
      if (!isAtLeastLevel(name, stopping && least === 'warn' ? 'error' : least)) return;
      const text = `${event}  ${fieldsText(withPlace(fields))}`.replace(CONTROLS, ' ').trim();
      write(`${new Date().toTimeString().slice(0, 8)} ${name.toUpperCase().padEnd(5)} ${text}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Adds the first line of an error's stack, so that a crash can be found without the JSON log. */
function withPlace(fields: Record<string, unknown>): Record<string, unknown> {
  const { error } = fields;
  const [place] = error instanceof Error ? (/\bat .*/.exec(error.stack ?? '') ?? []) : [];
  return place === undefined ? fields : { ...fields, place };
}
