import type { Vocabulary } from '../language.js';

/** What drivers of motor boards say: RoboClaw, Sabertooth and whatever measures no distance. */
export const BOARD_REASONS: Vocabulary = {
  '{0} does not know {1} baud': '{0} kent geen {1} baud',
  'It takes {0} baud.': 'Het neemt {0} baud.',
  'Accept it with safety.allowNoWatchdog, or use another controller.':
    'Aanvaard het met safety.allowNoWatchdog, of gebruik een andere motorsturing.',
  'the controller did not acknowledge: {0}': 'de motorsturing bevestigde niet: {0}',
  'the controller keeps a serial timeout of {0}, not of {1}: it would not stop by itself in time':
    'de motorsturing houdt een seriële wachttijd van {0} aan, niet van {1}: ze zou niet op tijd vanzelf stoppen',
  'the controller did not acknowledge the stop within {0} (sent {1} times)':
    'de motorsturing bevestigde de stop niet binnen {0} ({1} keer verzonden)',
  'the controller restarted by itself: its serial timeout was gone':
    'de motorsturing is vanzelf opnieuw gestart: haar seriële wachttijd was weg',
  'Check wiring, speed, address and driver.': 'Controleer bedrading, snelheid, adres en protocol.',
  'this cart drives {0} mm/s at full power, not {1} mm/s':
    'deze kar rijdt op vol vermogen {0} mm/s, geen {1} mm/s',
  'Ask for less, or set limits.defaultSpeedMmps lower.':
    'Vraag minder, of zet limits.defaultSpeedMmps lager.',
  'a Sabertooth never answers: whether it obeys a command, and whether it stops by itself after {0} of silence, is not known':
    'een Sabertooth antwoordt nooit: of hij een opdracht uitvoert, en of hij na {0} stilte vanzelf stopt, is niet bekend',
  'the motion would take {0}; the limit is {1}': 'de rit zou {0} duren; de grens is {1}',
  '{0} drives two wheels side by side, not a steered axle':
    '{0} drijft twee wielen naast elkaar aan, geen gestuurde as',
  'the emergency stop is active in the controller': 'in de motorsturing is de noodstop actief',
  'the controller is still busy with another motion': 'de motorsturing is nog bezig met een andere rit',
  'the command was too old when the controller was ready':
    'de opdracht was te oud toen de motorsturing klaar was',
  'the emergency stop at the controller is still active': 'de noodstop bij de motorsturing is nog actief',
  'the control loop has fallen silent': 'de regellus is stilgevallen',
};
