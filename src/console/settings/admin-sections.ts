import type { Request } from 'express';
import { visitorOf } from '../../http/guard/principal.js';
import { settingsMessage } from '../../settings/messages.js';
import { ADMIN_SECTIONS, type Section } from '../../settings/schema/schema.js';
import { GatewayError } from '../../shared/errors.js';
import { SETTINGS_SECTIONS } from './fields.js';

function isAdmin(req: Request): boolean {
  return visitorOf(req)?.role === 'admin';
}

export function sectionsFor(req: Request): readonly string[] {
  if (isAdmin(req)) return SETTINGS_SECTIONS;
  return SETTINGS_SECTIONS.filter((name) => !ADMIN_SECTIONS.some((section) => section === name));
}

/** Returns a check that throws `FORBIDDEN` if the caller is not permitted to change one of the sections. */
export function requireAdminFor(req: Request): (changed: readonly Section[]) => void {
  return (changed) => {
    const held = changed.filter((section) => ADMIN_SECTIONS.includes(section));
    if (held.length === 0 || isAdmin(req)) return;
    throw new GatewayError('FORBIDDEN', settingsMessage('admin-only', { sections: held.join(', ') }));
  };
}
