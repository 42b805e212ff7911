import { type Actor, isSameActor } from '../../shared/actor.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Command } from '../command/command.js';
import type { Reason } from '../command/model.js';
import type { AckMessage, Basis } from '../mqtt/messages/schema.js';
import type { StateMessage } from '../mqtt/messages/state-schema.js';
import type { TopicIdentity } from '../mqtt/messages/topics.js';
import type { RemoteCart } from './remote-cart.js';
import { RemoteCommand } from './remote-command.js';

/**
 * Maximum number of interrupted commands whose distance is awaited; a cart reports the distance only after it has
 * come to a standstill.
 */
const MAX_UNMEASURED = 50;

/** A cart publishes its state every second, so a session that is silent for this long has probably ended. */
const RESTARTED_MS = 2500;

interface RemoteCommandsDeps {
  identity: Pick<TopicIdentity, 'gatewayId' | 'sessionId'>;
  /** True if the cart has published in this session within this time and has not gone offline. */
  isLive: (cartId: number, sessionId: string, withinMs: number) => boolean;
  clock: Clock;
  moved: (command: Command) => void;
  cancel: (command: Command) => void;
}

export class RemoteCommands {
  #deps: RemoteCommandsDeps;
  #running = new Map<string, RemoteCommand>();
  /** Interrupted commands whose distance is unknown, oldest first. */
  #unmeasured = new Map<string, Command>();

  constructor(deps: RemoteCommandsDeps) {
    this.#deps = deps;
  }

  follow(command: Command, basis: Basis, publish: () => Promise<void>): void {
    const { clock, cancel, moved, isLive } = this.#deps;
    const running = new RemoteCommand({
      command,
      basis,
      clock,
      publish,
      cancel: () => cancel(command),
      isLive: () => isLive(command.order.cartId, basis.sessionId, RESTARTED_MS),
    });
    this.#running.set(command.id, running);
    command.onTransition(() => {
      if (command.final) this.#end(command);
      moved(command);
    });
    running.start();
  }

  carts(): number[] {
    return [...this.#running.values()].map(({ command }) => command.order.cartId);
  }

  jogOf(cartId: number, actor: Actor): Command | undefined {
    return this.#of(cartId).find(
      ({ command: { order, origin } }) => order.kind === 'jog' && isSameActor(origin.actor, actor),
    )?.command;
  }

  onAck(cartId: number, ack: AckMessage): void {
    const id = ack.commandId.toLowerCase();
    const running = this.#running.get(id);
    const command = running?.command ?? this.#unmeasured.get(id);
    if (command?.order.cartId !== cartId) return;
    // Another gateway used the same command ID, and the acknowledgement is for that gateway.
    if (ack.inReplyTo && !this.#isOwn(ack.inReplyTo)) return;
    if (running) running.onAck(ack);
    else this.#measure(command, ack.result);
  }

  onState(cartId: number, state: StateMessage): void {
    for (const running of this.#of(cartId)) running.onState(state);
    for (const { commandId, result } of state.x?.commands ?? []) {
      const command = this.#unmeasured.get(commandId);
      if (command?.order.cartId === cartId) this.#measure(command, result);
    }
  }

  onAbsent({ cartId, absence }: RemoteCart): void {
    for (const running of this.#of(cartId)) running.lost(absence);
  }

  /** Cancels unacknowledged commands, so that they are not resent. `null` means all carts. */
  stopped(cartId: number | null, by: Actor): void {
    for (const running of this.#running.values()) {
      const { order } = running.command;
      if (cartId === null || order.cartId === cartId) running.stopped(by);
    }
  }

  /** Also cancels a command that its cart has not received. */
  revoked({ id }: Command, reason: Reason): void {
    this.#running.get(id)?.revoked(reason);
  }

  close(): void {
    for (const running of this.#running.values()) running.close();
    this.#running.clear();
    this.#unmeasured.clear();
  }

  #end(command: Command): void {
    this.#running.delete(command.id);
    if (command.result || command.state === 'REJECTED' || command.state === 'EXPIRED') return;
    this.#unmeasured.set(command.id, command);
    const [oldest] = this.#unmeasured.keys();
    if (oldest !== undefined && this.#unmeasured.size > MAX_UNMEASURED) this.#unmeasured.delete(oldest);
  }

  #measure(command: Command, result: AckMessage['result']): void {
    if (!result) return;
    this.#unmeasured.delete(command.id);
    command.measure(result);
  }

  /** Gateways of earlier versions do not report the session. */
  #isOwn({ gatewayId, sessionId }: NonNullable<AckMessage['inReplyTo']>): boolean {
    const { identity } = this.#deps;
    return gatewayId === identity.gatewayId && (sessionId ?? identity.sessionId) === identity.sessionId;
  }

  #of(cartId: number): RemoteCommand[] {
    return [...this.#running.values()].filter(({ command }) => command.order.cartId === cartId);
  }
}
