/** What a refused or failed operation tells: a code for machines, a sentence for people, a hint for the operator. */
export interface ErrorDetails {
  /** What to do about it, in the operator's words. */
  hint?: string;
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
  message: string;
}

/**
 * The one error class that crosses a room's border. `web/errors.ts` turns `code` into a status,
 * `carts/mqtt/agent.ts` into a reason on the MQTT tree; nothing else needs to know both.
 */
export class GatewayError extends Error {
  readonly code: string;
  // Not called `details`: test runners take that for a text of their own.
  readonly info: Omit<ErrorDetails, 'cause'>;

  constructor(code: string, message: string, { cause, ...info }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'GatewayError';
    this.code = code;
    this.info = info;
  }
}

/** The sentence of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What to do about anything that was thrown; empty when it does not say. */
export function hintOf(thrown: unknown): string {
  return thrown instanceof GatewayError ? (thrown.info.hint ?? '') : '';
}

/** For the `default` of a switch over a closed union: a new member becomes a compile error. */
export function never(value: never): never {
  throw new TypeError(`unexpected value: ${JSON.stringify(value)}`);
}
