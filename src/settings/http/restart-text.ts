import { translated } from '../../i18n/messages.js';
import { joined } from '../../shared/messages/messages.js';
import { settingsMessage } from '../messages.js';
import { sectionMessage } from '../schema/messages.js';
import type { Section } from '../schema/schema.js';

/** Returns a sentence with the titles of the sections that contain these values; empty if there are none. */
export function restartText(restartNeeded: readonly string[]): string {
  if (restartNeeded.length === 0) return '';
  const sections = [...new Set(restartNeeded.map((value) => value.split('.')[0] as Section))];
  const titles = joined(
    sections.map((section) => sectionMessage(section)),
    'list',
  );
  return translated(settingsMessage('at-next-start', { sections: titles }));
}
