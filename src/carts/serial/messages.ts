import { declareMessages } from '../../shared/messages/message.js';

export const serialMessage = declareMessages('serial', {
  'not-opened': 'the serial line is not open yet',
  opening: 'opening {path}',
  closed: 'closed',
  handshake: 'waiting for the controller to respond',
  quiet: 'no data received from the controller for {time}',
  silent: 'no message received from the controller for {time}',
  'settings-changed': 'the settings have changed',
  lost: 'the serial connection was lost',
  'lost-why': 'the serial connection was lost: {reason}',
  noise: '{frames} corrupt frames within 1 s: the connection is unreliable',
  'controller-restarted': 'the controller restarted unexpectedly',
  'timeout-reset': 'the controller restarted unexpectedly, which reset its serial timeout',
  deadman: 'the controller stopped the cart because it received no data from the gateway',
  'loop-silent': 'the control loop has stopped',

  'no-answer': 'no controller responded to the {driver} driver within {limit} s',
  'no-answer-hint': 'Check the wiring, baud rate and driver.',
  'board-hint': 'Check the wiring, baud rate, address and driver.',
  'protocol-version': 'the controller uses protocol version {theirs}, but this gateway uses version {ours}',
  'protocol-hint': 'Update the controller firmware.',
  'baud-unsupported': '{driver} does not support {baud} baud',
  'baud-hint': 'Supported: {bauds} baud.',
  'two-wheels-only': '{driver} supports differential drive only, not a steered axle',
  'timeout-not-kept':
    "the controller's serial timeout is {actual} instead of {wanted}: the controller would not stop the cart in time",
  'sketch-warning':
    'an existing Arduino sketch does not confirm commands and does not stop the cart if the gateway fails',
  'sabertooth-warning':
    'a Sabertooth does not confirm commands, and the gateway cannot verify that the Sabertooth stops after {time} without a message',
  'watchdog-hint': 'Set safety.allowNoWatchdog to accept this, or use a different controller.',

  'unacknowledged.move': 'the controller did not acknowledge the move within {time} (sent {tries} times)',
  'unacknowledged.stop': 'the controller did not acknowledge the stop within {time} (sent {tries} times)',
  'unacknowledged.estop':
    'the controller did not acknowledge the latching stop within {time} (sent {tries} times)',
  'unacknowledged.limits': 'the controller did not acknowledge the limits within {time} (sent {tries} times)',
  'unacknowledged.sensors':
    'the controller did not report its distance sensors within {time} (sent {tries} times)',
  'unacknowledged.field':
    'the controller did not acknowledge the protective field within {time} (sent {tries} times)',
  'unacknowledged.reset': 'the controller did not acknowledge the reset within {time} (sent {tries} times)',
  'not-acknowledged': 'the controller did not acknowledge the packet: {reason}',
  'reply-late': 'no reply within {time}',
  'reply-unexpected': 'unexpected reply',
  'reply-not-ack': 'the reply is not an acknowledgement',
  'reply-checksum': 'the reply has an incorrect checksum',
  'line-resync': 'the serial line is being resynchronised',
  'expired-unacknowledged': 'the command expired before it was acknowledged',
  'stopped-before': 'the cart was stopped before the command reached it',

  'nack.BAD_LENGTH': 'the controller rejected the frame: wrong length',
  'nack.UNKNOWN_TYPE': 'the controller rejected the frame: unknown type',
  'nack.BAD_SESSION': 'the controller has restarted since the handshake',
  'nack.ESTOP_ACTIVE': "the controller's E-stop is active",
  'nack.FAULT': 'the controller reports a fault',
  'nack.BUSY': 'the controller is executing another motion',
  'nack.RANGE': 'the controller rejected the distance, angle or speed: out of range',
  'nack.EXPIRED': 'the command expired before it reached the controller',
  'nack.UNSUPPORTED': 'the controller does not support this command',
  'nack.DISARMED': 'the controller is not armed',

  'estop-still-active': "the controller's E-stop is still active",
  'no-jog': 'a sketch that receives plain JSON lines does not support manual drive',
  'too-slow': "this cart's maximum speed is {full} mm/s, which is less than the requested {requested} mm/s",
  'too-slow-hint': 'Request a lower speed, or reduce limits.defaultSpeedMmps.',
  'too-fast': 'this board cannot drive more slowly than {slowest} mm/s; the limit is {requested} mm/s',
  'turn-too-fast': 'this board cannot turn more slowly than {slowest} degrees/s',
  'too-long': 'the motion would take {time}; the limit is {limit}',
});
