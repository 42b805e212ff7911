import type { Clock } from '../../shared/ports/clock.js';
import type { ConnectionMessage } from '../mqtt/messages/schema.js';
import type { StateMessage } from '../mqtt/messages/state-schema.js';

/** A session that publishes no state for this long is no longer live. Carts publish a state every second. */
export const SILENT_MS = 5000;
/** An operator can confirm that a duplicate is removed once it has been silent for this long. */
export const REMOVED_MS = 10_000;
/**
 * A session's returns (see `returns`) are counted together only if they are at most this far apart. Gateways with the
 * same client ID displace each other in rounds of 30 s, and two rounds fit in this time. States that are delayed at
 * separate restarts are further apart and do not indicate a duplicate.
 */
const FORGET_MS = 120_000;
const MAX_SESSIONS = 8;
/**
 * Number of returns that reveals a duplicate. After a restart, delayed states of the old session can arrive between
 * states of the new session once, but not a second time.
 */
const RETURNS = 2;
/**
 * An earlier session of this gateway counts as a duplicate only if it publishes for longer than this, because a
 * bridge may deliver its states late and in a burst.
 */
const OLD_SESSION_MS = 5000;
/**
 * Number of connection messages that reveals a duplicate. Two are not enough, because a process's last will can
 * follow its last announcement after the process has ended.
 */
const ANNOUNCEMENTS = 3;

type Sender = Pick<StateMessage, 'sessionId' | 'gatewayId'>;

export interface CartSession {
  readonly sessionId: string;
  readonly gatewayId: string;
  /** The session's latest state; undefined if only connection messages were received. */
  state: StateMessage | undefined;
  heardMs: number;
  /** True if the gateway went offline in this session and has not published since. */
  hasEnded: boolean;
}

interface Heard extends CartSession {
  firstMs: number;
  /**
   * Number of times that a newer state arrived after a state of another session, at most `FORGET_MS` apart.
   */
  returns: number;
  returnedMs: number;
  /** Number of different connection messages, which a displaced client receives as retained messages. */
  announcements: number;
  announcement: string;
}

/**
 * The gateway sessions that use one cart number. Normally, a new session replaces an old one permanently. If
 * an older session keeps publishing newer states, several gateways use the same cart number.
 */
export class CartSessions {
  #clock: Clock;
  #own: ReadonlySet<string> | undefined;
  #sessions = new Map<string, Heard>();
  #speaker: string | undefined;
  #isDuplicated = false;

  /**
   * @param own only for this gateway's cart number: this gateway's earlier sessions. All other sessions are then duplicates, because this gateway's current session is not passed to this class.
   */
  constructor(clock: Clock, own?: ReadonlySet<string>) {
    this.#clock = clock;
    this.#own = own;
  }

  /** Returns true if a state of the session has been received. */
  has(sessionId: string): boolean {
    return this.#sessions.get(sessionId)?.state !== undefined;
  }

