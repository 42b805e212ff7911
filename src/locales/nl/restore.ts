import type { restoreMessage } from '../../backups/restore/messages.js';
import type { Translations } from '../../shared/messages/message.js';

export const RESTORE_MESSAGES = {
  'restore.moving': 'terugzetten kan alleen als de kar stilstaat en er geen firmware-update bezig is',
  'restore.moving-hint': 'Stop de kar en wacht tot hij stilstaat, of tot de update klaar is.',
  'restore.open': 'een terugzetting van de hele gateway is nog niet bevestigd of geannuleerd',
  'restore.open-hint': 'Bevestig of annuleer die terugzetting eerst, of ga terug naar de vorige gegevens.',
  'restore.busy': 'er wordt al een terugzetting voorbereid',
  'restore.database-chosen': 'bij de volgende start van de gateway wordt een databaseback-up teruggezet',
  'restore.database-chosen-hint': 'Annuleer die terugzetting eerst.',
  'restore.none': 'er wacht geen teruggezette back-up op een bevestiging',
  'restore.too-early': 'de teruggezette gateway is nog geen 60 s gereed',
  'restore.too-early-hint': 'Probeer het over {seconds} s opnieuw.',
  'restore.not-switched': 'de gateway is nog niet herstart sinds de terugzetting is aangevraagd',
  'restore.path-forbidden': 'de back-up bevat {path}, dat niet wordt vervangen bij terugzetten',
  'restore.journal-unreadable': 'het journaal van een terugzetting, {file}, is onleesbaar',
  'restore.journal-unreadable-hint':
    'Controleer de schijf. De map “previous” naast het journaal bevat de bestanden van vóór de terugzetting.',
  'restore.unfinished':
    'de terugzetting van {name} kan niet worden voltooid en niet ongedaan worden gemaakt: {reason}',
  'restore.unfinished-hint':
    'Maak schijfruimte vrij of herstel het bestandssysteem en start de gateway opnieuw.',
  'restore.not-saved': 'de status van de terugzetting kon niet worden opgeslagen: {reason}',
  'restore.unfinishable': 'een terugzetting van de hele gateway is nog niet afgerond',
  'restore.unfinishable-hint':
    'Herstart de gateway, die de terugzetting dan voltooit, of annuleer de terugzetting op de pagina Systeem. Probeer het daarna opnieuw.',
  'restore.failed': 'het terugzetten is mislukt: {reason}',
  'restore.interrupted': 'de gateway is twee keer gestopt tijdens het terugzetten van de back-up',
  'restore.not-ready': 'de teruggezette gateway is twee keer gestopt voordat hij 60 s gereed was',
  'restore.expired': 'de gateway is niet binnen een uur herstart',
  'restore.requested': 'een beheerder heeft dit gevraagd',
} satisfies Translations<typeof restoreMessage>;
