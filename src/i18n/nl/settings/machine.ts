import type { Vocabulary } from '../../language.js';

/** Titles and descriptions of the controller, motion, pin and simulation settings. */
export const MACHINE: Vocabulary = {
  'Serial device': 'Serieel apparaat',
  'A device such as /dev/serial/by-id/…. "auto": /dev/serial0 on a Raspberry Pi, the simulated controller on other machines. "simulated": always the simulated controller.':
    'Een apparaat zoals /dev/serial/by-id/…. "auto": /dev/serial0 op een Raspberry Pi, de gesimuleerde motorcontroller op andere machines. "simulated": altijd de gesimuleerde motorcontroller.',
  'Baud rate': 'Baudrate',
  'CGW1 requires at least 57600. Factory settings: 9600 for a Sabertooth, 38400 for most RoboClaws.':
    'CGW1 vereist minstens 57600. Fabrieksinstellingen: 9600 voor een Sabertooth, 38400 voor de meeste RoboClaws.',
  baud: 'baud',
  Driver: 'Driver',
  'Protocol of the controller. It is never detected automatically: a wrong byte can turn a wheel. With "roboclaw" and "sabertooth" (packet serial), distance is estimated from speed and time.':
    'Protocol van de motorcontroller. Het wordt nooit automatisch bepaald: een verkeerde byte kan een wiel laten draaien. Bij "roboclaw" en "sabertooth" (packet serial) wordt de afstand geschat uit snelheid en tijd.',
  'Address (roboclaw, sabertooth)': 'Adres (roboclaw, sabertooth)',
  'As set on the board with its button or switches.':
    'Zoals ingesteld op de print met de knop of de schakelaars.',
  'Heartbeat interval': 'Hartslaginterval',
  'How often the gateway sends a heartbeat to the controller.':
    'Hoe vaak de gateway een hartslag naar de motorcontroller stuurt.',
  'Heartbeat timeout': 'Time-out hartslag',
  'The controller stops the cart if it receives nothing for this long.':
    'De motorcontroller stopt de kar als er zo lang niets wordt ontvangen.',
  'Acknowledgement timeout': 'Time-out bevestiging',
  'A frame without an acknowledgement is sent again after this time.':
    'Een frame zonder bevestiging wordt na deze tijd opnieuw verzonden.',
  Retries: 'Herhalingen',
  'After the last retry the cart is stopped and the command fails.':
    'Na de laatste herhaling wordt de kar gestopt en mislukt de opdracht.',
  'Require checksums (json-lines)': 'Controlesommen vereisen (json-lines)',
  'Reject lines from the controller without a checksum.':
    'Regels van de motorcontroller zonder controlesom weigeren.',
  'Plain lines for an existing sketch (json-lines)': 'Kale regels voor een bestaande sketch (json-lines)',
  'Send {"cartID":1,"distanceID":1000,"angleID":90} and expect no response.':
    'Stuur {"cartID":1,"distanceID":1000,"angleID":90} en verwacht geen antwoord.',
  'Drive type': 'Type aandrijving',
  'Differential: turns in place, then drives. Ackermann: drives at a steering angle.':
    'Differential: draait op de plaats en rijdt dan. Ackermann: rijdt met een stuurhoek.',
  'Track width': 'Spoorbreedte',
  'Distance between the left and right wheels.': 'Afstand tussen het linker- en het rechterwiel.',
  'Maximum steering angle': 'Maximale stuurhoek',
  'Only for Ackermann.': 'Alleen voor Ackermann.',
  'Speed at full power (roboclaw, sabertooth)': 'Snelheid op vol vermogen (roboclaw, sabertooth)',
  'Measured speed straight ahead at full power. Distances are estimated from it.':
    'Gemeten snelheid rechtuit op vol vermogen. Afstanden worden hieruit geschat.',
  'Maximum distance per command': 'Maximale afstand per opdracht',
  'A single command cannot drive further than this.': 'Eén opdracht kan niet verder rijden dan dit.',
  'Maximum angle per command': 'Maximale hoek per opdracht',
  'A single command cannot turn further than this.': 'Eén opdracht kan niet verder draaien dan dit.',
  'Maximum speed': 'Maximumsnelheid',
  'No command drives faster than this.': 'Geen enkele opdracht rijdt sneller dan dit.',
  'Default speed': 'Standaardsnelheid',
  'For commands without a speed.': 'Voor opdrachten zonder snelheid.',
  Acceleration: 'Versnelling',
  'How quickly the cart gains speed.': 'Hoe snel de kar optrekt.',
  Deceleration: 'Vertraging',
  'How quickly the cart loses speed when it stops.': 'Hoe snel de kar afremt bij een stop.',
  'Minimum battery voltage': 'Minimale accuspanning',
  'Below this voltage, new commands are rejected; 10 % lower, the cart stops. 0 turns the check off.':
    'Onder deze spanning worden nieuwe opdrachten geweigerd; 10 % lager stopt de kar. 0 schakelt de bewaking uit.',
  'Maximum motor temperature': 'Maximale motortemperatuur',
  'Above this temperature, new commands are rejected; 10 °C higher, the cart stops.':
    'Boven deze temperatuur worden nieuwe opdrachten geweigerd; 10 °C hoger stopt de kar.',
  'Commands per second': 'Opdrachten per seconde',
  'Limit per cart. Stops do not count.': 'Limiet per kar. Stops tellen niet mee.',
  'commands/s': 'opdrachten/s',
  'Command lifetime': 'Geldigheidsduur van een opdracht',
  'A command that has not started within this time expires.':
    'Een opdracht die niet binnen deze tijd is begonnen, verloopt.',
  'New command while moving': 'Nieuwe opdracht tijdens het rijden',
  '"replace": replaces the running command. "reject": is rejected. "queue": waits (8 at most).':
    '"replace": vervangt de lopende opdracht. "reject": wordt geweigerd. "queue": wacht (maximaal 8).',
  'Site heartbeat timeout': 'Time-out hartslag van de site',
  'A command from another gateway ends with a stop if no signed heartbeat from that gateway arrives for this long (at least 500 ms). Requires a site key. 0 turns the check off.':
    'Een opdracht van een andere gateway eindigt met een stop als er zo lang (minstens 500 ms) geen ondertekende hartslag van die gateway binnenkomt. Vereist een sitesleutel. 0 schakelt de bewaking uit.',
  'GPIO mode': 'GPIO-modus',
  '"auto": real pins on a Raspberry Pi, simulated pins elsewhere. "required": never simulated. "off": no pins.':
    '"auto": echte pinnen op een Raspberry Pi, elders gesimuleerde pinnen. "required": nooit gesimuleerd. "off": geen pinnen.',
  'GPIO chip': 'GPIO-chip',
  'The label shown by gpiodetect. "auto" finds the chip of the 40-pin header of a Raspberry Pi.':
    'Het label dat gpiodetect toont. "auto" vindt de chip van de 40-pins header van een Raspberry Pi.',
  'First GPIO number': 'Eerste GPIO-nummer',
  'Base of the chip under /sys/class/gpio, if its label is not unique.':
    'Basis van de chip onder /sys/class/gpio, als het label niet uniek is.',
  'E-stop input': 'Noodstopingang',
  Pin: 'Pin',
  'BCM number; low means stop.': 'BCM-nummer; laag betekent stop.',
  'Release time': 'Vrijgavetijd',
  'The input must be healthy for this long before the E-stop can be reset.':
    'De ingang moet zo lang in orde zijn voordat de noodstop kan worden gereset.',
  'Allow remote reset': 'Resetten op afstand toestaan',
  'Allows an E-stop triggered by the button on the cart to be reset from a page.':
    'Staat toe dat een noodstop via de knop op de kar vanaf een pagina wordt gereset.',
  'Motor enable output': 'Uitgang motorvrijgave',
  'BCM number.': 'BCM-nummer.',
  'Active high': 'Actief hoog',
  'Polarity of the output.': 'Polariteit van de uitgang.',
  Signal: 'Signaal',
  '"pulse" turns off by itself if the gateway fails. "level" is turned off by the service unit.':
    '"pulse" schakelt vanzelf uit als de gateway uitvalt. "level" wordt door de systemd-service uitgeschakeld.',
  'Motor power read-back': 'Terugmelding motorspanning',
  'BCM number of the input for the auxiliary contact. Empty if none is connected.':
    'BCM-nummer van de ingang voor het hulpcontact. Leeg als er geen is aangesloten.',
  'Off for a mirror contact, which is closed while the motors have no power.':
    'Uit voor een spiegelcontact, dat gesloten is zolang de motoren geen spanning hebben.',
  'Status LED': 'Status-led',
  'Drive without an E-stop input': 'Rijden zonder noodstopingang',
  'Required to drive a real cart with GPIO mode "off". Logged at every start.':
    'Vereist om met een echte kar te rijden bij GPIO-modus "off". Wordt bij elke start in het logboek vastgelegd.',
  'Drive without a confirmed watchdog': 'Rijden zonder bevestigde watchdog',
  'The controller does not stop by itself if the gateway fails (legacyJson), or cannot confirm that it would (sabertooth).':
    'De motorcontroller stopt niet vanzelf als de gateway uitvalt (legacyJson), of kan dat niet bevestigen (sabertooth).',
  'Allow commands to unlisted carts': 'Opdrachten aan niet-vermelde karren toestaan',
  'If off, commands are accepted for this cart and the carts under Other carts only.':
    'Indien uit, worden alleen opdrachten voor deze kar en de karren onder Andere karren geaccepteerd.',
  'Simulated carts': 'Gesimuleerde karren',
  'Driven over MQTT, only while the motor controller is simulated.':
    'Rijden via MQTT, alleen zolang de motorcontroller gesimuleerd is.',
};