  /** Returns undefined for a state that is not newer, because a bridge may deliver states late or twice. */
  onState(state: StateMessage): CartSession | undefined {
    const known = this.#sessions.get(state.sessionId);
    if (known?.state && state.headerId <= known.state.headerId) return undefined;
    const session = known ?? this.#add(state);
    const isReturn =
      session.state !== undefined && (this.#own !== undefined || this.#speaker !== state.sessionId);
    if (isReturn) {
      session.returns = this.#hasReturned(session) ? session.returns + 1 : 1;
      session.returnedMs = this.#clock.now();
    }
    this.#speaker = state.sessionId;
    session.state = state;
    session.hasEnded = false;
    this.#heard(session);
    return session;
  }

  /** Returns the session, or undefined if no message of the session has been received. */
  onConnection(message: ConnectionMessage & { timestamp?: unknown }): CartSession | undefined {
    const { sessionId, connectionState, headerId, timestamp } = message;
    const isOnline = connectionState === 'ONLINE';
    // Sessions of other carts are detected from their states. A gateway receives no states from a duplicate with the
    // same client ID, so sessions of its own cart are also added when they are announced.
    const session = this.#sessions.get(sessionId) ?? (this.#own ? this.#add(message) : undefined);
    if (!session) return undefined;
    session.hasEnded = !isOnline;
    const announcement = `${headerId} ${String(timestamp)}`;
    if (!this.#own || announcement === session.announcement) return session;
    session.announcement = announcement;
    session.announcements += 1;
    if (session.announcements >= ANNOUNCEMENTS) this.#heard(session);
    return session;
  }

  /** Returns the sessions that have published recently and have not gone offline, latest first. */
  live(withinMs = SILENT_MS): CartSession[] {
    const now = this.#clock.now();
    return [...this.#sessions.values()]
      .filter(({ state, heardMs, hasEnded }) => state && !hasEnded && now - heardMs <= withinMs)
      .toSorted((a, b) => b.heardMs - a.heardMs);
  }

  /** True from the second sighting of a duplicate until `clear`. */
  get isDuplicated(): boolean {
    return this.#isDuplicated;
  }

  /**
   * The sessions that must each confirm a stop. Empty if only one gateway uses the number; includes a session that
   * is only suspected to be a duplicate.
   */
  get rivals(): CartSession[] {
    if (this.#sessions.size < 2 && !this.#own) return [];
    const now = this.#clock.now();
    const latest = [...this.#sessions.values()].toSorted((a, b) => b.heardMs - a.heardMs);
    const recent = latest.filter(({ heardMs, hasEnded }) => !hasEnded && now - heardMs <= REMOVED_MS);
    if (this.#own) {
      const isSuspect = ({ sessionId, state }: CartSession) =>
        state !== undefined && !this.#own?.has(sessionId);
      const foreign = recent.filter((session) => this.#isDuplicated || isSuspect(session));
      return foreign.length > 0 || !this.#isDuplicated ? foreign : latest.slice(0, 1);
    }
    if (this.#isDuplicated) return recent.length > 1 ? recent : latest.slice(0, 2);
    return recent.some((session) => this.#hasReturned(session)) ? recent : [];
  }

  /**
   * Time in ms since the duplicate's last message. For this gateway's cart number, every other session is a
   * duplicate; for other numbers, every session except the one that published last.
   */
  get silentMs(): number {
    const heard = [...this.#sessions.values()].map(({ heardMs }) => heardMs).toSorted((a, b) => b - a);
    return this.#clock.now() - ((this.#own ? heard[0] : heard[1]) ?? Number.NEGATIVE_INFINITY);
  }

  /** Returns false without changing anything while the duplicate is still publishing. */
  clear(): boolean {
    if (this.silentMs < REMOVED_MS) return false;
    this.#isDuplicated = false;
    const [latest] = [...this.#sessions.values()].toSorted((a, b) => b.heardMs - a.heardMs);
    this.#sessions.clear();
    if (!latest || this.#own) return true;
    latest.returns = 0;
    latest.returnedMs = Number.NEGATIVE_INFINITY;
    this.#sessions.set(latest.sessionId, latest);
    return true;
  }

  #hasReturned({ returnedMs }: Heard): boolean {
    return this.#clock.now() - returnedMs <= FORGET_MS;
  }

  #add({ sessionId, gatewayId }: Sender): Heard {
    const now = this.#clock.now();
    for (const old of this.#sessions.values()) {
      const isFull = this.#sessions.size >= MAX_SESSIONS;
      if (isFull || now - old.heardMs > FORGET_MS) this.#sessions.delete(old.sessionId);
    }
    const session: Heard = {
      sessionId,
      gatewayId,
      state: undefined,
      firstMs: now,
      heardMs: now,
      hasEnded: false,
      returns: 0,
      returnedMs: Number.NEGATIVE_INFINITY,
      announcements: 0,
      announcement: '',
    };
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** Moves the session to the end of the map, so that the session that has been silent longest is forgotten first. */
  #heard(session: Heard): void {
    session.heardMs = this.#clock.now();
    this.#sessions.delete(session.sessionId);
    this.#sessions.set(session.sessionId, session);
    if (this.#isEvidence(session)) this.#isDuplicated = true;
  }

  #isEvidence({ sessionId, returns, announcements, firstMs, heardMs }: Heard): boolean {
    if (!this.#own) return returns >= RETURNS;
    // An earlier session of this gateway is evidence only if it stays active: another process is then running on a copy
    // of the data directory.
    if (this.#own.has(sessionId) && heardMs - firstMs < OLD_SESSION_MS) return false;
    return returns > 0 || announcements >= ANNOUNCEMENTS;
  }
}
