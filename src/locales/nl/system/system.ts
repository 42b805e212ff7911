import type { Translations } from '../../../shared/messages/message.js';
import type { systemMessage } from '../../../system/messages.js';

export const LIVE_SYSTEM_TEXTS = {
  'You can confirm the restore in {0} s.': 'U kunt het terugzetten over {0} s bevestigen.',
  'No matching lines': 'Geen overeenkomende regels',
  '1 line': '1 regel',
  '{0} lines': '{0} regels',
  'Creating and verifying the backup': 'Back-up wordt gemaakt en gecontroleerd',
  'Replace the database with this backup when the gateway restarts?':
    'De database bij de volgende herstart door deze back-up vervangen?',
  'Delete this backup? This cannot be undone.':
    'Deze back-up verwijderen? Dit kan niet ongedaan worden gemaakt.',
};

export const SYSTEM_TEXTS = {
  Components: 'Onderdelen',
  Metrics: 'Meetwaarden',
  Diagnostics: 'Diagnose',
  'Metrics, charts, recordings and log': 'Meetwaarden, grafieken, opnamen en logboek',
  'Stopped until reset': 'Gestopt tot een reset',
  '1 cart': '1 kar',
  '{0} carts': '{0} karren',
  '{0} of {1} ready': '{0} van {1} gereed',
  'Connection lost {0} times in the last hour': 'Verbinding {0} keer verbroken in het afgelopen uur',
  'Each loss stops a moving cart.': 'Bij elk verlies stopt een rijdende kar.',
  'Check the serial cable and, under Diagnostics, the event loop lag.':
    'Controleer de seriële kabel en, onder Diagnose, de vertraging van de event loop.',
  'Stationary until reset.': 'Staat stil tot een reset.',
  'To do:': 'Nog te doen:',
  'Other carts': 'Andere karren',
  'No faults': 'Geen storingen',
  '1 item needs attention': '1 punt vraagt aandacht',
  '{0} items need attention': '{0} punten vragen aandacht',
  'What to do:': 'Wat te doen:',
  Follow: 'Volgen',
  Debug: 'Debug',
  Information: 'Informatie',
  Warnings: 'Waarschuwingen',
  Errors: 'Fouten',
  'Manage users': 'Gebruikers beheren',
  'No users yet': 'Nog geen gebruikers',
  '1 user': '1 gebruiker',
  '{0} users': '{0} gebruikers',
  '1 administrator': '1 beheerder',
  '{0} administrators': '{0} beheerders',
  '1 operator': '1 bediener',
  '{0} operators': '{0} bedieners',
  '1 customer': '1 klant',
  '{0} customers': '{0} klanten',
  Updates: 'Updates',
  'Security fixes until {0}': 'Beveiligingsupdates tot en met {0}',
  'Support ended on {0}. Install a supported version.':
    'De ondersteuning is op {0} geëindigd. Installeer een ondersteunde versie.',
  'Installed: version {{gateway.version}}': 'Geïnstalleerd: versie {{gateway.version}}',
  'Stop the cart. The cart cannot be driven during the update.':
    'Zet de kar stil. Tijdens de update kan de kar niet rijden.',
  'Copy the new release file to the Raspberry Pi.':
    'Kopieer het bestand van de nieuwe versie naar de Raspberry Pi.',
  'Run this command on the Raspberry Pi:': 'Voer deze opdracht uit op de Raspberry Pi:',
  'If the new release does not start within 60 s, the gateway rolls back to the previous version.':
    'Als de nieuwe versie niet binnen 60 s start, keert de gateway terug naar de geïnstalleerde versie.',
  Log: 'Logboek',
  'Minimum level': 'Minimumniveau',
  'Search text': 'Zoektekst',
  'Only the latest {{log.capacity}} lines can be searched.':
    'Alleen de laatste {{log.capacity}} regels kunnen worden doorzocht.',
  'Log lines': 'Logregels',
  'Open commissioning': 'Ingebruikname openen',
  'Black box': 'Zwarte doos',
  'The gateway records every Stop all, every E-stop, every protective stop and every loss of the controller connection while the cart is moving, together with the preceding ten minutes. The gateway keeps the recordings of the latest five incidents, and of up to ten from the last 24 hours. The gateways of other carts keep the recordings of those carts.':
    'De gateway legt elke keer Alles stoppen, elke noodstop, elke beveiligingsstop en elk verlies van de verbinding met de motorcontroller tijdens het rijden vast, samen met de tien minuten ervoor. De laatste vijf incidenten blijven bewaard, en maximaal tien van de laatste 24 uur. Opnamen van andere karren staan op de gateways van die karren.',
  'Pinned recordings are kept until they are unpinned.':
    'Vastgezette opnamen blijven bewaard tot ze worden losgemaakt.',
  'Administrators can pin recordings.': 'Beheerders kunnen opnamen vastzetten.',
  'Incident {{incident}}': 'Incident {{incident}}',
  Pinned: 'Vastgezet',
  Pin: 'Vastzetten',
  Unpin: 'Losmaken',
  'Pin the recording from {{when}}': 'De opname van {{when}} vastzetten',
  'Unpin the recording from {{when}}': 'De opname van {{when}} losmaken',
  'No recordings yet.': 'Nog geen opnamen.',
  'Download the recording from {{when}}': 'De opname van {{when}} downloaden',
  'Database backups': 'Back-ups van de database',
  'Cancel restore': 'Terugzetten annuleren',
  'The gateway creates and verifies a backup about once a day. Administrators can create, download and restore backups.':
    'De gateway maakt en controleert ongeveer één keer per dag een back-up. Beheerders kunnen back-ups maken, downloaden en terugzetten.',
  'The damaged files were kept as': 'De beschadigde bestanden zijn bewaard als',
  'in the data directory.': 'in de gegevensmap.',
  'The newest backup that contains lost writes is from {{when}}. It contains {{writes}} of them. A restore replaces everything that was saved after that backup.':
    'De nieuwste back-up met verloren wijzigingen is van {{when}} en bevat er {{writes}} van. Bij het terugzetten wordt alles vervangen wat na die back-up is opgeslagen.',
  'No backup contains the lost writes.': 'De verloren wijzigingen staan in geen enkele back-up.',
  'After a power cut, the gateway cannot verify the writes of the last second.':
    'Na een stroomuitval kan de gateway de wijzigingen van de laatste seconde niet controleren.',
  Uploaded: 'Geüpload',
  'Gateway backups': 'Back-ups van de gateway',
  'An encrypted file with everything that the gateway needs on a new SD card: database, settings, floor plan and keys.':
    'Een versleuteld bestand met alles wat de gateway op een nieuwe SD-kaart nodig heeft: database, instellingen, plattegrond en sleutels.',
  uploaded: 'geüpload',
  'on the USB stick': 'op de USB-stick',
  'A USB stick is plugged in. Each new backup is copied to it.':
    'Er zit een USB-stick in de gateway. Elke nieuwe back-up wordt ernaar gekopieerd.',
  'Show backups on a USB stick': 'Toon de back-ups op een USB-stick',
  'No gateway backups found. The USB stick must be formatted with FAT32 or exFAT, and its label must be CARTWRIGHT.':
    'Geen back-ups van een gateway gevonden. De USB-stick moet met FAT32 of exFAT geformatteerd zijn, en het volumelabel moet CARTWRIGHT zijn.',
  'Download the gateway backup from {{when}}': 'De gatewayback-up van {{when}} downloaden',
  'Delete the gateway backup from {{when}}': 'De gatewayback-up van {{when}} verwijderen',
  'Show contents of the gateway backup from {{when}}': 'Inhoud tonen van de gatewayback-up van {{when}}',
  'Show contents': 'Inhoud tonen',
  Passphrase: 'Wachtzin',
  'No gateway backups yet.': 'Nog geen back-ups van de gateway.',
  'Upload a gateway backup': 'Een gatewayback-up uploaden',
  Upload: 'Uploaden',
  'Make a gateway backup': 'Een gatewayback-up maken',
  'At least 12 characters. Without the passphrase, the backup cannot be read. The gateway does not store it.':
    'Minstens 12 tekens. Zonder de wachtzin is de back-up niet te lezen. De gateway bewaart hem niet.',
  'How often': 'Hoe vaak',
  'Every day': 'Elke dag',
  'Every week': 'Elke week',
  'Scheduled backups are off.': 'Geplande back-ups staan uit.',
  'Scheduled backups are made every day.': 'Er wordt elke dag een geplande back-up gemaakt.',
  'Scheduled backups are made every week.': 'Er wordt elke week een geplande back-up gemaakt.',
  'Last backup: {0}.': 'Laatste back-up: {0}.',
  'The first one is made within a minute.': 'De eerste wordt binnen een minuut gemaakt.',
  'The latest attempt failed: {0}.': 'De laatste poging is mislukt: {0}.',
  'The latest backup is too old.': 'De laatste back-up is te oud.',
  'Scheduled backups': 'Geplande back-ups',
  'At least 12 characters. The gateway stores a key for these backups, but not the passphrase. Without the passphrase, they cannot be read on a new SD card.':
    'Minstens 12 tekens. De gateway bewaart een sleutel voor deze back-ups, maar niet de wachtzin: zonder wachtzin zijn ze op een nieuwe SD-kaart niet te lezen.',
  'Save the schedule': 'Schema opslaan',
  'Turn off scheduled backups': 'Geplande back-ups uitschakelen',
  'waiting for a restart': 'wacht op een herstart',
  'being checked': 'wordt gecontroleerd',
  'waiting for confirmation': 'wacht op bevestiging',
  'Restore of a gateway backup': 'Terugzetten van een gatewayback-up',
  'Until the restore is confirmed or undone, a second copy of the data occupies disk space.':
    'Tot het terugzetten is bevestigd of ongedaan is gemaakt, neemt een tweede kopie van de gegevens schijfruimte in.',
  'Follow the instructions on the card for gateway backups.':
    'Volg de aanwijzingen op de kaart voor back-ups van de gateway.',
  'Scheduled gateway backup': 'Geplande gatewayback-up',
  'not up to date': 'niet actueel',
  'Fix the cause, then make a gateway backup and download it.':
    'Verhelp de oorzaak, maak dan een gatewayback-up en download die.',
  'Repeat the passphrase': 'Herhaal de wachtzin',
  'Also include': 'Ook opnemen',
  'Make a backup': 'Back-up maken',
  'The gateway backup from {{when}} is intact': 'De gatewayback-up van {{when}} is intact',
  'Database rows': 'Rijen in de database',
  'Made by {0}, cart {1}, with Cartwright {2}.': 'Gemaakt door {0}, kar {1}, met Cartwright {2}.',
  'Not included: {0}.': 'Niet opgenomen: {0}.',
  'Settings, their history and broker passwords': 'Instellingen met geschiedenis en brokerwachtwoorden',
  'Second-factor key and revocations': 'Sleutel van de tweede factoren, en intrekkingen',
  'Commissioning results and checklist': 'Resultaten van de ingebruikname en checklist',
  'Black-box recordings': 'Opnamen van de zwarte doos',
  'HTTPS certificates and keys': 'HTTPS-certificaten en -sleutels',
  '{0}: 1 file, {1}': '{0}: 1 bestand, {1}',
  '{0}: {1} files, {2}': '{0}: {1} bestanden, {2}',
  'Restore a downloaded backup': 'Een gedownloade back-up terugzetten',
  'The gateway checks the file. Nothing is restored until you confirm it.':
    'De gateway controleert het bestand. Er wordt niets teruggezet tot u dat bevestigt.',
  'Backup file': 'Back-upbestand',
  'Upload and verify': 'Uploaden en controleren',
  'What a backup contains': 'Wat een back-up bevat',
  'A backup contains the database: users, API keys, history, alarm subscriptions, beacons, markers, games, orders and payments.':
    'Een back-up bevat de database: gebruikers, API-sleutels, geschiedenis, alarmabonnementen, bakens, markers, spellen, bestellingen en betalingen.',
  'A backup does not contain the settings (': 'Een back-up bevat niet de instellingen (',
  ') and their history, the floor plan, photos, recordings, the HTTPS certificates and keys, broker passwords, the second-factor key, or the commissioning results. A restore does not change them. They are missing on a new SD card, but a gateway backup contains them.':
    ') en hun geschiedenis, de plattegrond, foto’s, opnamen, de HTTPS-certificaten en -sleutels, brokerwachtwoorden, de sleutel van de tweede factoren en de resultaten van de ingebruikname. Bij het terugzetten blijven ze ongewijzigd. Op een nieuwe SD-kaart ontbreken ze; een back-up van de gateway bevat ze wel.',
  'Restore this backup': 'Deze back-up terugzetten',
  'The gateway unpacks the backup and restarts with its data. The current data is kept until you confirm the restore on this page. Until then, you can return to it.':
    'De gateway pakt de back-up uit en herstart met de gegevens daaruit. De huidige gegevens blijven bewaard tot u het terugzetten op deze pagina bevestigt. Tot dan kunt u ernaar terug.',
  'Restore a gateway': 'Een gateway terugzetten',
  'Do you have a backup of a gateway? Upload it, or plug in the USB stick with it, instead of creating an administrator. The gateway first shows what the backup contains.':
    'Hebt u een back-up van een gateway? Upload die, of sluit de USB-stick aan waar hij op staat, in plaats van een beheerder aan te maken. De gateway toont eerst wat de back-up bevat.',
  'Upload and show contents': 'Uploaden en inhoud tonen',
  'The gateway restarts with the data from the backup. You then log in with an account from the backup.':
    'De gateway herstart met de gegevens uit de back-up. Daarna logt u in met een account uit de back-up.',
  'After the restart, log in with an account from the backup. An administrator must then confirm the restore on the System page.':
    'Log na de herstart in met een account uit de back-up. Een beheerder moet het terugzetten daarna bevestigen op de pagina Systeem.',
  'Back to setup': 'Terug naar de installatie',
  'Restore and restart': 'Terugzetten en herstarten',
  'Confirm restore': 'Terugzetten bevestigen',
  'Return to the previous data': 'Terug naar de vorige gegevens',
  'A return discards everything that has been saved since the restore, including payments. A copy of the discarded database remains in the data directory.':
    'Als u teruggaat, vervalt alles wat sinds het terugzetten is opgeslagen, ook betalingen. Een kopie van de vervallen database blijft in de gegevensmap staan.',
  'The restore was undone': 'Het terugzetten is ongedaan gemaakt',
  '{0} was not restored: {1}. The data from before the restore is in use.':
    '{0} is niet teruggezet: {1}. De gegevens van vóór het terugzetten zijn in gebruik.',
  'A restore is ready': 'Er is een terugzetting voorbereid',
  "{0} will replace this gateway's data when the gateway restarts. Requested by {1} on {2}.":
    '{0} vervangt de gegevens van deze gateway bij de volgende herstart. Aangevraagd door {1} op {2}.',
  'The gateway was restored and is being checked': 'De gateway is teruggezet en wordt gecontroleerd',
  'Restored from {0}, as requested by {1} on {2}. If the gateway stops twice before the restore can be confirmed, the next start returns to the previous data.':
    'Teruggezet vanuit {0}, op verzoek van {1} op {2}. Als de gateway twee keer stopt voordat u het terugzetten kunt bevestigen, gaat hij bij de volgende start terug naar de vorige gegevens.',
  'The restore is waiting for your confirmation': 'De terugzetting wacht op uw bevestiging',
  'Restored from {0}, as requested by {1} on {2}. Check the gateway, then confirm. Until then, the previous data is kept and occupies disk space.':
    'Teruggezet vanuit {0}, op verzoek van {1} op {2}. Controleer de gateway en bevestig daarna. Tot dan blijven de vorige gegevens bewaard en nemen ze schijfruimte in.',
  'The restore will be undone': 'Het terugzetten wordt ongedaan gemaakt',
  'When the gateway restarts, the data from before the restore of {0} is used again.':
    'Na een herstart van de gateway worden de gegevens van vóór het terugzetten van {0} weer gebruikt.',
  'Acknowledge the loss': 'Verlies bevestigen',
  'Payments are disabled until the loss is acknowledged. First compare the':
    'Betalingen zijn uitgeschakeld tot het verlies is bevestigd. Vergelijk eerst de',
  'Payments are disabled until they are confirmed. First compare the':
    'Betalingen zijn uitgeschakeld tot ze zijn bevestigd. Vergelijk eerst de',
  'stored payments': 'opgeslagen betalingen',
  "with the provider's records.": 'met die bij de betaalprovider.',
  'Payments are correct': 'Betalingen kloppen',
  'The database was restored from a backup.': 'De database is uit een back-up teruggezet.',
  'Restored from {0} on {1}, as requested by {2}.': 'Teruggezet uit {0} op {1}, op verzoek van {2}.',
  'Restored from {0} on {1}, because the database was missing or damaged.':
    'Teruggezet uit {0} op {1}, omdat de database ontbrak of beschadigd was.',
  disabled: 'uitgeschakeld',
  'Customers cannot pay.': 'Klanten kunnen niet betalen.',
  "Compare the stored payments with the provider's records, then confirm below.":
    'Vergelijk de opgeslagen betalingen met die bij de betaalprovider en bevestig ze daarna hieronder.',
  'Acknowledged writes were lost. Their number is unknown.':
    'Er zijn bevestigde wijzigingen verloren gegaan. Het aantal is onbekend.',
  '1 acknowledged write was lost.': 'Er is 1 bevestigde wijziging verloren gegaan.',
  '{0} acknowledged writes were lost.': 'Er zijn {0} bevestigde wijzigingen verloren gegaan.',
  'The last second before the power cut cannot be verified.':
    'De laatste seconde voor de stroomuitval kan niet worden gecontroleerd.',
  'Last backup': 'Laatste back-up',
  'No backups yet. The gateway creates the first one five minutes after startup.':
    'Nog geen back-ups. De gateway maakt de eerste vijf minuten na het opstarten.',
  '1 older backup': '1 oudere back-up',
  '{0} older backups': '{0} oudere back-ups',
  'Back up the database': 'Back-up van de database maken',
  'Verify and restore': 'Controleren en terugzetten',
  'will be restored when the gateway restarts': 'wordt bij de volgende herstart van de gateway teruggezet',
  'Download the backup from {{when}}': 'De back-up van {{when}} downloaden',
  'Verify and restore the backup from {{when}}': 'De back-up van {{when}} controleren en terugzetten',
  'The backup from {{when}} is damaged': 'De back-up van {{when}} is beschadigd',
  '{{damage}}. The backup cannot be restored. The current database is not affected.':
    '{{damage}}. De back-up kan niet worden teruggezet. De huidige database blijft ongewijzigd.',
  'The backup from {{when}} is intact': 'De back-up van {{when}} is intact',
  'Nothing has changed yet. Hold the button below to schedule the restore. When the gateway next restarts, this backup will replace the database.':
    'Er is nog niets gewijzigd. Houd de knop hieronder ingedrukt om het terugzetten in te plannen. Bij de volgende herstart van de gateway vervangt deze back-up de database.',
  'Changes made after the backup was created will be missing.':
    'Wijzigingen van na het maken van de back-up ontbreken dan.',
  'Changes made after {{when}} will be missing.': 'Wijzigingen van na {{when}} ontbreken dan.',
  'The current database will be kept in a separate file.':
    'De huidige database blijft in een apart bestand bewaard.',
  'The uploaded backup is intact': 'De geüploade back-up is intact',
  'All sessions will end. Disabled users stay disabled; revoked keys and replaced passwords stay invalid. Users who changed their passwords after the backup was made need new passwords from an administrator.':
    'Alle sessies worden beëindigd. Uitgeschakelde gebruikers blijven uitgeschakeld; ingetrokken sleutels en vervangen wachtwoorden blijven ongeldig. Gebruikers die hun wachtwoord na de back-up hebben gewijzigd, hebben een nieuw wachtwoord van een beheerder nodig.',
  'Each table has the same number of rows as in the current database, but the contents may differ.':
    'Elke tabel heeft evenveel rijen als in de huidige database, maar de inhoud kan verschillen.',
  "To restart the gateway, stop the cart, then switch the gateway's computer off and on, or run this command on it:":
    'Om de gateway te herstarten, stopt u de kar. Schakel daarna de computer van de gateway uit en weer in, of voer daarop deze opdracht uit:',
  'The gateway does not run as a service. To restart it, end its process (Ctrl+C in its terminal) and start it again.':
    'De gateway draait niet als service. Om hem te herstarten, beëindigt u het proces (Ctrl+C in de terminal) en start u het opnieuw.',
  'Restore on restart': 'Terugzetten bij herstart',
  Disk: 'Schijf',
  '{0} free': '{0} vrij',
  'nearly full, {0} free': 'bijna vol, {0} vrij',
  'Database backup': 'Back-up van de database',
  'up to date': 'actueel',
  missing: 'ontbreekt',
  '{0} days old': '{0} dagen oud',
  'The cart remains stationary until the stop is confirmed or reset.':
    'De kar blijft stilstaan tot de stop is bevestigd of gereset.',
  'The cart is stationary and cannot be driven.': 'De kar staat stil en kan niet rijden.',
  'The cart is stationary and cannot be driven. Stop and Stop all work.':
    'De kar staat stil en kan niet rijden. Stop en Alles stoppen werken.',
  "Install this release's firmware on the motor controller, or select a different driver.":
    'Installeer de firmware van deze versie op de motorcontroller of kies een andere driver.',
  "Check the controller's power and the serial cable, then the port in the settings.":
    'Controleer de voeding van de motorcontroller en de seriële kabel, en daarna de poort in de instellingen.',
  'You can drive this cart here. Other carts and programs cannot reach it over MQTT.':
    'U kunt deze kar hier besturen. Andere karren en programma’s kunnen hem niet via MQTT bereiken.',
  "Check the network, then the MQTT server's address and password in the settings.":
    'Controleer het netwerk, en daarna het adres en het wachtwoord van de MQTT-server in de instellingen.',
  'Messages on these topics do not reach this gateway.':
    'Berichten over deze topics bereiken deze gateway niet.',
  'Give this client the right to subscribe to these topics. If the MQTT server is another gateway, the API key needs the permission “send commands to all carts through the MQTT server” and the number of this cart.':
    'Geef deze client het recht om zich op deze topics te abonneren. Als de MQTT-server een andere gateway is, heeft de API-sleutel het recht “via de MQTT-server opdrachten naar alle karren sturen” en het nummer van deze kar nodig.',
  "Payments will be disabled until an administrator has compared the stored payments with the provider's records and confirmed them on this page.":
    'Betalingen worden uitgeschakeld totdat een beheerder de opgeslagen betalingen heeft vergeleken met de gegevens van de aanbieder en ze op deze pagina heeft bevestigd.',
  'Restore scheduled for the next restart': 'Terugzetten gepland voor de volgende start',
  'You can drive, but there is no image.': 'U kunt rijden, maar er is geen beeld.',
  "Check the camera's cable and settings.": 'Controleer de kabel en de instellingen van de camera.',
  'The gateway might not save data, and the cart cannot move. Stop and Stop all work.':
    'De gateway slaat mogelijk geen gegevens op en de kar kan niet rijden. Stop en Alles stoppen werken.',
  'Data might be missing or might not be saved. Stop and Stop all work.':
    'Er kunnen gegevens ontbreken of niet worden opgeslagen. Stop en Alles stoppen werken.',
  'Free up disk space or replace the SD card, then restart the gateway. If only a backup failed, create one below.':
    'Maak schijfruimte vrij of vervang de SD-kaart en herstart daarna de gateway. Maak hieronder een back-up als alleen een back-up is mislukt.',
  'The gateway ignores the invalid values.': 'De gateway negeert de ongeldige waarden.',
  'Correct the values in the settings and save them.':
    'Corrigeer de waarden in de instellingen en sla ze op.',
  'Times may be wrong. Driving and stopping are not affected.':
    'Tijden kunnen onjuist zijn. Dit heeft geen invloed op rijden en stoppen.',
  'Connect the gateway to a network with a time server.':
    'Verbind de gateway met een netwerk met een tijdserver.',
  'If less than 32 MB is free, the gateway stops saving data.':
    'Als er minder dan 32 MB vrij is, slaat de gateway geen gegevens meer op.',
  'Delete photos and old files on the SD card, or use a larger card.':
    'Verwijder foto’s en oude bestanden van de SD-kaart of gebruik een grotere kaart.',
  'If the SD card fails, all data saved since the last backup is lost.':
    'Als de SD-kaart defect raakt, gaan alle gegevens sinds de laatste back-up verloren.',
  'Create a backup now and download it.': 'Maak nu een back-up en download die.',
  'Fix the cause. If the problem persists, repeat the commissioning steps.':
    'Verhelp de oorzaak. Herhaal de ingebruikname als het probleem aanhoudt.',
  'Open the settings': 'Instellingen openen',
  'Go to backups': 'Naar de back-ups',
  Database: 'Database',
  'partly ignored': 'deels genegeerd',
  'restart needed': 'herstart nodig',
  'Until the restart, the gateway uses the previous values.':
    'Tot de herstart gebruikt de gateway de vorige waarden.',
  'Restart the gateway while the cart is stationary.': 'Herstart de gateway terwijl de kar stilstaat.',
  valid: 'geldig',
  Clock: 'Klok',
  synchronised: 'gesynchroniseerd',
  'not synchronised': 'niet gesynchroniseerd',
  Version: 'Versie',
  'Running for {0}': 'Draait al {0}',
  'Event loop lag': 'Vertraging van de event loop',
  'Maximum over the last 1 to 2 minutes; median {0} ms, 99th percentile {1} ms. If the lag reaches 250 ms, a moving cart stops':
    'Maximum over de laatste 1 tot 2 minuten; mediaan {0} ms, 99e percentiel {1} ms. Als de vertraging 250 ms bereikt, stopt een rijdende kar',
  Processor: 'Processor',
  'Percentage of one core over the last minute': 'Percentage van één kern over de laatste minuut',
  Memory: 'Geheugen',
  'Heap: {0}. Free on this machine: {1} of {2}': 'Heap: {0}. Vrij op deze machine: {1} van {2}',
  'Free disk space': 'Vrije schijfruimte',
  'Below 32 MB, the gateway stops saving data': 'Onder 32 MB slaat de gateway geen gegevens meer op',
  'Written to disk': 'Naar schijf geschreven',
  'Since startup: {0} acknowledged database writes in {1} commits':
    'Sinds de start: {0} bevestigde schrijfacties van de database in {1} commits',
  'Data per write': 'Gegevens per schrijfactie',
  '{0} bytes': '{0} bytes',
  'Fsyncs per write: {0}. Last commit: {1} ms. Queued writes: {2}':
    'Fsyncs per schrijfactie: {0}. Laatste commit: {1} ms. Schrijfacties in de wachtrij: {2}',
  'Open pages': 'Open pagina’s',
  'Pages with live updates. Camera viewers: {0}': 'Pagina’s met live-updates. Camerakijkers: {0}',
  'Controller link: {0}': 'Verbinding met de motorcontroller: {0}',
  '{0} frames sent': '{0} frames verzonden',
  'Received: {0}. Damaged: {1}. Resent: {2}. Reconnects: {3}. Driver: {4} on {5}':
    'Ontvangen: {0}. Beschadigd: {1}. Opnieuw verzonden: {2}. Opnieuw verbonden: {3}. Driver: {4} op {5}',
  '{0} h {1} min': '{0} u {1} min',
  '{0} d {1} h': '{0} d {1} u',
  'First steps': 'Eerste stappen',
  'Hide checklist': 'Checklist verbergen',
  'Welcome. Each step is ticked off when you complete it.':
    'Welkom. Elke stap wordt afgevinkt zodra u die hebt voltooid.',
  '{0} of {1} done': '{0} van {1} klaar',
  'Done on {{when}}': 'Klaar op {{when}}',
  'Connect the controller': 'Controller aansluiten',
  'Set the serial port in the settings, or use the simulated controller.':
    'Stel de seriële poort in bij de instellingen, of gebruik de gesimuleerde controller.',
  'Drive 0.5 m': '0,5 m rijden',
  'Hold a preset or use the drive pad.': 'Houd een voorinstelling ingedrukt of gebruik het stuurvlak.',
  'Test Stop all': 'Alles stoppen testen',
  'Press Stop all, then hold Reset.': 'Druk op Alles stoppen en houd daarna Reset ingedrukt.',
  'Give each person an account, so that the history shows who drove.':
    'Geef iedereen een eigen account, zodat de geschiedenis toont wie er heeft gereden.',
  'Make one on the System page. Download it, or plug in a USB stick first.':
    'Maak er een op de pagina Systeem. Download die, of sluit eerst een USB-stick aan.',
  unhealthy: 'storing',
  healthy: 'in orde',
  degraded: 'beperkt',
  'All acknowledged writes are on disk': 'Alle bevestigde schrijfacties staan op schijf',
  'API keys': 'API-sleutels',
  'alarm deliveries': 'verzonden alarmen',
  'alarm subscriptions': 'alarmabonnementen',
  'basket lines': 'regels in winkelmandjes',
  'history entries': 'gebeurtenissen in de geschiedenis',
  'prices at the payment provider': 'prijzen bij de betaaldienst',
  'recovery codes': 'herstelcodes',
  'payments in the sandbox': 'betalingen in de testomgeving',
  'second factors': 'tweede factoren',
  'The gateway is running again.': 'De gateway draait weer.',
  'command history': 'opdrachtgeschiedenis',
  'payment events': 'betalingsgebeurtenissen',
  'safety events': 'veiligheidsgebeurtenissen',
  '{0}: {1} now, {2} in the backup': '{0}: nu {1}, in de back-up {2}',
  'Connection to the motor controller lost while moving':
    'Verbinding met de motorcontroller tijdens het rijden verbroken',
  '{0} will replace the database when the gateway restarts. Requested by {1} on {2}. Changes made after the backup was created will be missing. The current database will be kept in a file whose name ends in “replaced” followed by the time.':
    '{0} vervangt de database bij de volgende herstart van de gateway. Aangevraagd door {1} op {2}. Wijzigingen van na de back-up ontbreken dan. De huidige database blijft bewaard in een bestand waarvan de naam eindigt op “replaced” gevolgd door het tijdstip.',
};

