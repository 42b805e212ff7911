import { principalOf } from '../../web/guard/principal.js';
import type { PrincipalOf, ShopPrincipal } from './principal.js';

const NOBODY: ShopPrincipal = { userId: null, caller: '', role: 'anonymous', name: 'nobody' };
/** On a trusted network nobody logs in: whoever asks is the first operator. */
const LAN: ShopPrincipal = { userId: 1, caller: '1', role: 'operator', name: 'somebody on this network' };

/**
 * Who the guard found, as the shop sees it. A key is a machine: its scopes are checked at the door, and what it may touch
 * there belongs to everybody.
 */
export const shopPrincipalOf: PrincipalOf = (req) => {
  const principal = principalOf(req);
  switch (principal.kind) {
    case 'user': {
      const { userId, role, username: name } = principal;
      return { userId, caller: String(userId), role, name };
    }
    case 'key': {
      const { keyId, name } = principal;
      return { userId: null, caller: `key ${keyId}`, role: 'operator', name: `key ${name}` };
    }
    case 'lan':
      return LAN;
    case 'nobody':
      return NOBODY;
  }
};
