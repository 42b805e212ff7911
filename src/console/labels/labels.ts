import type { BrokerView, CartView, CommandState, CommandView, LinkView } from '../../carts/pure.js';
import {
  ageText,
  type LightData,
  type LightView,
  lowerFirst,
  metres,
  type Severity,
  type StatusText,
  shortest,
  timeOfDay,
} from '../../i18n/format.js';
import { begun, continued, principalName, translated } from '../../i18n/messages.js';
import { t } from '../../i18n/shared-text.js';
import type { Text } from '../../shared/messages/message.js';

/** Returns `90° left` for 90 degrees and `45° right` for −45 degrees. */
export function turn(deg: number): string {
  const amount = `${shortest(Math.abs(deg))}°`;
  if (deg === 0) return amount;
  return deg > 0 ? t('{0} left', amount) : t('{0} right', amount);
}

/** Returns a text such as `turn 90° left, then 1.00 m forward`. */
export function commandText(command: Pick<CommandView, 'kind' | 'distanceMm' | 'angleDeg'>): string {
  const { kind, distanceMm, angleDeg } = command;
  if (kind === 'stop' || (distanceMm === 0 && angleDeg === 0)) return t('stop');
  if (kind === 'jog') return t('manual drive');
  const length = metres(Math.abs(distanceMm));
  const way = distanceMm < 0 ? t('{0} back', length) : t('{0} forward', length);
  if (angleDeg === 0) return way;
  return distanceMm === 0 ? t('turn {0}', turn(angleDeg)) : t('turn {0}, then {1}', turn(angleDeg), way);
}

/** Returns true if a reset from a page would succeed now. Older gateways send `resetNeeds` but no `resetStep`. */
export function mayReset({ online, destination, safety, stopPending }: CartView): boolean {
  // A reset also ends the retries of a latching stop that the cart has not confirmed.
  if (destination === 'mqtt' && stopPending === 'estop') return true;
  if (safety.emergencyStop === 'NONE') return false;
  if (destination === 'mqtt' && !online) return false;
  return safety.resetStep ? safety.resetStep.code === 'HOLD_RESET' : safety.resetNeeds === '';
}

export function safetyTone(cart: CartView): Severity {
  const { safety } = cart;
  if (safety.emergencyStop !== 'NONE' || safety.code === 'ESTOP_ACTIVE') return 'stop';
  if (cart.stopPending) return 'stop';
  if (!cart.online || !safety.mayMove) return 'warn';
  return cart.moving ? 'live' : 'quiet';
}

/**
 * Returns the status line of a cart: ready, moving, or why the cart cannot move and what to do.
 * @param command the running command, if known; its distance is added to the text.
 * @param isDriver true if the user is permitted to reset a cart.
 * @param isListed true if a heading states `usualResetStep` for all carts with a latched stop.
 */
export function safetySentence(
  cart: CartView,
  command?: CommandView,
  isDriver = true,
  isListed = false,
): string {
  const { safety } = cart;
  if (safety.emergencyStop !== 'NONE') {
    const what = latchedText(cart);
    return isListed && isUsualReset(cart) ? what : `${what}: ${lowerFirst(resetSentence(cart, isDriver))}`;
  }
  if (cart.stopPending) return t('Stop NOT confirmed: use the button on the cart');
  if (safety.code === 'ESTOP_ACTIVE') return stoppedSentence(safety.reason);
  if (!cart.online)
    return t(
      'Not reachable: {0}',
      lowerFirst(cart.reason ? translated(cart.reason) : t('no data received yet')),
    );
  if (!safety.mayMove) return t('Cannot move: {0}', continued(safety.reason));
  return cart.moving ? movingSentence(cart, command) : t('Ready');
}

/**
 * Describes a latched stop. Only a stop on the cart itself is called an E-stop, because Stop all works over the network
 * and may be unavailable.
 */
function latchedText({ safety }: CartView): string {
  const { emergencyStop, stoppedBy = '', stoppedAt } = safety;
  const by = principalName(stoppedBy);
  const time = stoppedAt ? timeOfDay(stoppedAt) : '';
  if (emergencyStop === 'REMOTE') return stoppedText(by, time);
  if (by === '') return t('E-stop active');
  if (isButton(stoppedBy)) return time ? t('E-stop button pressed at {0}', time) : t('E-stop button pressed');
  return time ? t('E-stop triggered by {0} at {1}', by, time) : t('E-stop triggered by {0}', by);
}

function stoppedText(by: string, time: string): string {
  if (by === '') return t('Stopped');
  return time ? t('Stopped by {0} at {1}', by, time) : t('Stopped by {0}', by);
}

function isButton(cause: Text): boolean {
  return typeof cause !== 'string' && cause.code === 'safety.button';
}

/** Returns true if the next step for a latched stop is `usualResetStep`. */
export function isUsualReset({ online, destination, safety: { resetStep, resetNeeds } }: CartView): boolean {
  const isReachable = online || destination !== 'mqtt';
  return isReachable && (resetStep?.code ?? 'HOLD_RESET') === 'HOLD_RESET' && resetNeeds === '';
}

export function usualResetStep(isDriver: boolean): string {
  return isDriver
    ? t('make sure that the way is clear, then hold Reset')
    : t('an operator must reset the cart when the way is clear');
}

