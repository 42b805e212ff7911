import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { joined } from '../../shared/messages/messages.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import type { EmergencyStop, SafetyView, Telemetry } from '../command/model.js';
import type { LimitsSettings } from '../control/settings-schema.js';
import { faultTexts } from '../labels/fault-names.js';
import type { MotorDriver } from '../serial/driver.js';
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
} from './safety.js';
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
  /** Why the settings forbid motion; empty when they do not. */
  settingsInvalidReason: () => Text;
  /** The gateway is in stop-only mode: nothing moves. */
  stopOnly?: boolean;
  /** Why an emergency stop would be forgotten at the next start; empty when it is remembered. */
  latchUnsavableReason: () => Text;
  /** The driver of the running session with the controller. */
  driver: () => Pick<MotorDriver, 'traits'> | undefined;
  /** A controller has answered, and there is metal behind it. */
  realController: () => boolean;
  clock: Clock;
  log: Log;
}

/** Everything that says whether a cart may move: the button, the latch, the power, what the controller reports. */
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

  /** The input says stop, or the contactor does not do what it is told; called before anything else. */
  onAsserted(listener: (cause: Text) => void): void {
    this.#input.onAsserted(listener);
    this.#contactor.onFault(listener);
  }

  /** Called from the control loop, every 50 ms. */
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

  /** Counts every stop, also those that found the cart latched: a reset that was overtaken by one shows by it. */
  get emergencyStops(): number {
    return this.#emergencyStops;
  }

  /** The newest telemetry of the controller; undefined without a session. */
  get telemetry(): Telemetry | undefined {
    return this.#telemetry;
  }

  set telemetry(telemetry: Telemetry | undefined) {
    this.#telemetry = telemetry;
  }

  /** Latches in memory with the power off, before this returns; false when it was latched as firmly before. */
  latchNow(kind: Exclude<EmergencyStop, 'NONE'>, by: Text): boolean {
    this.#emergencyStops += 1;
    try {
      this.power.switchOff();
    } catch (error) {
      // The frame and the latch must not fall with the pin.
      this.#deps.log.error('enable.not_written', { error });
    }
    const { value } = this.#latch;
    // A button chatters. A press on a page is one more stop, which whoever resets must have seen.
    if (value.kind === 'MANUAL' && kind === 'MANUAL') return false;
    const at = new Date(this.#deps.clock.wallTime()).toISOString();
    // A stop made on the cart outranks one from a page: it wants to be reset on the cart.
    this.#latch.set(value.kind === 'MANUAL' ? { ...value, at } : { kind, by, at });
    return true;
  }

  /** The controller has ended its stop; its next status says so, too. */
  controllerReset(): void {
    if (this.#telemetry?.state === 'ESTOP') this.#telemetry = { ...this.#telemetry, state: 'IDLE' };
  }

  unlatch(): void {
    this.#latch.set(UNLATCHED);
  }

  /** Brings the latch to the disk. */
  save(): Promise<void> {
    return this.#latch.save();
  }

  /** Resolves when every change of the latch so far is on disk; rejects WRITE_FAILED when it could not be written. */
  async saved(): Promise<void> {
    await this.#latch.saved();
    const { fault } = this.#latch;
    if (fault) throw new GatewayError('WRITE_FAILED', safetyMessage('stopped-but', { reason: fault }));
  }

  /** Why nothing may move, worst first; undefined when the guard has no objection. */
  refusal(): Refusal | undefined {
    return motionRefusal(this.#facts());
  }

  /** Why the latch may not be reset; `local`: by an act on the cart itself. */
  resetRefusal(local: boolean): Refusal | undefined {
    return resetRefusal(this.#facts(), local);
  }

  /** Why the reset button on the cart does not end the latch. */
  localResetRefusal(): Refusal | undefined {
    const { kind, by } = this.#latch.value;
    if (kind === 'MANUAL') return this.resetRefusal(true);
    return { code: 'RESET_REFUSED', text: safetyMessage('not-reset-on-cart', { by }) };
  }

  /** What the telemetry forbids. */
  watch(): Watch {
    return watch(this.#telemetry, this.#deps.settings().limits);
  }

  /** `refusal`: the whole cart's, which may know more than the guard. */
  view(refusal: Refusal | undefined): SafetyView {
    return safetyView(this.#facts(), refusal);
  }

  /** What is wrong, in words. */
  faults(): Text[] {
    return [...this.watch().reasons, this.#latch.fault, ...(this.#telemetry?.faults ?? [])].filter(Boolean);
  }

  /** What is wrong so badly that nobody may drive before it is repaired; empty when nothing is. */
  get fatal(): Text {
    return this.#contactor.fault;
  }

  #facts(): SafetyFacts {
    const { clock, pins, settings, stopOnly, driver, realController } = this.#deps;
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
      controllerConnected: driver() !== undefined,
      resetButton: driver()?.traits.resetButton ?? true,
      realController: realController(),
      acceptNoEstop: safety.acceptNoEstop,
      controllerEstop: this.#telemetry?.state === 'ESTOP',
      stopOnly: stopOnly ?? false,
      settingsInvalidReason: this.#deps.settingsInvalidReason(),
      latchUnsavableReason: this.#deps.latchUnsavableReason(),
      telemetry: level === 'fine' ? '' : joined(reasons),
    };
  }
}

/** What telemetry forbids: nothing, new motion, or the running one as well. */
export interface Watch {
  level: 'fine' | 'refuse' | 'stop';
  /** Sentences for people, worst first; empty when fine. */
  reasons: Text[];
}

/** Below this part of the lowest voltage, and this many degrees above the hottest, the cart stops by itself. */
const STOP_VOLTAGE = 0.9;
const STOP_EXTRA_C = 10;

/** Judges what the controller reports against the limits. Pure. */
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
