import { type Actor, actorText } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { joined } from '../../shared/messages/messages.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import type { EmergencyStop, SafetyView, Telemetry } from '../command/model.js';
import type { LimitsSettings } from '../control/settings-schema.js';
import { faultTexts } from '../faults/fault-names.js';
import type { ControllerLink } from '../serial/link.js';
import { ContactorWatch } from './contactor.js';
import { EstopInput } from './estop-input.js';
import { EstopLatch } from './estop-latch.js';
import type { LatchStore } from './latch-store.js';
import { safetyMessage } from './messages.js';
import { MotorEnable } from './motor-enable.js';
import {
  motionRefusal,
  type Refusal,
  resetRefusal,
  type SafetyFacts,
  safetyView,
  UNLATCHED,
} from './refusals.js';
import type { GpioSettings, SafetySettings } from './settings-schema.js';

export interface InterlockSettings {
  limits: LimitsSettings;
  gpio: GpioSettings;
  safety: SafetySettings;
}

interface InterlocksDeps {
  pins: SafetyPins;
  latchStore: LatchStore;
  settings: () => InterlockSettings;
  settingsInvalidReason: () => Text;
  firmwareBlock: () => Text;
  softwareBlock: () => Text;
  stopOnly?: boolean;
  duplicate?: () => Refusal | undefined;
  latchUnsavableReason: () => Text;
  link: Pick<ControllerLink, 'driver' | 'ready' | 'simulated'>;
  clock: Clock;
  log: Log;
}

export class Interlocks {
  readonly power: MotorEnable;
  #deps: InterlocksDeps;
  #input: EstopInput;
  #contactor: ContactorWatch;
  #latch: EstopLatch;
  #telemetry: Telemetry | undefined;
  #emergencyStops = 0;

  constructor(deps: InterlocksDeps) {
    this.#deps = deps;
    this.power = new MotorEnable(deps.pins, () => deps.settings().gpio.enable.mode);
    this.#input = new EstopInput(deps);
    this.#contactor = new ContactorWatch(deps.pins, () => this.power.on);
    this.#latch = new EstopLatch(deps.latchStore, deps.clock, deps.log);
  }

  /** Calls the listener, before anything else, when the input is asserted or the contactor fails. */
  onAsserted(listener: (cause: Text) => void): void {
    this.#input.onAsserted(listener);
    this.#contactor.onFault(listener);
  }

  tick(): void {
    this.power.tick();
    this.#contactor.check();
  }

  async start(): Promise<void> {
    await this.#latch.load();
    this.power.switchOff();
    this.#input.start();
  }

  close(): void {
    this.#input.close();
    this.#latch.close();
  }

  get latched(): boolean {
    return this.#latch.isSet;
  }

  /** True if the latched stop was triggered on the cart. */
  get stoppedOnCart(): boolean {
    return this.#latch.value.kind === 'MANUAL';
  }

  /** Counts every latching stop, so that a reset detects a stop that occurs during the reset. */
  get emergencyStops(): number {
    return this.#emergencyStops;
  }

  get telemetry(): Telemetry | undefined {
    return this.#telemetry;
  }

  set telemetry(telemetry: Telemetry | undefined) {
    this.#telemetry = telemetry;
  }

