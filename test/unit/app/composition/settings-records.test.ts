import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { recordSettingsChanges } from '../../../../src/app/composition/settings-records.js';
import { SettingsHistory } from '../../../../src/settings/history/history.js';
import type { SettingsService } from '../../../../src/settings/index.js';
import { userActor } from '../../../../src/shared/actor.js';
import type { SafetyEntry } from '../../../../src/system/index.js';
import { quietLog } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const ANNA = userActor('anna');

test('the next start adds a version that is missing from the history, with the same key', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'settings-records-'));
  try {
    const clock = new FakeClock();
    const recorded: { entry: SafetyEntry; key: string | undefined }[] = [];
    const open = async (last: string | undefined): Promise<SettingsHistory> => {
      const history = await SettingsHistory.open({ dir, clock, log: quietLog });
      recordSettingsChanges({
        settings: { history } as unknown as SettingsService,
        identity: { cartId: 4 } as never,
        history: {
          recordSafety: (entry: SafetyEntry, seen?: { key: string }) =>
            void recorded.push({ entry, key: seen?.key }),
          lastChange: () => last && { version: last, sha256: '' },
        } as never,
      });
      return history;
    };
    const history = await open(undefined);
    const versions = [
      { limits: { ttlMs: 500 }, shop: { menu: 'auto' } },
      { limits: { ttlMs: 400 }, shop: { menu: 'never' } },
      { limits: { ttlMs: 400 }, shop: { menu: 'auto' } },
      { limits: { ttlMs: 300 }, shop: { menu: 'auto' } },
    ];
    for (const version of versions) await history.add(version, { by: ANNA, why: 'save' });
    assert.deepEqual(
      recorded.map(({ entry: { change } }) => [change?.version, change?.values]),
      [
        ['2', [{ path: '/limits/ttlMs', from: 500, to: 400 }]],
        ['4', [{ path: '/limits/ttlMs', from: 400, to: 300 }]],
      ],
    );
    await open('2');
    assert.deepEqual(recorded.slice(2), [recorded[1]]);
    await open('4');
    await open(undefined);
    assert.equal(recorded.length, 3);
  } finally {
    await rm(dir, { recursive: true });
  }
});

test.run();
