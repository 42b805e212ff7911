import { type Actor, actorName, actorText } from '../../shared/actor.js';
import { errorText, GatewayError, hintOf, messageOf, never } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { Signal } from '../../shared/signal.js';
import type { CommandDispatcher } from '../command/dispatcher.js';
import type { Origin, Reason } from '../command/model.js';
import type { RequestRules } from '../command/parser.js';
import type { Cart } from '../control/cart.js';
import { cartMessage } from '../messages.js';
import { withPressId } from '../safety/press-id.js';
import { DriveClient, type DriveClientPort, type SharedState } from './client.js';
import type { DriveMessage } from './drive-messages.js';
import { HeldControl, type HeldMotion } from './held-motion.js';
import { ManualJog, manualDriveLimits } from './jog.js';
import { DriveLease } from './lease.js';
import { driveMessage } from './messages.js';
import { releaseReason } from './parse-message.js';

const BEAT_MS = 100;

const NOT_LOGGED_IN: Reason = { code: 'NOT_LOGGED_IN', text: driveMessage('logged-out') };
const SLOW: Reason = { code: 'CONNECTION_SLOW', text: driveMessage('slow') };

interface DriveDeps {
  cart: Pick<Cart, 'cartId' | 'executor' | 'refusal'>;
  gatewayId: string;
  dispatcher: Pick<CommandDispatcher, 'accept' | 'lease' | 'stop' | 'onOwnChange'>;
  rules: () => Pick<RequestRules, 'limits' | 'kinematics'>;
  clock: Clock;
  log: Log;
}

export interface DriveSession {
  receive(message: DriveMessage): void;
  leave(): void;
}

/**
 * The cart moves only while the controls are held. The gateway stops the cart if no messages arrive, the
 * lease ends or the operator's view of the cart may be outdated.
 */
export class ManualDrive {
  #deps: DriveDeps;
  #lease: DriveLease<DriveClient>;
  #jog: ManualJog;
  readonly #held: HeldControl;
  #clients = new Set<DriveClient>();
  #handover = new Signal();
  #beat: Cancel = () => undefined;
  /** True if the latest states sent to all clients report that the holder is idle. */
  #isIdle = false;
  #unwatch: Cancel;

  /** Emitted when the holder of control has changed. */
  readonly onHandover = this.#handover.on.bind(this.#handover);

