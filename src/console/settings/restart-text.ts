import { translated } from '../../i18n/messages.js';
import { type Section, type SettingsService, sectionTitles, settingsMessage } from '../../settings/index.js';

/** Returns a sentence with the titles of the sections that contain these values; empty if there are none. */
export function restartText(restartNeeded: readonly string[]): string {
  if (restartNeeded.length === 0) return '';
  const sections = [...new Set(restartNeeded.map((value) => value.split('.')[0] as Section))];
  return translated(settingsMessage('at-next-start', { sections: sectionTitles(sections) }));
}

/** Returns `restartText`; empty during a trial, because a restart would roll back the changes on trial. */
export function pendingRestartText({ trial, restartNeeded }: SettingsService): string {
  return trial.view() ? '' : restartText(restartNeeded);
}
