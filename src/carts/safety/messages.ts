import { declareMessages, type Text } from '../../shared/messages/message.js';
import { principalText } from '../../shared/messages/messages.js';

export const safetyMessage = declareMessages('safety', {
  latched: 'stopped by {by}: a reset is required',
  'latched-hint': 'Make sure that the way is clear, then hold Reset.',
  'button-pressed': 'the E-stop button is pressed',
  'controller-estop': 'the controller reports an E-stop',
  'stop-only': 'the gateway is in stop-only mode because it crashed several times in a row',
  'stop-only-hint':
    'Stop, Stop all and Reset still work. Read the log, then restart the gateway: sudo systemctl restart cartwright.',
  'software-requested': 'an update of the gateway has been requested',
  'software-running': 'the gateway is being updated',
  'software-hint': 'Wait until the update has ended.',
  'settings-hint': 'Correct the invalid setting on the settings page.',
  'latch-unsavable': 'a latched stop would be lost in a restart: {reason}',
  'latch-unsavable-hint':
    'Free up some disk space. If the SD card is not writable, repair or replace it, then restart the gateway.',
  'input-unreadable': 'the E-stop input cannot be read: {reason}',
  'input-simulated':
    'the E-stop input is only simulated, and the settings do not allow a real cart to be driven without a real E-stop input',
  'input-off':
    'the E-stop input is turned off, and the settings do not allow a real cart to be driven without an E-stop input',
  'input-hint': 'Set gpio.mode. To drive without an E-stop input, set safety.acceptNoEstop instead.',
  'still-pressed': 'the E-stop button is still pressed',
  'release-then-cart': 'Release the button on the cart, then press the reset button on the cart.',
  'release-then-hold': 'Release the button on the cart, then hold Reset.',
  settling: 'the E-stop input has been healthy for {time}; {needed} is required',
  'wait-then-cart': 'Wait a moment, then press the reset button on the cart.',
  'wait-then-hold': 'Wait a moment, then hold Reset again.',
  'reset-on-cart': 'a stop triggered on the cart must be reset on the cart',
  'reset-on-cart-hint':
    'Reset the stop on the cart. Alternatively, set gpio.estop.allowRemoteReset to allow resets from a page, then restart the gateway.',
  'not-reset-on-cart': 'stopped by {by}: this stop cannot be reset on the cart',
  'not-connected': 'the motor controller is not connected',
  'connect-hint': 'Reset the cart when the controller is connected again.',
  'controller-unreachable': 'the motor controller cannot be reached: {reason}',
  'reset-failed': 'the controller did not reset its stop: {reason}',
  'retry-hint': 'Try again in a moment.',
  'pressed-again': 'the cart was stopped again',
  'pressed-again-hint': 'Check who stopped the cart before you reset it.',

  button: 'the E-stop button on the cart',
  'at-controller': 'the E-stop on the cart (input of the motor controller)',
  'reset-button': 'the reset button on the cart',
  'input-not-read': 'no value has been read yet',
  'input-chatters': 'a chattering E-stop input (loose contact)',
  'input-lost': 'the E-stop input, which can no longer be read: {reason}',
  'latch-unreadable': 'the gateway at startup (the record of the latched stop was unreadable)',
  'latch-missing': 'the gateway at startup (the record of the latched stop was missing)',
  'latch-restored': 'the restore of a backup',
  'contactor-welded':
    'the motors still have power although the power was switched off: the contactor may be welded shut',
  'contactor-open':
    'the motors have no power although the power was switched on: the contactor did not close',
  'contactor-unreadable': 'the motor-power read-back input cannot be read: {reason}',
  'contactor-hint': 'Switch the motors off at the main switch and have the contactor repaired.',

  'controller-fault': 'the controller reports a fault: {faults}',
  'unknown-fault': 'unknown',
  'battery-low': 'the battery is at {mv} mV, below {limit} mV',
  'motor-hot': 'a motor is at {celsius} °C, above {limit} °C',
  'loop-late': 'the control loop was {time} late',
  'too-busy':
    'the gateway was too busy to control the cart, so the cart stopped; try again, and see System if it happens often',

  'emergency-stop': 'stopped by {by}',
  'latch-not-saved': 'the latched stop could not be saved: {reason}',
  'latch-not-saved-yet': 'the latched stop has not been saved yet, because the disk does not respond',
  'stopped-but': 'the cart is stopped, but {reason}',
  'not-connected-why': 'the motor controller is not connected ({reason})',
  'not-connected-off': 'the motor controller is not connected ({reason}); motor enable is off',
  'stop-unacknowledged': 'the motor controller did not acknowledge the stop within {limit} ms',
  'stop-unconfirmed': 'the cart did not confirm the stop within {limit} ms',
});

const CAUSES = [
  'button',
  'at-controller',
  'input-chatters',
  'latch-unreadable',
  'latch-missing',
  'latch-restored',
] as const;

/** The texts of these causes in latch files and MQTT states of earlier versions. */
const EARLIER_TEXTS: Readonly<Record<string, (typeof CAUSES)[number]>> = {
  'the emergency-stop button on the cart': 'button',
  'the emergency stop on the cart (input of the motor controller)': 'at-controller',
  'a chattering emergency-stop input (loose contact)': 'input-chatters',
  'an unreadable estop.json at startup': 'latch-unreadable',
  'a missing estop.json at startup': 'latch-missing',
};

/** Converts a stop cause from the latch file or an MQTT state to a message. */
export function stopCause(by: string): Text {
  const earlier = Object.hasOwn(EARLIER_TEXTS, by) ? EARLIER_TEXTS[by] : undefined;
  if (earlier) return safetyMessage(earlier);
  return CAUSES.map((key) => safetyMessage(key)).find(({ text }) => text === by) ?? principalText(by);
}
