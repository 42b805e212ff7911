import type { Vocabulary } from '../../language.js';

/** The messages of gpio. */
export const GPIO_MESSAGES: Vocabulary = {
  'gpio.pin-unusable': 'GPIO {bcm} ({name}, nummer {number}) is niet te gebruiken: {reason}',
  'gpio.no-pulse': 'versie 1 van gpioset houdt een niveau vast, en kan de motorvrijgave niet laten pulsen',
  'gpio.no-tool': 'deze kernel heeft geen /sys/class/gpio, en {tool} is niet geïnstalleerd',
  'gpio.no-chips': 'helemaal geen',
  'gpio.pi-label': 'het label van een Raspberry Pi',
  'gpio.taken': 'een ander stuurprogramma heeft hem',
  'gpio.no-such-pin': 'de kernel kent die pen niet',
  'gpio.not-permitted': 'de gateway mag hem niet gebruiken',
  'gpio.wrong-direction': 'hij gaat niet naar {direction}',
  'gpio.direction-fixed': 'zijn richting is "{direction}" en is niet in "{wanted}" te wijzigen',
  'gpio.no-chip-begins-at': 'geen GPIO-chip begint op {base}; er zijn: {chips}',
  'gpio.no-chip-has': 'geen GPIO-chip heeft {what}; er zijn: {chips}',
  'gpio.several-chips': 'er passen meerdere GPIO-chips: {chips}',
};
