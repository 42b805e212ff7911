import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { Command } from '../../../../src/carts/command/command.js';
import { type CommandRecord, recalled, recorder } from '../../../../src/carts/command/restore.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { Rig } from '../../../helpers/rig.js';

/** A ready cart, and what is kept of its commands: as JSON, which is how the store keeps it. */
async function recorded(): Promise<{ rig: Rig; kept: () => CommandRecord[] }> {
  const rig = await Rig.ready();
  const lines: string[] = [];
  rig.dispatcher.onCommand(recorder((record) => lines.push(JSON.stringify(record))));
  return { rig, kept: () => lines.map((line) => JSON.parse(line)) };
}

test('a command is kept when it is taken and when it has ended, and once if that is the same moment', async () => {
  const { rig, kept } = await recorded();
  const move = rig.move(300);
  await rig.run(4000);
  const stop = rig.move(0);
  assert.deepEqual(
    kept().map(({ commandId, state }) => [commandId, state]),
    [
      [move.id, 'SENT'],
      [move.id, 'FINISHED'],
      [stop.id, 'FINISHED'],
    ],
  );
  await rig.close();
});

// Fault case 14
test('after a restart a command that was under way has failed, and is never carried out under its id', async () => {
  const { rig, kept } = await recorded();
  const id = 'aaaaaaaa-0000-4000-8000-000000000014';
  const wish = { commandId: id, onBusy: 'reject' };
  rig.move(3000, 0, wish);
  await rig.run(1000);
  // The process dies without a word, and another one begins.
  const records = kept();
  rig.wire.unplug();
  rig.build();
  rig.wire.plug();
  const told: Command[] = [];
  rig.dispatcher.onCommand((command) => told.push(command));
  rig.dispatcher.recall(records);
  await rig.cart.start();
  await rig.run(7000);
  const found = rig.dispatcher.find(id);
  assert.deepEqual([found?.state, found?.reason?.code], ['FAILED', 'GATEWAY_RESTART']);
  assert.deepEqual(told, [found]);
  assert.equal(rig.move(3000, 0, wish), found);
  assert.throws(() => rig.move(3001, 0, wish), { code: 'ID_REUSED' });
  await rig.run(1000);
  assert.equal(rig.controller.snapshot().motions, 1);
  await rig.close();
});

test('a command that had ended is the same after a restart as before it', async () => {
  const { rig, kept } = await recorded();
  const before = rig.move(300, -45).view();
  await rig.run(6000);
  const finished = rig.dispatcher.find(before.commandId)?.view();
  assert.equal(finished?.state, 'FINISHED');
  rig.build();
  rig.dispatcher.recall(kept().slice(-1));
  assert.deepEqual(rig.dispatcher.find(before.commandId)?.view(), finished);
  await rig.close();
});

test('what another version kept otherwise is left alone', () => {
  const clock = new FakeClock();
  for (const record of [null, 7, {}, { commandId: 'x', onBusy: 'queue', timeline: [{ state: 'FLYING' }] }]) {
    assert.equal(recalled(record, clock), undefined, JSON.stringify(record));
  }
});

test.run();
