import { errorText, GatewayError, hintOf, messageOf, never } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { principalText } from '../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { CommandDispatcher } from '../command/dispatcher.js';
import type { Origin, Reason } from '../command/model.js';
import type { RequestRules } from '../command/parser.js';
import { cartMessage } from '../messages.js';
import { DriveClient, type DriveClientPort, type SharedState } from './client.js';
import type { DriveWord } from './drive-messages.js';
import { HandJog, handLimits } from './jog.js';
import { DriveLease } from './lease.js';
import { driveMessage } from './messages.js';
import { letGoReason } from './parse-message.js';

const BEAT_MS = 100;

const NOT_LOGGED_IN = { code: 'NOT_LOGGED_IN', text: driveMessage('logged-out') };
const SLOW = { code: 'CONNECTION_SLOW', text: driveMessage('slow') };

export type { DriveClientPort as Seat } from './client.js';

interface DriveDeps {
  cartId: number;
  gatewayId: string;
  dispatcher: Pick<
    CommandDispatcher,
    'accept' | 'endJog' | 'releaseControl' | 'refusal' | 'stop' | 'onOwnChange'
  >;
  rules: () => Pick<RequestRules, 'limits' | 'kinematics'>;
  clock: Clock;
  log: Log;
}

/** What the one who sits at a socket can do. */
export interface DriveConnection {
  hear(word: DriveWord): void;
  /** The connection is gone. */
  leave(): void;
}

/**
 * Driving the own cart by hand: for as long as somebody holds the controls. The newest word wins and nothing waits; when
 * the words stay away, the lease ends, or anything says that the driver does not see or mean what he does, the cart is
 * stopped first and the rest is told afterwards.
 */
export class ManualDrive {
  #deps: DriveDeps;
  #lease: DriveLease<DriveClient>;
  #jog: HandJog;
  #places = new Set<DriveClient>();
  #beat: Cancel = () => undefined;
  #unwatch: Cancel;

