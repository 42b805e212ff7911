import assert from 'node:assert/strict';
import { test } from 'uvu';
import { GatewayProcess } from '../../helpers/gateway.js';
import { untilAnswer } from '../../helpers/until.js';
import { ADMINISTRATOR_ENV, loggedIn } from '../store/administrator.js';

interface Changed {
  kind: string;
  person: string;
  view: {
    change: { version: string; sha256: string; values: { path: string; from: unknown; to: unknown }[] };
  };
}

type Send = Awaited<ReturnType<typeof loggedIn>>;

const changesIn = async (send: Send) =>
  (await send('GET', '/history?outcome=change')).json().entries as Changed[];

test('the history records each change of safety-relevant settings once, even if the gateway is killed and restarted', async () => {
  const gateway = await GatewayProcess.start({}, ADMINISTRATOR_ENV);
  try {
    let send = await loggedIn(gateway);
    for (const settings of [
      { limits: { maxSpeedMmps: 250 } },
      { logging: { level: 'warn' }, mqtt: { password: 'secret-word' } },
      { logging: { level: 'info' } },
    ]) {
      const saved = await send('POST', '/updateJson', settings);
      assert.equal(saved.status, 200, saved.text);
    }
    await gateway.kill('SIGKILL');
    await gateway.spawn(ADMINISTRATOR_ENV);
    send = await loggedIn(gateway);
    const entries = await untilAnswer(
      () => changesIn(send),
      (found) => found.length === 2,
    );
    const valuesOf = (entry: Changed | undefined) =>
      entry?.view.change.values.map(({ path, to }) => [path, to]);
    assert.deepEqual(valuesOf(entries[1]), [['/limits/maxSpeedMmps', 250]]);
    assert.deepEqual(valuesOf(entries[0]), [['/mqtt/password', '***']]);
    assert.deepEqual(
      entries.map(({ kind, person }) => [kind, person]),
      [
        ['settings.changed', 'anna'],
        ['settings.changed', 'anna'],
      ],
    );
    const [second, first] = entries.map(({ view }) => view.change);
    assert.match(first?.sha256 ?? '', /^[0-9a-f]{64}$/);
    assert.notEqual(first?.sha256, second?.sha256);

    await gateway.kill('SIGTERM');
    await gateway.spawn(ADMINISTRATOR_ENV);
    send = await loggedIn(gateway);
    assert.deepEqual(await changesIn(send), entries);
    const csv = await send('GET', '/history.csv?outcome=change', undefined, { accept: 'text/csv' });
    const lines = csv.text.trim().split('\r\n');
    assert.match(lines[0] ?? '', /,press_id,sha256$/);
    assert.match(lines[2] ?? '', /"Settings changed by anna: Limits"|,Settings changed by anna: Limits,/);
    assert.match(lines[2] ?? '', /Maximum speed[^:]*: .* → (250|0\.25) /);
    assert.ok(lines[2]?.endsWith(`,${first?.sha256}`), lines[2]);
    assert.doesNotMatch(csv.text, /secret-word/);
  } finally {
    await gateway.close();
  }
});

test.run();
