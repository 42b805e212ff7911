import type { Request } from 'express';
import { isAdmin } from '../../http/guard/principal.js';
import { ADMIN_SECTIONS } from '../../settings/index.js';
import { SETTINGS_SECTIONS } from './fields.js';

export function sectionsFor(req: Request): readonly string[] {
  if (isAdmin(req)) return SETTINGS_SECTIONS;
  return SETTINGS_SECTIONS.filter((name) => !ADMIN_SECTIONS.some((section) => section === name));
}
