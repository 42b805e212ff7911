import type { accessMessage } from '../../access/messages.js';
import type { Translations } from '../../shared/messages/message.js';

export const ACCESS_TEXTS = {
  'First user': 'Eerste gebruiker',
  Users: 'Gebruikers',
  Account: 'Account',
  Username: 'Gebruikersnaam',
  Password: 'Wachtwoord',
  'This gateway has no users yet. Create the first user, who becomes the administrator.':
    'Deze gateway heeft nog geen gebruikers. Maak de eerste gebruiker aan; die wordt beheerder.',
  'No administrator can log in. The database was restored from a backup, and since that backup every administrator has been disabled or has changed their password. Enter the username of an existing administrator to set a new password, or a new username to add an administrator.':
    'Geen enkele beheerder kan inloggen. De database is uit een back-up hersteld en sinds die back-up zijn alle beheerders uitgeschakeld of hebben ze hun wachtwoord gewijzigd. Voer de gebruikersnaam van een bestaande beheerder in om een nieuw wachtwoord in te stellen, of een nieuwe gebruikersnaam om een beheerder toe te voegen.',
  'Setup code': 'Installatiecode',
  "From the boot kit, the gateway's log or the file setup-code in the data directory.":
    'Uit de opstartset, het logboek van de gateway of het bestand setup-code in de gegevensmap.',
  'At least 8 characters. Several words are safer than one word with symbols.':
    'Minimaal 8 tekens. Meerdere woorden zijn veiliger dan één woord met speciale tekens.',
  'Create administrator': 'Beheerder aanmaken',
  'Users and keys': 'Gebruikers en sleutels',
  'Current password': 'Huidig wachtwoord',
  'New password': 'Nieuw wachtwoord',
  'At least 8 characters. Your other sessions will end.':
    'Minimaal 8 tekens. Uw andere sessies worden beëindigd.',
  'Change password': 'Wachtwoord wijzigen',
  Sessions: 'Sessies',
  '{0} on {1}': '{0} op {1}',
  'Unknown device': 'Onbekend apparaat',
  'This device': 'Dit apparaat',
  'Last used: {{lastUsed}}. Logged in: {{created}}.': 'Laatst gebruikt: {{lastUsed}}. Ingelogd: {{created}}.',
  'Log out of all other sessions': 'Alle andere sessies beëindigen',
  Code: 'Code',
  'The 6-digit code from your authenticator app, or a recovery code.':
    'De zescijferige code uit uw authenticator-app, of een herstelcode.',
  'Back to login': 'Terug naar inloggen',
  'Second factor': 'Tweede factor',
  On: 'Aan',
  'When the second factor is on, each login requires your password and a code from an authenticator app.':
    'Als de tweede factor aanstaat, hebt u bij het inloggen uw wachtwoord en een code uit een authenticator-app nodig.',
  'Set up': 'Instellen',
  'Each login requires a code from your authenticator app. Recovery codes left: {{recoveryCodesLeft}}.':
    'Bij het inloggen hebt u een code uit uw authenticator-app nodig. Resterende herstelcodes: {{recoveryCodesLeft}}.',
  'The 6-digit code from your authenticator app, or a recovery code. Each of the changes below ends your other sessions.':
    'De zescijferige code uit uw authenticator-app, of een herstelcode. Elk van de onderstaande wijzigingen beëindigt uw andere sessies.',
  'Replace recovery codes': 'Herstelcodes vervangen',
  'Use a different app': 'Andere app gebruiken',
  'Turn off': 'Uitzetten',
  'Add this gateway to your authenticator app': 'Voeg deze gateway toe aan uw authenticator-app',
  'Scan the QR code, or': 'Scan de QR-code of',
  'open the link in an app on this device': 'open de link in een app op dit apparaat',
  'QR code for the authenticator app': 'QR-code voor de authenticator-app',
  'If you cannot scan the QR code, enter this secret key in the app:':
    'Als scannen niet lukt, voer dan deze geheime sleutel in de app in:',
  'The 6-digit code that the app currently shows. Your other sessions will end.':
    'De zescijferige code die de app nu toont. Uw andere sessies worden beëindigd.',
  'Turn on': 'Aanzetten',
  'Recovery codes': 'Herstelcodes',
  'Save these codes now: they will not be shown again. You can use each code once, in place of a code from the app, for example if you lose your phone.':
    'Bewaar deze codes nu. Ze worden niet opnieuw getoond. U kunt elke code één keer gebruiken in plaats van een code uit de app, bijvoorbeeld als u uw telefoon kwijt bent.',
  'Back to account': 'Terug naar het account',
  ', second factor on': ', tweede factor aan',
  'Turn off second factor for {{username}}': 'Tweede factor van {{username}} uitzetten',
  'Add a user': 'Gebruiker toevoegen',
  Role: 'Rol',
  'Customers can use the shop and stop carts. Operators can also drive carts and change settings, including the limits. Administrators can also manage users, API keys, backups, certificates and alarms.':
    'Klanten kunnen winkelen en karren stoppen. Bedieners kunnen ook karren besturen en instellingen wijzigen, ook de limieten. Beheerders kunnen ook gebruikers, API-sleutels, back-ups, certificaten en alarmen beheren.',
  'Add user': 'Gebruiker toevoegen',
  'Key {{name}} created': 'Sleutel {{name}} aangemaakt',
  'Copy the key now: it will not be shown again.': 'Kopieer de sleutel nu. Hij wordt niet opnieuw getoond.',
  'API documentation': 'API-documentatie',
  'Use a key': 'Sleutel gebruiken',
  'Programs send the key in the X-Api-Key header. This example requires the cart:read permission.':
    'Programma’s sturen de sleutel in de header X-Api-Key. Dit voorbeeld vereist het recht cart:read.',
  'No keys yet. Programs need a key to send commands or MQTT messages, to change beacons and to place orders.':
    'Nog geen sleutels. Programma’s hebben een sleutel nodig om opdrachten, bakens, bestellingen of MQTT-berichten te sturen.',
  'Created: {{created}}. Last used: {{lastUsed}}. Expires: {{expires}}.':
    'Aangemaakt: {{created}}. Laatst gebruikt: {{lastUsed}}. Verloopt: {{expires}}.',
  Revoked: 'Ingetrokken',
  Expired: 'Verlopen',
  'Create a key': 'Sleutel aanmaken',
  Permissions: 'Rechten',
  "No key is required to read beacons, games and the gateway's health.":
    'Voor het lezen van bakens, spellen en de toestand van de gateway is geen sleutel nodig.',
  'Cart number for MQTT': 'Karnummer voor MQTT',
  "The key permits publishing to this cart's topics. Requires the permission “connect to the MQTT server”.":
    'De sleutel mag op de topics van deze kar publiceren. Vereist het recht “verbinden met de MQTT-server”.',
  Expires: 'Verloopt',
  'in {0} days': 'over {0} dagen',
  'Create key': 'Sleutel aanmaken',
  Name: 'Naam',
  Revoke: 'Intrekken',
  'For MQTT, use this name as the username and the key as the password.':
    'Gebruik voor MQTT deze naam als gebruikersnaam en de sleutel als wachtwoord.',
  ', disabled': ', uitgeschakeld',
  ', needs a new password': ', heeft een nieuw wachtwoord nodig',
  'Set role': 'Rol instellen',
  'Set password': 'Wachtwoord instellen',
  'Enable {{username}}': '{{username}} inschakelen',
  'Disable {{username}}': '{{username}} uitschakelen',
  'add, change and delete beacons and markers': 'bakens en markers toevoegen, wijzigen en verwijderen',
  'Carts and camera': 'Karren en camera',
  'view the state of carts and commands': 'de toestand van karren en opdrachten bekijken',
  'view carts, send commands, drive to markers, stop carts and reset latched stops':
    'karren bekijken, opdrachten sturen, naar markers rijden, karren stoppen en vergrendelde stops resetten',
  'read and change settings, and calibrate the camera':
    'instellingen lezen en wijzigen, en de camera kalibreren',
  'view camera images and photos, and take photos': 'camerabeelden en foto’s bekijken, en foto’s maken',
  'Setup and monitoring': 'Inrichting en bewaking',
  'manage the games in the shop': 'de spellen in de winkel beheren',
  "read the gateway's metrics (Prometheus)": 'meetwaarden van de gateway lezen (Prometheus)',
  'read order statistics': 'bestelstatistieken lezen',
  'read payments and baskets': 'betalingen en winkelwagens lezen',
  'create payments, change baskets and place orders':
    'betalingen aanmaken, winkelwagens wijzigen en bestellingen plaatsen',
  'connect to the MQTT server': 'verbinden met de MQTT-server',
  'subscribe to the topics of all carts': 'zich abonneren op de topics van alle karren',
  'read and create payments, and change their status':
    'betalingen lezen en aanmaken, en de status ervan wijzigen',
  'send commands to all carts through the MQTT server':
    'via de MQTT-server opdrachten naar alle karren sturen',
};

