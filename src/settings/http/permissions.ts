import type { Request } from 'express';
import { isAdmin } from '../../http/guard/principal.js';
import { GatewayError } from '../../shared/errors.js';
import { settingsMessage } from '../messages.js';
import type { Section } from '../schema/schema.js';

/** `alarms` contains passwords for other systems; `site` determines whose zones apply and how far away the cart stays. */
const ADMIN_SECTIONS: readonly Section[] = ['alarms', 'site'];
/** Only administrators can change these sections while there are zones, because the zones are enforced with them. */
const ZONE_SECTIONS: readonly Section[] = ['kinematics'];

/**
 * Returns true if the caller may change this section. The access rule in `openapi.ts` has already checked that the
 * caller may change settings in general.
 */
export function mayChange(req: Request, section: Section, hasZones: boolean): boolean {
  return isAdmin(req) || !(ADMIN_SECTIONS.includes(section) || (hasZones && ZONE_SECTIONS.includes(section)));
}

/** Returns a check that throws `FORBIDDEN` if the caller is not permitted to change one of the sections. */
export function requirePermission(
  req: Request,
  hasZones: () => boolean,
): (changed: readonly Section[]) => void {
  return (changed) => {
    const denied = changed.filter((section) => !mayChange(req, section, hasZones()));
    if (denied.length === 0) return;
    const isForZones = denied.some((section) => ZONE_SECTIONS.includes(section));
    throw new GatewayError('FORBIDDEN', settingsMessage('admin-only', { sections: denied.join(', ') }), {
      hint: settingsMessage(isForZones ? 'admin-zones-hint' : 'admin-only-hint'),
    });
  };
}
