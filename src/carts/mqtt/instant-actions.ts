import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { BusMessage } from '../../shared/ports/mqtt.js';
import { checkerFor } from '../../shared/validation/validate.js';
import type { FreshnessWindow } from '../command/freshness-window.js';
import type { Origin, Reason } from '../command/model.js';
import type { CommandGateway, StopKind } from '../control/contracts.js';
import type { AckPublisher } from './ack-publisher.js';
import { actionsOrigin } from './messages/origin.js';
import { checkInstantActions, readMessage, replyAddressOf } from './messages/read.js';
import { type Basis, basisSchema, type InstantActionsMessage } from './messages/schema.js';
import type { ActionState } from './messages/state.js';
import type { TopicIdentity } from './messages/topics.js';
import type { RejectedMessages } from './rejected-messages.js';

/** Emergency stops that may wait for the disk at one time; each stops the cart all the same. */
const MAX_UNSAVED = 100;
/** A reset must be about as fresh as a move: it lets the cart move again. */
const RESET_TTL_MS = 2000;

/** What stops, by VDA 5050's word or ours. A pause is a stop: nothing is kept that could be resumed. */
const STOPS: Record<string, StopKind> = {
  cancelOrder: 'stop',
  startPause: 'stop',
  haltCat1: 'halt',
  emergencyStop: 'estop',
};

const checkBasis = checkerFor<Basis>(basisSchema);

type Action = InstantActionsMessage['actions'][number];

interface InstantActionsDeps {
  dispatcher: CommandGateway;
  identity: TopicIdentity;
  clock: Clock;
  acks: AckPublisher;
  basis: FreshnessWindow;
  refusals: RejectedMessages;
  /** Whether the broker checks who is connected. */
  authenticated?: () => boolean;
  /** Reports the state, whatever the last report's age. */
  report: () => void;
  /** Says the factsheet again. */
  factsheet: () => void;
  /** Some action's state has changed. */
  changed: () => void;
  /** A command that was cancelled before it arrived. */
  cancelUnknown: (commandId: string) => void;
}

/** Obeys `instantActions`: stops always, whoever asks; everything else with the checks that it needs. */
export class InstantActions {
  #deps: InstantActionsDeps;
  #log = new ActionLog();
  #unsaved = 0;

  constructor(deps: InstantActionsDeps) {
    this.#deps = deps;
  }

  /** What became of the newest actions, oldest first. */
  get states(): ActionState[] {
    return this.#log.states;
  }

