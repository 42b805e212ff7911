import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { startTrend } from '../../../../src/app/composition/trend.js';
import { Command } from '../../../../src/carts/command/command.js';
import type { CartView, CommandState, Telemetry } from '../../../../src/carts/command/model.js';
import { userActor } from '../../../../src/shared/actor.js';
import { Signal } from '../../../../src/shared/signal.js';
import { Trend } from '../../../../src/system/trends/trend.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const test = suite('trend samples');

const TELEMETRY = { speedMmps: -120, batteryMv: 25_400 } as Telemetry;
const ORDER = { commandId: 'c-1', cartId: 1, kind: 'move', ttlMs: 5000 } as Command['order'];
const ORIGIN = { source: 'http', gatewayId: 'g', actor: userActor('anna') } as const;

function harness() {
  const clock = new FakeClock();
  const trend = new Trend({ clock });
  const commands = new Signal<[Command]>();
  const view: Pick<CartView, 'ageMs' | 'telemetry'> = { ageMs: 100, telemetry: TELEMETRY };
  startTrend(trend, {
    cart: { view: () => view as CartView },
    dispatcher: { onOwnCommand: commands.on.bind(commands) },
    processMonitor: { takeLagMs: () => 3.14 },
  });
  const command = new Command(ORDER, ORIGIN, { destination: 'serial', simulated: true, clock });
  const advance = (state: CommandState): void => {
    command.advance(state, '');
    commands.emit(command);
  };
  return { clock, trend, view, advance };
}

test("reports a command's acknowledgement time in only one sample", () => {
  const { clock, trend, advance } = harness();
  advance('SENT');
  clock.advance(12);
  advance('ACKNOWLEDGED');
  clock.advance(1000);
  advance('RUNNING');
  clock.advance(1000);
  assert.deepEqual(trend.columns().answerMs, [12, null]);
});

test('reports neither speed nor battery voltage when telemetry is stale', () => {
  const { clock, trend, view } = harness();
  clock.advance(1000);
  view.ageMs = 1501;
  clock.advance(1000);
  view.ageMs = null;
  clock.advance(1000);
  const { speedMmps, batteryMv, lagMs } = trend.columns();
  assert.deepEqual(speedMmps, [-120, null, null]);
  assert.deepEqual(batteryMv, [25_400, null, null]);
  assert.deepEqual(lagMs, [3.1, 3.1, 3.1]);
});

test.run();
