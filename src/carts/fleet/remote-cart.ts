import { type Text, textOf } from '../../shared/messages/message.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { CartView, EmergencyStop, Pose, SafetyView } from '../command/model.js';
import type { Basis, ConnectionMessage } from '../mqtt/messages/schema.js';
import type { StateMessage, VisualizationMessage } from '../mqtt/messages/state-schema.js';
import { stopCause } from '../safety/messages.js';
import { fleetMessage } from './messages.js';

/** A cart that has said nothing for this long is not there, whatever the broker says. */
const SILENT_MS = 5000;

/** What is known of another cart, from what it says on the tree. Times are our own monotonic clock's. */
export class RemoteCart {
  readonly cartId: number;
  #clock: Clock;
  #connection: ConnectionMessage['connectionState'] | undefined;
  #state: StateMessage | undefined;
  #heardMs = Number.NEGATIVE_INFINITY;
  #pose: Pose | undefined;
  #speed: { speedMmps: number; omegaDdegps: number } | undefined;

  constructor(cartId: number, clock: Clock) {
    this.cartId = cartId;
    this.#clock = clock;
  }

  get state(): StateMessage | undefined {
    return this.#state;
  }

  /** Whether the cart says that it is there, and is heard. */
  get present(): boolean {
    return this.absence === '';
  }

  /** Why the cart is not there; empty when it is. */
  get absence(): Text {
    if (this.#connection === undefined && this.#state === undefined) return fleetMessage('not-seen');
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
        return this.ageMs <= SILENT_MS ? '' : fleetMessage('silent', { limit: SILENT_MS / 1000 });
    }
  }

  get ageMs(): number {
    return this.#clock.now() - this.#heardMs;
  }

  get emergencyStop(): EmergencyStop {
    return this.#state?.safetyState.activeEmergencyStop ?? 'NONE';
  }

  /** The state that a wish decided on now is decided on. */
  get basis(): Basis | undefined {
    return this.#state && { sessionId: this.#state.sessionId, stateHeaderId: this.#state.headerId };
  }

  onConnection({ connectionState }: ConnectionMessage): void {
    this.#connection = connectionState;
  }

  /** False for a state that is older than the one that we have: a bridge may bring it late, or twice. */
  onState(state: StateMessage): boolean {
    if (this.#state?.sessionId === state.sessionId && state.headerId <= this.#state.headerId) return false;
    this.#state = state;
    this.#heardMs = this.#clock.now();
    this.#take(state);
    return true;
  }

  onVisualization(message: VisualizationMessage): void {
    if (message.sessionId === this.#state?.sessionId) this.#take(message);
  }

  /**
   * @param knownAs its name in our settings; empty = take its own.
   * @param unreachable why nobody can be reached now (our broker is away); empty when they can.
   */
  view(knownAs: string, unreachable: Text): CartView {
    const { name, simulated, online, reason, controlledBy, faults } = this.#state?.x ?? {};
    const absence = unreachable || this.absence;
    const telemetry = this.#telemetry();
    return {
      cartID: this.cartId,
      name: knownAs || name || `Cart ${this.cartId}`,
      destination: 'mqtt',
      simulated: simulated ?? false,
      online: absence === '' && online !== false,
      reason: absence || (online === false ? (reason ?? '') : ''),
      moving: this.#state?.driving ?? false,
      ageMs: this.#state ? Math.round(this.ageMs) : null,
      safety: this.#safety(absence, unreachable ? 'BROKER_DOWN' : 'CART_OFFLINE'),
      ...(telemetry ? { telemetry } : {}),
      ...(this.#pose ? { pose: this.#pose } : {}),
      ...(this.#state?.orderId ? { commandId: this.#state.orderId } : {}),
      ...(controlledBy ? { controlledBy } : {}),
      faults: faults ?? [],
    };
  }

  #telemetry(): CartView['telemetry'] {
    const telemetry = this.#state?.x?.telemetry;
    return telemetry && { ...telemetry, ...this.#speed };
  }

  #safety(absence: Text, code: string): SafetyView {
    const { emergencyStop } = this;
    const told: SafetyView = this.#state?.x?.safety ?? {
      mayMove: emergencyStop === 'NONE',
      reason: emergencyStop === 'NONE' ? '' : fleetMessage('latched'),
      code: emergencyStop === 'NONE' ? '' : 'ESTOP_ACTIVE',
      emergencyStop,
      input: 'unavailable',
      pins: 'none',
      resetNeeds: '',
    };
    const { stoppedBy } = told;
    const safety = stoppedBy ? { ...told, stoppedBy: stopCause(textOf(stoppedBy)) } : told;
    return absence ? { ...safety, mayMove: false, reason: absence, code } : { ...safety, emergencyStop };
  }

  #take({ mobileRobotPosition, velocity }: StateMessage | VisualizationMessage): void {
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
