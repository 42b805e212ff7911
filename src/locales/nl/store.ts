import type { Translations } from '../../shared/messages/message.js';
import type { storeMessage } from '../../store/messages.js';

export const STORE_MESSAGES = {
  'store.nothing-saved': 'er is niets opgeslagen: {reason}',
  'store.not-known': 'het is niet bekend of dit is opgeslagen: {reason}',
  'store.disk-full': 'de schijf is vol',
  'store.disk-full-at-start': 'de schijf was vol toen de gateway startte',
  'store.disk-low': 'er is maar {mib} MiB vrij op de schijf',
  'store.read-only': 'het bestandssysteem is alleen-lezen',
  'store.read-only-mount': 'het bestandssysteem is alleen-lezen ({reason})',
  'store.space-hint': 'Maak ruimte vrij op de schijf met de gegevensmap.',
  'store.space-hint-restart':
    'Maak ruimte vrij op de schijf met de gegevensmap en start de gateway daarna opnieuw.',
  'store.card-hint': 'Vervang de SD-kaart of herstel het bestandssysteem en start de gateway daarna opnieuw.',
  'store.checkpoint-failed': 'het write-ahead-log kan niet naar de database worden gekopieerd: {reason}',
  'store.was-missing': 'verdwenen',
  'store.was-damaged': 'beschadigd: {damage}',
  'store.was-empty': 'leeg',
  'store.was-wrong': 'De database was {wrong}. {now}',
  'store.was-wrong-kept': 'De database was {wrong}. De oude bestanden zijn bewaard als {aside}. {now}',
  'store.backup-took-place': 'De back-up van {when} ({name}) is teruggezet. Latere wijzigingen ontbreken.',
  'store.started-empty': 'Er was geen bruikbare back-up. De gateway is met een lege database gestart.',
  'store.orphans': 'De database heeft rijen met ongeldige verwijzingen in: {tables}.',
  'store.backup-damaged-too': 'De back-up {name} is ook beschadigd en is overgeslagen.',
  'store.backup-gone': 'de back-up bestaat niet meer',
  'store.not-restored': 'De back-up {name} is niet teruggezet: {reason}. Er is niets gewijzigd.',
  'store.restored': 'Teruggezet uit {name} op {when}, op verzoek van {by}.',
  'store.restored-kept':
    'Teruggezet uit {name} op {when}, op verzoek van {by}. De vorige database is bewaard als {aside}.',
  'store.restored-damaged': 'Teruggezet uit {name} op {when}, omdat de database ontbrak of beschadigd was.',
  'store.restored-unknown': 'De database is uit een back-up teruggezet.',
  'store.restore-no-database': 'de back-up {name} bevat geen database',
  'store.no-restore': 'er wacht geen teruggezette back-up op een bevestiging',
  'store.writer-ended': 'de schrijfthread is gestopt en wordt opnieuw gestart',
  'store.writer-failed': 'de schrijfthread is met een fout gestopt en wordt opnieuw gestart: {reason}',
  'store.backup-skipped': '{name} is overgeslagen: {reason}.',
  'store.backup-missing': 'het bestand bestaat niet',
  'store.backup-empty': 'het bestand is leeg',
  'store.backup-not-comparable': 'de back-up kan niet met de database worden vergeleken: {reason}',
  'store.disk-fault': 'de schijf meldt een fout ({code})',
  'store.locked': 'een ander programma heeft de database vergrendeld',
  'store.out-of-memory': 'het systeem heeft geen geheugen meer',
  'store.journal-failed':
    'het is niet bekend of dit is opgeslagen: het intrekkingsjournaal kan niet worden geschreven: {reason}',
  'store.journal-missing':
    'Het intrekkingsjournaal ontbrak en is uit de database opgebouwd. Controleer gebruikers en API-sleutels als ook de database is teruggezet.',
  'store.journal-damaged':
    'Het intrekkingsjournaal was beschadigd (onleesbare regels: {lines}) en is uit de database opgebouwd. Controleer gebruikers en API-sleutels als ook de database is teruggezet.',
  'store.journal-applied-to':
    'De database was ouder dan het intrekkingsjournaal. Deze intrekkingen zijn toegepast: {changes}.',
  'store.journal-applied': 'De database was ouder dan het intrekkingsjournaal; dat is toegepast.',
  'store.backup-changed': 'het bestand is gewijzigd sinds de back-up is gemaakt',
  'store.upload-not-database': 'het bestand is geen SQLite-database',
  'store.upload-foreign': 'het bestand is geen back-up van een Cartwright-gateway',
  'store.upload-has-log': 'het bestand is een kopie van een database in gebruik, zonder het write-ahead-log',
  'store.upload-truncated': 'het bestand is onvolledig: het heeft {bytes} van {needed} bytes',
  'store.upload-damaged': 'het bestand is beschadigd: {damage}',
  'store.upload-hint': 'Upload een back-up die van de systeempagina is gedownload.',
  'store.upload-newer':
    'de back-up heeft schemaversie {version}, maar deze gateway ondersteunt versies tot en met {supported}',
  'store.upload-newer-hint': 'Installeer de gatewayversie die de back-up heeft gemaakt, of een latere.',
  'store.upload-check-interrupted': 'de controle van het bestand is onderbroken',
  'store.commit-number-missing':
    'Het bestand commit-number ontbrak of was onleesbaar en is opnieuw gemaakt. Het is niet bekend of er vóór deze start bevestigde wijzigingen verloren zijn gegaan.',
  'store.commit-number-failed':
    'het is niet bekend of dit is opgeslagen, omdat het volgnummer niet kan worden geschreven: {reason}',
  'store.commit-number-unsynced': 'het volgnummer kan niet naar de schijf worden geschreven: {reason}',
  'store.lost-writes':
    'Bevestigde wijzigingen die in de database ontbreken: {count} (STORE_LOST_WRITES). {where}',
  'store.lost-writes-kept':
    'Bevestigde wijzigingen die in de database ontbreken: {count} (STORE_LOST_WRITES). {files} {where}',
  'store.lost-kept': 'De beschadigde bestanden zijn bewaard als {aside}.',
  'store.lost-not-kept': 'De beschadigde bestanden zijn niet bewaard: {reason}.',
  'store.lost-in-backup': 'De nieuwste back-up met verloren wijzigingen is {name}; die bevat er {count} van.',
  'store.lost-in-no-backup': 'Ze staan in geen enkele back-up.',
  'store.no-lost-writes': 'er zijn geen verloren wijzigingen gemeld',
  'store.no-space-for-copy': 'er is te weinig vrije schijfruimte voor een kopie',
  'store.damaged':
    'het databasebestand is beschadigd; bij de volgende start zet de gateway de nieuwste back-up terug',
} satisfies Translations<typeof storeMessage>;
