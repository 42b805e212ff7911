import { declareMessages } from '../../shared/messages/message.js';

export const firmwareMessage = declareMessages('firmware', {
  running: "the motor controller's firmware is being updated",
  interrupted: "an update of the motor controller's firmware was interrupted",
  'interrupted-hint':
    'Connect the controller. If it does not respond, start the update again on the Controller firmware page.',

  'need.driver': 'the controller uses CGW1',
  'need.driver-hint': 'Only controllers with the reference firmware can be updated here.',
  'need.real': 'a real motor controller is connected',
  'need.real-hint': 'A simulated controller has no firmware. Set the serial device in the settings.',
  'need.image': 'this release contains the firmware',
  'need.image-hint': 'Install a release that contains the firmware, or build it; see the documentation.',
  'need.program': 'avrdude is installed',
  'need.program-hint': 'Run this command on the Raspberry Pi: sudo apt-get install avrdude',
  'need.configuration': 'the firmware is suitable for this cart',
  'need.configuration-hint':
    "The controller's firmware was built with a custom configuration (sensors, encoders or baud rate), which the default firmware would replace. Build the firmware with this configuration; see the documentation.",
  'need.standing': 'the cart is stationary',
  'need.standing-hint': 'Stop the cart.',
  'need.safe': 'the motors are off',
  'need.safe-hint': 'Press Stop all.',

  'wheels-up': 'confirm that the wheels are off the ground',
  refused: 'a condition for the update is not met: {condition}',
  'unknown-board': 'board must be one of {boards}',
  'image-missing': 'the firmware for this board is missing',
  'image-changed': 'the firmware file does not match the signature of this release',
  'image-unusable': 'the firmware file cannot be used: {reason}',
  'image-hint': 'Install the release again.',
  'not-recorded': 'the update was not started because it could not be recorded: {reason}',
  'no-answer': 'the new firmware did not respond: {reason}',
  'no-answer-hint': 'Check the selected board, then start the update again.',
  'test-failed': 'the self-test failed: {checks}',
  'test-hint': 'Start the update again.',
  stopped: 'the gateway was shut down during the update',

  'check.ready': 'connected',
  'check.version': 'version',
  'check.status': 'status messages',
  'check.estop-input': 'E-stop input',
  'check.motors-off': 'motors off',
  'check.stop': 'stop acknowledged',
});
