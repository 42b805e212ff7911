import { declareMessages } from '../../shared/messages/message.js';
import { SECTIONS, type Section, settingsSchema } from './schema.js';

const titles = Object.fromEntries(
  SECTIONS.map((section) => [section, settingsSchema.properties[section].title]),
) as Record<Section, string>;

export const sectionMessage = declareMessages('section', titles);
