import { type Text, textOf } from '../../shared/messages/message.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { CartPose, CartView, EmergencyStop, SafetyView } from '../command/model.js';
import type { Basis, ConnectionMessage } from '../mqtt/messages/schema.js';
import type { StateMessage, VisualizationMessage } from '../mqtt/messages/state-schema.js';
import { stopCause } from '../safety/messages.js';
import { type CartSession, CartSessions, SILENT_MS } from './cart-sessions.js';
import { fleetMessage } from './messages.js';

export class RemoteCart {
  readonly cartId: number;
  #clock: Clock;
  #connection: ConnectionMessage['connectionState'] | undefined;
  /** The session that most recently went online. */
  #online: string | undefined;
  /** The session that the view shows: the newest one, unless it is silent. */
  #current: CartSession | undefined;
  #pose: CartPose | undefined;
  #speed: { speedMmps: number; omegaDdegps: number } | undefined;
  readonly sessions: CartSessions;

  /** @param own only for this gateway's cart number: this gateway's earlier sessions. */
  constructor(cartId: number, clock: Clock, own?: ReadonlySet<string>) {
    this.cartId = cartId;
    this.#clock = clock;
    this.sessions = new CartSessions(clock, own);
  }

  get state(): StateMessage | undefined {
    return this.#current?.state;
  }

  get present(): boolean {
    return this.absence === '';
  }

  get absence(): Text {
    if (this.#connection === undefined && this.state === undefined) return fleetMessage('not-seen');
    switch (this.#connection) {
      case undefined:
        return fleetMessage('not-online');
      case 'OFFLINE':
        return fleetMessage('switched-off');
      case 'HIBERNATING':
        return fleetMessage('hibernating');
      case 'CONNECTION_BROKEN':
      case 'CONNECTIONBROKEN':
        return fleetMessage('connection-broken');
      default:
        return this.sessions.live().length > 0 ? '' : fleetMessage('silent', { limit: SILENT_MS / 1000 });
    }
  }

  get ageMs(): number {
    return this.#clock.now() - (this.#current?.heardMs ?? Number.NEGATIVE_INFINITY);
  }

  get emergencyStop(): EmergencyStop {
    return this.#latchedState?.safetyState.activeEmergencyStop ?? 'NONE';
  }

  /** Identifies the cart's latest state, which is the basis of the next request. */
  get basis(): Basis | undefined {
    return basisOf(this.state);
  }

  /**
   * The basis of a reset: the cart's latest state or, if several gateways use the cart number, a state of the gateway
   * that has latched the stop.
   */
  get resetBasis(): Basis | undefined {
    return basisOf(this.#latchedState ?? this.state);
  }

  /** Returns true if the session has published within `withinMs` and has not gone offline. */
  isLive(sessionId: string, withinMs: number): boolean {
    return this.sessions.live(withinMs).some((session) => session.sessionId === sessionId);
  }

  /** The last will of an old session can arrive after a new session went online or published states. */
  onConnection(message: ConnectionMessage): void {
    const { connectionState, sessionId } = message;
    const session = this.sessions.onConnection(message);
    const other = this.sessions.live().find((live) => live.sessionId !== sessionId);
    const isReplaced = session !== undefined && this.#online !== undefined && this.#online !== sessionId;
    if (connectionState === 'ONLINE') {
      this.#connection = connectionState;
      this.#online = sessionId;
    } else if (!other) {
      if (!isReplaced) this.#connection = connectionState;
    } else if (this.#current === session) this.#current = other;
  }

  /** Returns false for a state that is not newer, because a bridge may deliver states late or twice. */
  onState(state: StateMessage): boolean {
    const isNew = !this.sessions.has(state.sessionId);
    const session = this.sessions.onState(state);
    if (!session) return false;
    const isShown = this.#current !== undefined && this.isLive(this.#current.sessionId, SILENT_MS);
    // A late state of an old session does not replace the state of the new session.
    if (isNew || !isShown) this.#current = session;
    if (this.#current === session) this.#updatePose(state);
    return true;
  }

  onVisualization(message: VisualizationMessage): void {
    if (message.sessionId === this.state?.sessionId) this.#updatePose(message);
  }

  /**
   * @param configuredName the cart's name in the settings; if empty, the cart's own name is used.
   * @param unreachable why no cart can be reached; empty if the broker is connected.
   */
  view(configuredName: string, unreachable: Text): CartView {
    const { name, simulated, online, reason, controlledBy, faults, field, location, sitePlan } =
      this.state?.x ?? {};
    const absence = unreachable || this.absence;
    const telemetry = this.#telemetry();
    return {
      cartID: this.cartId,
      name: configuredName || name || `Cart ${this.cartId}`,
      destination: 'mqtt',
      simulated: simulated ?? false,
      online: absence === '' && online !== false,
      reason: absence || (online === false ? (reason ?? '') : ''),
      moving: this.#states.some(({ driving }) => driving),
      ageMs: this.state ? Math.round(this.ageMs) : null,
      safety: this.#safety(absence, unreachable ? 'BROKER_DOWN' : 'CART_OFFLINE'),
      ...(telemetry ? { telemetry } : {}),
      ...(this.#pose ? { pose: this.#pose } : {}),
      ...(field ? { field } : {}),
      ...(location ? { location } : {}),
      ...(this.state?.orderId ? { commandId: this.state.orderId } : {}),
      ...(controlledBy ? { controlledBy } : {}),
      ...(sitePlan ? { sitePlan } : {}),
      faults: faults ?? [],
    };
  }

  #telemetry(): CartView['telemetry'] {
    const telemetry = this.state?.x?.telemetry;
    return telemetry && { ...telemetry, ...this.#speed };
  }

  #safety(absence: Text, code: string): SafetyView {
    const { emergencyStop } = this;
    const state = this.#latchedState ?? this.state;
    const reported: SafetyView = state?.x?.safety ?? {
      mayMove: emergencyStop === 'NONE',
      reason: emergencyStop === 'NONE' ? '' : fleetMessage('latched'),
      code: emergencyStop === 'NONE' ? '' : 'ESTOP_ACTIVE',
      emergencyStop,
      input: 'unavailable',
      pins: 'none',
      resetNeeds: '',
    };
    const { stoppedBy } = reported;
    const safety = stoppedBy ? { ...reported, stoppedBy: stopCause(textOf(stoppedBy)) } : reported;
    return absence ? { ...safety, mayMove: false, reason: absence, code } : { ...safety, emergencyStop };
  }

  /** The latest state and, if several gateways use the cart number, the states of all of them. */
  get #states(): StateMessage[] {
    const rivals = this.sessions.rivals.map(({ state }) => state);
    return [this.state, ...rivals].filter((state) => state !== undefined);
  }

  get #latchedState(): StateMessage | undefined {
    return this.#states.find(({ safetyState }) => safetyState.activeEmergencyStop !== 'NONE');
  }

  #updatePose({ mobileRobotPosition, velocity }: StateMessage | VisualizationMessage): void {
    if (mobileRobotPosition) {
      const { x, y, theta } = mobileRobotPosition;
      this.#pose = {
        xMm: Math.round(x * 1000),
        yMm: Math.round(y * 1000),
        headingDeg: Math.round((theta * 1800) / Math.PI) / 10,
      };
    }
    const { vx = 0, omega = 0 } = velocity ?? {};
    this.#speed = { speedMmps: Math.round(vx * 1000), omegaDdegps: Math.round((omega * 1800) / Math.PI) };
  }
}

function basisOf(state: StateMessage | undefined): Basis | undefined {
  return state && { sessionId: state.sessionId, stateHeaderId: state.headerId };
}
