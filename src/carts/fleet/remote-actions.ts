import { randomUUID } from 'node:crypto';
import type { Actor } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import { recognised } from '../../shared/messages/recognise.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { MessageBus, PublishOptions } from '../../shared/ports/mqtt.js';
import { originView } from '../command/command.js';
import type { EmergencyStop, Origin, Reason, StopOrigin } from '../command/model.js';
import type { StopKind } from '../control/contracts.js';
import { encodeMessage } from '../mqtt/messages/encode.js';
import { describedReason, knownReason } from '../mqtt/messages/reason.js';
import type { AckMessage } from '../mqtt/messages/schema.js';
import type { StateMessage } from '../mqtt/messages/state-schema.js';
import { ALL, Headers, type TopicIdentity, Topics } from '../mqtt/messages/topics.js';
import { action } from '../mqtt/messages/write.js';
import { fleetMessage } from './messages.js';
import type { RemoteCart } from './remote-cart.js';

const RESET_MS = 2000;

const STOP_ACTIONS: Record<StopKind, string> = {
  stop: 'cancelOrder',
  halt: 'haltCat1',
  estop: 'emergencyStop',
};

interface WaitingReset {
  cartId: number;
  /** The session whose state the reset is based on; other sessions reject the reset. */
  sessionId: string | undefined;
  /** True after the cart has acknowledged the reset. The cart's next state message contains the outcome. */
  done: boolean;
  resolve: (stop: EmergencyStop) => void;
  reject: (error: Error) => void;
}

interface RemoteActionsDeps {
  bus: MessageBus;
  clock: Clock;
  identity: TopicIdentity;
  /** Called with the actor when a reset is sent, before the cart responds. */
  onReset?: (cartId: number, by: Actor) => void;
}

export class RemoteActions {
  #bus: MessageBus;
  #clock: Clock;
  #identity: TopicIdentity;
  #topics: Topics;
  #headers: Headers;
  #resets = new Map<string, WaitingReset>();
  #onReset: (cartId: number, by: Actor) => void;

  constructor({ bus, clock, identity, onReset = () => {} }: RemoteActionsDeps) {
    this.#onReset = onReset;
    this.#bus = bus;
    this.#clock = clock;
    this.#identity = identity;
    this.#topics = new Topics(identity);
    this.#headers = new Headers(identity);
  }

  /** Stops one cart or, with `null`, all carts. Resolves when the broker has received the message. */
  stop(cartId: number | null, kind: StopKind, actionId: string, sent: StopOrigin): Promise<void> {
    const { pressId, ...origin } = sent;
    // With QoS 1, a stop may arrive twice, which is harmless. A latching stop does not expire.
    const options: PublishOptions = kind === 'estop' ? { qos: 1 } : { qos: 1, expiryS: 5 };
    const press = kind === 'estop' && pressId !== undefined ? { pressId } : {};
    return this.#publish(cartId, action(STOP_ACTIONS[kind], actionId, press), options, origin);
  }

  /** Cancelling a command that has already started stops the cart. */
  cancel(cartId: number, commandId: string, actionId: string): Promise<void> {
    const cancel = action('cancelOrder', actionId, { orderId: commandId });
    return this.#publish(cartId, cancel, { qos: 1, expiryS: 5 });
  }

  /** Resolves with the cart's `emergencyStop` state; rejects with the cart's error or ACK_TIMEOUT. */
  reset({ cartId, resetBasis: basis }: RemoteCart, origin: Origin): Promise<EmergencyStop> {
    const actionId = randomUUID();
    this.#onReset(cartId, origin.actor);
    let cancelTimer: Cancel = () => {};
    const outcome = new Promise<EmergencyStop>((resolve, reject) => {
      this.#resets.set(actionId, { cartId, sessionId: basis?.sessionId, done: false, resolve, reject });
      cancelTimer = this.#clock.after(RESET_MS, () => {
        const text = fleetMessage('reset-unanswered', { cartID: cartId, limit: RESET_MS });
        reject(new GatewayError('ACK_TIMEOUT', text));
      });
      // QoS 0 and `basis` prevent a delayed message from resetting a newer stop.
      const reset = action('emergencyStopReset', actionId, basis ? { basis } : {});
      this.#publish(cartId, reset, { qos: 0, expiryS: 2 }, origin).catch(reject);
    });
    return outcome.finally(() => {
      cancelTimer();
      this.#resets.delete(actionId);
    });
  }

  onAck(cartId: number, { commandId, sessionId, state, reason }: AckMessage): void {
    const waiting = this.#resets.get(commandId);
    if (waiting?.cartId !== cartId || isOther(waiting, sessionId)) return;
    if (state === 'FINISHED') waiting.done = true;
    else if (reason) waiting.reject(refusalOf(knownReason(reason, 'RESET_REFUSED')));
  }

  onState(cartId: number, { sessionId, instantActionStates = [], safetyState }: StateMessage): void {
    for (const [actionId, waiting] of [...this.#resets]) {
      if (waiting.cartId !== cartId || isOther(waiting, sessionId)) continue;
      const reported = instantActionStates.find((candidate) => candidate.actionId === actionId);
      if (reported?.actionStatus === 'FAILED') {
        waiting.reject(refusalOf(describedReason(reported.resultDescription ?? '', 'RESET_REFUSED')));
      } else if (waiting.done || reported?.actionStatus === 'FINISHED')
        waiting.resolve(safetyState.activeEmergencyStop);
    }
  }

  #publish(cartId: number | null, what: object, options: PublishOptions, origin?: Origin): Promise<void> {
    const topic = this.#topics.of(cartId ?? ALL, 'instantActions');
    const header = this.#headers.next(topic, this.#clock.wallTime(), cartId ?? this.#identity.cartId);
    const sent = { ...header, origin: origin && originView(origin), actions: [what] };
    const payload = encodeMessage('instantActions', sent);
    return this.#bus.publish(topic, payload, options);
  }
}

function isOther({ sessionId: expected }: WaitingReset, sessionId: string): boolean {
  return expected !== undefined && sessionId !== expected;
}

function refusalOf({ code, text }: Reason): GatewayError {
  return new GatewayError(code, text ? recognised(text) : fleetMessage('reset-refused'));
}
