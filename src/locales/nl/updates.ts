import type { Translations } from '../../shared/messages/message.js';
import type { updateMessage } from '../../updates/messages.js';

export const LIVE_UPDATE_TEXTS = {
  'No update yet': 'Nog geen update',
  'Version {0}: waiting for the update service': 'Versie {0}: er wordt gewacht op de updateservice',
  'Version {0}: checking the release': 'Versie {0}: de release wordt gecontroleerd',
  'Version {0}: copying the release': 'Versie {0}: de release wordt gekopieerd',
  'Version {0}: the files are being installed': 'Versie {0}: de bestanden worden geplaatst',
  'Version {0}: the gateway is stopping': 'Versie {0}: de gateway stopt',
  'Version {0}: the gateway is starting': 'Versie {0}: de gateway start',
  'Version {0}: the gateway is being tested': 'Versie {0}: de gateway wordt getest',
  'Version {0}: returning to the previous version': 'Versie {0}: de vorige versie wordt teruggezet',
  'Version {0} was installed': 'Versie {0} is geïnstalleerd',
  'Version {0} did not work. The previous version {1} is running again.':
    'Versie {0} werkte niet. De vorige versie {1} draait weer.',
  'Version {0} was not installed. Nothing was changed.':
    'Versie {0} is niet geïnstalleerd. Er is niets gewijzigd.',
  'The update to version {0} failed': 'De update naar versie {0} is mislukt',
  'The update is being prepared': 'De update wordt voorbereid',
  'Elapsed: {0}': 'Verstreken: {0}',
  'No response from the gateway. It restarts during the update.':
    'Geen antwoord van de gateway. Hij start tijdens de update opnieuw op.',
  'Install this version? The gateway restarts, and the cart cannot be driven during the update.':
    'Deze versie installeren? De gateway start opnieuw op, en de kar kan tijdens de update niet rijden.',
  'Select the archive (.tar.gz) and its signature file (.tar.gz.sig).':
    'Kies het archief (.tar.gz) en het handtekeningbestand (.tar.gz.sig).',
};

export const UPDATE_TEXTS = {
  'Update gateway': 'Gateway bijwerken',
  'Installed version': 'Geïnstalleerde versie',
  'Version {{installed}}, processor {{architecture}}': 'Versie {{installed}}, processor {{architecture}}',
  'to see the progress of the update.': 'om de voortgang van de update te zien.',
  'Uploaded release': 'Geüploade release',
  'Signed by': 'Ondertekend door',
  'no valid signature': 'geen geldige handtekening',
  'key {0}': 'sleutel {0}',
  'Free space': 'Vrije ruimte',
  'Release notes': 'Wat is er nieuw',
  'Can be installed on this gateway': 'Kan op deze gateway worden geïnstalleerd',
  'Cannot be installed: {0}': 'Kan niet worden geïnstalleerd: {0}',
  'Not possible at the moment: {0}': 'Nu niet mogelijk: {0}',
  'A gateway backup is made first.': 'Eerst wordt een back-up van de gateway gemaakt.',
  'No backup is made before the update.': 'Vóór de update wordt geen back-up gemaakt.',
  'Install when parked': 'Installeren (kar geparkeerd)',
  'The cart must be stationary. It cannot be driven until the update has ended; stops always work. If the new version does not pass the same checks as the installed one, the gateway returns to the installed version.':
    'De kar moet stilstaan. Hij kan niet rijden tot de update klaar is; stoppen werkt altijd. Als de nieuwe versie niet dezelfde controles doorstaat als de geïnstalleerde, keert de gateway daar vanzelf naar terug.',
  'Upload a release': 'Release uploaden',
  'A release is an archive and its signature file. The files replace the uploaded release.':
    'Een release bestaat uit een archief en een handtekeningbestand. De bestanden vervangen de geüploade release.',
  'Both files of the release': 'Beide bestanden van de release',
  'To upload a release, turn on JavaScript.': 'Schakel JavaScript in om een release te uploaden.',
  'Without the console': 'Zonder de console',
  'Files of the installed release': 'Bestanden van de geïnstalleerde release',
  changed: 'gewijzigd',
  'The gateway might run a program that is not part of the release.':
    'De gateway voert mogelijk een programma uit dat niet bij de release hoort.',
  'Install the release again, and find out who can change files as root.':
    'Installeer de release opnieuw, en zoek uit wie als root bestanden kan wijzigen.',
};

