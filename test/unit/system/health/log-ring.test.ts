import assert from 'node:assert/strict';
import { test } from 'uvu';
import { LogThreshold } from '../../../../src/shared/log.js';
import { LogRing } from '../../../../src/system/health/log-ring.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const ringOf = (level: 'debug' | 'info' = 'info') =>
  new LogRing({ clock: new FakeClock(), threshold: new LogThreshold(level) });

test('passes a line to the log and stores it as text', () => {
  const [output, ring] = [new RecordingLog(), ringOf()];
  const log = ring.wrap(output);
  log.warn('link.changed', { state: 'LOST', reason: '', afterMs: 12, list: [1, 2] });
  assert.deepEqual(output.lines, [
    {
      level: 'warn',
      event: 'link.changed',
      fields: { state: 'LOST', reason: '', afterMs: 12, list: [1, 2] },
    },
  ]);
  assert.deepEqual(ring.lines(), [
    {
      id: 1,
      time: '2026-01-01T00:00:00.000Z',
      level: 'warn',
      event: 'link.changed',
      text: 'state LOST, afterMs 12, list [1,2]',
    },
  ]);
});

test('the log does not store lines below the threshold', () => {
  const ring = ringOf('info');
  const log = ring.wrap(new RecordingLog());
  log.debug('frame.sent');
  log.info('gateway.ready');
  assert.deepEqual(
    ring.lines().map(({ event }) => event),
    ['gateway.ready'],
  );
});

test('finds lines by level, by text regardless of case, and by ID', () => {
  const ring = ringOf('debug');
  const log = ring.wrap(new RecordingLog());
  log.info('cart.moved', { by: 'Anna' });
  log.error('store.failed', { reason: 'the disk is full' });
  log.warn('cart.stopped', { by: 'anna' });
  const events = (query: Parameters<LogRing['lines']>[0]) => ring.lines(query).map(({ event }) => event);
  assert.deepEqual(events({ level: 'warn' }), ['store.failed', 'cart.stopped']);
  assert.deepEqual(events({ find: 'ANNA' }), ['cart.moved', 'cart.stopped']);
  assert.deepEqual(events({ after: 2 }), ['cart.stopped']);
  assert.deepEqual(events({ limit: 1 }), ['cart.stopped']);
});

test('finds a line by words in any order and by the base form of a verb', () => {
  const ring = ringOf();
  const log = ring.wrap(new RecordingLog());
  log.info('access.logged_in', { username: 'anna' });
  log.info('access.user_added', { username: 'eva' });
  const found = (query: string) => ring.lines({ find: query }).map(({ event }) => event);
  for (const query of ['login', 'log in', 'Anna logged in', 'logged_in']) {
    assert.deepEqual(found(query), ['access.logged_in'], query);
  }
  assert.deepEqual(found('add user'), ['access.user_added']);
  assert.deepEqual(found('logout'), []);
});

test('stores at most 1000 lines and truncates long lines', () => {
  const ring = ringOf();
  const log = ring.wrap(new RecordingLog());
  for (let n = 1; n <= 1500; n += 1) log.info('n', { n });
  const lines = ring.lines({ limit: 5000 });
  assert.equal(lines.length, 1000);
  assert.deepEqual([lines[0]?.id, lines.at(-1)?.id, ring.newest], [501, 1500, 1500]);
  log.info('long', { text: 'x'.repeat(100_000) });
  assert.ok((ring.lines().at(-1)?.text.length ?? 0) < 2100);
});

test('masks secrets that have a known field name or format', () => {
  const ring = ringOf();
  const log = ring.wrap(new RecordingLog());
  log.info('access.setup_announced', { url: 'http://pi/setup?code=a017-2bf5-01df-fc10' });
  log.info('broker.opened', { url: 'mqtt://anna:hunter2@broker:1883', password: 'hunter2' });
  log.info('deep', { options: { list: [{ apiKey: 'abcdef' }] }, text: 'with gk_abcd2345_0123456789abcdef' });
  log.error('failed', { error: new Error('no: mqtt://u:hunter2@h') });
  const all = JSON.stringify(ring.lines());
  for (const secret of ['a017', 'hunter2', 'abcdef', 'gk_']) assert.ok(!all.includes(secret), secret);
  assert.ok(all.includes('mqtt://anna:***@broker:1883'));
});

test('the log shows missing and unserialisable values as a dash', () => {
  const ring = ringOf();
  const log = ring.wrap(new RecordingLog());
  log.info('odd', { nothing: undefined, call: () => 1 });
  assert.equal(ring.lines()[0]?.text, 'nothing –, call –');
});

test.run();
