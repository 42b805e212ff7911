import type { Vocabulary } from '../language.js';

/** Why a part of the gateway is not well: pins, disk, and what the broker's connection says of itself. */
export const PART_REASONS: Vocabulary = {
  'not connected yet': 'nog niet verbonden',
  'closed by this gateway': 'door deze gateway gesloten',
  'ended by the broker': 'door de broker beëindigd',
  'the connection was closed': 'de verbinding is gesloten',
  'the connection was closed before the broker answered':
    'de verbinding is gesloten voordat de broker antwoordde',
  'the broker settings have changed': 'de instellingen van de broker zijn gewijzigd',
  'another client seems to use the same client id: connections end right after they are made':
    'een andere client lijkt hetzelfde client-id te gebruiken: verbindingen eindigen zodra ze er zijn',
  'connected, but the broker does not let this client read {0}':
    'verbonden, maar de broker laat deze client {0} niet lezen',
  'the broker does not let this client publish to {0}': 'de broker laat deze client niet publiceren op {0}',
  'publishing to {0} is not allowed': 'publiceren op {0} is niet toegestaan',
  'the embedded broker cannot listen on {0}: {1}': 'de eigen broker kan niet luisteren op {0}: {1}',
  'another program listens there already': 'een ander programma luistert daar al',
  'this user may not listen on that port': 'deze gebruiker mag niet op die poort luisteren',
  'choose another port in the broker settings, or stop the other program':
    'kies een andere poort in de instellingen van de broker, of stop het andere programma',

  'another driver has it': 'een ander stuurprogramma heeft hem',
  'the kernel knows no such pin': 'de kernel kent die pen niet',
  'the gateway may not use it': 'de gateway mag hem niet gebruiken',
  'it does not go to {0}': 'hij gaat niet naar {0}',
  'its direction is "{0}" and cannot be changed to "{1}"':
    'zijn richting is "{0}" en is niet in "{1}" te wijzigen',
  'the {0} cannot be read: {1}': 'de {0} is niet te lezen: {1}',
  'no GPIO chip begins at {0}; there are: {1}': 'geen GPIO-chip begint op {0}; er zijn: {1}',
  'no GPIO chip has {0}; there are: {1}': 'geen GPIO-chip heeft {0}; er zijn: {1}',
  'several GPIO chips fit: {0}': 'er passen meerdere GPIO-chips: {0}',

  'nothing was saved: {0}': 'er is niets bewaard: {0}',
  'it is not known whether this was saved: {0}': 'het is niet bekend of dit bewaard is: {0}',
  'no photo can be kept: {0}': 'er is geen foto te bewaren: {0}',
  'the disk is full': 'de schijf is vol',
  'the disk was full when the gateway started': 'de schijf was vol toen de gateway startte',
  'only {0} MiB are free on the disk': 'er is maar {0} MiB vrij op de schijf',
  'the file system is read-only': 'het bestandssysteem is alleen te lezen',
  'the file system is read-only ({0})': 'het bestandssysteem is alleen te lezen ({0})',
  'Free some space. A card that takes no writes has to be repaired or replaced, and the gateway to be started again.':
    'Maak ruimte vrij. Een kaart die niet te beschrijven is moet hersteld of vervangen worden; start de gateway daarna opnieuw.',
  'Free some space on the disk that holds the data directory. Then start the gateway again.':
    'Maak ruimte vrij op de schijf met de gegevensmap. Start de gateway daarna opnieuw.',
  'Replace the card or repair its file system, then start the gateway again.':
    'Vervang de kaart of herstel het bestandssysteem en start de gateway daarna opnieuw.',
  '{0} was passed over: {1}.': '{0} is overgeslagen: {1}.',
  'it is not there': 'het is er niet',
  'it is empty': 'het is leeg',
  'the backup cannot be compared with the database: {0}':
    'de reservekopie is niet met de database te vergelijken: {0}',
  'the disk reports a fault ({0})': 'de schijf meldt een fout ({0})',
  'another program holds the database locked': 'een ander programma houdt de database vast',
  'the machine is out of memory': 'de machine heeft geen geheugen meer',
  'it is not known whether this was saved: the revocation journal cannot be written: {0}':
    'het is niet bekend of dit bewaard is: het intrekkingsjournaal is niet te schrijven: {0}',
  'The revocation journal was missing. It was written again from the database. If the database was restored as well, check users and API keys.':
    'Het intrekkingsjournaal ontbrak. Het is opnieuw geschreven uit de database. Controleer gebruikers en API-sleutels als ook de database is hersteld.',
  'The revocation journal was damaged: {0} lines could not be read. It was written again from the database. If the database was restored as well, check users and API keys.':
    'Het intrekkingsjournaal was beschadigd: {0} regels waren niet te lezen. Het is opnieuw geschreven uit de database. Controleer gebruikers en API-sleutels als ook de database is hersteld.',
  'The database was older than the revocation journal, which was applied to it: {0}.':
    'De database was ouder dan het intrekkingsjournaal, dat erop is toegepast: {0}.',
  'The database was older than the revocation journal, which was applied to it.':
    'De database was ouder dan het intrekkingsjournaal, dat erop is toegepast.',
  'the database file is damaged; at its next start the gateway restores the newest backup':
    'het databasebestand is beschadigd; bij de volgende start herstelt de gateway de nieuwste reservekopie',
};
