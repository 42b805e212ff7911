import { type Actor, actorText, UNKNOWN_ACTOR } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { span } from '../../shared/messages/messages.js';
import type { EmergencyStop, Reason, ResetStep, SafetyView } from '../command/model.js';
import { firmwareMessage } from '../firmware/messages.js';
import { safetyMessage } from './messages.js';

/** The gateway monitors the E-stop and latches the stop; the E-stop circuit itself cuts the motor power. */
export interface SafetyFacts {
  nowMs: number;
  latch: Latch;
  input: SafetyView['input'];
  /** Why the E-stop input cannot be read; empty if it can be read. */
  inputFault: Text;
  inputHint: Text;
  /** Mismatch between the motor-enable output and the motor power; empty if they agree. */
  contactorFault: Text;
  healthySinceMs: number;
  releaseMs: number;
  /** True if a stop that was triggered on the cart can be reset from pages and other gateways. */
  allowRemoteReset: boolean;
  pins: SafetyView['pins'];
  controllerConnected: boolean;
  realController: boolean;
  acceptNoEstop: boolean;
  resetButton: boolean;
  controllerEstop: boolean;
  /** Why an update of the controller's firmware blocks motion; empty if it does not. */
  firmwareBlock: Text;
  /** The reason why an update of the gateway's software blocks motion; empty if it does not. */
  softwareBlock: Text;
  stopOnly: boolean;
  /** Undefined unless another gateway uses this cart's number. */
  duplicate: Refusal | undefined;
  settingsInvalidReason: Text;
  /** Why a restart would lose a latched stop; empty if a restart would preserve it. */
  latchUnsavableReason: Text;
  /** Why the telemetry blocks motion (temperature, voltage, fault); empty if it does not. */
  telemetry: Text;
}

export interface Latch {
  kind: EmergencyStop;
  by: Actor;
  at: string;
  /** Absent if the latch could not be read, or was stored by an earlier version. */
  pressId?: string;
}

export const UNLATCHED: Latch = { kind: 'NONE', by: UNKNOWN_ACTOR, at: '' };

export interface Refusal extends Reason {
  hint?: Text;
}

/** After three crashes in a row, everything except stops and resets is rejected. */
export const STOP_ONLY = {
  code: 'STOP_ONLY',
  text: safetyMessage('stop-only'),
  hint: safetyMessage('stop-only-hint'),
} as const;

interface ResetRefusal extends Refusal {
  step: Exclude<ResetStep['code'], 'HOLD_RESET'>;
}

/** Returns the most severe reason for forbidding motion; undefined if motion is allowed. */
export function motionRefusal(facts: SafetyFacts): Refusal | undefined {
  const { latch } = facts;
  if (latch.kind !== 'NONE') {
    return {
      code: 'ESTOP_ACTIVE',
      text: safetyMessage('latched', { by: actorText(latch.by) }),
      hint: resetRefusal(facts, false)?.hint ?? safetyMessage('latched-hint'),
    };
  }
  if (facts.input === 'asserted') return { code: 'ESTOP_ACTIVE', text: safetyMessage('button-pressed') };
  if (facts.controllerEstop) return { code: 'ESTOP_ACTIVE', text: safetyMessage('controller-estop') };
  if (facts.firmwareBlock) {
    const hint = firmwareMessage('interrupted-hint');
    return { code: 'FIRMWARE_UPDATE', text: facts.firmwareBlock, hint };
  }
  if (facts.softwareBlock) {
    const hint = safetyMessage('software-hint');
    return { code: 'UPDATE_RUNNING', text: facts.softwareBlock, hint };
  }
  if (facts.stopOnly) return STOP_ONLY;
  if (facts.duplicate) return facts.duplicate;
  if (facts.settingsInvalidReason)
    return {
      code: 'CONFIG_INVALID',
      text: facts.settingsInvalidReason,
      hint: safetyMessage('settings-hint'),
    };
  if (facts.latchUnsavableReason) {
    const text = safetyMessage('latch-unsavable', { reason: facts.latchUnsavableReason });
    return { code: 'SAFETY_UNAVAILABLE', text, hint: safetyMessage('latch-unsavable-hint') };
  }
  if (facts.input === 'unavailable') {
    const text = safetyMessage('input-unreadable', { reason: facts.inputFault });
    return { code: 'SAFETY_UNAVAILABLE', text, ...(facts.inputHint ? { hint: facts.inputHint } : {}) };
  }
  const noButton = facts.input === 'off' || facts.pins === 'simulated';
  if (noButton && facts.realController && !facts.acceptNoEstop) {
    const text = safetyMessage(facts.pins === 'simulated' ? 'input-simulated' : 'input-off');
    return { code: 'SAFETY_UNAVAILABLE', text, hint: safetyMessage('input-hint') };
  }
  if (facts.telemetry) return { code: 'SAFETY_UNAVAILABLE', text: facts.telemetry };
  return undefined;
}