function resetSentence({ online, destination, reason, safety }: CartView, isDriver: boolean): string {
  const { resetStep, resetNeeds } = safety;
  if (destination === 'mqtt' && !online) return translated(reason);
  switch (resetStep?.code) {
    case 'RELEASE_BUTTON':
      if (resetStep.onCart) return t('release the E-stop button on the cart, then press the reset button');
      return isDriver
        ? t('release the E-stop button on the cart, then hold Reset')
        : t('release the E-stop button on the cart; an operator must reset the cart');
    case 'WAIT':
      return t(
        'wait until the E-stop input has been healthy for {0} s',
        shortest(resetStep.healthyMs / 1000),
      );
    case 'PRESS_RESET_ON_CART':
      return t('press the reset button on the cart');
    case 'ALLOW_REMOTE_RESET':
      return t(
        'this cart has no reset button: allow remote reset in the settings (gpio.estop.allowRemoteReset), then restart the gateway',
      );
    case 'CONNECT_CONTROLLER':
      return t('connect the motor controller first');
    case 'REPAIR_INPUT':
    case 'REPAIR_POWER':
      return translated(resetNeeds);
    default:
      return resetNeeds === '' ? usualResetStep(isDriver) : translated(resetNeeds);
  }
}

/** Codes of the messages that begin with "stopped". */
const STOPPED: readonly string[] = ['cart.stopped-by', 'safety.latched', 'safety.emergency-stop'];

export function namesStop(reason: Text): boolean {
  return typeof reason !== 'string' && STOPPED.includes(reason.code);
}

/** Returns `Stopped: <reason>`, or only the reason if the reason itself begins with "stopped". */
export function stoppedSentence(reason: Text): string {
  return namesStop(reason) ? begun(reason) : t('Stopped: {0}', continued(reason));
}

function movingSentence(cart: CartView, command: CommandView | undefined): string {
  const done = cart.telemetry?.progressMm;
  const same = command !== undefined && command.commandId === cart.commandId && command.kind === 'move';
  if (same && command.distanceMm !== 0 && done !== undefined && done !== 0) {
    return t('Moving: {0} of {1}', metres(Math.abs(done)), metres(Math.abs(command.distanceMm)));
  }
  if (same && command.angleDeg !== 0) return t('Moving: turning {0}', turn(command.angleDeg));
  const speed = cart.telemetry?.speedMmps;
  return speed ? t('Moving at {0}/s', metres(Math.abs(speed))) : t('Moving');
}

const linkTexts = (): Record<LinkView['state'], StatusText> => ({
  DOWN: { tone: 'stop', text: t('not connected') },
  OPENING: { tone: 'warn', text: t('connecting') },
  HELLO: { tone: 'warn', text: t('connecting') },
  READY: { tone: 'quiet', text: t('connected') },
  DEGRADED: { tone: 'warn', text: t('poor connection') },
  LOST: { tone: 'stop', text: t('connection lost') },
  INCOMPATIBLE: { tone: 'stop', text: t('incompatible protocol') },
});

export function linkText(link: LinkView | undefined): StatusText {
  return link ? linkTexts()[link.state] : { tone: 'stop', text: t('none') };
}

/**
 * Describes the connection to the broker. Its loss is a warning, not an error, because the gateway can still drive its
 * own cart.
 */
export function brokerText(broker: BrokerView): StatusText {
  return broker.connected
    ? { tone: 'quiet', text: t('connected') }
    : { tone: 'warn', text: t('not connected') };
}

const commandStateTexts = (): Record<CommandState, string> => ({
  ACCEPTED: t('accepted'),
  QUEUED: t('queued'),
  SENT: t('sent'),
  ACKNOWLEDGED: t('acknowledged'),
  RUNNING: t('running'),
  PAUSED: t('paused'),
  FINISHED: t('finished'),
  FAILED: t('failed'),
  EXPIRED: t('expired'),
  CANCELLED: t('cancelled'),
  REJECTED: t('rejected'),
});

export function cameraText(light: LightData): LightView {
  return { ...light, text: translated(light.text), reason: translated(light.reason) };
}

/** Returns true if a person or the E-stop ended a command that the cart had started. */
export function wasStopped({ state, reason, timeline }: CommandView): boolean {
  const isEnded = state === 'CANCELLED' || state === 'FAILED';
  const isStop = reason?.code === 'STOPPED' || reason?.code === 'ESTOP_ACTIVE';
  return isEnded && isStop && timeline.some((step) => step.state === 'SENT' || step.state === 'RUNNING');
}

/** Like `commandStateText`, but returns `stopped` for a command that was ended by a stop of any kind. */
export function commandEndText(command: CommandView): string {
  return wasStopped(command) ? t('stopped') : commandStateText(command.state);
}

export function commandStateText(state: CommandState): string {
  return commandStateTexts()[state];
}

/** The age in ms above which a remote cart's values are greyed out. The Fleet page uses it for all carts. */
export const REMOTE_GREY_MS = 2500;

/**
 * This gateway's cart reports every 100 ms while moving and every 500 ms while stationary, and remote carts report
 * once a second. Pages receive a report up to 250 ms later.
 * @returns `greyMs`, the age above which values are greyed out, and `lockMs`, the age above which the drive
 * controls are locked.
 */
export function freshness(cart: Pick<CartView, 'destination' | 'moving'>): {
  greyMs: number;
  lockMs: number;
} {
  if (cart.destination === 'mqtt') return { greyMs: REMOTE_GREY_MS, lockMs: 2500 };
  return cart.moving ? { greyMs: 1000, lockMs: 500 } : { greyMs: 1000, lockMs: 1000 };
}

export function staleSentence(cartID: number, ageMs: number | null): string {
  if (ageMs === null) return t('No data received from cart {0} yet', cartID);
  return t('No update from cart {0} for {1}', cartID, ageText(ageMs));
}
