import { declareMessages } from '../../shared/messages/message.js';

export const avrdudeMessage = declareMessages('avrdude', {
  'no-boot-loader': "the controller's boot loader did not respond",
  'no-boot-loader-hint':
    'Check the selected board and the USB cable. If the board has no automatic reset, press its reset button when you start the update.',
  'other-board': "the controller's microcontroller does not match the selected board",
  'other-board-hint': 'Select the board that is installed in the cart.',
  'port-failed': 'the serial device could not be opened: {reason}',
  'port-hint': 'Check the USB cable and the serial device in the settings.',
  'not-verified': "the controller's memory does not match the firmware that was written",
  silent: 'the controller did not respond for {time} during the update',
  'too-long': 'the update took longer than {time}',
  'not-started': 'avrdude could not be started: {reason}',
  failed: 'avrdude failed: {reason}',
  'retry-hint': 'Start the update again.',
});
