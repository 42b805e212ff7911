import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { BusMessage } from '../../shared/ports/mqtt.js';
import type { Order, Reason } from '../command/model.js';
import type { CommandGateway } from '../control/contracts.js';
import type { AckPublisher } from './ack-publisher.js';
import type { FreshnessWindow } from './freshness-window.js';
import type { HeartbeatWatch } from './heartbeat-watch.js';
import { type OrderRules, toOrder } from './messages/limits.js';
import { commandOrigin } from './messages/origin.js';
import { checkCommand, commandIdOf, readMessage, replyAddressOf } from './messages/read.js';
import type { CommandMessage } from './messages/schema.js';
import { readStopCommand } from './messages/stops.js';
import type { TopicIdentity } from './messages/topics.js';
import type { RejectedMessages } from './rejected-messages.js';

const MAX_SENDERS = 200;
const MAX_CANCELLED = 200;

const EXPIRY_TEXT = {
  EXPIRED_SESSION: 'the command is based on a state from before this gateway started',
  EXPIRED: 'the command is based on an outdated state of this cart',
} as const;

interface CommandMessageHandlerDeps {
  dispatcher: CommandGateway;
  identity: TopicIdentity;
  clock: Clock;
  log: Log;
  acks: AckPublisher;
  basis: FreshnessWindow;
  refusals: RejectedMessages;
  heartbeats: HeartbeatWatch;
  rules: () => OrderRules;
}

export class CommandMessageHandler {
  #deps: CommandMessageHandlerDeps;
  /** The number of each session's latest command; an older command that arrives later is rejected. */
  #newest = new Map<string, number>();
  #cancelled = new Set<string>();

  constructor(deps: CommandMessageHandlerDeps) {
    this.#deps = deps;
  }

  take(message: BusMessage): void {
    // An empty payload only deletes a retained message.
    if (message.payload.length === 0) return;
    const { identity, refusals } = this.#deps;
    const read = readMessage(message, checkCommand);
    if ('refusal' in read) {
      if (message.retain) return this.#refuse(retained(), commandIdOf(read.json), undefined, message);
      const stop = readStopCommand(message, identity.cartId);
      if (!stop) return this.#refuse(read.refusal, commandIdOf(read.json), undefined, message);
      this.#execute(stop, message);
      return refusals.addObeyed(read.refusal, { topic: message.topic });
    }
    if (message.retain) return this.#refuse(retained(), read.value.commandId, read.value, message);
    this.#execute(read.value, message);
  }

  #execute(value: CommandMessage, message: BusMessage): void {
    if (!this.#isForUs(value)) return;
    try {
      this.#accept(value, message);
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) this.#deps.log.error('mqtt.command_failed', { error: thrown });
      const code = thrown instanceof GatewayError ? thrown.code : 'INTERNAL';
      this.#refuse({ code, text: messageOf(thrown) }, value.commandId, value, message);
    }
  }

  /** Records that the command was cancelled, so that it is rejected if it arrives after its cancellation. */
  cancel(commandId: string): void {
    this.#cancelled.add(commandId);
    for (const oldest of this.#cancelled) {
      if (this.#cancelled.size <= MAX_CANCELLED) break;
      this.#cancelled.delete(oldest);
    }
  }

  /** Returns false for this gateway's own messages (echoed by MQTT 3.1.1 brokers) and for other carts' messages. */
  #isForUs({ cartID, gatewayId, sessionId }: CommandMessage): boolean {
    const { identity, log } = this.#deps;
    // The gateway recognises its own messages by their session ID, because another gateway can have the same gatewayId.
    const echo = sessionId === identity.sessionId;
    if (!echo && cartID === identity.cartId) return true;
    log.debug('mqtt.command_ignored', { cartID, gatewayId });
    return false;
  }

  #accept(value: CommandMessage, message: BusMessage): void {
    const replyTo = replyAddressOf(message);
    const { dispatcher, acks, heartbeats, rules } = this.#deps;
    const order = toOrder(value, rules());
    const known = dispatcher.find(order.commandId);
    // A stop is safe at any age. A repeated move is not executed again, but a repeated jog could be.
    if (order.kind !== 'stop' && (!known || order.kind === 'jog')) this.#checkFresh(value, order);
    if (order.kind !== 'stop') heartbeats.check();
    const command = dispatcher.accept(order, commandOrigin(value, message), message.sender);
    // A repeated command still depends on the heartbeats from the gateway that sent the command first.
    if (command !== known && order.kind !== 'stop') heartbeats.follow(command, value);
    if (command === known) acks.republish(command);
    else if (command.id === order.commandId) acks.onTransition(command);
    // Otherwise, the message renewed a running jog.
    else {
      const { simulated } = command;
      return acks.answer(order.commandId, { state: 'FINISHED', to: value, simulated }, replyTo);
    }
    if (replyTo) acks.addReplyAddress(command, replyTo);
  }

  #checkFresh(value: CommandMessage, order: Order): void {
    const { basis, clock, dispatcher } = this.#deps;
    // Uses the order's time to live, which is limited for a jog. With the message's time to live, a delayed jog could
    // start after its sender has released the controls.
    const verdict = basis.judge(value.basis, order.ttlMs, clock.now());
    if (verdict !== 'ok') throw new GatewayError(verdict, EXPIRY_TEXT[verdict]);
    // While a stop is latched, the dispatcher rejects the command with a more specific reason.
    if (basis.stoppedSince(value.basis) && dispatcher.ownCart().safety.emergencyStop === 'NONE') {
      throw new GatewayError(
        'EXPIRED',
        'the command is based on a state from before the latest latched stop',
      );
    }
    if (this.#cancelled.has(order.commandId)) {
      throw new GatewayError('CANCELLED', 'the command was cancelled before it arrived');
    }
    const { sessionId, seq } = value;
    const sender = JSON.stringify([value.origin.gatewayId, sessionId]);
    if (seq < (this.#newest.get(sender) ?? 0)) {
      throw new GatewayError('SUPERSEDED', 'a newer command from the same gateway arrived before this one');
    }
    this.#newest.delete(sender);
    this.#newest.set(sender, seq);
    const [oldest] = this.#newest.keys();
    if (this.#newest.size > MAX_SENDERS && oldest !== undefined) this.#newest.delete(oldest);
  }

  #refuse(
    reason: Reason,
    commandId: string | undefined,
    sender: CommandMessage | undefined,
    message: BusMessage,
  ): void {
    const { acks, dispatcher, refusals } = this.#deps;
    refusals.add(reason, { topic: message.topic, ...(commandId ? { commandId } : {}) });
    if (!commandId) return;
    const known = dispatcher.find(commandId);
    // An invalid copy of a known command changes nothing, and the command's state is published again. A different
    // command with the same ID is rejected.
    if (known && reason.code !== 'ID_REUSED') return acks.republish(known);
    const { simulated } = dispatcher.ownCart();
    const answer = { state: 'REJECTED', reason, to: sender, simulated } as const;
    acks.answer(commandId.toLowerCase(), answer, replyAddressOf(message));
  }
}

function retained(): Reason {
  return {
    code: 'RETAINED',
    text: 'commands must not be retained: the age of a retained command is unknown',
  };
}