  /**
   * Switches the motor power off and latches the stop before returning. Returns false for a repeated stop
   * triggered on the cart.
   */
  latchNow(kind: Exclude<EmergencyStop, 'NONE'>, by: Actor, pressId: string): boolean {
    this.#emergencyStops += 1;
    try {
      this.power.switchOff();
    } catch (error) {
      // A pin failure must not prevent the stop frame or the latch.
      this.#deps.log.error('motor_enable.write_failed', { error });
    }
    const { value } = this.#latch;
    // The button bounces, so a repeated stop triggered on the cart changes nothing. Every stop from a page is
    // recorded, because the operator must see the stop before a reset.
    if (value.kind === 'MANUAL' && kind === 'MANUAL') return false;
    const at = new Date(this.#deps.clock.wallTime()).toISOString();
    // A stop triggered on the cart must be reset on the cart, so it takes precedence over a stop from a page.
    this.#latch.set(value.kind === 'MANUAL' ? { ...value, at, pressId } : { kind, by, at, pressId });
    return true;
  }

  /**
   * Called when the controller has been reset: updates the telemetry without waiting for the controller's next
   * status.
   */
  controllerReset(): void {
    if (this.#telemetry?.state === 'ESTOP') this.#telemetry = { ...this.#telemetry, state: 'IDLE' };
  }

  unlatch(): void {
    this.#latch.set(UNLATCHED);
  }

  save(): Promise<void> {
    return this.#latch.save();
  }

  /**
   * Resolves when every change to the latch is on disk. If the disk does not respond, resolves after 0.8 s, and
   * `reasons` contains the disk's fault until the latch is saved. Rejects with WRITE_FAILED if a write fails.
   */
  async saved(): Promise<void> {
    await this.#latch.saved();
    const { failure } = this.#latch;
    if (failure) throw new GatewayError('WRITE_FAILED', safetyMessage('stopped-but', { reason: failure }));
  }

  refusal(): Refusal | undefined {
    return motionRefusal(this.#facts());
  }

  /** @param local true for a reset performed on the cart itself. */
  resetRefusal(local: boolean): Refusal | undefined {
    return resetRefusal(this.#facts(), local);
  }

  localResetRefusal(): Refusal | undefined {
    const { kind, by } = this.#latch.value;
    if (kind === 'MANUAL') return this.resetRefusal(true);
    return { code: 'RESET_REFUSED', text: safetyMessage('not-reset-on-cart', { by: actorText(by) }) };
  }

  watch(): Watch {
    return watch(this.#telemetry, this.#deps.settings().limits);
  }

  /** @param refusal the reason why the cart must not move, if any; not necessarily an interlock. */
  view(refusal: Refusal | undefined): SafetyView {
    return safetyView(this.#facts(), refusal);
  }

  faults(): Text[] {
    return [...this.watch().reasons, this.#latch.fault, ...(this.#telemetry?.faults ?? [])].filter(Boolean);
  }

  /** The fault that blocks motion until it is repaired; empty if there is none. */
  get fatal(): Text {
    return this.#contactor.fault;
  }

  #facts(): SafetyFacts {
    const { clock, link, pins, settings, stopOnly } = this.#deps;
    const { gpio, safety } = settings();
    const { level, reasons } = this.watch();
    return {
      nowMs: clock.now(),
      latch: this.#latch.value,
      input: this.#input.state,
      inputFault: this.#input.fault,
      inputHint: this.#input.hint,
      contactorFault: this.#contactor.fault,
      healthySinceMs: this.#input.healthySinceMs,
      releaseMs: gpio.estop.releaseMs,
      allowRemoteReset: gpio.estop.allowRemoteReset,
      pins: pins.kind,
      controllerConnected: link.driver !== undefined,
      resetButton: link.driver?.traits.resetButton ?? true,
      realController: link.ready && !link.simulated,
      acceptNoEstop: safety.acceptNoEstop,
      controllerEstop: this.#telemetry?.state === 'ESTOP',
      firmwareBlock: this.#deps.firmwareBlock(),
      softwareBlock: this.#deps.softwareBlock(),
      stopOnly: stopOnly ?? false,
      duplicate: this.#deps.duplicate?.(),
      settingsInvalidReason: this.#deps.settingsInvalidReason(),
      latchUnsavableReason: this.#deps.latchUnsavableReason(),
      telemetry: level === 'fine' ? '' : joined(reasons),
    };
  }
}

/** `fine` permits motion, `refuse` forbids new motion, and `stop` forbids all motion. */
export interface Watch {
  level: 'fine' | 'refuse' | 'stop';
  reasons: Text[];
}

/**
 * The cart stops if the battery voltage is below this fraction of the minimum, or if a motor is this many °C above
 * its maximum temperature.
 */
const STOP_VOLTAGE = 0.9;
const STOP_EXTRA_C = 10;

function watch(telemetry: Telemetry | undefined, limits: LimitsSettings): Watch {
  if (!telemetry) return { level: 'fine', reasons: [] };
  const { batteryMv, tempM1C, tempM2C, state, faults } = telemetry;
  const stop: Text[] = [];
  const refuse: Text[] = [];
  if (state === 'FAULT') {
    const named = joined(faultTexts(faults), 'list') || safetyMessage('unknown-fault');
    stop.push(safetyMessage('controller-fault', { faults: named }));
  }
  if (batteryMv !== null && batteryMv < limits.minBatteryMv) {
    const list = batteryMv < limits.minBatteryMv * STOP_VOLTAGE ? stop : refuse;
    list.push(safetyMessage('battery-low', { mv: batteryMv, limit: limits.minBatteryMv }));
  }
  const hottest = Math.max(tempM1C ?? -Infinity, tempM2C ?? -Infinity);
  if (hottest > limits.maxMotorC) {
    const list = hottest > limits.maxMotorC + STOP_EXTRA_C ? stop : refuse;
    list.push(safetyMessage('motor-hot', { celsius: hottest, limit: limits.maxMotorC }));
  }
  const level = stop.length > 0 ? 'stop' : refuse.length > 0 ? 'refuse' : 'fine';
  return { level, reasons: [...stop, ...refuse] };
}
