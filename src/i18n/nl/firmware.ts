import type { Vocabulary } from '../language.js';

/** Strings about updates of the motor controller's firmware; also used by page scripts. */
export const LIVE_FIRMWARE: Vocabulary = {
  'No update is running': 'Er loopt geen update',
  'An update was interrupted. The cart cannot be driven.':
    'Een update is onderbroken. De kar kan niet rijden.',
  'Checking the firmware file': 'Het firmwarebestand wordt gecontroleerd',
  'Writing the firmware: {0}%': 'De firmware wordt geschreven: {0}%',
  'Verifying the firmware: {0}%': 'De firmware wordt gecontroleerd: {0}%',
  'Connecting to the controller': 'Er wordt verbinding gemaakt met de motorcontroller',
  'Testing the controller without motion': 'De motorcontroller wordt zonder beweging getest',
  'The controller was updated and passed the self-test':
    'De motorcontroller is bijgewerkt en heeft de zelftest doorstaan',
  'The update failed': 'De update is mislukt',
  'Update the controller? The wheels must be off the ground.':
    'De motorcontroller bijwerken? De wielen moeten vrij van de grond zijn.',
};

/** Strings on the Controller firmware page and its card on the System page. */
export const FIRMWARE: Vocabulary = {
  'Controller firmware': 'Controllerfirmware',
  Firmware: 'Firmware',
  Installed: 'Geïnstalleerd',
  'In this release': 'In deze release',
  'Installed: {{installed}}': 'Geïnstalleerd: {{installed}}',
  'In this release: {{shipped}}': 'In deze release: {{shipped}}',
  'unknown: the controller is not connected': 'onbekend: de motorcontroller is niet verbonden',
  'no firmware': 'geen firmware',
  '{0}, unsigned development build': '{0}, niet ondertekende ontwikkelversie',
  'Arduino Uno, or Nano with Optiboot (115200 baud)': 'Arduino Uno, of Nano met Optiboot (115200 baud)',
  'Arduino Mega 2560': 'Arduino Mega 2560',
  'Arduino Nano with the old boot loader (57600 baud)': 'Arduino Nano met de oude bootloader (57600 baud)',
  'Progress of the update': 'Voortgang van de update',
  'to see the progress.': 'om de voortgang te zien.',
  'The gateway writes the firmware to the controller, verifies it and tests the controller without motion. The cart cannot be driven until the test has passed. If the update is interrupted, even by a power cut, start it again here.':
    'De gateway schrijft de firmware naar de motorcontroller, controleert die en test de motorcontroller zonder beweging. De kar kan pas rijden als de test is geslaagd. Wordt de update onderbroken, ook door stroomuitval, start hem dan hier opnieuw.',
  '(met)': '(voldaan)',
  '(not met)': '(niet voldaan)',
  'This firmware has the default configuration for a cart with two motor drivers and no sensors. If your cart uses its own':
    'Deze firmware heeft de standaardconfiguratie voor een kar met twee motordrivers en zonder sensoren. Heeft uw kar een eigen',
  ', build the firmware with that file first.': ', bouw dan eerst de firmware met dat bestand.',
  Board: 'Bord',
  'Select the board': 'Kies het bord',
  'The wheels are off the ground, and everyone is clear of the cart':
    'De wielen zijn vrij van de grond en iedereen houdt afstand van de kar',
  'Repeat the update': 'Update herhalen',
  'Update controller': 'Motorcontroller bijwerken',
  'Only administrators can update the controller.': 'Alleen beheerders kunnen de motorcontroller bijwerken.',
};