  constructor(deps: DriveDeps) {
    const { clock, dispatcher } = deps;
    this.#deps = deps;
    this.#lease = new DriveLease(clock);
    this.#jog = new HandJog({
      ...deps,
      onChange: () => this.#publishState(),
      onEnded: (reason) => this.#end(reason),
    });
    this.#unwatch = dispatcher.onOwnChange(() => this.#watchSafety());
  }

  /** Connections that are there, and whether one of them holds the lease. */
  get seats(): { joined: number; held: boolean } {
    return { joined: this.#places.size, held: this.#lease.holder !== undefined };
  }

  /** Somebody has come to the socket: to watch, and to drive if he may. */
  join(seat: DriveClientPort): DriveConnection {
    const place = new DriveClient(seat, this.#deps.clock);
    if (this.#places.size === 0) this.#beat = this.#deps.clock.every(BEAT_MS, () => this.#tick());
    this.#places.add(place);
    place.tell(this.#sharedFor(place));
    return { hear: (word) => this.#receive(place, word), leave: () => this.#leave(place) };
  }

  close(): void {
    this.#end({ code: 'STOPPING', text: cartMessage('shutting-down') });
    this.#unwatch();
    this.#beat();
    this.#places.clear();
  }

  #receive(place: DriveClient, word: DriveWord): void {
    if (!this.#places.has(place)) return;
    if ('lease' in word && word.lease !== this.#lease.numberOf(place)) return;
    switch (word.say) {
      case 'take':
        return this.#take(place);
      case 'hand-over':
        return this.#handOver(place);
      case 'leave':
        return this.#giveUp(place);
      case 'drive':
        if (place.hear(word)) this.#steer(place, word);
        return;
      case 'let-go':
        return word.why === 'released' ? this.#jog.letGo() : this.#end(letGoReason(word.why));
      case 'stop':
        return this.#stopCarts(place, word);
      default:
        never(word);
    }
  }

  #stopCarts(place: DriveClient, { kind, cartID }: Extract<DriveWord, { say: 'stop' }>): void {
    const { dispatcher, log } = this.#deps;
    // The page asks by a request as well, and that one is answered with what went wrong.
    dispatcher.stop(cartID, kind, this.#originOf(place)).catch((error: unknown) => {
      log.warn('drive.stop_incomplete', { kind, cartID, reason: messageOf(error) });
    });
  }

  #steer(place: DriveClient, word: Extract<DriveWord, { say: 'drive' }>): void {
    if (!place.seat.mayStay()) return this.#end(NOT_LOGGED_IN);
    if (!place.isFresh(word)) return this.#end(SLOW);
    const { speed, turn } = word;
    if (speed === 0 && turn === 0) return this.#jog.letGo();
    this.#lease.touch();
    try {
      this.#jog.steer(speed, turn, this.#most, this.#originOf(place));
    } catch (error) {
      const code = error instanceof GatewayError ? error.code : 'FAILED';
      this.#end({ code, text: errorText(error), hint: hintOf(error) });
    }
  }

  #take(place: DriveClient): void {
    const forbidden = { code: 'FORBIDDEN', text: driveMessage('operators-only') };
    const refusal = place.seat.mayDrive ? this.#deps.dispatcher.refusal : forbidden;
    place.ended = refusal ? { hint: '', ...refusal } : null;
    if (!refusal) this.#pass(() => this.#lease.take(place));
    this.#publishState();
  }

  #handOver(place: DriveClient): void {
    if (this.#lease.asking.length === 0) return;
    this.#jog.stop({ code: 'HANDED_OVER', text: driveMessage('handed-over', nameIn(place)) });
    this.#pass(() => this.#lease.handOver());
    this.#publishState();
  }

  #giveUp(place: DriveClient): void {
    if (this.#lease.holder === place)
      this.#jog.stop({ code: 'GIVEN_UP', text: driveMessage('given-up', nameIn(place)) });
    this.#pass(() => this.#lease.leave(place));
    this.#publishState();
  }

  /** Lets the lease pass from one to another, with the control over the cart; whoever loses it is told to whom. */
  #pass(act: () => void): void {
    const before = this.#lease.holder;
    act();
    const { holder } = this.#lease;
    if (!before || before === holder) return;
    this.#deps.dispatcher.releaseControl(this.#originOf(before));
    if (holder)
      before.ended = { code: 'PASSED_ON', text: driveMessage('passed-on', nameIn(holder)), hint: '' };
  }

  /** Ends the lease of whoever holds it. Who asks for it gets it, unless nobody may drive now. */
  #end(reason: Reason & { hint?: Text }): void {
    this.#jog.stop(reason);
    const { holder } = this.#lease;
    if (!holder) return;
    const { log, dispatcher } = this.#deps;
    this.#lease.end();
    dispatcher.releaseControl(this.#originOf(holder));
    holder.ended = { hint: '', ...reason };
    log.info('drive.lease_ended', { driver: holder.seat.name, code: reason.code, reason: reason.text });
    const { refusal } = dispatcher;
    if (refusal) {
      for (const place of this.#lease.asking) place.ended = { hint: '', ...refusal };
      this.#lease.refuseAll();
    } else this.#lease.settle();
    this.#publishState();
  }

  #leave(place: DriveClient): void {
    if (!this.#places.delete(place)) return;
    if (this.#lease.holder === place)
      this.#end({ code: 'CONNECTION_LOST', text: driveMessage('disconnected', nameIn(place)) });
    this.#lease.leave(place);
    if (this.#places.size === 0) this.#beat();
    this.#publishState();
  }

  #tick(): void {
    const before = this.#lease.holder;
    if (before && !before.seat.mayStay()) return this.#end(NOT_LOGGED_IN);
    this.#pass(() => this.#lease.settle());
    const { holder } = this.#lease;
    if (holder !== before) this.#publishState();
    else holder?.tell(this.#sharedFor(holder));
  }

  #watchSafety(): void {
    if (!this.#lease.holder) return;
    const { refusal } = this.#deps.dispatcher;
    if (refusal) this.#end(refusal);
  }

  get #most(): SharedState['most'] {
    const { limits, kinematics } = this.#deps.rules();
    return handLimits(limits, kinematics);
  }

  #originOf({ seat }: DriveClient): Origin {
    return { source: 'socket', gatewayId: this.#deps.gatewayId, principal: seat.name };
  }

  #publishState(): void {
    for (const place of this.#places) place.tell(this.#sharedFor(place));
  }

  #sharedFor(place: DriveClient): SharedState {
    const seen = ({ seat }: DriveClient) => ({ name: seat.name, isYou: seat === place.seat });
    const { holder, asking } = this.#lease;
    return {
      lease: this.#lease.numberOf(place),
      driver: holder ? { ...seen(holder), isDriving: this.#jog.isRunning } : null,
      asking: asking.map(seen),
      most: this.#most,
    };
  }
}

function nameIn({ seat }: DriveClient): { name: Text } {
  return { name: principalText(seat.name) };
}