/**
 * Returns why the latch cannot be reset; undefined if it can be.
 * @param local true for a reset by the button or the controller on the cart. If the stop was triggered on the cart, a
 * remote reset requires `allowRemoteReset`.
 */
export function resetRefusal(facts: SafetyFacts, local: boolean): ResetRefusal | undefined {
  if (facts.latch.kind === 'NONE') return undefined;
  const code = 'RESET_REFUSED';
  const onCart = resetIsOnCart(facts);
  if (facts.input === 'asserted') {
    const text = safetyMessage('still-pressed');
    const hint = safetyMessage(onCart ? 'release-then-cart' : 'release-then-hold');
    return { code, step: 'RELEASE_BUTTON', text, hint };
  }
  if (facts.input === 'unavailable') {
    const text = safetyMessage('input-unreadable', { reason: facts.inputFault });
    return { code, step: 'REPAIR_INPUT', text };
  }
  if (facts.contactorFault) {
    const hint = safetyMessage('contactor-hint');
    return { code, step: 'REPAIR_POWER', text: facts.contactorFault, hint };
  }
  const healthyMs = facts.nowMs - facts.healthySinceMs;
  if (facts.input === 'healthy' && healthyMs < facts.releaseMs) {
    const text = safetyMessage('settling', { time: span(healthyMs), needed: span(facts.releaseMs) });
    const hint = safetyMessage(onCart ? 'wait-then-cart' : 'wait-then-hold');
    return { code, step: 'WAIT', text, hint };
  }
  if (onCart && !local) {
    return {
      code: 'RESET_FORBIDDEN',
      step: facts.resetButton ? 'PRESS_RESET_ON_CART' : 'ALLOW_REMOTE_RESET',
      text: safetyMessage('reset-on-cart'),
      hint: safetyMessage('reset-on-cart-hint'),
    };
  }
  return undefined;
}

function resetIsOnCart({ latch, allowRemoteReset }: SafetyFacts): boolean {
  return latch.kind === 'MANUAL' && !allowRemoteReset;
}

function nextRefusal(facts: SafetyFacts): ResetRefusal | undefined {
  const refusal = resetRefusal(facts, false);
  // Both a reset from a page and the reset button require a connected controller.
  const needsController = refusal === undefined || refusal.step === 'PRESS_RESET_ON_CART';
  if (facts.latch.kind === 'NONE' || !needsController || facts.controllerConnected) return refusal;
  const hint = safetyMessage('connect-hint');
  const text = safetyMessage('not-connected');
  return { code: 'RESET_REFUSED', step: 'CONNECT_CONTROLLER', text, hint };
}

export function safetyView(facts: SafetyFacts, refusal: Refusal | undefined): SafetyView {
  const { latch, input, pins } = facts;
  const reset = nextRefusal(facts);
  const resetStep: ResetStep = {
    code: reset?.step ?? 'HOLD_RESET',
    onCart: resetIsOnCart(facts),
    healthyMs: facts.releaseMs,
  };
  return {
    mayMove: refusal === undefined,
    reason: refusal?.text ?? '',
    code: refusal?.code ?? '',
    emergencyStop: latch.kind,
    ...(latch.kind === 'NONE' ? {} : { stoppedBy: actorText(latch.by), stoppedAt: latch.at }),
    ...(latch.pressId ? { pressId: latch.pressId } : {}),
    input,
    pins,
    resetNeeds: reset ? (reset.hint ?? reset.text) : '',
    ...(latch.kind === 'NONE' ? {} : { resetStep }),
  };
}

export function refusalError({ code, text, hint, zoneId, freeDistanceMm }: Refusal): GatewayError {
  return new GatewayError(code, text, {
    ...(hint ? { hint } : {}),
    ...(zoneId !== undefined && { zoneId, freeDistanceMm }),
  });
}