export const SYSTEM_MESSAGES = {
  'system.no-security-contact': 'deze versie noemt geen contactadres voor meldingen van kwetsbaarheden',
  'system.loss-acknowledged': 'Verlies bevestigd',
  'system.schedule-on': 'Geplande back-ups van de gateway ingeschakeld',
  'system.schedule-off': 'Geplande back-ups van de gateway uitgeschakeld',
  'system.gateway-backup-deleted': 'Back-up van de gateway verwijderd',
  'system.gateway-backup-copied': 'Back-up van de gateway gemaakt en naar de USB-stick gekopieerd',
  'system.gateway-backup-made': 'Back-up van de gateway gemaakt',
  'system.gateway-backup-download': 'Download hem en bewaar hem niet alleen op deze SD-kaart.',
  'system.payments-confirmed': 'Betalingen bevestigd',
  'system.payments-enabled': 'Klanten kunnen weer betalen.',
  'system.backup-made': 'Back-up gemaakt',
  'system.recording-pinned': 'Opname vastgezet',
  'system.recording-unpinned': 'Opname losgemaakt',
  'system.too-many-pinned': 'er zijn al {limit} opnamen vastgezet',
  'system.too-many-pinned-hint': 'Maak eerst een opname los.',
  'system.backup-verified': 'De kopie is gecontroleerd en intact.',
  'system.restore-scheduled': 'Terugzetten gepland voor de volgende start',
  'system.restore-cancelled': 'Terugzetten geannuleerd',
  'system.restore-confirmed': 'Terugzetten bevestigd',
  'system.gateway-restarts': 'De gateway herstart over enkele seconden',
  'system.gateway-restart-needed': 'Herstart de gateway om door te gaan',
  'system.database-unchanged': 'De database wordt niet gewijzigd.',
  'system.by-setup': 'de installatiepagina',
  'system.other-people': 'andere personen',
  'system.disk-low': 'er is te weinig vrije schijfruimte voor een opname',
} satisfies Translations<typeof systemMessage>;
