import type { Log } from './ports/log.js';

/** In ascending order of severity. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export function isLogLevel(text: string): text is LogLevel {
  return (LOG_LEVELS as readonly string[]).includes(text);
}

export function isAtLeastLevel(level: LogLevel, minimum: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(minimum);
}

export class LogThreshold {
  level: LogLevel;

  constructor(level: LogLevel) {
    this.level = level;
  }
}

type WriteLine = (line: string) => void;
type LogLine = (level: LogLevel, event: string, fields: Record<string, unknown>) => void;

/** Writes one JSON object per line: `{time, level, event, ...fields}`. Fields never contain secrets. */
export function createLog(threshold: LogThreshold, write: WriteLine = deferredStdout()): Log {
  return logOf((level, event, fields) => {
    if (!isAtLeastLevel(level, threshold.level)) return;
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields }, plainError)}\n`);
  });
}

/** Control characters in text from the network could move the cursor or hide text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed.
const CONTROLS = /[\x00-\x1f\x7f-\x9f]+/g;

/**
 * Creates a log for a terminal: `14:02:11 WARN broker.open_failed reason …`. Shows only warnings and errors
 * by default. Suppresses warnings during shutdown, because closing connections triggers them.
 */
export function createTerminalLog(threshold: LogThreshold, write: WriteLine = deferredStdout()): Log {
  let isStopping = false;
  return logOf((level, event, fields) => {
    if (event === 'gateway.stopping') {
      isStopping = true;
      write('Stopping the carts and shutting down ...\n');
    }
    if (event === 'gateway.stopped') write('Stopped.\n');
    const minimum = threshold.level === 'info' ? 'warn' : threshold.level;
    if (!isAtLeastLevel(level, isStopping && minimum === 'warn' ? 'error' : minimum)) return;
    const text = `${event}  ${fieldsText(withSourceLine(fields))}`.replace(CONTROLS, ' ').trim();
    write(`${new Date().toTimeString().slice(0, 8)} ${level.toUpperCase().padEnd(5)} ${text}\n`);
  });
}

function logOf(line: LogLine): Log {
  const at =
    (level: LogLevel) =>
    (event: string, fields: Record<string, unknown> = {}) =>
      line(level, event, fields);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Writes lines at the end of the event-loop iteration, so that writing does not delay a stop. */
function deferredStdout(): WriteLine {
  let lines = '';
  const flush = (): void => {
    const pending = lines;
    lines = '';
    if (pending !== '') process.stdout.write(pending);
  };
  process.on('exit', flush);
  return (line) => {
    if (lines === '') setImmediate(flush);
    lines += line;
  };
}

function plainError(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const code = 'code' in value ? value.code : undefined;
  return { message: value.message, ...(code === undefined ? {} : { code }), stack: value.stack };
}

/** Adds the first stack frame, so that a terminal shows where a crash occurred. */
function withSourceLine(fields: Record<string, unknown>): Record<string, unknown> {
  const { error } = fields;
  const [place] = error instanceof Error ? (/\bat .*/.exec(error.stack ?? '') ?? []) : [];
  return place === undefined ? fields : { ...fields, place };
}

/** Formats fields as `name value, name value`. Masks secrets and omits empty values. */
export function fieldsText(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name} ${valueText(name, value)}`)
    .join(', ');
}

function valueText(name: string, value: unknown): string {
  const clean = redactor(name, value);
  return typeof clean === 'string' ? clean : (JSON.stringify(clean, redactor) ?? '–');
}

const SECRET_NAME = /pass(?:word|phrase)?$|secret|token|cookie|authorization|api[-_]?key$|credential/i;

/** Matches setup codes and passwords in URLs, and keys with a known prefix. */
const SECRET_TEXTS: readonly [RegExp, string][] = [
  [/([?&]code=)[^&\s"]+/g, '$1***'],
  [/(:\/\/[^/\s:@]*:)[^@\s/]+@/g, '$1***@'],
  [/\b(?:gk|sk|rk|whsec)_[\w-]{8,}/g, '***'],
];

/** Replaces secrets in a known format with `***`. */
export function redactText(text: string): string {
  return SECRET_TEXTS.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}

/** Replacer for `JSON.stringify`. Masks secrets and replaces errors with their messages. */
export function redactor(key: string, value: unknown): unknown {
  if (value instanceof Error) return redactText(value.message);
  if (typeof value === 'string') return value !== '' && SECRET_NAME.test(key) ? '***' : redactText(value);
  return value;
}
