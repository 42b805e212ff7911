import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Command } from '../../../../src/carts/command/command.js';
import type { Reason } from '../../../../src/carts/command/model.js';
import { CommandExecutor } from '../../../../src/carts/control/command-executor.js';
import { UNLIMITED } from '../../../../src/carts/control/live-limits.js';
import type { MotorDriver } from '../../../../src/carts/serial/driver.js';
import { NACK_ERROR_CODES } from '../../../../src/carts/serial/drivers/requests.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { OPERATOR, settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

/** A driver for a board that sends no acknowledgements; the test can make its methods fail. */
class StubDriver implements Pick<MotorDriver, 'traits' | 'move' | 'stop'> {
  readonly traits = {
    ack: 'none',
    feedback: false,
    watchdogMs: null,
    resetButton: false,
    warning: '',
  } as const;
  readonly sent: string[] = [];
  isBroken = false;
  moveError: Error | undefined;

  move(): Promise<void> {
    this.sent.push('move');
    return this.moveError ? Promise.reject(this.moveError) : Promise.resolve();
  }

  stop(): Promise<void> {
    if (this.isBroken) throw new Error('the port is closed');
    this.sent.push('stop');
    return Promise.resolve();
  }
}

/** Returns an executor with a driver that the test can make fail. */
function setUp() {
  const clock = new FakeClock();
  const driver = new StubDriver();
  const broken: unknown[] = [];
  const blocked: { reason: Reason | undefined } = { reason: undefined };
  const during: { arm?: () => void; limitSpeed?: () => void } = {};
  const executor = new CommandExecutor({
    link: {
      driver: driver as unknown as MotorDriver,
      end: () => assert.fail('no motion overran'),
      fail: (error) => broken.push(error),
    },
    arming: { arm: () => during.arm?.() },
    limitSpeed: () => during.limitSpeed?.(),
    gated: {
      slowest: UNLIMITED,
      send: () => undefined,
      limitedJog: (order) => order,
    },
    field: {
      refusal: () => blocked.reason && { ...blocked.reason, hint: '' },
    },
    speedLimits: () => UNLIMITED,
    limits: () => ({ maxSpeedMmps: 500, accelMmps2: 400, decelMmps2: 500 }),
    refusal: () => undefined,
    estopped: () => assert.fail('no E-stop was reported'),
    clock,
  });
  executor.connected(driver as unknown as MotorDriver);
  const command = (commandId: string): Command =>
    new Command(
      {
        commandId,
        cartId: 1,
        kind: 'move',
        raw: { distanceID: 1000, angleID: 0 },
        distanceMm: 1000,
        angleDdeg: 0,
        maxSpeedMmps: 300,
        ttlMs: 2000,
        onBusy: 'queue',
      },
      OPERATOR,
      { destination: 'serial', simulated: false, clock },
    );
  return { driver, broken, blocked, during, executor, running: command('a'), waiting: command('b') };
}

test('does not send a motion frame after a stop that occurs while the motors are armed or the speed is limited', () => {
  const reason: Reason = { code: 'ESTOP_ACTIVE', text: '' };
  const stops = {
    drop: ({ executor }: ReturnType<typeof setUp>) => executor.drop(reason),
    stop: ({ executor }: ReturnType<typeof setUp>) => void executor.stop(2, reason),
  };
  for (const stop of Object.values(stops)) {
    for (const step of ['arm', 'limitSpeed'] as const) {
      const parts = setUp();
      const { driver, during, executor, running } = parts;
      let limited = false;
      during.limitSpeed = () => (limited = true);
      during[step] = () => stop(parts);
      executor.execute(running);
      assert.ok(!driver.sent.includes('move'), step);
      assert.deepEqual([limited, running.final], [false, true], step);
    }
  }
});

test('ends every command and reports a broken serial line when the stop frame cannot be written', () => {
  const { driver, broken, executor, running, waiting } = setUp();
  executor.execute(running);
  executor.execute(waiting);
  driver.isBroken = true;
  executor.stop(2, { code: 'STOPPED', text: 'stopped by the test' });
  assert.deepEqual([running.state, waiting.state], ['CANCELLED', 'CANCELLED']);
  assert.equal(broken.length, 1);
  assert.deepEqual(driver.sent, ['move']);
});

// The controller may have received the move from an earlier attempt, so the move must not be reported as failed.
test('reports a broken serial line, instead of failing the move, when a move cannot be written', async () => {
  for (const error of [new GatewayError('SERIAL_DOWN', 'the serial line is blocked'), new Error('EIO')]) {
    const { driver, broken, executor, running, waiting } = setUp();
    driver.moveError = error;
    executor.execute(running);
    executor.execute(waiting);
    await settle();
    assert.deepEqual(broken, [error]);
    assert.deepEqual([running.state, waiting.state], ['SENT', 'QUEUED']);
    assert.deepEqual(driver.sent, ['move']);
  }
});

for (const code of [...NACK_ERROR_CODES, 'STOPPED'] as const) {
  test(`a move that is rejected with ${code} fails but does not end the connection`, async () => {
    const { driver, broken, executor, running } = setUp();
    driver.moveError = new GatewayError(code, 'rejected');
    executor.execute(running);
    await settle();
    assert.deepEqual([running.final, broken], [true, []]);
  });
}

test('a move that the controller does not acknowledge is stopped but does not end the connection', async () => {
  const { driver, broken, executor, running } = setUp();
  driver.moveError = new GatewayError('SERIAL_ACK_TIMEOUT', 'no acknowledgement');
  executor.execute(running);
  await settle();
  assert.deepEqual([driver.sent, broken], [['move', 'stop'], []]);
});

test('reports the obstacle when the controller rejects a move in a direction that has just been blocked', async () => {
  const { driver, blocked, executor, running } = setUp();
  driver.moveError = new GatewayError('CONTROLLER_FAULT', 'the controller reports a fault');
  executor.execute(running);
  blocked.reason = { code: 'OBSTACLE', text: 'obstacle 320 mm ahead' };
  await settle();
  assert.deepEqual([running.state, running.reason], ['FAILED', blocked.reason]);
});

test.run();
