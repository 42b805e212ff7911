import { type Text, textOf } from './messages/message.js';

export interface ErrorDetails {
  hint?: Text;
  field?: string;
  /** The limit that was exceeded, in `unit`. */
  limit?: number | string;
  unit?: string;
  faults?: Fault[];
  commandId?: string;
  retryAfterS?: number;
  cause?: unknown;
}

export interface Fault {
  /** JSON pointer or field name. */
  path: string;
  message: Text;
}

/** The only error class used between modules. MQTT and HTTP adapters convert `code` to a protocol error. */
export class GatewayError extends Error {
  readonly code: string;
  readonly text: Text;
  // Not named `details`, because test runners print a property of that name.
  readonly info: Omit<ErrorDetails, 'cause'>;

  constructor(code: string, message: Text, { cause, ...info }: ErrorDetails = {}) {
    super(textOf(message), cause === undefined ? undefined : { cause });
    this.name = 'GatewayError';
    this.code = code;
    this.text = message;
    this.info = info;
  }
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

export function errorText(thrown: unknown): Text {
  return thrown instanceof GatewayError ? thrown.text : messageOf(thrown);
}

export function hintOf(thrown: unknown): Text {
  return thrown instanceof GatewayError ? (thrown.info.hint ?? '') : '';
}

/** Call this in a `default` case: an unhandled member of the union is then a compile error. */
export function never(value: never): never {
  throw new TypeError(`unexpected value: ${JSON.stringify(value)}`);
}
