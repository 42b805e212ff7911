import { type Text, textOf } from './messages/message.js';

/** What a refused or failed operation tells: a code for machines, a sentence for people, a hint for the operator. */
export interface ErrorDetails {
  /** What to do about it, in the operator's words. */
  hint?: Text;
  /** The input field at fault, as the caller named it. */
  field?: string;
  /** The limit that was broken, in `unit`. */
  limit?: number | string;
  unit?: string;
  /** Every fault found, when there can be several. */
  faults?: Fault[];
  /** The command that the error is about, when there is one. */
  commandId?: string;
  retryAfterS?: number;
  cause?: unknown;
}

/** One fault in a document: where it is (JSON pointer or field name) and what is wrong there. */
export interface Fault {
  path: string;
  message: Text;
}

/**
 * The one error class that crosses a room's border. `web/errors.ts` turns `code` into a status,
 * `carts/mqtt/agent.ts` into a reason on the MQTT tree; nothing else needs to know both.
 */
export class GatewayError extends Error {
  readonly code: string;
  /** The sentence, with its code when it has one. */
  readonly said: Text;
  // Not called `details`: test runners take that for a text of their own.
  readonly info: Omit<ErrorDetails, 'cause'>;

  constructor(code: string, message: Text, { cause, ...info }: ErrorDetails = {}) {
    super(textOf(message), cause === undefined ? undefined : { cause });
    this.name = 'GatewayError';
    this.code = code;
    this.said = message;
    this.info = info;
  }
}

/** The English sentence of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The sentence of anything that was thrown, for a page or a sentence around it. */
export function saidBy(thrown: unknown): Text {
  return thrown instanceof GatewayError ? thrown.said : messageOf(thrown);
}

/** What to do about anything that was thrown; empty when it does not say. */
export function hintOf(thrown: unknown): Text {
  return thrown instanceof GatewayError ? (thrown.info.hint ?? '') : '';
}

/** For the `default` of a switch over a closed union: a new member becomes a compile error. */
export function never(value: never): never {
  throw new TypeError(`unexpected value: ${JSON.stringify(value)}`);
}