export const UPDATE_MESSAGES = {
  'update.unavailable':
    'updates via de console kunnen alleen op een gateway die als systemd-service is geïnstalleerd',
  'update.unavailable-hint': 'Installeer de release op de Raspberry Pi met systemd/install.sh.',
  'update.name-invalid':
    'de naam van een releasebestand lijkt op cartwright-0.3.0-arm64.tar.gz of eindigt op .tar.gz.sig',
  'update.name-hint': 'Geef de bestanden van de release geen andere naam.',
  'update.not-an-archive': 'het bestand is geen archief van een release',
  'update.not-a-signature': 'het bestand is geen handtekeningbestand van een release',
  'update.unknown': 'versie {version} is niet geüpload',
  'update.signature-missing': 'het handtekeningbestand (.tar.gz.sig) is niet geüpload',
  'update.archive-missing': 'het archief (.tar.gz) is niet geüpload',
  'update.signature-invalid': 'de release is niet ondertekend met de sleutel van de geïnstalleerde release',
  'update.signature-other': 'het handtekeningbestand hoort bij een andere release',
  'update.key-missing': 'de geïnstalleerde release bevat geen sleutel om een release te controleren',
  'update.signature-hint': 'Download de release opnieuw bij de uitgever.',
  'update.damaged': 'het archief is beschadigd: het past niet bij het handtekeningbestand',
  'update.damaged-hint': 'Upload het bestand opnieuw.',
  'update.installed': 'deze versie is al geïnstalleerd',
  'update.older': 'de release is ouder dan de geïnstalleerde versie {installed}',
  'update.processor': 'de release is voor de processor {architecture}, en deze gateway heeft {own}',
  'update.no-space': 'er is niet genoeg vrije ruimte om de release te installeren',
  'update.no-space-hint': 'Maak schijfruimte vrij: de update heeft {needed} nodig, en {free} is vrij.',
  'update.moving': 'de kar moet stilstaan, zonder actieve opdracht',
  'update.moving-hint': 'Stop de kar en wacht tot hij stilstaat.',
  'update.firmware': 'de firmware van de motorcontroller wordt bijgewerkt',
  'update.trial': 'gewijzigde instellingen wachten op bevestiging',
  'update.trial-hint': 'Behoud of herstel deze instellingen eerst.',
  'update.restore-scheduled': 'bij de volgende start van de gateway wordt een databaseback-up teruggezet',
  'update.restore-hint': 'Annuleer die terugzetting eerst.',
  'update.battery-low': 'de accu heeft {mv} mV, onder het minimum van {limit} mV',
  'update.battery-hint': 'Laad eerst de accu op.',
  'update.not-written': 'de update kon niet worden aangevraagd: {reason}',
  'update.not-started': 'de updateservice is niet begonnen',
  'update.not-ready': 'de nieuwe versie was niet op tijd gereed',
  'update.checks': 'deze controles slaagden na de update niet meer: {checks}',
  'update.not-newer': 'de release is niet nieuwer dan de geïnstalleerde versie',
  'update.other-processor': 'de release is voor een andere processor',
  'update.disk-full': 'er was niet genoeg vrije ruimte',
  'update.not-parked': 'de kar stond niet stil toen de update begon',
  'update.interrupted': 'de update is onderbroken',
  'update.internal': 'de update is mislukt: {reason}',
  'update.check.store': 'database',
  'update.check.settings': 'instellingen',
  'update.check.controller': 'motorcontroller',
  'update.check.stop': 'stop bevestigd',
  'update.check.camera': 'camera',
  'update.check.broker': 'MQTT-server',
  'update.check.emergencyStop': 'noodstopingang',
  'update.stop-check': 'een controle vóór de update',
  'update.files-changed': 'bestanden van de geïnstalleerde release zijn gewijzigd: {problem}',
} satisfies Translations<typeof updateMessage>;
