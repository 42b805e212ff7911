import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { BusMessage } from '../../shared/ports/mqtt.js';
import { checkerFor } from '../../shared/validation/validate.js';
import type { Origin, Reason } from '../command/model.js';
import type { CommandGateway, StopKind } from '../control/contracts.js';
import { withPressId } from '../safety/press-id.js';
import type { AckPublisher } from './ack-publisher.js';
import type { FreshnessWindow } from './freshness-window.js';
import { actionsOrigin } from './messages/origin.js';
import { checkInstantActions, readMessage, replyAddressOf } from './messages/read.js';
import { describeReason } from './messages/reason.js';
import { type Basis, basisSchema, type InstantActionsMessage } from './messages/schema.js';
import type { ActionState } from './messages/state.js';
import { orderIdOf, parameter, readStopActions, stopOf } from './messages/stops.js';
import type { TopicIdentity } from './messages/topics.js';
import type { RejectedMessages } from './rejected-messages.js';

/** If this many latching stops are waiting to be saved, a further one fails with BUSY but still stops the cart. */
const MAX_UNSAVED = 100;
/** Maximum age of a reset's basis; short, because a reset allows motion again. */
const RESET_TTL_MS = 2000;

const checkBasis = checkerFor<Basis>(basisSchema);

type Action = InstantActionsMessage['actions'][number];

interface InstantActionsDeps {
  dispatcher: CommandGateway;
  identity: TopicIdentity;
  clock: Clock;
  acks: AckPublisher;
  basis: FreshnessWindow;
  refusals: RejectedMessages;
  authenticated?: () => boolean;
  publishState: () => void;
  republishFactsheet: () => void;
  changed: () => void;
  cancelUnknown: (commandId: string) => void;
}

/** Stops are accepted from any sender; other actions are checked first. */
export class InstantActions {
  #deps: InstantActionsDeps;
  #log = new ActionLog();
  #unsaved = 0;

  constructor(deps: InstantActionsDeps) {
    this.#deps = deps;
  }

  get states(): ActionState[] {
    return this.#log.states;
  }

  /** @param toAll true for a message on the `_all` topic, which may contain only stops. */
  take(message: BusMessage, toAll: boolean): void {
    if (message.payload.length === 0) return;
    const { refusals } = this.#deps;
    const { topic } = message;
    if (message.retain) return refusals.add(RETAINED, { topic });
    const read = readMessage(message, checkInstantActions);
    if ('value' in read) return this.#executeAll(read.value, toAll, message);
    const stops = readStopActions(message);
    if (!stops) return refusals.add(read.refusal, { topic });
    this.#executeAll(stops, toAll, message);
    refusals.addObeyed(read.refusal, { topic });
  }

