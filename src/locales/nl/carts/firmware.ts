import type { avrdudeMessage } from '../../../adapters/avrdude/messages.js';
import type { firmwareMessage } from '../../../carts/firmware/messages.js';
import type { Translations } from '../../../shared/messages/message.js';

export const LIVE_FIRMWARE_TEXTS = {
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

export const FIRMWARE_TEXTS = {
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

export const FIRMWARE_MESSAGES = {
  'firmware.running': 'de firmware van de motorcontroller wordt bijgewerkt',
  'firmware.interrupted': 'een update van de firmware van de motorcontroller is onderbroken',
  'firmware.interrupted-hint':
    'Sluit de motorcontroller aan. Reageert hij niet, start dan de update opnieuw op de pagina Controllerfirmware.',
  'firmware.need.driver': 'de motorcontroller gebruikt CGW1',
  'firmware.need.driver-hint':
    'Alleen motorcontrollers met de referentiefirmware kunnen hier worden bijgewerkt.',
  'firmware.need.real': 'er is een echte motorcontroller aangesloten',
  'firmware.need.real-hint':
    'Een gesimuleerde motorcontroller heeft geen firmware. Stel het seriële apparaat in bij de instellingen.',
  'firmware.need.image': 'deze release bevat de firmware',
  'firmware.need.image-hint':
    'Installeer een release met de firmware, of bouw de firmware; zie de documentatie.',
  'firmware.need.program': 'avrdude is geïnstalleerd',
  'firmware.need.program-hint': 'Voer dit uit op de Raspberry Pi: sudo apt-get install avrdude',
  'firmware.need.configuration': 'de firmware is geschikt voor deze kar',
  'firmware.need.configuration-hint':
    'De firmware van de motorcontroller is gebouwd met een eigen configuratie (sensoren, encoders of baudrate), die de standaardfirmware zou vervangen. Bouw de firmware met deze configuratie; zie de documentatie.',
  'firmware.need.standing': 'de kar staat stil',
  'firmware.need.standing-hint': 'Stop de kar.',
  'firmware.need.safe': 'de motoren zijn uit',
  'firmware.need.safe-hint': 'Druk op Alles stoppen.',
  'firmware.wheels-up': 'bevestig dat de wielen vrij van de grond zijn',
  'firmware.refused': 'aan een voorwaarde voor de update is niet voldaan: {condition}',
  'firmware.unknown-board': 'board moet een van deze waarden zijn: {boards}',
  'firmware.image-missing': 'de firmware voor dit bord ontbreekt',
  'firmware.image-changed': 'het firmwarebestand klopt niet met de handtekening van deze release',
  'firmware.image-unusable': 'het firmwarebestand is onbruikbaar: {reason}',
  'firmware.image-hint': 'Installeer de release opnieuw.',
  'firmware.not-recorded': 'de update is niet gestart, omdat hij niet kon worden vastgelegd: {reason}',
  'firmware.no-answer': 'de nieuwe firmware antwoordde niet: {reason}',
  'firmware.no-answer-hint': 'Controleer het gekozen bord en start de update opnieuw.',
  'firmware.test-failed': 'de zelftest is mislukt: {checks}',
  'firmware.test-hint': 'Start de update opnieuw.',
  'firmware.stopped': 'de gateway is tijdens de update afgesloten',
  'firmware.check.ready': 'verbonden',
  'firmware.check.version': 'versie',
  'firmware.check.status': 'statusberichten',
  'firmware.check.estop-input': 'noodstopingang',
  'firmware.check.motors-off': 'motoren uit',
  'firmware.check.stop': 'stop bevestigd',
  'avrdude.no-boot-loader': 'de bootloader van de motorcontroller antwoordde niet',
  'avrdude.no-boot-loader-hint':
    'Controleer het gekozen bord en de USB-kabel. Heeft het bord geen automatische reset, druk dan op de resetknop zodra u de update start.',
  'avrdude.other-board': 'de motorcontroller heeft een andere microcontroller dan het gekozen bord',
  'avrdude.other-board-hint': 'Kies het bord dat in de kar is ingebouwd.',
  'avrdude.port-failed': 'het seriële apparaat kon niet worden geopend: {reason}',
  'avrdude.port-hint': 'Controleer de USB-kabel en het seriële apparaat in de instellingen.',
  'avrdude.not-verified': 'het geheugen van de motorcontroller komt niet overeen met de geschreven firmware',
  'avrdude.silent': 'de motorcontroller antwoordde tijdens de update {time} niet',
  'avrdude.too-long': 'de update duurde langer dan {time}',
  'avrdude.not-started': 'avrdude kon niet worden gestart: {reason}',
  'avrdude.failed': 'avrdude is mislukt: {reason}',
  'avrdude.retry-hint': 'Start de update opnieuw.',
} satisfies Translations<typeof firmwareMessage> & Translations<typeof avrdudeMessage>;
