import type { Request } from 'express';
import { isAdmin } from '../../http/guard/principal.js';
import { GatewayError } from '../../shared/errors.js';
import { settingsMessage } from '../messages.js';
import { ADMIN_SECTIONS, type Section } from '../schema/schema.js';

/** Returns a check that throws `FORBIDDEN` if the caller is not permitted to change one of the sections. */
export function requireAdminFor(req: Request): (changed: readonly Section[]) => void {
  return (changed) => {
    const held = changed.filter((section) => ADMIN_SECTIONS.includes(section));
    if (held.length === 0 || isAdmin(req)) return;
    throw new GatewayError('FORBIDDEN', settingsMessage('admin-only', { sections: held.join(', ') }));
  };
}
