import type { CommandView } from '../../carts/index.js';
import { upperFirst } from '../../i18n/format.js';
import { LANGUAGES, type Language, withLanguage } from '../../i18n/language.js';
import { actorLabel, continued, principalName, translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { SECTIONS, sectionTitles } from '../../settings/index.js';
import { type Actor, actorText } from '../../shared/actor.js';
import type { Change } from '../../system/index.js';
import { failureText, type SoftwareFacts } from '../../updates/index.js';
import { commandStateText, commandText } from './labels.js';

interface Override {
  reason: string;
  seconds: number;
}

interface Event {
  cartID: number;
  kind: string;
  by: Actor;
  /** Present if the event stands for several repeated events. */
  repeats?: { count: number };
  /** The name of a backup. */
  backup?: string;
  change?: Change;
  software?: SoftwareFacts;
}

/** Returns a text such as `Protective stop: a motor is at 85 °C, above 80 °C`. */
export function safetyEventText({
  kind,
  by,
  repeats,
  backup = '',
  change,
  software,
}: Omit<Event, 'cartID'>): string {
  const who = actorLabel(by);
  const version = software?.version ?? '';
  const failure = software ? continued(failureText(software)) : '';
  if (repeats) return repeatedEventText(kind, who, repeats.count);
  switch (kind) {
    case 'protective_stop':
      return who === '' ? t('Protective stop') : t('Protective stop: {0}', continued(actorText(by)));
    case 'estop.reset':
      return who === '' ? t('Reset') : t('Reset by {0}', who);
    case 'settings.changed':
      return t('Settings changed by {0}: {1}', who, sectionsOf(change));
    case 'firmware.changed':
      return change?.from === undefined
        ? t('Controller firmware {0} written by {1}', change?.version ?? '', who)
        : t('Controller firmware {0} written by {1}, replacing {2}', change.version, who, change.from);
    case 'site.changed':
      return t('Zones and places changed by {0} (version {1})', who, change?.version ?? '');
    case 'site.overridden': {
      const { reason = '', seconds = 0 } = (change?.values?.[0]?.to ?? {}) as Partial<Override>;
      return t('Zones switched off for {0} s by {1}: {2}', seconds, who, reason);
    }
    case 'site.frame_changed': {
      const [, part = '', id = ''] = change?.values?.[0]?.path.split('/') ?? [];
      if (part === 'plan') return t('Floor plan changed by {0}', who);
      if (part === 'markers') return t('Marker {0} changed by {1}', id, who);
      return t('Position of the cart entered by {0}', who);
    }
    case 'payments.confirmed':
      return t('Payments after a restore confirmed by {0}', who);
    case 'loss.acknowledged':
      return t('Loss of writes acknowledged by {0}', who);
    case 'backup.made':
      return t('Gateway backup made by {0}: {1}', who, backup);
    case 'backup.uploaded':
      return t('Gateway backup uploaded by {0}: {1}', who, backup);
    case 'backup.deleted':
      return t('Gateway backup deleted by {0}: {1}', who, backup);
    case 'backup.scheduled':
      return t('Scheduled gateway backups turned on by {0}', who);
    case 'backup.unscheduled':
      return t('Scheduled gateway backups turned off by {0}', who);
    case 'restore.started':
      return t('Gateway backup restored by {0}: {1}', who, backup);
    case 'restore.confirmed':
      return t('Restore confirmed by {0}: {1}', who, backup);
    case 'restore.undone':
      return t('Restore undone: {0}', backup);
    case 'software.update_requested':
      return t('Update to version {0} requested by {1}', version, who);
    case 'software.installed':
      return who === ''
        ? t('Version {0} installed', version)
        : t('Version {0} installed, as requested by {1}', version, who);
    case 'software.returned':
      return t('Update to version {0} undone: {1}', version, failure);
    case 'software.update_failed':
      return t('Update to version {0} failed: {1}', version, failure);
    default:
      return who === '' ? t('Stopped') : t('Stopped by {0}', who);
  }
}

/** Returns a text such as `Limits, GPIO`. */
function sectionsOf(change: Change | undefined): string {
  const changed = new Set((change?.values ?? []).map(({ path }) => path.split('/')[1]));
  return translated(sectionTitles(SECTIONS.filter((section) => changed.has(section))));
}

/** Returns a text such as `Stopped 12 more times by anna`. */
function repeatedEventText(kind: string, who: string, count: number): string {
  const isReset = kind === 'estop.reset';
  if (count === 1) {
    if (who === '') return isReset ? t('Reset once more') : t('Stopped once more');
    return isReset ? t('Reset once more by {0}', who) : t('Stopped once more by {0}', who);
  }
  if (who === '') {
    return isReset ? t('Reset {0} more times', count) : t('Stopped {0} more times', count);
  }
  return isReset
    ? t('Reset {0} more times by {1}', count, who)
    : t('Stopped {0} more times by {1}', count, who);
}

/** Returns the searchable text of a command: everything that the pages show for it, in all languages. */
export function commandWords(command: CommandView): string {
  return inAllLanguages(() =>
    [
      t('Cart {0}', command.cartID),
      upperFirst(commandText(command)),
      commandStateText(command.state),
      principalName(command.origin.principal),
      translated(command.reason?.text ?? ''),
    ].join(' '),
  );
}

/** Returns the searchable text of a safety event: everything that the pages show for it, in all languages. */
export function safetyWords(event: Event): string {
  return inAllLanguages(() => `${t('Cart {0}', event.cartID)} ${safetyEventText(event)}`);
}

function inAllLanguages(work: () => string): string {
  return (Object.keys(LANGUAGES) as Language[]).map((language) => withLanguage(language, work)).join(' ');
}
