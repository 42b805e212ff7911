import type { Log } from '../ports.js';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LEVELS)[number];

/** Whether `text` names a log level. */
export function isLogLevel(text: string): text is LogLevel {
  return (LEVELS as readonly string[]).includes(text);
}

/**
 * A log of one JSON object a line: `{time, level, event, ...fields}`.
 * Events are past-tense facts (`cart.stopped`); fields never hold a secret.
 */
export function createLog(level: LogLevel, write: (line: string) => void = writeStdout): Log {
  const threshold = LEVELS.indexOf(level);
  const at =
    (name: LogLevel) =>
    (event: string, fields: Record<string, unknown> = {}) => {
      if (LEVELS.indexOf(name) < threshold) return;
      write(
        `${JSON.stringify({ time: new Date().toISOString(), level: name, event, ...fields }, plainError)}\n`,
      );
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function writeStdout(line: string): void {
  process.stdout.write(line);
}

function plainError(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const code = 'code' in value ? value.code : undefined;
  return { message: value.message, ...(code === undefined ? {} : { code }), stack: value.stack };
}
