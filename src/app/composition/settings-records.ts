import { createHash } from 'node:crypto';
import { isSafetyRelevant } from '../../settings/index.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { AppContext } from '../context.js';

/**
 * Records each change of safety-relevant settings in the history. Entries are written after the settings, so they can
 * be lost if the process is killed. The versions after the last recorded one are therefore recorded at startup. If
 * there is no entry, as at the first start after an upgrade from 0.2, the versions in the settings history are not
 * recorded.
 */
export function recordSettingsChanges({
  history,
  identity,
  settings,
}: Pick<AppContext, 'history' | 'identity' | 'settings'>): Cancel {
  const last = Number(history.lastChange('settings.changed')?.version ?? Number.POSITIVE_INFINITY);
  return settings.history.follow(last, ({ version, atMs, by, changes, document }) => {
    const relevant = changes.filter(({ keys: [section = ''] }) => isSafetyRelevant(section));
    if (relevant.length === 0) return;
    const at = Math.trunc(atMs);
    history.recordSafety(
      {
        kind: 'settings.changed',
        cartID: identity.cartId,
        by,
        change: {
          version: String(version),
          sha256: createHash('sha256').update(JSON.stringify(document)).digest('hex'),
          values: relevant.map(({ pointer: path, from, to }) => ({ path, from, to })),
        },
      },
      { key: `settings-${version}-${at}`, at },
    );
  });
}
