import type { Log } from '../ports/ports.js';

/** From the least important on. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Whether `text` names a log level. */
export function isLogLevel(text: string): text is LogLevel {
  return (LOG_LEVELS as readonly string[]).includes(text);
}

/** Whether a line of `level` is as important as `least`, or more. */
export function isAtLeastLevel(level: LogLevel, least: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
}

/**
 * A log of one JSON object a line: `{time, level, event, ...fields}`.
 * Events are past-tense facts (`cart.stopped`); fields never hold a secret.
 */
export function createLog(level: LogLevel, write: (line: string) => void = stdoutAfterwards()): Log {
  const at =
    (name: LogLevel) =>
    (event: string, fields: Record<string, unknown> = {}) => {
      if (!isAtLeastLevel(name, level)) return;
      write(
        `${JSON.stringify({ time: new Date().toISOString(), level: name, event, ...fields }, plainError)}\n`,
      );
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Lines leave together at the end of the turn: writing them, and whoever wakes to read them, must not hold up a stop. */
export function stdoutAfterwards(): (line: string) => void {
  let lines = '';
  const leave = (): void => {
    const now = lines;
    lines = '';
    if (now !== '') process.stdout.write(now);
  };
  process.on('exit', leave);
  return (line) => {
    if (lines === '') setImmediate(leave);
    lines += line;
  };
}

function plainError(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const code = 'code' in value ? value.code : undefined;
  return { message: value.message, ...(code === undefined ? {} : { code }), stack: value.stack };
}
