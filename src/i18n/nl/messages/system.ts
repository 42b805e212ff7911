import type { Vocabulary } from '../../language.js';

/** The database and what operators do with it. */
export const SYSTEM_MESSAGES: Vocabulary = {
  'store.nothing-saved': 'er is niets bewaard: {reason}',
  'store.not-known': 'het is niet bekend of dit bewaard is: {reason}',
  'store.disk-full': 'de schijf is vol',
  'store.disk-full-at-start': 'de schijf was vol toen de gateway startte',
  'store.disk-low': 'er is maar {mib} MiB vrij op de schijf',
  'store.read-only': 'het bestandssysteem is alleen te lezen',
  'store.read-only-mount': 'het bestandssysteem is alleen te lezen ({reason})',
  'store.space-hint': 'Maak ruimte vrij op de schijf met de gegevensmap.',
  'store.space-hint-restart':
    'Maak ruimte vrij op de schijf met de gegevensmap. Start de gateway daarna opnieuw.',
  'store.card-hint': 'Vervang de kaart of herstel het bestandssysteem en start de gateway daarna opnieuw.',
  'store.checkpoint-failed': 'het logboek kan niet in de database worden verwerkt: {reason}',
  'store.was-missing': 'weg',
  'store.was-damaged': 'beschadigd: {damage}',
  'store.was-empty': 'leeg',
  'store.was-wrong': 'De database was {wrong}. {now}',
  'store.was-wrong-kept': 'De database was {wrong}. Wat er was, is bewaard als {aside}. {now}',
  'store.backup-took-place':
    'De reservekopie van {when} ({name}) kwam ervoor in de plaats: wat daarna is opgeslagen, ontbreekt.',
  'store.started-empty': 'Er was geen goede reservekopie: de gateway begon met een lege database.',
  'store.orphans': 'De database heeft rijen die nergens naar verwijzen, in: {tables}.',
  'store.backup-damaged-too': 'De reservekopie {name} is ook beschadigd en is overgeslagen.',
  'store.backup-gone': 'die is er niet meer',
  'store.not-restored': 'De reservekopie {name} is niet teruggezet: {reason}. Er is niets gewijzigd.',
  'store.restored': 'De reservekopie van {when} ({name}) verving de database, zoals {by} koos.',
  'store.restored-kept':
    'De reservekopie van {when} ({name}) verving de database, zoals {by} koos. Wat daarna is opgeslagen, is bewaard in {aside}.',
  'store.writer-ended': 'de schrijfthread is beëindigd; hij wordt opnieuw gestart',
  'store.writer-failed': 'de schrijfthread is beëindigd: {reason}; hij wordt opnieuw gestart',
  'store.backup-skipped': '{name} is overgeslagen: {reason}.',
  'store.backup-missing': 'het is er niet',
  'store.backup-empty': 'het is leeg',
  'store.backup-not-comparable': 'de reservekopie is niet met de database te vergelijken: {reason}',
  'store.disk-fault': 'de schijf meldt een fout ({code})',
  'store.locked': 'een ander programma houdt de database vast',
  'store.out-of-memory': 'de machine heeft geen geheugen meer',
  'store.journal-failed':
    'het is niet bekend of dit bewaard is: het intrekkingsjournaal is niet te schrijven: {reason}',
  'store.journal-missing':
    'Het intrekkingsjournaal ontbrak. Het is opnieuw geschreven uit de database. Controleer gebruikers en API-sleutels als ook de database is hersteld.',
  'store.journal-damaged':
    'Het intrekkingsjournaal was beschadigd: {lines} regels waren niet te lezen. Het is opnieuw geschreven uit de database. Controleer gebruikers en API-sleutels als ook de database is hersteld.',
  'store.journal-applied-to':
    'De database was ouder dan het intrekkingsjournaal, dat erop is toegepast: {changes}.',
  'store.journal-applied': 'De database was ouder dan het intrekkingsjournaal, dat erop is toegepast.',
  'store.damaged':
    'het databasebestand is beschadigd; bij de volgende start herstelt de gateway de nieuwste reservekopie',

  'system.backup-made': 'Reservekopie gemaakt',
  'system.recording-pinned': 'Opname vastgezet',
  'system.recording-unpinned': 'Opname losgemaakt',
  'system.too-many-pinned': 'er zijn al {limit} opnamen vastgezet',
  'system.too-many-pinned-hint': 'Maak er eerst een los.',
  'system.backup-read': '{size}, nagelezen, in {seconds} s.',
  'system.restore-noted': 'Herstel vastgelegd voor de volgende start',
  'system.restore-taken-back': 'Herstel teruggenomen',
  'system.database-stays': 'De database blijft zoals ze is.',
  'system.no-room': 'er is te weinig ruimte voor een zwarte doos',
};
