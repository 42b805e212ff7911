import { errorText } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { CartLocation } from '../../shared/ports/navigation/plan-pose.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import type { Reason } from '../command/model.js';

import { ProtectiveField } from '../protective-field/protective-field.js';
import type { ProtectiveFieldSettings } from '../protective-field/settings-schema.js';
import { type InterlockSettings, Interlocks } from '../safety/interlocks.js';
import type { LatchStore } from '../safety/latch-store.js';
import { MotorArming } from '../safety/motor-arming.js';
import type { Refusal } from '../safety/safety.js';
import { StopAck } from '../safety/stop-ack.js';
import type { ControllerLink } from '../serial/link.js';
import type { KinematicsSettings, SerialSettings } from '../serial/settings-schema.js';
import { CommandExecutor } from './command-executor.js';
import { AT_CONTROLLER, EstopControl, type SafetyEvent } from './estop-control.js';

export interface CartSettings extends InterlockSettings {
  serial: SerialSettings;
  kinematics: KinematicsSettings;
  protectiveField: ProtectiveFieldSettings;
}

export interface CartDeps {
  cartId: number;
  name: () => string;
  link: ControllerLink;
  pins: SafetyPins;
  latchStore: LatchStore;
  settings: () => CartSettings;
  settingsInvalidReason: () => Text;
  /** The reason why an update of the controller's firmware blocks motion; empty if it does not. */
  firmwareBlock: () => Text;
  stopOnly?: boolean;
  /** The reason why motion is forbidden while another gateway uses this cart's number. */
  duplicate?: () => Refusal | undefined;
  latchUnsavableReason: () => Text;
  brokerDown: () => boolean;
  location?: () => CartLocation | undefined;
  clock: Clock;
  log: Log;
}

interface CartHooks {
  refusal: () => Refusal | undefined;
  changed: () => void;
  record: (event: SafetyEvent) => void;
  protect: (reason: Reason) => void;
}

export interface CartParts {
  interlocks: Interlocks;
  arming: MotorArming;
  executor: CommandExecutor;
  estop: EstopControl;
  stopAck: StopAck;
  field: ProtectiveField;
}

export function buildParts(deps: CartDeps, { refusal, changed, record, protect }: CartHooks): CartParts {
  const { cartId, link, pins, settings, clock, log } = deps;
  const driver = () => link.driver;
  const broken = (error: unknown) => link.end({ code: 'SERIAL_LOST', text: errorText(error) });
  const interlocks = new Interlocks({
    ...deps,
    driver,
    realController: () => link.ready && !link.simulated,
  });
  const arming = new MotorArming({
    power: interlocks.power,
    driver,
    latched: () => interlocks.latched,
    broken,
    clock,
  });
  const executor = new CommandExecutor({
    clock,
    driver,
    limits: () => settings().limits,
    arm: () => {
      arming.arm();
      field.update('start');
    },
    refusal,
    blocked: (order) => field.refusal(order),
    runaway: ({ text }) => link.end({ code: 'NOT_STOPPED', text }),
    estopped: () => estop.latch('MANUAL', AT_CONTROLLER),
    broken,
  });
  const field = new ProtectiveField({
    driver,
    settings,
    clock,
    order: () => executor.command?.order,
    telemetry: () => interlocks.telemetry,
    notSlowed: (reason) => {
      if (executor.moving) protect(reason);
    },
  });
  const stopAck = new StopAck();
  const drop = executor.drop.bind(executor);
  const estop = new EstopControl({
    cartId,
    interlocks,
    link,
    pins,
    stopAck,
    drop,
    broken,
    changed,
    record,
    log,
  });
  return { interlocks, arming, executor, estop, stopAck, field };
}
