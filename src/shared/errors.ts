import { type Text, textOf } from './messages/message.js';

export interface ErrorDetails {
  /** Suggested action for the operator. */
  hint?: Text;
  /** Name of the invalid input field, as used by the caller. */
  field?: string;
  /** The limit that was exceeded, in `unit`. */
  limit?: number | string;
  unit?: string;
  faults?: Fault[];
  commandId?: string;
  retryAfterS?: number;
  cause?: unknown;
}

/** A validation error in a document. */
export interface Fault {
  /** JSON pointer or field name. */
  path: string;
  message: Text;
}

/**
 * The only error class that modules exchange. `web/errors.ts` maps `code` to an HTTP status and `carts/mqtt/agent.ts` maps
 * it to the reason in an MQTT message.
 */
export class GatewayError extends Error {
  readonly code: string;
  readonly text: Text;
  // Not named `details`, because test runners print a property of that name as if it were their own text.
  readonly info: Omit<ErrorDetails, 'cause'>;

  constructor(code: string, message: Text, { cause, ...info }: ErrorDetails = {}) {
    super(textOf(message), cause === undefined ? undefined : { cause });
    this.name = 'GatewayError';
    this.code = code;
    this.text = message;
    this.info = info;
  }
}

/** Returns the English message of any thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns the translatable message of any thrown value. */
export function errorText(thrown: unknown): Text {
  return thrown instanceof GatewayError ? thrown.text : messageOf(thrown);
}

/** Returns the hint of any thrown value, or an empty string if it has none. */
export function hintOf(thrown: unknown): Text {
  return thrown instanceof GatewayError ? (thrown.info.hint ?? '') : '';
}

/**
 * Call this in the `default` case of a switch over a closed union: a new member then causes a compile error.
 */
export function never(value: never): never {
  throw new TypeError(`unexpected value: ${JSON.stringify(value)}`);
}
