import type { Vocabulary } from '../../language.js';

export const SYSTEM_MESSAGES: Vocabulary = {
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
  'store.upload-too-large': 'het bestand is te groot voor een back-up',
  'store.upload-no-space': 'er is niet genoeg vrije ruimte voor het bestand en het terugzetten',
  'store.upload-busy': 'een ander deel van een back-up wordt opgeslagen',
  'store.upload-order': 'dit is niet het volgende deel van het bestand',
  'store.upload-order-hint': 'Stuur het deel dat begint bij byte {first}.',
  'store.upload-length': 'de lengte van de inhoud past niet bij Content-Range',
  'store.upload-failed': 'het bestand kon niet worden opgeslagen: {reason}',
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
  'system.upload-encoded': 'het bestand moet zonder Content-Encoding worden verstuurd',
  'system.upload-range': 'de inhoud moet een deel van een bestand zijn dat Content-Range beschrijft',
  'system.upload-part-too-large': 'een deel van het bestand mag niet groter zijn dan 4 MiB',
  'system.upload-parts': 'Stuur grotere bestanden in meerdere delen met Content-Range.',
  'system.loss-acknowledged': 'Verlies bevestigd',
  'system.payments-confirmed': 'Betalingen bevestigd',
  'system.payments-enabled': 'Klanten kunnen weer betalen.',
  'store.damaged':
    'het databasebestand is beschadigd; bij de volgende start zet de gateway de nieuwste back-up terug',
  'system.backup-made': 'Back-up gemaakt',
  'system.recording-pinned': 'Opname vastgezet',
  'system.recording-unpinned': 'Opname losgemaakt',
  'system.too-many-pinned': 'er zijn al {limit} opnamen vastgezet',
  'system.too-many-pinned-hint': 'Maak eerst een opname los.',
  'system.backup-verified': '{size}. De kopie is gecontroleerd en intact.',
  'system.restore-scheduled': 'Terugzetten gepland voor de volgende start',
  'system.restore-cancelled': 'Terugzetten geannuleerd',
  'system.database-unchanged': 'De database wordt niet gewijzigd.',
  'system.other-people': 'andere personen',
  'system.disk-low': 'er is te weinig vrije schijfruimte voor een opname',
  'tls.clock-implausible':
    'de klok van de gateway staat op {time} en dat kan niet kloppen, dus HTTPS-certificaten worden niet gemaakt en niet vernieuwd; verbind de gateway met een tijdserver of stel de klok in met "sudo date"',
  'tls.clock-before-ca':
    'de klok van de gateway staat op {time}, maar de CA is pas geldig vanaf {day}, dus HTTPS-certificaten worden niet vernieuwd; zet de klok gelijk, of vervang de CA op de HTTPS-pagina als de klok klopt',
  'tls.ca-expired':
    'de CA van de gateway is op {day} verlopen; controleer de klok en vervang, als die klopt, de CA op de HTTPS-pagina en installeer de nieuwe op elk apparaat',
  'tls.expired':
    'het HTTPS-certificaat is op {day} verlopen; controleer de klok van de gateway en vernieuw, als die klopt, het certificaat op de HTTPS-pagina',
  'tls.expired-configured':
    'het HTTPS-certificaat in {file} is op {day} verlopen; controleer de klok van de gateway en vervang, als die klopt, het bestand en de sleutel en start de gateway opnieuw',
  'tls.not-yet-valid':
    'het HTTPS-certificaat is pas geldig vanaf {day}; controleer de klok van de gateway en vernieuw, als die klopt, het certificaat op de HTTPS-pagina',
  'tls.not-yet-valid-configured':
    'het HTTPS-certificaat in {file} is pas geldig vanaf {day}; controleer de klok van de gateway',
  'tls.files-unusable':
    'de bestanden van het HTTPS-certificaat zijn onbruikbaar ({reason}); maak een certificaat op de HTTPS-pagina',
  'tls.not-written': 'het bestand kon niet worden opgeslagen: {reason}',
  'tls.not-renewed':
    'het HTTPS-certificaat is niet vernieuwd ({reason}); de gateway probeert het elke minuut opnieuw',
  'tls.not-listening':
    'HTTPS is niet beschikbaar op poort {port} ({reason}); stel met HTTPS_PORT een vrije poort in',
  'tls.configured': 'de configuratie heeft een eigen certificaat ("tls")',
  'tls.configured-hint': 'Vervang de bestanden die daar staan, of verwijder "tls" uit de configuratie.',
  'tls.redirect-needs-https': 'deze pagina is niet via HTTPS geopend',
  'tls.redirect-needs-https-hint':
    'Open deze pagina via HTTPS, waaruit blijkt dat uw apparaat de CA vertrouwt, en zet de doorverwijzing daar aan.',
  'tls.redirect-on': 'Pagina’s worden doorverwezen naar HTTPS',
  'tls.redirect-off': 'Pagina’s worden niet meer doorverwezen naar HTTPS',
  'tls.created': 'Certificaat gemaakt',
  'tls.created-hint': 'Installeer de CA op elk apparaat dat de gateway via HTTPS opent.',
  'tls.no-ca': 'er is nog geen CA',
  'tls.no-ca-hint': 'Een beheerder kan op de HTTPS-pagina een certificaat maken.',
};
