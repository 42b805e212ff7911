import { type Text, textOf } from '../../shared/messages/message.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { CartView, EmergencyStop, Pose, SafetyView } from '../command/model.js';
import type { Basis, ConnectionMessage } from '../mqtt/messages/schema.js';
import type { StateMessage, VisualizationMessage } from '../mqtt/messages/state-schema.js';
import { stopCause } from '../safety/messages.js';
import { fleetMessage } from './messages.js';

/** A cart that sends nothing for this long counts as offline, regardless of its connection state. */
const SILENT_MS = 5000;

export class RemoteCart {
  readonly cartId: number;
  #clock: Clock;
  #connection: ConnectionMessage['connectionState'] | undefined;
  #state: StateMessage | undefined;
  #receivedMs = Number.NEGATIVE_INFINITY;
  #pose: Pose | undefined;
  #speed: { speedMmps: number; omegaDdegps: number } | undefined;

  constructor(cartId: number, clock: Clock) {
    this.cartId = cartId;
    this.#clock = clock;
  }

  get state(): StateMessage | undefined {
    return this.#state;
  }

  get present(): boolean {
    return this.absence === '';
  }

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
    return this.#clock.now() - this.#receivedMs;
  }

  get emergencyStop(): EmergencyStop {
    return this.#state?.safetyState.activeEmergencyStop ?? 'NONE';
  }

  /** Identifies the cart's latest state, on which the next request is based. */
  get basis(): Basis | undefined {
    return this.#state && { sessionId: this.#state.sessionId, stateHeaderId: this.#state.headerId };
  }

  onConnection({ connectionState }: ConnectionMessage): void {
    this.#connection = connectionState;
  }

  /** Returns false for a state that is not newer: a bridge may deliver states late or twice. */
  onState(state: StateMessage): boolean {
    if (this.#state?.sessionId === state.sessionId && state.headerId <= this.#state.headerId) return false;
    this.#state = state;
    this.#receivedMs = this.#clock.now();
    this.#updatePose(state);
    return true;
  }

  onVisualization(message: VisualizationMessage): void {
    if (message.sessionId === this.#state?.sessionId) this.#updatePose(message);
  }

  /**
   * @param configuredName the cart's name in the settings; if empty, the cart's own name is used.
   * @param unreachable the reason why no cart can be reached; empty if the broker is connected.
   */
  view(configuredName: string, unreachable: Text): CartView {
    const { name, simulated, online, reason, controlledBy, faults, field, location } = this.#state?.x ?? {};
    const absence = unreachable || this.absence;
    const telemetry = this.#telemetry();
    return {
      cartID: this.cartId,
      name: configuredName || name || `Cart ${this.cartId}`,
      destination: 'mqtt',
      simulated: simulated ?? false,
      online: absence === '' && online !== false,
      reason: absence || (online === false ? (reason ?? '') : ''),
      moving: this.#state?.driving ?? false,
      ageMs: this.#state ? Math.round(this.ageMs) : null,
      safety: this.#safety(absence, unreachable ? 'BROKER_DOWN' : 'CART_OFFLINE'),
      ...(telemetry ? { telemetry } : {}),
      ...(this.#pose ? { pose: this.#pose } : {}),
      ...(field ? { field } : {}),
      ...(location ? { location } : {}),
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
    const reported: SafetyView = this.#state?.x?.safety ?? {
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