  #executeAll(sent: InstantActionsMessage, toAll: boolean, message: BusMessage): void {
    // The gateway recognises its own messages by their session ID, because another gateway can have the same gatewayId.
    if (sent.sessionId === this.#deps.identity.sessionId) return;
    for (const action of sent.actions) {
      // QoS 1 may deliver a message twice. Stops are executed again, because some senders reuse action IDs.
      if (!this.#log.isNew(action.actionId) && !stopOf(action.actionType)) continue;
      void this.#execute(action, sent, toAll, message);
    }
  }

  async #execute(
    action: Action,
    sent: InstantActionsMessage,
    toAll: boolean,
    message: BusMessage,
  ): Promise<void> {
    const { acks, dispatcher, refusals, changed } = this.#deps;
    const { actionId, actionType } = action;
    let running: ActionState | undefined;
    let reason: Reason | undefined;
    try {
      const stop = stopOf(actionType);
      const origin = actionsOrigin(sent, message, this.#deps.authenticated?.() ?? false);
      if (stop) {
        if (this.#stop(stop, action, origin)) running = this.#log.start(action);
        // The action is FINISHED only when the motor controller has acknowledged this stop.
        const confirmed = running && dispatcher.stopConfirmed();
        const saved = stop === 'estop' ? this.#latchSaved() : undefined;
        await Promise.all([confirmed, saved]);
      } else await this.#executeOther(action, toAll, origin);
    } catch (thrown) {
      reason = { code: thrown instanceof GatewayError ? thrown.code : 'INTERNAL', text: messageOf(thrown) };
      if (!running) refusals.add(reason, { topic: message.topic, actionId, actionType });
    }
    const outcome = reason ? { resultDescription: describeReason(reason) } : {};
    const actionStatus = reason ? 'FAILED' : 'FINISHED';
    // This stop has been repeated, so its own confirmation must not be mistaken for the repetition's.
    if (running && this.#log.isRepeated(running)) return;
    this.#log.finish({ actionId, actionType, actionStatus, ...outcome }, running);
    const state = reason && !running ? 'REJECTED' : actionStatus;
    const { simulated } = dispatcher.ownCart();
    acks.answer(actionId, { state, reason, to: sent, simulated }, replyAddressOf(message));
    changed();
  }

  /** A latching stop that has been acknowledged must survive a restart, so the latch is saved first. */
  async #latchSaved(): Promise<void> {
    if (this.#unsaved >= MAX_UNSAVED) {
      const text = `the cart is stopped, but ${MAX_UNSAVED} latched stops have not been saved yet`;
      throw new GatewayError('BUSY', text);
    }
    this.#unsaved += 1;
    await this.#deps.dispatcher.latchSaved().finally(() => (this.#unsaved -= 1));
  }

  /** Returns false if the command to be cancelled has already ended. */
  #stop(kind: StopKind, action: Action, origin: Origin): boolean {
    const { dispatcher, cancelUnknown } = this.#deps;
    const orderId = orderIdOf(action);
    if (action.actionType === 'cancelOrder' && orderId !== undefined) {
      const command = dispatcher.find(orderId);
      if (!command) {
        cancelUnknown(orderId.toLowerCase());
        throw new GatewayError('NO_ORDER_TO_CANCEL', `this cart has no command with the ID ${orderId}`);
      }
      if (command.final) return false;
    }
    dispatcher.stopOwn(kind, withPressId(origin, parameter(action, 'pressId')));
    return true;
  }

  async #executeOther(action: Action, toAll: boolean, origin: Origin): Promise<void> {
    const { dispatcher, publishState, republishFactsheet } = this.#deps;
    const { actionType } = action;
    if (toAll) {
      throw new GatewayError(
        'INVALID_INSTANT_ACTION',
        `only stops can be sent to all carts, not ${actionType}`,
      );
    }
    switch (actionType) {
      case 'emergencyStopReset':
        this.#checkFresh(action);
        await dispatcher.resetOwn(origin);
        return;
      case 'stateRequest':
        return publishState();
      case 'factsheetRequest':
        return republishFactsheet();
      case 'stopPause':
        throw new GatewayError(
          'UNSUPPORTED_PARAMETER',
          'a stopped motion cannot be resumed; send a new command',
        );
      default:
        throw new GatewayError(
          'INVALID_INSTANT_ACTION',
          `this cart does not support the action ${actionType}`,
        );
    }
  }

  /** Rejects a replayed or delayed reset, which could otherwise reset a later stop. */
  #checkFresh(action: Action): void {
    const { basis, clock } = this.#deps;
    const checked = checkBasis(parameter(action, 'basis'));
    if (!('value' in checked)) {
      throw new GatewayError(
        'VALIDATION_FAILURE',
        'the reset must contain a basis, which identifies the state on which the reset is based',
      );
    }
    const verdict = basis.judge(checked.value, RESET_TTL_MS, clock.now());
    if (verdict !== 'ok') throw new GatewayError(verdict, 'the reset is based on an outdated state');
    // The latest state that the sender had received did not contain the latest stop, so the reset is for an
    // earlier stop.
    if (basis.stoppedSince(checked.value)) {
      throw new GatewayError('EXPIRED', 'the reset is based on a state from before the latest latched stop');
    }
  }
}

const RETAINED: Reason = { code: 'RETAINED', text: 'instant actions must not be retained' };

const KEEP_STATES = 10;
const KEEP_IDS = 200;

class ActionLog {
  #states: ActionState[] = [];
  #seen = new Set<string>();
  /** The latest unfinished action by ID. */
  #running = new Map<string, ActionState>();

  get states(): ActionState[] {
    return this.#states;
  }

  /** Records the ID; returns false if the ID has already been recorded. */
  isNew(actionId: string): boolean {
    if (this.#seen.has(actionId)) return false;
    this.#seen.add(actionId);
    const [oldest] = this.#seen;
    if (this.#seen.size > KEEP_IDS && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }

  /** The new state replaces those of earlier actions with the same ID, which some senders reuse. */
  start({ actionId, actionType }: Pick<ActionState, 'actionId' | 'actionType'>): ActionState {
    const state: ActionState = { actionId, actionType, actionStatus: 'RUNNING' };
    this.#running.set(actionId, state);
    this.#states = this.#states.filter((other) => other.actionId !== actionId);
    this.#add(state);
    return state;
  }

  /** Returns true if an action with the same ID has started since. */
  isRepeated(running: ActionState): boolean {
    return this.#running.get(running.actionId) !== running;
  }

  finish(state: ActionState, running?: ActionState): void {
    this.#states = this.#states.filter((other) => other !== running);
    if (running) this.#running.delete(state.actionId);
    this.#add(state);
  }

  #add(state: ActionState): void {
    this.#states = [...this.#states.slice(1 - KEEP_STATES), state];
  }
}
