import type { Vocabulary } from '../../language.js';

/** Titles and help of the settings of the machine itself: controller, motion, pins, simulation. */
export const MACHINE: Vocabulary = {
  'Serial device': 'Serieel apparaat',
  'A device such as /dev/serial/by-id/…; "auto" is /dev/serial0 on a Raspberry Pi and the simulated controller on any other machine; "simulated" is the simulated controller everywhere.':
    'Een apparaat zoals /dev/serial/by-id/…; "auto" is /dev/serial0 op een Raspberry Pi en de gesimuleerde motorcontroller op elke andere machine; "simulated" is overal de gesimuleerde.',
  Speed: 'Snelheid',
  'CGW1 wants 57600 or more. A Sabertooth leaves its factory with 9600, a RoboClaw mostly with 38400.':
    'CGW1 wil 57600 of meer. Een Sabertooth komt met 9600 uit de fabriek, een RoboClaw meestal met 38400.',
  baud: 'baud',
  Driver: 'Protocol',
  'What the controller speaks. Never guessed: a wrong byte can turn a wheel. "roboclaw" and "sabertooth" (packet serial) measure no distance: it is estimated from speed and time.':
    'Wat de motorcontroller spreekt. Er wordt nooit gegokt: een verkeerde byte kan een wiel laten draaien. "roboclaw" en "sabertooth" (packet serial) meten geen afstand: die wordt geschat uit snelheid en tijd.',
  'Address (roboclaw, sabertooth)': 'Adres (roboclaw, sabertooth)',
  'As it is set on the board with its button or its switches.':
    'Zoals het op de print is ingesteld, met de knop of de schakelaars.',
  'Heartbeat every': 'Hartslag elke',
  'How often the controller hears from the gateway.': 'Hoe vaak de motorcontroller van de gateway hoort.',
  'Stop after silence of': 'Stop na stilte van',
  'The controller stops the cart by itself when it hears nothing for this long.':
    'De motorcontroller stopt de kar vanzelf als hij zo lang niets ontvangt.',
  'Acknowledgement within': 'Bevestiging binnen',
  'How long a frame may stay unanswered before it is sent again.':
    'Hoe lang een frame onbeantwoord mag blijven voordat het opnieuw verzonden wordt.',
  'Sent again at most': 'Hoogstens opnieuw verzonden',
  'After that the cart is stopped and the command has failed.':
    'Daarna wordt de kar gestopt en is de opdracht mislukt.',
  'Require checksums (json-lines)': 'Controlegetallen eisen (json-lines)',
  'Refuse lines from the controller that carry no checksum.':
    'Regels van de motorcontroller zonder controlegetal weigeren.',
  'Plain lines for an existing sketch (json-lines)': 'Kale regels voor een bestaande sketch (json-lines)',
  'Send {"cartID":1,"distanceID":1000,"angleID":90} and expect no answer.':
    'Stuur {"cartID":1,"distanceID":1000,"angleID":90} en verwacht geen antwoord.',
  Drive: 'Aandrijving',
  'Differential: turn in place, then drive. Ackermann: drive at a steering angle.':
    'Differential: op de plaats draaien, dan rijden. Ackermann: rijden met een stuurhoek.',
  Track: 'Spoorbreedte',
  'Distance between the left and the right wheel.': 'Afstand tussen het linker- en het rechterwiel.',
  'Largest steering angle': 'Grootste stuurhoek',
  'Only for Ackermann.': 'Alleen voor Ackermann.',
  'Speed at full power (roboclaw, sabertooth)': 'Snelheid op vol vermogen (roboclaw, sabertooth)',
  'How fast the cart drives straight ahead at full power: measure it, since distances are estimated with it.':
    'Hoe snel de kar rechtuit rijdt op vol vermogen: meet het, want afstanden worden ermee geschat.',
  'Longest move': 'Langste rit',
  'One command drives no further than this.': 'Eén opdracht rijdt niet verder dan dit.',
  'Largest turn': 'Grootste draai',
  'One command turns no further than this.': 'Eén opdracht draait niet verder dan dit.',
  'Top speed': 'Topsnelheid',
  'No command is faster, whatever it asks for.': 'Geen opdracht is sneller, wat hij ook vraagt.',
  'Usual speed': 'Gewone snelheid',
  'For commands that name no speed.': 'Voor opdrachten die geen snelheid noemen.',
  Acceleration: 'Optrekken',
  'How fast the cart gains speed.': 'Hoe snel de kar vaart krijgt.',
  Braking: 'Remmen',
  'How fast the cart loses speed on a stop.': 'Hoe snel de kar bij een stop vaart verliest.',
  'Lowest battery voltage': 'Laagste accuspanning',
  'Below it new moves are refused; 10 % lower the cart stops. 0 = not watched.':
    'Daaronder worden nieuwe ritten geweigerd; 10 % lager stopt de kar. 0 = niet bewaakt.',
  'Hottest motor': 'Heetste motor',
  'Above it new moves are refused; 10 °C higher the cart stops.':
    'Daarboven worden nieuwe ritten geweigerd; 10 °C hoger stopt de kar.',
  'Commands a second': 'Opdrachten per seconde',
  'For one cart; stops are never counted.': 'Voor één kar; stops tellen nooit mee.',
  'commands/s': 'opdrachten/s',
  'Must start within': 'Moet beginnen binnen',
  'A command that has not started by then never starts.':
    'Een opdracht die dan niet begonnen is, begint nooit.',
  'While the cart is moving': 'Terwijl de kar rijdt',
  'What a new command does: replace the running one, be refused, or wait its turn (8 at most).':
    'Wat een nieuwe opdracht doet: de lopende vervangen (replace), geweigerd worden (reject), of op zijn beurt wachten (queue, hoogstens 8).',
  'Stop without a site heartbeat after': 'Stop zonder hartslag van de site na',
  'A command from another gateway ends with a stop when no signed heartbeat of that gateway has arrived for this long: 500 ms or more. Needs a site key. 0 = not watched.':
    'Een opdracht van een andere gateway eindigt met een stop wanneer er zo lang geen ondertekende hartslag van die gateway is aangekomen: 500 ms of meer. Vereist een sitesleutel. 0 = niet bewaakt.',
  Pins: 'Pennen',
  '"auto": real pins on a Raspberry Pi, simulated ones elsewhere. "required": never simulated. "off": none.':
    '"auto": echte pennen op een Raspberry Pi, elders gesimuleerde. "required": nooit gesimuleerd. "off": geen.',
  'GPIO chip': 'GPIO-chip',
  'Its label, as gpiodetect shows it. "auto" finds the chip of the 40 pins of a Raspberry Pi.':
    'Het label, zoals gpiodetect het toont. "auto" vindt de chip van de 40 pennen van een Raspberry Pi.',
  'First GPIO number': 'Eerste GPIO-nummer',
  'The base of the chip under /sys/class/gpio, where its label does not tell it apart.':
    'Het begin van de chip onder /sys/class/gpio, als het label hem niet onderscheidt.',
  'E-stop input': 'Noodstopingang',
  Pin: 'Pen',
  'BCM number; low means stop.': 'BCM-nummer; laag betekent stop.',
  'Healthy for': 'Gezond gedurende',
  'The input must be healthy this long before a reset is possible.':
    'De ingang moet zo lang gezond zijn voordat een reset mogelijk is.',
  'Reset from a page': 'Reset vanaf een pagina',
  'Whether a stop made with the button on the cart may be reset from a page.':
    'Of een stop met de knop op de kar vanaf een pagina opgeheven mag worden.',
  'Motor enable output': 'Uitgang motorvrijgave',
  'BCM number.': 'BCM-nummer.',
  'High means on': 'Hoog betekent aan',
  'Polarity of the output.': 'Polariteit van de uitgang.',
  Signal: 'Signaal',
  '"pulse" drops by itself when the gateway dies; "level" needs the service unit to drop it.':
    '"pulse" valt vanzelf weg als de gateway uitvalt; bij "level" moet de dienst het laten wegvallen.',
  'Motor power read-back': 'Terugmelding motorspanning',
  'BCM number of the input from the auxiliary contact; empty when none is wired.':
    'BCM-nummer van de ingang van het hulpcontact; leeg als er geen is aangesloten.',
  'Off for the usual contact, which is closed while the motors have no power.':
    'Uit voor het gewone contact, dat gesloten is zolang de motoren geen stroom hebben.',
  'Status LED': 'Statuslampje',
  'Drive without an E-stop input': 'Rijden zonder noodstopingang',
  'Needed to move a real cart with pins "off". Logged at every start.':
    'Nodig om een echte kar te rijden met de pennen "off". Komt bij elke start in het logboek.',
  'Drive a controller without a proven watchdog': 'Rijden met een motorcontroller zonder bewezen waakhond',
  'Such a controller does not stop by itself when the gateway dies (legacyJson), or cannot confirm that it would (sabertooth).':
    'Zo’n motorcontroller stopt niet vanzelf als de gateway uitvalt (legacyJson), of kan niet bevestigen dat hij dat zou doen (sabertooth).',
  'Command carts that are not listed': 'Karren bevelen die niet in de lijst staan',
  'Otherwise a cart must be this one or in the list of carts.':
    'Anders moet een kar deze zijn of in de lijst van karren staan.',
  'Simulated carts': 'Gesimuleerde karren',
  'Driven over MQTT, only while the motor controller is simulated as well.':
    'Rijden via MQTT, alleen zolang ook de motorcontroller gesimuleerd is.',
};