  constructor(deps: DriveDeps) {
    const { clock, dispatcher } = deps;
    this.#deps = deps;
    this.#lease = new DriveLease(clock);
    this.#jog = new ManualJog({
      ...deps,
      onChange: () => this.#publishState(),
      onEnded: (reason) => this.#end(reason, true),
    });
    this.#held = new HeldControl({ clock, onChange: () => this.#publishState() });
    this.#unwatch = dispatcher.onOwnChange(() => this.#watchSafety());
  }

  /** The operator who has control; undefined if no one has. */
  get driver(): Actor | undefined {
    return this.#lease.holder?.port.actor;
  }

  /** From now on, pages can hold the control of this motion. */
  serve(motion: HeldMotion): Cancel {
    return this.#held.serve(motion);
  }

  get clients(): { joined: number; held: boolean } {
    return { joined: this.#clients.size, held: this.#lease.holder !== undefined };
  }

  join(port: DriveClientPort): DriveSession {
    const client = new DriveClient(port, this.#deps.clock);
    if (this.#clients.size === 0) this.#beat = this.#deps.clock.every(BEAT_MS, () => this.update());
    this.#clients.add(client);
    client.send(this.#sharedFor(client));
    return { receive: (message) => this.#receive(client, message), leave: () => this.#leave(client) };
  }

  close(): void {
    this.#end({ code: 'STOPPING', text: cartMessage('shutting-down') });
    this.#unwatch();
    this.#beat();
    this.#clients.clear();
  }

  #receive(client: DriveClient, message: DriveMessage): void {
    // A stop is executed even after an earlier message has closed the socket.
    if (message.say !== 'stop' && !this.#clients.has(client)) return;
    if ('lease' in message && message.lease !== this.#lease.numberOf(client)) return;
    switch (message.say) {
      case 'take':
        return this.#take(client);
      case 'hand-over':
        return this.#handOver(client);
      case 'leave':
        return this.#releaseControl(client);
      case 'drive':
        if (client.accept(message)) this.#steer(client, message);
        return;
      case 'hold':
        if (client.accept(message)) this.#hold(client, message);
        return;
      case 'let-go':
        if (message.why !== 'released') return this.#end(releaseReason(message.why));
        this.#held.release();
        return this.#jog.release();
      case 'stop':
        return this.#stopCarts(client, message);
      default:
        never(message);
    }
  }

  #stopCarts(client: DriveClient, { kind, cartID, pressId }: Extract<DriveMessage, { say: 'stop' }>): void {
    const { dispatcher, log } = this.#deps;
    const origin = withPressId(this.#originOf(client), pressId);
    // The page also sends the stop over HTTP and shows that response, so a failure is only logged here.
    dispatcher.stop(cartID, kind, origin).catch((error: unknown) => {
      log.warn('drive.stop_failed', { kind, cartID, reason: messageOf(error) });
    });
  }

  #steer(client: DriveClient, message: Extract<DriveMessage, { say: 'drive' }>): void {
    if (!client.port.mayStay()) return this.#end(NOT_LOGGED_IN);
    if (!client.isFresh(message)) return this.#end(SLOW);
    const { speed, turn } = message;
    this.#held.release();
    if (speed === 0 && turn === 0) return this.#jog.release();
    this.#control(() => this.#jog.steer(speed, turn, this.#limits, this.#originOf(client)));
  }

  #hold(client: DriveClient, message: Extract<DriveMessage, { say: 'hold' }>): void {
    if (!client.port.mayStay()) return this.#end(NOT_LOGGED_IN);
    if (!client.isFresh(message)) return this.#end(SLOW);
    this.#jog.release();
    this.#control(() => this.#held.hold(message.runId, this.#originOf(client)));
  }

  /** Takes control away if the cart rejects what the operator does with it. */
  #control(act: () => void): void {
    this.#lease.touch();
    try {
      act();
    } catch (error) {
      const code = error instanceof GatewayError ? error.code : 'FAILED';
      this.#end({ code, text: errorText(error), hint: hintOf(error) });
    }
  }

  #take(client: DriveClient): void {
    const forbidden: Reason = { code: 'FORBIDDEN', text: driveMessage('operators-only') };
    const refusal = client.port.mayDrive ? this.#deps.cart.refusal() : forbidden;
    client.ended = refusal ? { hint: '', ...refusal, stopped: false } : null;
    client.isRefused = refusal !== undefined;
    if (!refusal) this.#transfer(() => this.#lease.take(client));
    this.#publishState();
  }

  #handOver(client: DriveClient): void {
    if (this.#lease.asking.length === 0) return;
    const isStopped = this.#isMoving;
    this.#held.release();
    this.#jog.stop({ code: 'HANDED_OVER', text: driveMessage('handed-over', nameIn(client)) });
    this.#transfer(() => this.#lease.handOver(), { isGiven: true, isStopped });
    this.#publishState();
  }

  #releaseControl(client: DriveClient): void {
    const isStopped = this.#lease.holder === client && this.#isMoving;
    if (isStopped) {
      this.#held.release();
      this.#jog.stop({ code: 'GIVEN_UP', text: driveMessage('given-up', nameIn(client)) });
    }
    this.#transfer(() => this.#lease.leave(client), { isGiven: true, isStopped });
    this.#publishState();
  }

  /**
   * If `act` changes the holder, ends the previous holder's control and notifies that client.
   * @param isGiven true if the previous holder decided to hand over or release control.
   */
  #transfer(act: () => void, { isGiven = false, isStopped = false } = {}): void {
    const before = this.#lease.holder;
    act();
    const { holder } = this.#lease;
    if (before === holder) return;
    this.#handover.emit();
    this.#dropQueued();
    if (!before) return;
    this.#deps.dispatcher.lease.release(before.port.actor);
    if (!holder) return;
    const text = driveMessage(isGiven ? 'handed-over-to' : 'passed-on', nameIn(holder));
    before.ended = { code: 'PASSED_ON', text, hint: '', stopped: isStopped };
    before.isRefused = false;
  }

  /** Stops the cart. The client with the oldest request receives the lease unless motion is forbidden. */
  #end(reason: Reason & { hint?: Text }, stopped = this.#isMoving): void {
    this.#jog.stop(reason);
    this.#held.release();
    const { holder } = this.#lease;
    if (!holder) return;
    const { log, dispatcher } = this.#deps;
    this.#lease.end();
    dispatcher.lease.release(holder.port.actor);
    this.#handover.emit();
    holder.ended = { hint: '', ...reason, stopped };
    log.info('drive.lease_ended', {
      driver: actorName(holder.port.actor),
      code: reason.code,
      reason: reason.text,
    });
    const refusal = this.#deps.cart.refusal();
    holder.isRefused = refusal !== undefined;
    if (refusal) {
      for (const client of this.#lease.asking) {
        client.ended = { hint: '', ...refusal, stopped: false };
        client.isRefused = true;
      }
      this.#lease.refuseAll();
    } else this.#lease.settle();
    this.#dropQueued();
    this.#publishState();
  }

  /** Cancels other actors' queued commands, which must not start while this operator holds the lease. */
  #dropQueued(): void {
    const { holder } = this.#lease;
    if (holder) this.#deps.cart.executor.passControl(holder.port.actor);
  }

  #leave(client: DriveClient): void {
    if (!this.#clients.delete(client)) return;
    if (this.#lease.holder === client)
      this.#end({ code: 'CONNECTION_LOST', text: driveMessage('disconnected', nameIn(client)) });
    this.#lease.leave(client);
    if (this.#clients.size === 0) this.#beat();
    this.#publishState();
  }

  /**
   * Also called when a session has ended, before its sockets are closed, so that the holder receives the
   * reason.
   */
  update(): void {
    const before = this.#lease.holder;
    if (before && !before.port.mayStay()) return this.#end(NOT_LOGGED_IN);
    this.#transfer(() => this.#lease.settle());
    const { holder } = this.#lease;
    if (holder !== before || this.#isIdle !== this.#lease.isIdle) this.#publishState();
    else holder?.send(this.#sharedFor(holder));
  }

  #watchSafety(): void {
    const refused = [...this.#clients].filter(({ isRefused }) => isRefused);
    if (!this.#lease.holder && refused.length === 0) return;
    const refusal = this.#deps.cart.refusal();
    if (refusal) return this.#end(refusal);
    // The reason why these clients were refused, such as a latched stop, no longer applies.
    for (const client of refused) Object.assign(client, { ended: null, isRefused: false });
    if (refused.length > 0) this.#publishState();
  }

  get #isMoving(): boolean {
    return this.#jog.isRunning || this.#held.isHeld;
  }

  get #limits(): SharedState['most'] {
    const { limits, kinematics } = this.#deps.rules();
    return manualDriveLimits(limits, kinematics);
  }

  #originOf({ port }: DriveClient): Origin {
    return { source: 'socket', gatewayId: this.#deps.gatewayId, actor: port.actor };
  }

  #publishState(): void {
    this.#isIdle = this.#lease.isIdle;
    for (const client of this.#clients) client.send(this.#sharedFor(client));
  }

  #sharedFor(client: DriveClient): SharedState {
    const seen = ({ port }: DriveClient) => ({
      name: actorName(port.actor),
      isYou: port === client.port,
    });
    const { holder, asking } = this.#lease;
    return {
      lease: this.#lease.numberOf(client),
      driver: holder ? { ...seen(holder), isDriving: this.#isMoving, isIdle: this.#lease.isIdle } : null,
      asking: asking.map(seen),
      most: this.#limits,
    };
  }
}

function nameIn({ port }: DriveClient): { name: Text } {
  return { name: actorText(port.actor) };
}
