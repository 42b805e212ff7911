import type { Vocabulary } from '../language.js';

/** Why a cart does not move, or a command ended as it did, as the carts' room says it. */
export const CART_REASONS: Vocabulary = {
  'the operator': 'de bediener',
  'key {0}': 'sleutel {0}',
  'gateway {0}': 'gateway {0}',
  '{0} (gateway {1})': '{0} (gateway {1})',
  'the gateway': 'de gateway',
  confirmed: 'bevestigd',
  unconfirmed: 'onbevestigd',

  'stopped by {0}: the emergency stop is latched': 'gestopt door {0}: de noodstop is vergrendeld',
  'the emergency stop is latched': 'de noodstop is vergrendeld',
  'the cart has not confirmed the emergency stop': 'de kar heeft de noodstop niet bevestigd',
  'Reset it to give the stop up.': 'Hef de noodstop op om hem op te geven.',
  'it did not confirm the stop within {0} ms': 'hij heeft de stop niet binnen {0} ms bevestigd',
  'the stop is not confirmed by {0}': 'de stop is niet bevestigd door {0}',
  'the stop is not confirmed by {0}: {1}': 'de stop is niet bevestigd door {0}: {1}',
  'Use the button on the cart. The gateway sends the stop again until the cart confirms it.':
    'Gebruik de knop op de kar. De gateway stuurt de stop opnieuw tot de kar hem bevestigt.',
  'the motor controller did not acknowledge the stop within {0} ms':
    'de motorsturing heeft de stop niet binnen {0} ms bevestigd',
  'the motor controller is not connected ({0}); motor enable is off':
    'de motorsturing is niet verbonden ({0}); de motoren zijn uitgeschakeld',
  'the motor controller is not connected ({0})': 'de motorsturing is niet verbonden ({0})',
  'the emergency stop of cart {0} is latched': 'de noodstop van kar {0} is vergrendeld',
  'Make sure that the way is clear, then hold Reset.': 'Zorg dat de weg vrij is en houd dan Reset ingedrukt.',
  'Make sure that the way is clear, then reset it.': 'Zorg dat de weg vrij is en hef de noodstop dan op.',
  'the emergency-stop button is pressed': 'de noodstopknop is ingedrukt',
  'the emergency-stop button on the cart': 'de noodstopknop op de kar',
  'the emergency stop at the controller': 'de noodstop bij de motorsturing',
  'the reset button on the cart': 'de resetknop op de kar',
  'the controller reports an emergency stop': 'de motorsturing meldt een noodstop',
  'battery voltage too low': 'accuspanning te laag',
  'motor current too high': 'motorstroom te hoog',
  'current of motor {0} too high': 'stroom van motor {0} te hoog',
  'motor {0} too hot': 'motor {0} te warm',
  'controller board too hot': 'print van de motorsturing te warm',
  'controller board too hot (second sensor)': 'print van de motorsturing te warm (tweede sensor)',
  'controller board nearly too hot': 'print van de motorsturing bijna te warm',
  'controller board nearly too hot (second sensor)':
    'print van de motorsturing bijna te warm (tweede sensor)',
  'encoder fault': 'encoderfout',
  'wheels blocked': 'wielen geblokkeerd',
  'controller restarted by its watchdog': 'motorsturing herstart door haar waakhond',
  'controller restarted after a voltage drop': 'motorsturing herstart na een spanningsdip',
  'controller lost contact with the gateway': 'motorsturing verloor het contact met de gateway',
  'many damaged messages on the serial line': 'veel beschadigde berichten op de seriële lijn',
  'battery voltage too high': 'accuspanning te hoog',
  'logic voltage too high': 'logische spanning te hoog',
  'logic voltage too low': 'logische spanning te laag',
  'driver fault of motor {0}': 'fout in de eindtrap van motor {0}',
  'motor {0} does not reach its speed': 'motor {0} haalt zijn snelheid niet',
  'motor {0} does not reach its position': 'motor {0} haalt zijn positie niet',
  'current fault of motor {0}': 'stroomfout van motor {0}',
  'emergency stop by {0}': 'noodstop door {0}',
  'the controller reports a fault: {0}': 'de motorsturing meldt een fout: {0}',
  'the emergency-stop input cannot be read: {0}': 'de noodstopingang is niet te lezen: {0}',
  'the emergency-stop input, which can no longer be read: {0}':
    'de noodstopingang, die niet meer te lezen is: {0}',
  'the emergency-stop input chatters: a loose contact': 'de noodstopingang klappert: een los contact',
  'the motors still have power after it was switched off: the contactor may have welded shut':
    'de motoren hebben nog stroom nadat die is uitgeschakeld: het magneetrelais kan vastgelast zijn',
  'the motors have no power although it was switched on: the contactor does not close':
    'de motoren hebben geen stroom hoewel die is ingeschakeld: het magneetrelais sluit niet',
  'the read-back of the motor power cannot be read: {0}':
    'de terugmelding van de motorspanning is niet te lezen: {0}',
  'GPIO {0} ({1}, number {2}) cannot be used: {3}': 'GPIO {0} ({1}, nummer {2}) is niet te gebruiken: {3}',
  'the kernel knows no such pin': 'de kernel kent zo’n pen niet',
  'the gateway may not use it': 'de gateway mag hem niet gebruiken',
  'another driver has it': 'een ander stuurprogramma heeft hem',
  'version 1 of gpioset holds a level, and cannot pulse the motor enable':
    'versie 1 van gpioset houdt een niveau vast, en kan de motorvrijgave niet laten pulsen',
  'no GPIO chip has {0}; there are: {1}': 'geen GPIO-chip heeft {0}; er zijn: {1}',
  'the label of a Raspberry Pi': 'het label van een Raspberry Pi',
  'none at all': 'helemaal geen',
  'this kernel has no /sys/class/gpio, and {0} is not installed':
    'deze kernel heeft geen /sys/class/gpio, en {0} is niet geïnstalleerd',
  'the emergency-stop input is {0}, and nobody has accepted to drive a real cart without one':
    'de noodstopingang is {0}, en niemand heeft aanvaard om zonder een echte kar te rijden',
  'only simulated': 'alleen gesimuleerd',
  'switched off': 'uitgeschakeld',
  'Set gpio.mode, or safety.acceptNoEstop if you must.':
    'Stel gpio.mode in, of safety.acceptNoEstop als het niet anders kan.',
  'the gateway is in stop-only mode, because it ended unexpectedly several times in a row':
    'de gateway draait in de modus alleen stoppen, omdat hij meerdere keren achter elkaar onverwacht is geëindigd',
  'Stop, E-stop and reset work. Read the log, then restart the gateway: sudo systemctl restart cartwright.':
    'Stop, noodstop en reset werken. Lees het logboek en start de gateway daarna opnieuw: sudo systemctl restart cartwright.',
  'Correct it on the settings page.': 'Verbeter het op de pagina Instellingen.',
  'an emergency stop would be forgotten at the next start: {0}':
    'een noodstop zou bij de volgende start vergeten zijn: {0}',
  'the emergency-stop button is still pressed': 'de noodstopknop is nog ingedrukt',
  'Release the button on the cart, then hold Reset.':
    'Laat de knop op de kar los en houd dan Reset ingedrukt.',
  'the emergency-stop input has been healthy for {0} of {1}':
    'de noodstopingang is pas {0} van de {1} gezond',
  'Release the button on the cart, then press the reset button on the cart.':
    'Laat de knop op de kar los en druk dan op de resetknop op de kar.',
  'Wait a moment, then press the reset button on the cart.':
    'Wacht even en druk dan op de resetknop op de kar.',
  'Wait a moment and hold Reset again.': 'Wacht even en houd Reset nog eens ingedrukt.',
  'a stop made on the cart is reset on the cart': 'een stop op de kar wordt op de kar opgeheven',
  'Reset it on the cart, or allow the reset from a page in the settings (gpio.estop.allowRemoteReset) and start the gateway again.':
    'Hef hem op de kar op, of sta de reset vanaf een pagina toe in de instellingen (gpio.estop.allowRemoteReset) en start de gateway opnieuw.',
  'the emergency stop was pressed again': 'de noodstop is opnieuw ingedrukt',
  'See who stopped the cart, and reset it then.': 'Kijk wie de kar gestopt heeft, en hef de stop dan op.',
  'stopped by {0}: that is not reset on the cart': 'gestopt door {0}: dat wordt niet op de kar opgeheven',
  'the emergency-stop latch could not be saved: {0}':
    'de vergrendeling van de noodstop kon niet bewaard worden: {0}',
  'the battery is at {0} mV, below {1} mV': 'de accu staat op {0} mV, onder {1} mV',
  'a motor is at {0} °C, above {1} °C': 'een motor is {0} °C, boven {1} °C',
  'no valid heartbeat from gateway {0} for {1}': 'al {1} geen geldige hartslag van gateway {0}',
  'limits.remoteHeartbeatMs is set, but this gateway has no site key':
    'limits.remoteHeartbeatMs is ingesteld, maar deze gateway heeft geen sitesleutel',
  'Set CARTWRIGHT_SITE_KEY, or switch the limit off.': 'Stel CARTWRIGHT_SITE_KEY in, of zet de grens uit.',
  'the control loop was late by {0}': 'de regellus was {0} te laat',

  'nothing heard from it yet': 'er is nog niets van gehoord',
  'it has not said that it is online': 'hij heeft niet gezegd dat hij er is',
  'it has been switched off': 'hij is uitgezet',
  'it sleeps': 'hij slaapt',
  'it has lost its connection to the broker': 'hij heeft zijn verbinding met de broker verloren',
  'the MQTT broker is not connected ({0})': 'de MQTT-broker is niet verbonden ({0})',
  'cart {0} cannot be reached: the MQTT broker is not connected ({1})':
    'kar {0} is niet te bereiken: de MQTT-broker is niet verbonden ({1})',
  'cart {0} is offline: {1}': 'kar {0} is er niet: {1}',
  'there is no cart {0}': 'er is geen kar {0}',
  'Add it to the list of carts in the settings.': 'Voeg hem in de instellingen toe aan de lijst van karren.',

  'not opened yet': 'nog niet geopend',
  'not read yet': 'nog niet gelezen',
  closed: 'gesloten',
  'opening {0}': '{0} wordt geopend',
  'waiting for the controller to answer': 'wacht op antwoord van de motorsturing',
  'nothing received from the controller for {0}': 'al {0} niets van de motorsturing ontvangen',
  'the controller has been silent for {0}': 'de motorsturing zwijgt al {0}',
  'the settings have changed': 'de instellingen zijn gewijzigd',
  'the serial connection was lost': 'de seriële verbinding is weggevallen',
  'the serial connection was lost{0}': 'de seriële verbinding is weggevallen{0}',
  'the motor controller is not ready: {0}': 'de motorsturing is niet gereed: {0}',
  'the motor controller cannot be asked: {0}': 'de motorsturing kan niet gevraagd worden: {0}',
  'the motor controller is not connected': 'de motorsturing is niet verbonden',
  'the controller is not connected': 'de motorsturing is niet verbonden',
  'Reset when the controller is connected again.': 'Reset wanneer de motorsturing weer verbonden is.',
  'Try again in a moment.': 'Probeer het zo nog eens.',
  'the controller did not end its stop: {0}': 'de motorsturing beëindigde haar stop niet: {0}',
  'no controller answered on {0} within {1} s': 'geen motorsturing antwoordde op {0} binnen {1} s',
  'Check wiring, speed and driver.': 'Controleer bedrading, snelheid en protocol.',
  'the controller speaks version {0}, this gateway {1}':
    'de motorsturing spreekt versie {0}, deze gateway {1}',
  'Update the firmware of the controller.': 'Werk de firmware van de motorsturing bij.',
  'the controller restarted by itself': 'de motorsturing is vanzelf opnieuw gestart',
  'the controller stopped because it heard nothing from us':
    'de motorsturing stopte omdat ze niets van ons hoorde',
  'the controller did not acknowledge the {0} within {1} (sent {2} times)':
    'de motorsturing bevestigde {0} niet binnen {1} ({2} keer verzonden)',
  '{0} is {1} {2}; by hand the limit is {3} {4}': '{0} is {1} {2}; met de hand is de grens {3} {4}',
  'this commandId was used for another command': 'deze commandId is voor een andere opdracht gebruikt',
  'Idempotency-Key and commandId differ': 'Idempotency-Key en commandId verschillen',
  'Switch the motors off at the main switch and have the contactor repaired.':
    'Zet de motoren met de hoofdschakelaar uit en laat het magneetrelais herstellen.',
  'the command expired before it was acknowledged': 'de opdracht verliep voordat ze bevestigd was',
  'the cart was stopped before it had the command': 'de kar werd gestopt voordat hij de opdracht had',
  'an existing sketch that takes plain lines cannot be jogged':
    'een bestaande sketch die kale regels neemt, kan niet met de hand gereden worden',
  '{0} broken frames within a second: the line is bad':
    '{0} kapotte frames binnen een seconde: de lijn is slecht',
  'Check the cable, and that flow control is off.': 'Controleer de kabel, en of flow control uit staat.',

  'the gateway was restarted while this command was under way: how it ended is not known, and nothing is resumed':
    'de gateway is herstart terwijl deze opdracht onderweg was: hoe het afliep is niet bekend, en niets wordt hervat',
  'the gateway is shutting down': 'de gateway sluit af',
  'the gateway is stopping': 'de gateway stopt',
  'stopped by {0}': 'gestopt door {0}',
  'emergency stop: {0}': 'noodstop: {0}',
  'a newer command took its place': 'een nieuwere opdracht kwam ervoor in de plaats',
  'the session or key that gave this command has ended':
    'de sessie of sleutel waarmee deze opdracht is gegeven, is beëindigd',
  'the command before it did not finish': 'de opdracht ervoor is niet afgemaakt',
  'cart {0} did not acknowledge the command within {1}': 'kar {0} bevestigde de opdracht niet binnen {1}',
  'the cart did not start within {0}': 'de kar begon niet binnen {0}',
  'the cart did not come to rest in time': 'de kar stond niet op tijd stil',
  'the wheels turn although nothing was commanded': 'de wielen draaien terwijl er niets bevolen is',
  'the cart needed longer than the motion can take': 'de kar had langer nodig dan de rit mag duren',
  'the controller was told to stop': 'de motorsturing kreeg opdracht te stoppen',
  'the controller gave up ({0}, code {1})': 'de motorsturing gaf het op ({0}, code {1})',
  'the controller ended it': 'de motorsturing beëindigde het',
  'the cart was stopped': 'de kar is gestopt',
  'Let go of the controls, then start again.': 'Laat de besturing los en begin dan opnieuw.',
  'the cart is busy with another command': 'de kar is bezig met een andere opdracht',
  'Stop it first, or wait.': 'Stop hem eerst, of wacht.',
  '{0} commands are waiting already': 'er wachten al {0} opdrachten',
  'the cart gave no reason': 'de kar gaf geen reden',
  'the stop could not be sent: {0}': 'de stop kon niet verzonden worden: {0}',
  'the stop was sent, but cart {0} is offline: {1}': 'de stop is verzonden, maar kar {0} is er niet: {1}',
  'the cart is stopped, but {0}': 'de kar is gestopt, maar {0}',
  'cart {0} is stopped; the other carts could not be told: {1}':
    'kar {0} is gestopt; de andere karren konden het niet horen: {1}',
  'Use the buttons on the other carts.': 'Gebruik de knoppen op de andere karren.',
  'the cart is controlled by {0}, who loses control after {1} s without a command':
    'de kar wordt bestuurd door {0}, tot er {1} s geen opdracht is gekomen',
  'cart {0} takes at most {1} commands a second': 'kar {0} neemt hoogstens {1} opdrachten per seconde',
  '{0} means {1} {2}; the limit is {3} {4}': '{0} betekent {1} {2}; de grens is {3} {4}',
  '{0} {1} is not in the presets': '{0} {1} staat niet in de voorkeuzen',
  'a command needs cartID, distanceID and angleID': 'een opdracht heeft cartID, distanceID en angleID nodig',

  "nothing received from the driver's controls for {0}":
    'al {0} niets van de bediening van de bestuurder ontvangen',
  'the page of the driver was out of sight': 'de pagina van de bestuurder was uit beeld',
  'the window of the driver was not in front any more':
    'het venster van de bestuurder stond niet meer vooraan',
  'the controls of the driver were lost': 'de bediening van de bestuurder viel weg',
  'the driver had no fresh picture of the cart': 'de bestuurder had geen vers beeld van de kar',
  'the device of the driver lost its network': 'het apparaat van de bestuurder verloor zijn netwerk',
  'the driver has logged out, or may not drive any more':
    'de bestuurder is uitgelogd, of mag niet meer rijden',
  "the driver's connection is too slow: more than 0.5 s to and fro":
    'de verbinding van de bestuurder is te traag: meer dan 0,5 s heen en weer',
  'driving is for operators': 'rijden is voor bedieners',
  '{0} handed over': '{0} heeft overgegeven',
  '{0} has given the controls up': '{0} heeft de besturing afgegeven',
  '{0} has the controls now': '{0} heeft nu de besturing',
  'the connection of {0} ended': 'de verbinding van {0} is beëindigd',
};
