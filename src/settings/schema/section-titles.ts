import type { Text } from '../../shared/messages/message.js';
import { joined } from '../../shared/messages/messages.js';
import { sectionMessage } from './messages.js';
import type { Section } from './schema.js';

/** Returns the titles of these sections as a list, for example `Limits and MQTT server`. */
export function sectionTitles(sections: readonly Section[]): Text {
  return joined(
    sections.map((section) => sectionMessage(section)),
    'list',
  );
}
