import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { span } from '../../shared/messages/messages.js';
import type { EmergencyStop, ResetStep, SafetyView } from '../command/model.js';
import { safetyMessage } from './messages.js';

/**
 * May this cart move, and may its latch be reset? Pure: what is known goes in, a judgement comes out. Software only
 * observes the emergency stop, latches it, reports it and refuses; the button itself cuts the power in hardware.
 */
export interface SafetyFacts {
  nowMs: number;
  /** What was latched, and who or what did it. */
  latch: Latch;
  input: SafetyView['input'];
  /** Why the input cannot be read, when it cannot. */
  inputFault: Text;
  /** What to do about that; empty when it is not known. */
  inputHint: Text;
  /** The motors do not have the power that they were given; empty when they do. */
  contactorFault: Text;
  /** Since when the input has been healthy without a break. */
  healthySinceMs: number;
  /** How long it must be so before a reset. */
  releaseMs: number;
  /** Whether a stop made on the cart may be reset from elsewhere. */
  allowRemoteReset: boolean;
  pins: SafetyView['pins'];
  controllerConnected: boolean;
  /** A real controller is behind the line. */
  realController: boolean;
  acceptNoEstop: boolean;
  /** There is a reset button that ends the stop on the cart itself. */
  resetButton: boolean;
  /** The controller's own latch. */
  controllerEstop: boolean;
  /** The gateway is in stop-only mode. */
  stopOnly: boolean;
  /** Settings that cannot be trusted; empty when they can. */
  settingsInvalidReason: Text;
  /** Why an emergency stop would be forgotten at the next start; empty when it is remembered. */
  latchUnsavableReason: Text;
  /** What the telemetry forbids: too hot, too empty; empty when nothing. */
  telemetry: Text;
}

export interface Latch {
  kind: EmergencyStop;
  by: Text;
  at: string;
}

export const UNLATCHED: Latch = { kind: 'NONE', by: '', at: '' };

export interface Refusal {
  code: string;
  text: Text;
  hint?: Text;
}

/** The refusal of everything but stops and the reset after unclean ends in a row. */
export const STOP_ONLY = {
  code: 'STOP_ONLY',
  text: safetyMessage('stop-only'),
  hint: safetyMessage('stop-only-hint'),
} as const;

interface ResetRefusal extends Refusal {
  step: Exclude<ResetStep['code'], 'HOLD_RESET'>;
}

/** Why the cart may not move; undefined when it may. The worst reason comes first. */
export function motionRefusal(facts: SafetyFacts): Refusal | undefined {
  const { latch } = facts;
  if (latch.kind !== 'NONE') {
    return {
      code: 'ESTOP_ACTIVE',
      text: safetyMessage('latched', { by: latch.by }),
      hint: resetRefusal(facts, false)?.hint ?? safetyMessage('latched-hint'),
    };
  }
  if (facts.input === 'asserted') return { code: 'ESTOP_ACTIVE', text: safetyMessage('button-pressed') };
  if (facts.controllerEstop) return { code: 'ESTOP_ACTIVE', text: safetyMessage('controller-estop') };
  if (facts.stopOnly) return STOP_ONLY;
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
 * Why the latch may not be reset; undefined when it may. `local`: by the button or the controller on the cart itself;
 * otherwise from a page or another gateway, which a stop made on the cart allows only when the settings do.
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

/** What stands between the latch and a reset from a page; undefined when nothing does. */
function nextRefusal(facts: SafetyFacts): ResetRefusal | undefined {
  const refusal = resetRefusal(facts, false);
  // The reset button is the controller's as well.
  const needsController = refusal === undefined || refusal.step === 'PRESS_RESET_ON_CART';
  if (facts.latch.kind === 'NONE' || !needsController || facts.controllerConnected) return refusal;
  const hint = safetyMessage('connect-hint');
  const text = safetyMessage('not-connected');
  return { code: 'RESET_REFUSED', step: 'CONNECT_CONTROLLER', text, hint };
}

/** What pages, health and the MQTT tree show of all this. */
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
    ...(latch.kind === 'NONE' ? {} : { stoppedBy: latch.by, stoppedAt: latch.at }),
    input,
    pins,
    resetNeeds: reset ? (reset.hint ?? reset.text) : '',
    ...(latch.kind === 'NONE' ? {} : { resetStep }),
  };
}

/** The refusal as the error that its caller is answered with. */
export function refusalError({ code, text, hint }: Refusal): GatewayError {
  return new GatewayError(code, text, hint ? { hint } : {});
}
