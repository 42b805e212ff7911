import type { KeyObject } from 'node:crypto';
import { GatewayError } from '../../shared/errors.js';
import { textOf } from '../../shared/messages/message.js';
import { span } from '../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { BusMessage } from '../../shared/ports/mqtt.js';
import type { Command } from '../command/command.js';
import type { Reason } from '../command/model.js';
import { cartMessage } from '../messages.js';
import { isSigned } from './heartbeat-publisher.js';
import { checkHeartbeat, readMessage } from './messages/read.js';
import type { CommandMessage } from './messages/schema.js';
import type { RejectedMessages } from './rejected-messages.js';

/** Maximum number of tracked sessions. Only valid heartbeats, from gateways with the site key, add sessions. */
const MAX_SESSIONS = 32;
const REFUSED = 'HEARTBEAT_REFUSED';
export const NO_SITE_KEY = cartMessage('no-site-key');

type Commander = Pick<CommandMessage, 'gatewayId' | 'sessionId'>;

interface Session {
  counter: number;
  /** When the session's latest heartbeat arrived, on this gateway's monotonic clock. */
  receivedMs: number;
}

interface Watched {
  session: string;
  gatewayId: string;
  sinceMs: number;
  cancelTimer: Cancel;
}

interface HeartbeatWatchDeps {
  key: KeyObject | undefined;
  /** A command ends if no heartbeat arrives for this long, in ms; 0 disables the check. */
  limitMs: () => number;
  clock: Clock;
  refusals: RejectedMessages;
  /** Called once for each command whose heartbeats have stopped. */
  lost: (command: Command, reason: Reason) => void;
}

/** Ends a gateway's commands when its signed heartbeats stop; only the heartbeats' arrival times are used. */
export class HeartbeatWatch {
  #deps: HeartbeatWatchDeps;
  #sessions = new Map<string, Session>();
  #watched = new Map<Command, Watched>();

  constructor(deps: HeartbeatWatchDeps) {
    this.#deps = deps;
  }

  /** Throws SAFETY_UNAVAILABLE if heartbeats are required but there is no site key. */
  check(): void {
    if (this.#deps.key || this.#deps.limitMs() === 0) return;
    throw new GatewayError('SAFETY_UNAVAILABLE', NO_SITE_KEY, {
      hint: cartMessage('site-key-hint'),
    });
  }

  take(message: BusMessage): void {
    const { key } = this.#deps;
    if (!key || message.payload.length === 0) return;
    if (message.retain) return this.#refuse('heartbeats must not be retained', message);
    const read = readMessage(message, checkHeartbeat);
    if ('refusal' in read) return this.#refuse(textOf(read.refusal.text), message);
    const { value } = read;
    if (!isSigned(key, message.topic, value)) {
      return this.#refuse('the heartbeat signature is invalid: the site keys differ', message);
    }
    const session = nameOf(value);
    const known = this.#sessions.get(session);
    if (known && value.counter <= known.counter)
      return this.#refuse('the heartbeat is a replay of an earlier heartbeat', message);
    // Added again at the end, so that the session with the oldest heartbeat comes first and is evicted first.
    this.#sessions.delete(session);
    this.#sessions.set(session, { counter: value.counter, receivedMs: this.#deps.clock.now() });
    if (this.#sessions.size > MAX_SESSIONS) this.#forgetOldest();
  }

  /** Watches a command until it ends; must be called for every renewal of the command. */
  follow(command: Command, { gatewayId, sessionId }: Commander): void {
    if (command.final || this.#deps.limitMs() === 0) return;
    const session = nameOf({ gatewayId, sessionId });
    const known = this.#watched.get(command);
    if (known) return void Object.assign(known, { session, gatewayId });
    const sinceMs = this.#deps.clock.now();
    this.#watched.set(command, { session, gatewayId, sinceMs, cancelTimer: () => undefined });
    command.onTransition(() => {
      if (command.final) this.#forget(command);
    });
    this.#checkHeartbeat(command);
  }

  close(): void {
    for (const command of [...this.#watched.keys()]) this.#forget(command);
  }

  #checkHeartbeat(command: Command): void {
    const { clock, limitMs: limit, lost } = this.#deps;
    const watched = this.#watched.get(command);
    const limitMs = limit();
    if (!watched || limitMs === 0) return this.#forget(command);
    const receivedMs = Math.max(watched.sinceMs, this.#sessions.get(watched.session)?.receivedMs ?? 0);
    const leftMs = receivedMs + limitMs - clock.now();
    if (leftMs > 0) {
      watched.cancelTimer = clock.after(leftMs, () => this.#checkHeartbeat(command));
      return;
    }
    this.#forget(command);
    const { gatewayId } = watched;
    const text = cartMessage('heartbeat-lost', { gatewayId, time: span(limitMs) });
    lost(command, { code: 'HEARTBEAT_LOST', text });
  }

  #forget(command: Command): void {
    this.#watched.get(command)?.cancelTimer();
    this.#watched.delete(command);
  }

  /**
   * Forgets the oldest session that has no running command. The counters of the other sessions are needed to reject
   * replays.
   */
  #forgetOldest(): void {
    const needed = new Set([...this.#watched.values()].map(({ session }) => session));
    const [oldest] = [...this.#sessions.keys()].filter((session) => !needed.has(session));
    if (oldest !== undefined) this.#sessions.delete(oldest);
  }

  #refuse(text: string, { topic }: BusMessage): void {
    const { refusals } = this.#deps;
    // Lists at most one rejection a minute, because five a second would displace all other entries.
    if (refusals.list().some(({ errorType }) => errorType === REFUSED)) return;
    refusals.add({ code: REFUSED, text }, { topic });
  }
}

function nameOf({ gatewayId, sessionId }: Commander): string {
  return JSON.stringify([gatewayId, sessionId]);
}
