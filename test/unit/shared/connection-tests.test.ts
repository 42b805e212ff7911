import assert from 'node:assert/strict';
import { test } from 'uvu';
import { ConnectionTests } from '../../../src/shared/connection-tests.js';
import { hasCode } from '../../helpers/has-code.js';

function setUp() {
  const tests = new ConnectionTests();
  const ends: (() => void)[] = [];
  const start = () => tests.run(() => new Promise<void>((resolve) => ends.push(resolve)));
  return { tests, ends, start };
}

test('rejects a ninth connection test with RATE while eight are running', async () => {
  const { tests, ends, start } = setUp();
  const running = Array.from({ length: 8 }, start);
  const opened = async () => assert.fail('the ninth test opened a connection');
  await assert.rejects(tests.run(opened), hasCode('RATE'));
  for (const end of ends) end();
  await Promise.all(running);
});

test('starts another connection test after one has ended', async () => {
  const { ends, start } = setUp();
  const running = Array.from({ length: 8 }, start);
  ends[0]?.();
  await running[0];
  const next = start();
  assert.equal(ends.length, 9);
  for (const end of ends) end();
  await Promise.all([...running, next]);
});

test('a failed connection test passes on its error and ends', async () => {
  const { tests } = setUp();
  const fails = () => tests.run(() => Promise.reject(new Error('refused')));
  for (let nth = 0; nth < 20; nth += 1) await assert.rejects(fails(), /refused/);
});

test.run();
