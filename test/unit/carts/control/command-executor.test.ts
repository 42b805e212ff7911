import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Command } from '../../../../src/carts/command/command.js';
import { CommandExecutor } from '../../../../src/carts/control/command-executor.js';
import type { MotorDriver } from '../../../../src/carts/serial/driver.js';
import { OPERATOR } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

/** A driver of a board without acknowledgements, whose line may refuse a frame. */
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

  move(): Promise<void> {
    this.sent.push('move');
    return Promise.resolve();
  }

  stop(): Promise<void> {
    if (this.isBroken) throw new Error('the port is closed');
    this.sent.push('stop');
    return Promise.resolve();
  }
}

test('ends every command when the line refuses the stop frame, and reports the line as broken', () => {
  const clock = new FakeClock();
  const driver = new StubDriver();
  const broken: unknown[] = [];
  const executor = new CommandExecutor({
    clock,
    driver: () => driver as unknown as MotorDriver,
    limits: () => ({ maxSpeedMmps: 500, accelMmps2: 400, decelMmps2: 500 }),
    arm: () => undefined,
    refusal: () => undefined,
    runaway: () => assert.fail('no motion overran'),
    broken: (error) => broken.push(error),
  });
  executor.connected(driver as unknown as MotorDriver);
  const command = (commandId: string): Command =>
    new Command(
      {
        ...{ commandId, cartId: 1, kind: 'move', raw: { distanceID: 1000, angleID: 0 } },
        ...{ distanceMm: 1000, angleDdeg: 0, maxSpeedMmps: 300, ttlMs: 2000, onBusy: 'queue' },
      },
      OPERATOR,
      { destination: 'serial', simulated: false, clock },
    );
  const [running, waiting] = [command('a'), command('b')];
  executor.take(running);
  executor.take(waiting);
  driver.isBroken = true;
  executor.stop(2, { code: 'STOPPED', text: 'stopped by the test' });
  assert.deepEqual([running.state, waiting.state], ['CANCELLED', 'CANCELLED']);
  assert.equal(broken.length, 1);
  assert.deepEqual(driver.sent, ['move']);
});

test.run();