  /** @param toAll whether it came on `_all`, where only stops are taken. */
  take(message: BusMessage, toAll: boolean): void {
    if (message.payload.length === 0) return;
    const { identity, refusals } = this.#deps;
    const read = readMessage(message, checkInstantActions);
    const refusal = message.retain ? RETAINED : 'refusal' in read ? read.refusal : undefined;
    if (refusal) return refusals.add(refusal, { topic: message.topic });
    if (!('value' in read) || read.value.gatewayId === identity.gatewayId) return;
    for (const action of read.value.actions) {
      // QoS 1 may bring a message twice. A stop is obeyed each time: some senders give all their stops one id, and so an
      // emergency stop is answered each time as well, when the latch that it set is saved.
      if (!this.#log.isNew(action.actionId) && !Object.hasOwn(STOPS, action.actionType)) continue;
      void this.#execute(action, read.value, toAll, message);
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
    let begun: ActionState | undefined;
    let reason: Reason | undefined;
    try {
      const stop = Object.hasOwn(STOPS, actionType) ? STOPS[actionType] : undefined;
      const origin = actionsOrigin(sent, message, this.#deps.authenticated?.() ?? false);
      if (stop) {
        if (this.#stop(stop, action, origin)) begun = this.#log.begun(action);
        if (stop === 'estop') await this.#latchSaved();
        // FINISHED means that the motor controller has acknowledged the stop.
        if (begun) await dispatcher.stopConfirmed();
      } else await this.#other(action, toAll, origin);
    } catch (thrown) {
      reason = { code: thrown instanceof GatewayError ? thrown.code : 'INTERNAL', text: messageOf(thrown) };
      if (!begun) refusals.add(reason, { topic: message.topic, actionId, actionType });
    }
    const outcome = reason ? { resultDescription: `${reason.code}: ${reason.text}`.slice(0, 160) } : {};
    const actionStatus = reason ? 'FAILED' : 'FINISHED';
    this.#log.ended({ actionId, actionType, actionStatus, ...outcome }, begun);
    const state = reason && !begun ? 'REJECTED' : actionStatus;
    const { simulated } = dispatcher.ownCart();
    acks.answer(actionId, { state, reason, to: sent, simulated }, replyAddressOf(message));
    changed();
  }

  /** The cart stands; that it did so for an emergency stop is told when the next start will know of it as well. */
  async #latchSaved(): Promise<void> {
    if (this.#unsaved >= MAX_UNSAVED) {
      const text = `the cart is stopped, but ${MAX_UNSAVED} emergency stops wait for their latch to be saved`;
      throw new GatewayError('BUSY', text);
    }
    this.#unsaved += 1;
    await this.#deps.dispatcher.latchSaved().finally(() => (this.#unsaved -= 1));
  }

  /** Returns false when the command to be cancelled has ended already. */
  #stop(kind: StopKind, action: Action, origin: Origin): boolean {
    const { dispatcher, cancelUnknown } = this.#deps;
    const orderId = parameter(action, 'orderId');
    if (action.actionType === 'cancelOrder' && typeof orderId === 'string') {
      const command = dispatcher.find(orderId);
      if (!command) {
        cancelUnknown(orderId.toLowerCase());
        throw new GatewayError('NO_ORDER_TO_CANCEL', `this cart has no command ${orderId.slice(0, 64)}`);
      }
      if (command.final) return false;
    }
    dispatcher.stopOwn(kind, origin);
    return true;
  }

  async #other(action: Action, toAll: boolean, origin: Origin): Promise<void> {
    const { dispatcher, report, factsheet } = this.#deps;
    const { actionType } = action;
    if (toAll) {
      throw new GatewayError(
        'INVALID_INSTANT_ACTION',
        `only stops may be sent to every cart, not ${actionType}`,
      );
    }
    switch (actionType) {
      case 'emergencyStopReset':
        this.#checkFresh(action);
        // The dispatcher may answer at once or after the controller has.
        await dispatcher.resetOwn(origin);
        return;
      case 'stateRequest':
        return report();
      case 'factsheetRequest':
        return factsheet();
      case 'stopPause':
        throw new GatewayError(
          'UNSUPPORTED_PARAMETER',
          'a stopped motion is not resumed: send a new command',
        );
      default:
        throw new GatewayError('INVALID_INSTANT_ACTION', `${actionType} is not an action of this cart`);
    }
  }

  /** A reset that was replayed or delayed must not end the next emergency stop. */
  #checkFresh(action: Action): void {
    const { basis, clock } = this.#deps;
    const checked = checkBasis(parameter(action, 'basis'));
    if (!('value' in checked)) {
      throw new GatewayError(
        'VALIDATION_FAILURE',
        'a reset must quote the state that it was decided on (basis)',
      );
    }
    const verdict = basis.judge(checked.value, RESET_TTL_MS, clock.now());
    if (verdict !== 'ok') throw new GatewayError(verdict, 'the reset was decided on a state that is too old');
    // However young: whoever sent it meant an earlier stop, and has not seen this one.
    if (basis.stoppedSince(checked.value)) {
      throw new GatewayError(
        'EXPIRED',
        'the reset was decided on a state from before the newest emergency stop',
      );
    }
  }
}

const RETAINED: Reason = { code: 'RETAINED', text: 'instant actions must not be retained' };

function parameter({ actionParameters = [] }: Action, name: string): unknown {
  return actionParameters.find(({ key }) => key === name)?.value;
}

const KEEP_STATES = 10;
const KEEP_IDS = 200;

/** Which instant actions have come, and what became of the newest. */
class ActionLog {
  #states: ActionState[] = [];
  #seen = new Set<string>();

  /** Oldest first. */
  get states(): ActionState[] {
    return this.#states;
  }

  /** Notes the id; false when it has come before. */
  isNew(actionId: string): boolean {
    if (this.#seen.has(actionId)) return false;
    this.#seen.add(actionId);
    const [oldest] = this.#seen;
    if (this.#seen.size > KEEP_IDS && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }

  /** An action is under way; `ended` wants what this returns. */
  begun({ actionId, actionType }: Pick<ActionState, 'actionId' | 'actionType'>): ActionState {
    const state: ActionState = { actionId, actionType, actionStatus: 'RUNNING' };
    this.#add(state);
    return state;
  }

  /** What became of an action takes the place of its beginning, if that was told: several may have one id. */
  ended(state: ActionState, begun?: ActionState): void {
    this.#states = this.#states.filter((other) => other !== begun);
    this.#add(state);
  }

  #add(state: ActionState): void {
    this.#states = [...this.#states.slice(1 - KEEP_STATES), state];
  }
}
