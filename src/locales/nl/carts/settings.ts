import type { SettingTexts } from '../../../settings/schema/setting-text.js';

export const CART_SETTINGS = {
  Distance: 'Afstand',
  Angle: 'Hoek',
  'Preset key': 'Sleutel',
  'Cart number': 'Karnummer',
  "Number of the cart on which this gateway is mounted. The gateway sends this cart's commands over the serial line.":
    'Nummer van de kar waarop deze gateway is gemonteerd. De gateway stuurt de opdrachten voor deze kar via de seriële lijn.',
  Fleet: 'Vloot',
  'Third level of the MQTT topics. Allowed characters: letters, digits, _ and -.':
    'Derde niveau van de MQTT-topics. Toegestane tekens: letters, cijfers, _ en -.',
  Manufacturer: 'Fabrikant',
  'Included in the header of every MQTT message.': 'Staat in de header van elk MQTT-bericht.',
  Name: 'Naam',
  'Shown on every page. Other gateways and Home Assistant show a new name after this gateway restarts.':
    'Wordt op elke pagina getoond. Andere gateways en Home Assistant tonen een nieuwe naam nadat deze gateway is herstart.',
  'Announce on the local network': 'Aankondigen op het lokale netwerk',
  'Devices on the same network can find the gateway by name (mDNS).':
    'Apparaten op hetzelfde netwerk kunnen de gateway op naam vinden (mDNS).',
  'Interpretation of numbers': 'Betekenis van getallen',
  'Determines whether distanceID and angleID contain values or preset keys.':
    'Of distanceID en angleID waarden bevatten of sleutels van voorinstellingen.',
  'Distance unit': 'Eenheid van afstand',
  'The unit of distanceID. The default is the smallest unit, so that a wrong unit moves the cart too little rather than too far.':
    'De eenheid van distanceID. De standaard is de kleinste eenheid, zodat de kar bij een verkeerde eenheid eerder te weinig dan te ver rijdt.',
  'Angle unit': 'Eenheid van hoek',
  'The unit of angleID. Positive values turn left.':
    'De eenheid van angleID. Positieve waarden draaien naar links.',
  'distanceID presets (mm)': 'distanceID-voorinstellingen (mm)',
  'angleID presets (degrees)': 'angleID-voorinstellingen (graden)',
  Level: 'Niveau',
  'Serial device': 'Serieel apparaat',
  'Path of a device, such as /dev/serial/by-id/…. "auto" uses /dev/serial0 on a Raspberry Pi and a simulated controller on other machines. "simulated" always uses a simulated controller.':
    'Pad van een apparaat, zoals /dev/serial/by-id/…. “auto” gebruikt /dev/serial0 op een Raspberry Pi en een gesimuleerde motorcontroller op andere machines. “simulated” gebruikt altijd een gesimuleerde motorcontroller.',
  'Baud rate': 'Baudrate',
  'CGW1 requires at least 57600. Factory settings: 9600 for a Sabertooth, 38400 for most RoboClaws.':
    'CGW1 vereist minstens 57600. Fabrieksinstellingen: 9600 voor een Sabertooth, 38400 voor de meeste RoboClaws.',
  baud: 'baud',
  Driver: 'Driver',
  "The controller's protocol. The gateway never detects it automatically, because a wrong byte can turn a wheel. With RoboClaw and Sabertooth (packet serial), the distance is estimated from speed and time.":
    'Het protocol van de motorcontroller. De gateway bepaalt het nooit automatisch, omdat een verkeerde byte een wiel kan laten draaien. Bij RoboClaw en Sabertooth (packet serial) wordt de afstand geschat uit snelheid en tijd.',
  'Address (RoboClaw, Sabertooth)': 'Adres (RoboClaw, Sabertooth)',
  'The address set with the button or the switches on the board.':
    'Het adres dat met de knop of de schakelaars op de print is ingesteld.',
  'Heartbeat interval': 'Hartslaginterval',
  'Time between heartbeats from the gateway to the controller.':
    'Tijd tussen hartslagen van de gateway naar de motorcontroller.',
  'Heartbeat timeout': 'Time-out hartslag',
  'The controller stops the cart if it receives nothing for this long.':
    'De motorcontroller stopt de kar als hij gedurende deze tijd niets ontvangt.',
  'Acknowledgement timeout': 'Time-out bevestiging',
  'If a frame is not acknowledged within this time, the gateway sends it again.':
    'Als een frame niet binnen deze tijd wordt bevestigd, verzendt de gateway het opnieuw.',
  Retries: 'Herhalingen',
  'If the last retry fails, the cart is stopped and the command fails.':
    'Als de laatste herhaling mislukt, wordt de kar gestopt en mislukt de opdracht.',
  'Require checksums (JSON lines)': 'Controlesommen vereisen (JSON-regels)',
  'Reject lines from the controller that have no checksum.':
    'Regels van de motorcontroller weigeren die geen controlesom hebben.',
  'Plain JSON for existing sketches (JSON lines)': 'Kale JSON voor bestaande sketches (JSON-regels)',
  'The gateway sends lines such as {"cartID":1,"distanceID":1000,"angleID":90} and expects no response.':
    'De gateway verzendt regels zoals {"cartID":1,"distanceID":1000,"angleID":90} en verwacht geen antwoord.',
  'Drive type': 'Type aandrijving',
  'Differential: the cart turns in place, then drives. Ackermann: the cart steers with its front wheels while driving.':
    'Differentieel: de kar draait op de plaats en rijdt dan. Ackermann: de kar rijdt met een stuurhoek.',
  'Track width': 'Spoorbreedte',
  'Distance between the left and right wheels.': 'Afstand tussen het linker- en het rechterwiel.',
  'Maximum steering angle': 'Maximale stuurhoek',
  'Applies only to Ackermann drive.': 'Geldt alleen voor Ackermann-aandrijving.',
  'Speed at full power (RoboClaw, Sabertooth)': 'Snelheid op vol vermogen (RoboClaw, Sabertooth)',
  'Speed measured while the cart drives straight ahead at full power. Used to estimate distances.':
    'Snelheid, gemeten terwijl de kar rechtuit rijdt op vol vermogen. Wordt gebruikt om afstanden te schatten.',
  Footprint: 'Omtrek',
  'Corners of the outline of the cart and its load, seen from above: 3 to 16 corners in any order, measured from the middle of the drive axle. Notches between the corners count as part of the cart. Without corners, zones cannot be used.':
    'Hoekpunten van de omtrek van de kar met lading, van boven gezien: 3 tot 16 hoekpunten in willekeurige volgorde, gemeten vanaf het midden van de aandrijfas. Inhammen tussen de hoekpunten horen bij de kar. Zonder hoekpunten kunnen geen zones worden gebruikt.',
  Forward: 'Naar voren',
  Left: 'Links',
  'Longest move without a hold': 'Langste verplaatsing zonder ingedrukt houden',
  'On the Drive page, a longer move is sent only when its button is held for 0.8 s. 0 requires a hold for every move.':
    'Op de pagina Rijden wordt een langere verplaatsing pas verzonden als de knop 0,8 s ingedrukt is gehouden. Bij 0 geldt dat voor elke verplaatsing.',
  'Maximum distance per command': 'Maximale afstand per opdracht',
  'A single command cannot drive the cart further than this.':
    'Eén opdracht kan de kar niet verder laten rijden dan dit.',
  'Maximum angle per command': 'Maximale hoek per opdracht',
  'A single command cannot turn the cart further than this.':
    'Eén opdracht kan de kar niet verder laten draaien dan dit.',
  'Maximum speed': 'Maximumsnelheid',
  'No command can drive the cart faster than this.':
    'Geen enkele opdracht kan de kar sneller laten rijden dan dit.',
  'Default speed': 'Standaardsnelheid',
  'Used for commands that do not specify a speed. If this value is higher than the maximum speed, the maximum speed is used.':
    'Geldt voor opdrachten zonder opgegeven snelheid. Als deze hoger is dan de maximumsnelheid, geldt de maximumsnelheid.',
  Acceleration: 'Versnelling',
  'Increase in speed per second.': 'Toename van de snelheid per seconde.',
  Deceleration: 'Vertraging',
  'Decrease in speed per second when the cart stops.': 'Afname van de snelheid per seconde als de kar stopt.',
  'Distance to keep': 'Afstand tot een obstakel',
  'The controller stops the cart at this distance from an obstacle that its distance sensors detect, or at a greater distance if its own setting is higher. Not safety-rated.':
    'De motorcontroller stopt de kar op deze afstand van een obstakel dat zijn afstandssensoren detecteren, of op grotere afstand als zijn eigen instelling hoger is. Geen gecertificeerde veiligheidsfunctie.',
  'Slow-down distance': 'Vertragingsafstand',
  'Within this distance of an obstacle in its direction of travel, the cart slows down progressively. If 0, the cart does not slow down, but still stops.':
    'Binnen deze afstand van een obstakel in de rijrichting rijdt de kar langzamer naarmate het obstakel dichterbij komt. Bij 0 vertraagt de kar niet, maar stopt nog wel.',
  'Minimum battery voltage': 'Minimale accuspanning',
  'Below this voltage, new commands are rejected. At 10 % below this voltage, the cart stops. 0 turns the check off.':
    'Onder deze spanning worden nieuwe opdrachten geweigerd. Bij 10 % onder deze spanning stopt de kar. 0 schakelt de bewaking uit.',
  'Maximum motor temperature': 'Maximale motortemperatuur',
  'Above this temperature, new commands are rejected. At 10 °C above this temperature, the cart stops.':
    'Boven deze temperatuur worden nieuwe opdrachten geweigerd. Bij 10 °C boven deze temperatuur stopt de kar.',
  'Commands per second': 'Opdrachten per seconde',
  'Limit for each cart. Stops do not count towards the limit.':
    'Limiet per kar. Stops tellen niet mee voor de limiet.',
  'commands/s': 'opdrachten/s',
  'Command lifetime': 'Geldigheidsduur van een opdracht',
  'A command that has not started within this time expires. A queued move does not expire while a command ahead of it runs.':
    'Een opdracht die niet binnen deze tijd is begonnen, verloopt. Een rit in de wachtrij verloopt niet zolang er een opdracht vóór loopt.',
  'New command while moving': 'Nieuwe opdracht tijdens het rijden',
  'What happens to a command that arrives while the cart is moving. At most 8 commands can be queued.':
    'Wat er gebeurt met een opdracht die binnenkomt terwijl de kar rijdt. Er kunnen maximaal 8 opdrachten wachten.',
  'Site heartbeat timeout': 'Time-out hartslag van de site',
  'A command from another gateway ends, and the cart stops, if no signed heartbeat arrives from that gateway for this long (at least 500 ms). Requires a site key. 0 turns the check off.':
    'Als er gedurende deze tijd (minstens 500 ms) geen ondertekende hartslag van een andere gateway binnenkomt, eindigt een opdracht van die gateway en stopt de kar. Vereist een sitesleutel. 0 schakelt de bewaking uit.',
  'GPIO mode': 'GPIO-modus',
  'Automatic: real pins on a Raspberry Pi, simulated pins on other machines.':
    'Automatisch: echte pinnen op een Raspberry Pi, gesimuleerde pinnen op andere machines.',
  'GPIO chip': 'GPIO-chip',
  'The label shown by gpiodetect. "auto" finds the chip for the 40-pin header on a Raspberry Pi.':
    'Het label dat gpiodetect toont. “auto” vindt de chip voor de 40-pins header op een Raspberry Pi.',
  'First GPIO number': 'Eerste GPIO-nummer',
  "The chip's base number in /sys/class/gpio. Needed only if the label is not unique.":
    'Het basisnummer van de chip in /sys/class/gpio. Alleen nodig als het label niet uniek is.',
  'E-stop input': 'Noodstopingang',
  Pin: 'Pin',
  'BCM number. A low level means stop.': 'BCM-nummer. Een laag niveau betekent stop.',
  'Release time': 'Vrijgavetijd',
  'The input must be healthy for this long before a stop can be reset.':
    'De ingang moet gedurende deze tijd in orde zijn voordat een stop kan worden gereset.',
  'Allow remote reset': 'Resetten op afstand toestaan',
  'Allows an E-stop triggered by the button on the cart to be reset from a page.':
    'Staat toe dat een noodstop die met de knop op de kar is geactiveerd, vanaf een pagina wordt gereset.',
  'Motor enable output': 'Uitgang motorvrijgave',
  'BCM number.': 'BCM-nummer.',
  'Active high': 'Actief hoog',
  'Output polarity.': 'Polariteit van de uitgang.',
  Signal: 'Signaal',
  'Pulse: motor enable turns off by itself if the gateway fails. Level: the systemd service turns motor enable off if the gateway fails.':
    'Puls: de motorvrijgave schakelt vanzelf uit als de gateway uitvalt. Niveau: de systemd-service schakelt de motorvrijgave uit als de gateway uitvalt.',
  'Motor power read-back': 'Terugmelding motorspanning',
  'BCM number of the input for the auxiliary contact. Leave empty if no contact is connected.':
    'BCM-nummer van de ingang voor het hulpcontact. Laat leeg als er geen hulpcontact is aangesloten.',
  'Turn this off for a mirror contact, which is closed while the motors have no power.':
    'Zet dit uit voor een spiegelcontact, dat gesloten is zolang de motoren geen spanning hebben.',
  'Status LED': 'Status-led',
  'Drive without an E-stop input': 'Rijden zonder noodstopingang',
  'Required to drive a real cart when GPIO mode is "No pins". The gateway logs a warning at every startup.':
    'Vereist om met een echte kar te rijden als de GPIO-modus “Geen pinnen” is. De gateway legt bij elke start een waarschuwing vast in het logboek.',
  'Drive without a confirmed watchdog': 'Rijden zonder bevestigde watchdog',
  'For a controller that has no watchdog (legacyJson) or whose watchdog cannot be confirmed (sabertooth).':
    'Voor een motorcontroller die geen watchdog heeft (legacyJson) of waarvan de watchdog niet kan worden bevestigd (sabertooth).',
  'Allow commands to unlisted carts': 'Opdrachten aan niet-vermelde karren toestaan',
  'API keys': 'API-sleutels',
  'Carts that this gateway shows and can command. To connect another gateway:':
    'Karren die deze gateway toont en opdrachten kan geven. Een andere gateway verbinden:',
  'On this gateway, create an API key with the permissions “connect to the MQTT server” and “send commands to all carts through the MQTT server”, and with the cart number of the other gateway.':
    'Maak op deze gateway een API-sleutel met de rechten “verbinden met de MQTT-server” en “via de MQTT-server opdrachten naar alle karren sturen”, en met het karnummer van de andere gateway.',
  'On this gateway, set the host of the MQTT server to 0.0.0.0.':
    'Zet op deze gateway de host van de MQTT-server op 0.0.0.0.',
  "Add a row above with the other cart's number and name, and save.":
    'Voeg hierboven een rij toe met het nummer en de naam van de andere kar, en sla op.',
  'On the other gateway, enter the cart number and a name under This gateway, save, and restart that gateway.':
    'Vul op de andere gateway onder Deze gateway het karnummer en een naam in, sla op en start die gateway opnieuw.',
  "Then, on the other gateway, select an external MQTT server. Enter this gateway's address as the host, the key's name as the username and the key as the password.":
    'Kies daarna op de andere gateway een externe MQTT-server. Vul het adres van deze gateway in als host, de naam van de sleutel als gebruikersnaam en de sleutel als wachtwoord.',
  'If off, commands are accepted only for this cart and for the carts listed under Other carts.':
    'Als dit uitstaat, worden opdrachten alleen geaccepteerd voor deze kar en voor de karren onder Andere karren.',
  'Simulated carts': 'Gesimuleerde karren',
  'Numbers of the simulated carts, which are available over MQTT while the motor controller is simulated.':
    'Nummers van de gesimuleerde karren. Ze zijn via MQTT beschikbaar zolang de motorcontroller gesimuleerd is.',
  Automatic: 'Automatisch',
  'Replace the running command': 'De lopende opdracht vervangen',
  'Reject the new command': 'De nieuwe opdracht weigeren',
  'Queue the new command': 'De nieuwe opdracht laten wachten',
  'Values in the units below': 'Waarden in de eenheden hieronder',
  'Preset keys': 'Sleutels van voorinstellingen',
  'Millimetres (mm)': 'Millimeter (mm)',
  'Centimetres (cm)': 'Centimeter (cm)',
  'Decimetres (dm)': 'Decimeter (dm)',
  'Metres (m)': 'Meter (m)',
  Degrees: 'Graden',
  'Tenths of a degree': 'Tienden van een graad',
  'Hundredths of a degree': 'Honderdsten van een graad',
  'Always real pins': 'Altijd echte pinnen',
  'No pins': 'Geen pinnen',
  Pulse: 'Puls',
  CGW1: 'CGW1',
  'JSON lines': 'JSON-regels',
  RoboClaw: 'RoboClaw',
  Sabertooth: 'Sabertooth',
  Differential: 'Differentieel',
  Ackermann: 'Ackermann',
  'MQTT server': 'MQTT-server',
  'This gateway': 'Deze gateway',
} satisfies SettingTexts<
  | 'gateway'
  | 'serial'
  | 'units'
  | 'presets'
  | 'kinematics'
  | 'limits'
  | 'protectiveField'
  | 'gpio'
  | 'safety'
  | 'carts'
  | 'simulation'
>;
