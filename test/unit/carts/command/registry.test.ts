import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Command } from '../../../../src/carts/command/command.js';
import type { Order } from '../../../../src/carts/command/model.js';
import { CommandRegistry, LISTED_COUNT } from '../../../../src/carts/command/registry.js';
import { userActor } from '../../../../src/shared/actor.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const ORDER: Order = {
  commandId: '',
  cartId: 1,
  kind: 'stop',
  raw: { distanceID: 0, angleID: 0 },
  distanceMm: 0,
  angleDdeg: 0,
  maxSpeedMmps: 100,
  ttlMs: 1000,
  onBusy: 'replace',
};

function setUp(): { clock: FakeClock; registry: CommandRegistry; add: (commandId: string) => void } {
  const clock = new FakeClock();
  const registry = new CommandRegistry(clock);
  const add = (commandId: string): void => {
    const origin = { source: 'http', gatewayId: 'gw-1', actor: userActor('anna') } as const;
    const command = new Command({ ...ORDER, commandId }, origin, {
      destination: 'serial',
      simulated: true,
      clock,
    });
    command.end('CANCELLED', { code: 'STOPPED', text: 'stopped' });
    registry.add(command);
  };
  return { clock, registry, add };
}

const idsOf = (commands: readonly Command[]): string[] => commands.map(({ id }) => id);

test('lists the latest commands even if they are older than ten minutes', () => {
  const { clock, registry, add } = setUp();
  for (const id of ['a', 'b', 'c']) add(id);
  clock.advance(11 * 60_000);
  add('d');
  assert.deepEqual(idsOf(registry.newest(LISTED_COUNT)), ['d', 'c', 'b', 'a']);
});

test('removes commands older than ten minutes that are not among the latest 20', () => {
  const { clock, registry, add } = setUp();
  for (let at = 0; at < LISTED_COUNT + 5; at += 1) add(`old-${at}`);
  clock.advance(11 * 60_000);
  add('new');
  assert.equal(registry.newest(100).length, LISTED_COUNT);
  assert.equal(registry.find('old-5'), undefined);
  assert.ok(registry.find('old-6'));
});

test.run();
