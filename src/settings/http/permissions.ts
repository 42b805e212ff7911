import type { Request } from 'express';
import { isAdmin } from '../../http/guard/principal.js';
import { GatewayError } from '../../shared/errors.js';
import { settingsMessage } from '../messages.js';
import type { Section } from '../schema/schema.js';

/** Only administrators can change these sections, because they contain passwords for other systems. */
const ADMIN_SECTIONS: readonly Section[] = ['alarms'];

/**
 * Returns true if the caller may change this section. The access rule in `openapi.ts` has already checked that the
 * caller may change settings in general.
 */
export function mayChange(req: Request, section: Section): boolean {
  return isAdmin(req) || !ADMIN_SECTIONS.includes(section);
}

/** Returns a check that throws `FORBIDDEN` if the caller is not permitted to change one of the sections. */
export function requirePermission(req: Request): (changed: readonly Section[]) => void {
  return (changed) => {
    const denied = changed.filter((section) => !mayChange(req, section));
    if (denied.length === 0) return;
    throw new GatewayError('FORBIDDEN', settingsMessage('admin-only', { sections: denied.join(', ') }));
  };
}
