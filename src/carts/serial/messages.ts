import { declareMessages } from '../../shared/messages/message.js';

/** The state of the line to the motor controller, and why a controller does not take a command. */
export const serialMessage = declareMessages('serial', {
  'not-opened': 'not opened yet',
  opening: 'opening {path}',
  closed: 'closed',
  handshake: 'waiting for the controller to answer',
  quiet: 'nothing received from the controller for {time}',
  silent: 'the controller has been silent for {time}',
  'settings-changed': 'the settings have changed',
  lost: 'the serial connection was lost',
  'lost-why': 'the serial connection was lost: {reason}',
  noise: '{frames} broken frames within a second: the line is bad',
  'controller-restarted': 'the controller restarted by itself',
  'timeout-reset': 'the controller restarted by itself: its serial timeout was reset',
  deadman: 'the controller stopped because it received nothing from the gateway',
  'loop-silent': 'the control loop has stopped',

  'no-answer': 'no controller answered on {driver} within {limit} s',
  'no-answer-hint': 'Check wiring, speed and driver.',
  'board-hint': 'Check wiring, speed, address and driver.',
  'protocol-version': 'the controller uses protocol version {theirs}, this gateway version {ours}',
  'protocol-hint': 'Update the firmware of the controller.',
  'baud-unsupported': '{driver} does not support {baud} baud',
  'baud-hint': 'Supported: {bauds} baud.',
  'two-wheels-only': '{driver} drives two wheels side by side, not a steered axle',
  'timeout-not-kept':
    'the controller has a serial timeout of {kept} instead of {wanted}: it would not stop by itself in time',
  'sketch-warning':
    'an existing sketch never answers: it does not confirm commands, and it does not stop by itself when the gateway fails',
  'sabertooth-warning':
    'a Sabertooth never answers: it does not confirm commands, nor that it stops by itself after {time} without a message',
  'watchdog-hint': 'Accept it with safety.allowNoWatchdog, or use another controller.',

  'unacknowledged.move': 'the controller did not acknowledge the move within {time} (sent {tries} times)',
  'unacknowledged.stop': 'the controller did not acknowledge the stop within {time} (sent {tries} times)',
  'unacknowledged.estop':
    'the controller did not acknowledge the emergency stop within {time} (sent {tries} times)',
  'unacknowledged.limits': 'the controller did not acknowledge the limits within {time} (sent {tries} times)',
  'unacknowledged.reset': 'the controller did not acknowledge the reset within {time} (sent {tries} times)',
  'not-acknowledged': 'the controller did not acknowledge: {reason}',
  'reply-late': 'no answer within {time}',
  'reply-unexpected': 'an unexpected answer was received',
  'reply-not-ack': 'a byte other than an acknowledgement was received',
  'reply-checksum': 'the checksum of the answer is wrong',
  'line-resync': 'the line is being resynchronised',
  'expired-unacknowledged': 'the command expired before it was acknowledged',
  'stopped-before': 'the cart was stopped before the command reached it',

  'nack.BAD_LENGTH': 'the controller did not understand the frame (bad length)',
  'nack.UNKNOWN_TYPE': 'the controller does not know this type of frame',
  'nack.BAD_SESSION': 'the controller has restarted since the handshake',
  'nack.ESTOP_ACTIVE': 'the emergency stop is active in the controller',
  'nack.FAULT': 'the controller reports a fault',
  'nack.BUSY': 'the controller is still busy with another motion',
  'nack.RANGE': 'the controller rejected the distance, angle or speed as out of range',
  'nack.EXPIRED': 'the command was too old when it reached the controller',
  'nack.UNSUPPORTED': 'the controller does not support this',
  'nack.DISARMED': 'the controller is not armed',

  'estop-still-active': 'the emergency stop at the controller is still active',
  'no-jog': 'a sketch that takes plain lines cannot be driven by hand',
  'too-slow': 'this cart drives {full} mm/s at full power, not {asked} mm/s',
  'too-slow-hint': 'Ask for less, or lower limits.defaultSpeedMmps.',
  'too-long': 'the motion would take {time}; the limit is {limit}',
});
