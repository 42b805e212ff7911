import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { ReplaceableBus } from '../../../../src/adapters/mqtt/replaceable-bus.js';
import { applyCartSettings } from '../../../../src/app/composition/cart-settings.js';
import { openSimulatedCart } from '../../../../src/app/simulation/cart.js';
import type { SettingsService } from '../../../../src/settings/document/settings.js';
import { systemClock } from '../../../../src/shared/clock.js';
import type { BusStatus } from '../../../../src/shared/ports/mqtt.js';
import { Signal } from '../../../../src/shared/signal.js';
import { CartHarness, OPERATOR } from '../../../helpers/cart-harness.js';
import { until } from '../../../helpers/until.js';
import { idle, withTempSettings } from '../../settings/temp-settings.js';

const test = suite('applying settings');

interface Fixture {
  service: SettingsService;
  harness: CartHarness;
  broker: Signal<[BusStatus]>;
}

const BROKER: BusStatus = { connected: true, reason: '', url: 'mqtt://memory', embedded: true };

const withFixture = (initial: unknown, run: (fixture: Fixture) => Promise<void>) =>
  withTempSettings({}, async ({ open }) => {
    const service = await open({ initial });
    const harness = await CartHarness.ready((settings) =>
      Object.assign(settings, structuredClone(service.current)),
    );
    service.onChange(({ settings }) => {
      harness.settings = settings;
    });
    const broker = new Signal<[BusStatus]>();
    const bus = { status: () => ({ ...BROKER, connected: false }), onStatus: broker.on.bind(broker) };
    applyCartSettings(
      { settings: service },
      {
        ownCart: harness,
        line: { choose: () => undefined },
        mqtt: { bus, broker: { reopen: async () => undefined } },
      },
    );
    await run({ service, harness, broker });
    await harness.close();
  });

async function speedDuringMove({ harness }: Pick<Fixture, 'harness'>): Promise<number> {
  const command = harness.move(2000);
  await harness.run(2000);
  const { speed } = harness.controller.snapshot();
  harness.dispatcher.stopOwn('stop', OPERATOR);
  await harness.run(2000);
  assert.equal(command.state, 'CANCELLED');
  return speed;
}

test(
  'doubling the speed at full power halves the motor power, starting with the next command',
  withFixture({ serial: { driver: 'roboclaw' } }, async ({ service, harness }) => {
    const before = await speedDuringMove({ harness });
    await service.update({ kinematics: { openLoopMmpsAtFull: 2000 } }, idle);
    await harness.run(1000);
    const after = await speedDuringMove({ harness });
    assert.ok(Math.abs(before - 300) < 10 && Math.abs(after - 150) < 10, `${before} mm/s, then ${after}`);
  }),
);

test(
  'rejects motion on an open-loop board when the kinematics are set to a steered axle',
  withFixture({ serial: { driver: 'roboclaw' } }, async ({ service, harness }) => {
    await service.update({ kinematics: { type: 'ackermann' } }, idle);
    await harness.run(1000);
    assert.throws(() => harness.move(100), { code: 'INCOMPATIBLE' });
  }),
);

test(
  'applies allowNoWatchdog immediately',
  withFixture({ serial: { driver: 'sabertooth', baudRate: 9600 } }, async ({ service, harness }) => {
    const allow = async (allowNoWatchdog: boolean) => {
      await service.update({ safety: { allowNoWatchdog } }, idle);
      await harness.run(200);
    };
    assert.throws(() => harness.move(100), { code: 'INCOMPATIBLE' });
    await allow(true);
    assert.equal(harness.cart.refusal(), undefined);
    await allow(false);
    assert.throws(() => harness.move(100), { code: 'INCOMPATIBLE' });
  }),
);

test(
  'restarts the serial session only when settings that it uses change',
  withFixture({}, async ({ service, harness }) => {
    await service.update(
      {
        limits: { maxDistanceMm: 500, ttlMs: 1000, minBatteryMv: 1 },
        safety: { acceptNoEstop: true, allowUnknownCarts: true },
        units: { distance: 'cm' },
        presets: { distance: { 1: 100 } },
      },
      idle,
    );
    await harness.run(1000);
    assert.equal(harness.wire.opened, 1);
    assert.throws(() => harness.move(51), { code: 'RANGE' });
    await service.update({ limits: { decelMmps2: 400 } }, idle);
    await harness.run(1000);
    assert.equal(harness.wire.opened, 2);
  }),
);

test(
  "delays the serial session's restart until a motion that started during the save has ended",
  withFixture({}, async ({ service, harness }) => {
    const command = harness.move(500);
    await harness.run(500);
    await service.update({ kinematics: { trackMm: 500 } }, idle);
    await harness.run(500);
    assert.deepEqual([command.state, harness.wire.opened], ['RUNNING', 1]);
    await harness.run(4000);
    assert.deepEqual([command.state, harness.wire.opened], ['FINISHED', 2]);
  }),
);

test(
  'stops the cart on broker loss, but not on a failed reconnection, when onBrokerLoss is set to stop',
  withFixture({ mqtt: { onBrokerLoss: 'stop' } }, async ({ harness, broker }) => {
    const report = async (connected: boolean, reason: string) => {
      broker.emit({ ...BROKER, connected, reason });
      await harness.run(1500);
    };
    const before = harness.move(2000);
    await report(false, 'connecting');
    assert.equal(before.state, 'RUNNING');
    await report(true, '');
    await report(false, 'connection lost');
    assert.equal(before.state, 'CANCELLED');
    const after = harness.move(2000);
    await report(false, 'connection refused');
    assert.equal(after.state, 'RUNNING');
  }),
);

test(
  "restarts a simulated cart's session when the limits change",
  withTempSettings({}, async ({ open, log }) => {
    const settings = await open();
    const broker = { client: () => new ReplaceableBus(true), beforeLeaving: () => undefined };
    // The mock port of the serialport package uses real time.
    const cart = await openSimulatedCart({
      cartId: 2,
      start: { xMm: 0, yMm: 0, headingDeg: 0 },
      mqtt: { broker, isAuthenticated: () => false },
      settings,
      clock: systemClock,
      log,
    });
    const readies = () => log.lines.filter(({ fields }) => fields?.state === 'READY').length;
    await until(() => readies() === 1);
    await settings.update({ limits: { maxSpeedMmps: 900 } }, idle);
    await until(() => readies() === 2);
    await cart.close();
  }),
);

test.run();