export const ACCESS_MESSAGES = {
  'access.user-added': 'Gebruiker toegevoegd',
  'access.user-changed': 'Gebruiker gewijzigd',
  'access.key-revoked': 'Sleutel ingetrokken',
  'access.session-closed': 'Sessie beëindigd',
  'access.factor-off': 'Tweede factor uitgezet',
  'access.login-expired': 'deze inlogpoging is verlopen',
  'access.log-in-again': 'Log opnieuw in.',
  'access.start-again': 'Begin opnieuw.',
  'access.code-wrong': 'de code is onjuist of al gebruikt',
  'access.clock-hint': 'De klok van de gateway staat op {time}. Klopt dat niet, gebruik dan een herstelcode.',
  'access.code-needed': 'een code van de tweede factor is vereist',
  'access.code-needed-hint': 'Voer de code uit uw authenticator-app in, of een herstelcode.',
  'access.too-many-codes': 'te veel onjuiste codes',
  'access.too-many-codes-hint':
    'Gebruik een herstelcode of probeer het later opnieuw. Als u deze codes niet hebt ingevoerd, wijzig dan uw wachtwoord.',
  'access.no-factor-to-confirm': 'er wacht geen tweede factor op bevestiging',
  'access.no-factor': 'de gebruiker heeft geen tweede factor',
  'access.login-changed': 'de inloggegevens zijn sindsdien gewijzigd',
  'access.own-factor': 'u kunt uw eigen tweede factor niet resetten',
  'access.own-factor-hint': 'Zet hem uit op uw accountpagina, met uw wachtwoord en een code.',
  'access.password-changed': 'Wachtwoord gewijzigd',
  'access.stops-only':
    "De gateway kan geen gegevens opslaan. Met deze sessie kunt u alleen pagina's bekijken en karren stoppen; ze eindigt bij een herstart van de gateway.",
  'access.wrong-credentials': 'gebruikersnaam of wachtwoord is onjuist',
  'access.too-many-attempts': 'te veel pogingen',
  'access.login-queue-full': 'er loggen op dit moment te veel gebruikers in',
  'access.setup-code-invalid': 'de installatiecode is onjuist of verlopen',
  'access.set-up-already': 'de gateway is al ingericht',
  'access.log-in': 'Log in.',
  'access.current-password-wrong': 'het huidige wachtwoord is onjuist',
  'access.name-taken': 'er bestaat al een gebruiker met deze naam',
  'access.scope-needed': 'selecteer minstens één recht',
  'access.key-name-taken': 'er bestaat al een sleutel met deze naam',
  'access.last-admin': 'de laatste beheerder kan niet worden uitgeschakeld of een andere rol krijgen',
  'access.try-later': 'Wacht even en probeer het dan opnieuw.',
  'access.try-soon': 'Probeer het over een paar seconden opnieuw.',
  'access.last-admin-hint': 'Maak eerst een andere gebruiker beheerder.',
  'access.setup-code-hint':
    'Gebruik de nieuwste code uit het logboek. Herstart na 24 uur de gateway voor een nieuwe.',
  'access.no-user': 'de gebruiker bestaat niet',
  'access.no-key': 'de sleutel bestaat niet',
  'access.session-ended': 'de sessie is al beëindigd',
  'access.other-sessions-ended': 'Al uw andere sessies zijn beëindigd.',
  'access.password-common-hint': 'Gebruik een langer wachtwoord, bijvoorbeeld meerdere woorden.',
  'access.password-common': 'het wachtwoord komt te vaak voor',
} satisfies Translations<typeof accessMessage>;
