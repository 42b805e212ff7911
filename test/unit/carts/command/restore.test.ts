import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { Command } from '../../../../src/carts/command/command.js';
import {
  type CommandRecord,
  commandRecorder,
  restoredCommand,
  type StoredCommand,
} from '../../../../src/carts/command/restore.js';
import { type Actor, userActor } from '../../../../src/shared/actor.js';
import { CartHarness, OPERATOR } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

/** Returns a ready cart and its recorded commands, converted to JSON and back because the store contains JSON. */
async function recorded(): Promise<{
  harness: CartHarness;
  kept: () => CommandRecord[];
  stored: () => StoredCommand[];
}> {
  const harness = await CartHarness.ready();
  const lines: { json: string; by: Actor }[] = [];
  harness.dispatcher.onCommand(
    commandRecorder((record, by) => lines.push({ json: JSON.stringify(record), by })),
  );
  const kept = () => lines.map(({ json }) => JSON.parse(json));
  return { harness, kept, stored: () => lines.map(({ json, by }) => ({ view: JSON.parse(json), by })) };
}

test('records a command when it is accepted and when it ends, but only once if both happen at the same time', async () => {
  const { harness, kept } = await recorded();
  const { pins } = harness;
  const writeEnable = pins.writeEnable.bind(pins);
  pins.writeEnable = () => {
    throw new Error('EIO');
  };
  const refused = harness.move(100);
  pins.writeEnable = writeEnable;
  await harness.run(200);
  const move = harness.move(300);
  await harness.run(4000);
  const stop = harness.move(0);
  await harness.run(10);
  assert.deepEqual(
    kept().map(({ commandId, state }) => [commandId, state]),
    [
      [refused.id, 'FAILED'],
      [move.id, 'SENT'],
      [move.id, 'FINISHED'],
      [stop.id, 'ACCEPTED'],
      [stop.id, 'FINISHED'],
    ],
  );
  await harness.close();
});

test('records the distance that a move had covered when a stop, latching or not, ended the move', async () => {
  const { harness, kept } = await recorded();
  for (const kind of ['stop', 'estop'] as const) {
    const move = harness.move(3000);
    await harness.run(1600);
    harness.dispatcher.stopOwn(kind, OPERATOR);
    await harness.run(3000);
    const records = kept().filter(({ commandId }) => commandId === move.id);
    const state = kind === 'stop' ? 'CANCELLED' : 'FAILED';
    assert.deepEqual(
      records.map((record) => record.state),
      ['SENT', state, state],
    );
    const { distanceMm = 0 } = records.at(-1)?.result ?? {};
    assert.ok(distanceMm > 100 && distanceMm < 3000, `${kind}: ${distanceMm}`);
  }
  await harness.close();
});

// Fault case 14
test('a command that was in progress fails after a restart, and its ID is never executed again', async () => {
  const { harness, stored } = await recorded();
  const id = 'aaaaaaaa-0000-4000-8000-000000000014';
  const request = { commandId: id, onBusy: 'reject' };
  harness.move(3000, 0, request);
  await harness.run(1000);
  // Simulates a crash of the gateway process and the start of a new process.
  const records = stored();
  harness.wire.unplug();
  harness.build();
  harness.wire.plug();
  const told: Command[] = [];
  harness.dispatcher.onCommand((command) => told.push(command));
  harness.dispatcher.restore(records);
  await harness.cart.start();
  await harness.run(7000);
  const found = harness.dispatcher.find(id);
  assert.deepEqual([found?.state, found?.reason?.code], ['FAILED', 'GATEWAY_RESTART']);
  assert.deepEqual(told, [found]);
  assert.equal(harness.move(3000, 0, request), found);
  harness.settings.limits.ttlMs += 500;
  assert.equal(harness.move(3000, 0, request), found, 'the default time to live has changed');
  assert.throws(() => harness.move(3001, 0, request), { code: 'ID_REUSED' });
  await harness.run(1000);
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

test('a restart does not change a command that has ended', async () => {
  const { harness, stored } = await recorded();
  const before = harness.move(300, -45).view();
  await harness.run(6000);
  const finished = harness.dispatcher.find(before.commandId)?.view();
  assert.equal(finished?.state, 'FINISHED');
  harness.build();
  harness.dispatcher.restore(stored().slice(-1));
  assert.deepEqual(harness.dispatcher.find(before.commandId)?.view(), finished);
  await harness.close();
});

test('replaces the unknown error code of a command that another version recorded', async () => {
  const { harness, stored } = await recorded();
  harness.move(3000);
  await harness.run(1000);
  harness.dispatcher.stopOwn('stop', OPERATOR);
  const { view, by } = stored().at(-1) ?? assert.fail();
  const record = { ...(view as object), reason: { code: 'BRAKE_WORN', text: 'replace the pads' } };
  const { reason } = restoredCommand({ view: record, by }, new FakeClock()) ?? {};
  assert.deepEqual(reason, { code: 'FAILED', text: 'BRAKE_WORN: replace the pads' });
  await harness.close();
});

test('a restored command keeps its sender, even if the recorded name belongs to another person', async () => {
  const { harness, stored } = await recorded();
  harness.move(300);
  const [{ view } = assert.fail()] = stored();
  const by = userActor('key tablet');
  const { origin } = restoredCommand({ view, by }, new FakeClock()) ?? {};
  assert.deepEqual(origin?.actor, by);
  await harness.close();
});

test('ignores command records in a different format', () => {
  const clock = new FakeClock();
  for (const record of [null, 7, {}, { commandId: 'x', onBusy: 'queue', timeline: [{ state: 'FLYING' }] }]) {
    assert.equal(
      restoredCommand({ view: record, by: OPERATOR.actor }, clock),
      undefined,
      JSON.stringify(record),
    );
  }
});

test.run();
