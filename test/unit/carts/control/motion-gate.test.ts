import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { MotionGate } from '../../../../src/carts/index.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { CartHarness, OPERATOR, PEER } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';

const test = suite('hook for the motion gate');

const JOG = { mode: 'jog', ttlMs: 500 };
const REFUSED: MotionGate = { refusal: () => ({ code: 'REJECTED', text: 'the way is closed' }) };

for (const [title, send] of [
  ['a single command', (harness) => harness.move(1000)],
  ['a turn', (harness) => harness.move(0, 90)],
  ['a jog', (harness) => harness.move(100, 10, JOG)],
  ['a command from another gateway', (harness) => harness.move(1000, 0, {}, PEER)],
  ['a jog from another gateway', (harness) => harness.move(100, 0, JOG, PEER)],
] as [string, (harness: CartHarness) => unknown][]) {
  test(`refuses ${title} before anything is sent`, async () => {
    const harness = await CartHarness.ready();
    harness.gate = REFUSED;
    assert.throws(() => send(harness), hasCode('REJECTED'));
    await harness.run(1000);
    assert.equal(harness.controller.snapshot().motions, 0);
    await harness.close();
  });
}

test('refuses a queued command when it starts, at its own starting point', async () => {
  const harness = await CartHarness.ready();
  const first = harness.move(100);
  const second = harness.move(1000, 0, { onBusy: 'queue', ttlMs: 10_000 });
  harness.gate = REFUSED;
  await harness.run(4000);
  assert.deepEqual([first.state, second.state], ['FINISHED', 'FAILED']);
  assert.equal(second.reason?.code, 'REJECTED');
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

test('refuses a queued command that starts immediately', async () => {
  const harness = await CartHarness.ready();
  harness.gate = REFUSED;
  const command = harness.move(1000, 0, { onBusy: 'queue' });
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'REJECTED']);
  assert.equal(harness.controller.snapshot().motions, 0);
  await harness.close();
});

test('a jog that the gate no longer permits cannot be renewed, and ends', async () => {
  const harness = await CartHarness.ready();
  const jog = harness.move(100, 0, JOG);
  await harness.run(300);
  harness.gate = REFUSED;
  assert.throws(() => harness.move(100, 0, JOG), hasCode('REJECTED'));
  await harness.run(2000);
  assert.ok(jog.final);
  await harness.close();
});

test('is asked about each motion with its sender', async () => {
  const harness = await CartHarness.ready();
  const asked: unknown[] = [];
  harness.gate = {
    refusal(order, actor) {
      asked.push([order.kind, order.distanceMm, actor]);
      return undefined;
    },
  };
  harness.move(200);
  const motion = ['move', 200, OPERATOR.actor];
  assert.deepEqual(asked, [motion, motion], 'when it is accepted and when it is sent');
  await harness.close();
});

/**
 * The calls that lead to a motion, each with the files that contain it. A new source of motions must use one of these
 * files, or be added here with a test that it passes the gate.
 */
const CALLS: [call: RegExp, files: string[]][] = [
  // This file asks the gate before each of these calls.
  [/driver\?*\.(?:move|jog)\(/, ['carts/control/command-executor.ts']],
  [/executor\.(?:execute|renewJog)\(/, ['carts/control/cart.ts']],
  [/cart\.(?:execute|renewJog)\(/, ['carts/command/dispatcher.ts']],
  [
    /dispatcher\.(?:accept|submit)\(/,
    [
      'app/composition/approach.ts',
      'carts/http/command-routes.ts',
      'carts/manual-drive/jog.ts',
      'carts/mqtt/command-message-handler.ts',
    ],
  ],
];

test('every source of motions passes the gate', () => {
  const root = join(packageRoot(), 'src');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const texts = names.map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
  for (const [call, files] of CALLS) {
    const found = texts.filter(({ text }) => call.test(text)).map(({ name }) => name);
    assert.deepEqual(found.toSorted(), files, String(call));
  }
});

test.run();
