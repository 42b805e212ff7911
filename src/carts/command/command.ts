import { actorText } from '../../shared/actor.js';
import type { Clock } from '../../shared/ports/clock.js';
import {
  type Authority,
  COMMAND_STATES,
  type CommandResult,
  type CommandState,
  type CommandView,
  type Order,
  type Origin,
  type OriginView,
  type Reason,
  type Transition,
  type WaitFor,
} from './model.js';

const FIRST_FINAL = COMMAND_STATES.indexOf('FINISHED');
const rank = (state: CommandState): number => COMMAND_STATES.indexOf(state);

function isFinal(state: CommandState): boolean {
  return rank(state) >= FIRST_FINAL;
}

function hasReached(state: CommandState, wait: WaitFor): boolean {
  if (isFinal(state)) return true;
  if (wait === 'done') return false;
  return wait === 'accept' || rank(state) >= rank('ACKNOWLEDGED');
}

/** `acceptedAtMs` and `acceptedWallMs` default to the current time. */
interface CommandContext {
  destination: 'serial' | 'mqtt';
  simulated: boolean;
  clock: Clock;
  authority?: Authority | undefined;
  acceptedAtMs?: number;
  acceptedWallMs?: number;
}

/** The command's state only moves forward, and a final state never changes. */
export class Command {
  readonly order: Order;
  readonly origin: Origin;
  readonly authority: Authority | undefined;
  readonly destination: 'serial' | 'mqtt';
  readonly simulated: boolean;
  readonly acceptedAtMs: number;
  readonly acceptedWallMs: number;
  readonly transitions: Transition[] = [];
  reason: Reason | undefined;
  result: CommandResult | undefined;
  #clock: Clock;
  #listeners = new Set<(command: Command) => void>();
  #measuredListeners: (() => void)[] = [];

  constructor(order: Order, origin: Origin, at: CommandContext) {
    this.order = order;
    this.origin = origin;
    this.authority = at.authority;
    this.destination = at.destination;
    this.simulated = at.simulated;
    this.#clock = at.clock;
    this.acceptedAtMs = at.acceptedAtMs ?? at.clock.now();
    this.acceptedWallMs = at.acceptedWallMs ?? at.clock.wallTime();
    this.transitions.push({ state: 'ACCEPTED', atMs: this.acceptedAtMs, cause: 'valid' });
  }

  get id(): string {
    return this.order.commandId;
  }

  get state(): CommandState {
    return this.transitions[this.transitions.length - 1]?.state ?? 'ACCEPTED';
  }

  get final(): boolean {
    return isFinal(this.state);
  }

  /** Returns the time in ms that is left for the command to start. */
  remainingTtlMs(): number {
    return this.order.ttlMs - (this.#clock.now() - this.acceptedAtMs);
  }

  /** Returns false if the command has ended or `state` is not later than the current state. */
  advance(state: CommandState, cause: string): boolean {
    if (this.final || rank(state) <= rank(this.state)) return false;
    this.transitions.push({ state, atMs: this.#clock.now(), cause });
    for (const listener of [...this.#listeners]) listener(this);
    return true;
  }

  end(state: 'FAILED' | 'EXPIRED' | 'CANCELLED' | 'REJECTED', reason: Reason): boolean {
    if (this.final) return false;
    const { code, text, zoneId, freeDistanceMm } = reason;
    this.reason = { code, text, ...(zoneId !== undefined && { zoneId, freeDistanceMm }) };
    return this.advance(state, code);
  }

  finish(result: CommandResult): boolean {
    if (this.final) return false;
    this.result = result;
    return this.advance('FINISHED', result.estimated ? 'estimated' : 'reported');
  }

  /** Records the distance driven; does nothing if the distance is already known. */
  measure(result: CommandResult): void {
    if (this.result) return;
    this.result = result;
    if (this.final) for (const listener of this.#measuredListeners) listener();
  }

  /** Calls the listener if the distance driven becomes known only after the command has ended. */
  onMeasured(listener: () => void): void {
    this.#measuredListeners.push(listener);
  }

  onTransition(listener: (command: Command) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the command has reached the state in `wait` or has ended. */
  reached(wait: WaitFor): Promise<Command> {
    if (hasReached(this.state, wait)) return Promise.resolve(this);
    return new Promise((resolve) => {
      const stop = this.onTransition(() => {
        if (!hasReached(this.state, wait)) return;
        stop();
        resolve(this);
      });
    });
  }

  view(): CommandView {
    const { order } = this;
    return {
      commandId: order.commandId,
      cartID: order.cartId,
      kind: order.kind,
      destination: this.destination,
      state: this.state,
      distanceID: order.raw.distanceID,
      angleID: order.raw.angleID,
      distanceMm: order.distanceMm,
      angleDeg: order.angleDdeg / 10,
      maxSpeed: order.maxSpeedMmps,
      ttlMs: order.ttlMs,
      origin: originView(this.origin),
      acceptedAt: new Date(this.acceptedWallMs).toISOString(),
      timeline: this.transitions.map(({ state, atMs, cause }) => ({
        state,
        ms: round(atMs - this.acceptedAtMs),
        cause,
      })),
      ...(this.reason ? { reason: this.reason } : {}),
      ...(this.result ? { result: this.result } : {}),
      simulated: this.simulated,
    };
  }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Returns the origin in the form used by HTTP, MQTT and the history. */
export function originView({ source, gatewayId, actor, claimed }: Origin): OriginView {
  const principal = actorText(actor);
  return claimed === undefined ? { source, gatewayId, principal } : { source, gatewayId, principal, claimed };
}
