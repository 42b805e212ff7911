import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { suite } from 'uvu';
import { serialOpener } from '../../../src/adapters/serialport/serialport.js';
import type { CommandView } from '../../../src/carts/command/model.js';
import { systemClock } from '../../../src/shared/clock.js';
import { textOf } from '../../../src/shared/messages/message.js';
import { Arduino } from '../../helpers/arduino.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { hasSocat, openPtyPair, type PtyPair } from '../../helpers/pty.js';
import { SimulatorProcess } from '../../helpers/simulator-process.js';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const test = suite('gateway and motor controller over a pty');

interface Fixture {
  line: PtyPair;
  simulator: SimulatorProcess;
  gateway: GatewayProcess;
}

async function open(driver: 'cgw1' | 'json-lines' = 'cgw1'): Promise<Fixture> {
  const line = await openPtyPair();
  const simulator = new SimulatorProcess(line.far, driver);
  const gateway = await GatewayProcess.start({ serial: { path: line.near, driver } });
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  return { line, simulator, gateway };
}

async function close({ line, simulator, gateway }: Fixture): Promise<void> {
  await gateway.close();
  await simulator.close();
  await line.close();
}

for (const driver of ['cgw1', 'json-lines'] as const) {
  test(`a command is sent, is acknowledged and finishes (${driver})`, async () => {
    const fixture = await open(driver);
    const { status, body } = await fixture.gateway.move(1, 200, {}, '?wait=done');
    assert.equal(status, 200);
    assert.equal(body.state, 'FINISHED');
    assert.deepEqual(
      body.timeline.map(({ state }) => state),
      ['ACCEPTED', 'SENT', 'ACKNOWLEDGED', 'RUNNING', 'FINISHED'],
    );
    // The simulated controller identifies itself in its handshake, so the gateway reports it as simulated
    // even on a real serial line.
    assert.equal(body.simulated, true);
    const { x = 0 } = await fixture.simulator.snapshot();
    assert.ok(Math.abs(x - 200) < 5, `${x} mm`);
    await close(fixture);
  });
}

for (const driver of ['cgw1', 'json-lines'] as const) {
  // Fault case 18
  test(`a board that resets when its port is opened becomes ready, even if its boot loader waits for silence (${driver})`, async () => {
    const line = await openPtyPair();
    await line.cut();
    const gateway = await GatewayProcess.start({ serial: { path: line.near, driver } });
    await line.restore();
    const far = await serialOpener({ path: line.far, baudRate: 115_200, log }).open();
    const board = new Arduino(systemClock, driver);
    far.onBytes((bytes) => board.receive(bytes));
    board.onSend((bytes) => far.write(bytes));
    await gateway.untilCart(1, ({ link }) => link?.state === 'HELLO');
    board.reset();
    await gateway.untilCart(1, ({ safety }) => safety.mayMove);
    assert.equal(board.swallowed, 0, 'bytes sent to the boot loader');
    await gateway.close();
    board.close();
    await far.close();
    await line.close();
  });
}

// Fault case 8
test("pressing the controller's E-stop ends a command with ESTOP_ACTIVE", async () => {
  const fixture = await open();
  const { gateway, simulator } = fixture;
  const { body } = await gateway.move(1, 5000);
  await gateway.untilCart(1, ({ telemetry }) => (telemetry?.speedMmps ?? 0) > 250);
  simulator.send('estop press');
  const { safety } = await gateway.untilCart(1, ({ safety }) => safety.emergencyStop === 'MANUAL');
  assert.match(textOf(safety.stoppedBy ?? ''), /E-stop on the cart/);
  const { body: command } = await gateway.call<CommandView>('GET', `/commands/${body.commandId}`);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'ESTOP_ACTIVE']);
  assert.match(textOf(command.reason?.text ?? ''), /E-stop on the cart/);
  await close(fixture);
});

// Fault case 14
test('the controller stops a moving cart when the gateway is killed, and the motion does not resume', async () => {
  const fixture = await open();
  const { gateway, simulator } = fixture;
  const { body } = await gateway.move(1, 5000);
  await gateway.untilCart(1, ({ telemetry }) => (telemetry?.speedMmps ?? 0) > 250);
  await gateway.kill('SIGKILL');
  const { x: killedAt = 0 } = await simulator.snapshot();
  await simulator.until(({ state }) => state === 'LINK_LOST');
  await simulator.until(({ enable }) => enable === false);
  const { x: stoppedAt = 0, speed } = await simulator.snapshot();
  assert.equal(speed, 0);
  // At 300 mm/s, the cart travels 150 mm in 500 ms; the ramp adds 90 mm; the remaining 20 mm allow for the
  // request delay.
  assert.ok(stoppedAt - killedAt <= 260, `${stoppedAt - killedAt} mm after the kill`);
  await gateway.spawn();
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  const failed = await gateway.call<CommandView>('GET', `/commands/${body.commandId}`);
  assert.deepEqual([failed.status, failed.body.state], [200, 'FAILED']);
  assert.equal(failed.body.reason?.code, 'GATEWAY_RESTART');
  // A client that received no response retries with the same ID and gets the result of the first command,
  // which failed.
  const again = await gateway.move(1, 5000, { commandId: body.commandId });
  assert.deepEqual([again.status, again.body.code], [503, 'GATEWAY_RESTART']);
  assert.equal((await gateway.move(1, 5001, { commandId: body.commandId })).body.code, 'ID_REUSED');
  assert.equal((await simulator.snapshot()).motions, 1);
  await close(fixture);
});

// Fault case 16
test('a command fails when the cable is unplugged, and no stale command is sent when the cable is reconnected', async () => {
  const fixture = await open();
  const { gateway, simulator, line } = fixture;
  const { body } = await gateway.move(1, 5000);
  await gateway.untilCart(1, ({ telemetry }) => (telemetry?.speedMmps ?? 0) > 100);
  await line.cut();
  await gateway.untilCart(1, ({ online }) => !online);
  const failed = await gateway.call('GET', `/commands/${body.commandId}`);
  assert.equal(failed.body.state, 'FAILED');
  assert.equal((failed.body.reason as { code: string }).code, 'SERIAL_LOST');
  const rejected = await gateway.move(1, 100);
  assert.equal(rejected.status, 503);
  assert.equal(rejected.body.code, 'SERIAL_DOWN');
  const before = await simulator.snapshot();
  await line.restore();
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  const after = await simulator.snapshot();
  assert.equal(after.commandsSeen, before.commandsSeen);
  assert.equal(after.motions, 1);
  await close(fixture);
});

// Fault case 17
test('the gateway reports a serial port that is in use, and opens the port when the port is released', async () => {
  const line = await openPtyPair();
  const simulator = new SimulatorProcess(line.far, 'cgw1');
  const other = await serialOpener({ path: line.near, baudRate: 115_200, log }).open();
  const gateway = await GatewayProcess.start({ serial: { path: line.near } });
  await gateway.untilCart(1, ({ link }) => /is in use by another program/.test(textOf(link?.reason ?? '')));
  const { status, body } = await gateway.move(1, 100);
  assert.deepEqual([status, body.code], [503, 'SERIAL_DOWN']);
  assert.equal((await gateway.call('GET', '/readyz')).status, 200);
  await other.close();
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  await close({ line, simulator, gateway });
});

// Fault case 17
test('the gateway reports a missing serial port, keeps serving requests and does not simulate a controller', async () => {
  const gateway = await GatewayProcess.start({ serial: { path: '/dev/there-is-no-such-tty' } });
  const { status, body } = await gateway.move(1, 100);
  assert.equal(status, 503);
  assert.equal(body.code, 'SERIAL_DOWN');
  const { simulated, link } = await gateway.cart(1);
  assert.equal(simulated, false);
  assert.match(textOf(link?.reason ?? ''), /there-is-no-such-tty/);
  assert.equal((await gateway.call('GET', '/readyz')).status, 200);
  assert.equal((await gateway.call('GET', '/carts/2')).status, 404);
  await gateway.close();
});

// Fault case 15
test('the controller stops the cart when the gateway freezes, and the command then fails', async () => {
  const fixture = await open();
  const { gateway, simulator } = fixture;
  const { body } = await gateway.move(1, 5000);
  await gateway.untilCart(1, ({ telemetry }) => (telemetry?.speedMmps ?? 0) > 250);
  process.kill(gateway.pid, 'SIGSTOP');
  await simulator.until(({ state }) => state === 'LINK_LOST');
  await simulator.until(({ enable }) => enable === false);
  process.kill(gateway.pid, 'SIGCONT');
  await gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
  const { body: command } = await gateway.call('GET', `/commands/${body.commandId}`);
  assert.equal(command.state, 'FAILED');
  assert.ok(
    ['LOOP_LAG', 'SERIAL_LOST'].includes((command.reason as { code: string }).code),
    JSON.stringify(command.reason),
  );
  assert.equal((await simulator.snapshot()).motions, 1);
  await close(fixture);
});

test("the gateway ramps the cart's speed down and exits with status 0 on SIGTERM during a move", async () => {
  const fixture = await open();
  const { gateway, simulator } = fixture;
  await gateway.move(1, 5000);
  await gateway.untilCart(1, ({ telemetry }) => (telemetry?.speedMmps ?? 0) > 250);
  assert.equal(await gateway.kill('SIGTERM'), 0);
  const { speed, state } = await simulator.snapshot();
  assert.equal(speed, 0);
  assert.notEqual(state, 'RUNNING');
  await close(fixture);
});

// Fault case 13
test('a latched stop persists after the gateway is killed', async () => {
  const fixture = await open();
  const { gateway } = fixture;
  assert.equal((await gateway.call('POST', '/estop', {})).status, 200);
  await gateway.logged('estop.latched');
  await gateway.untilCart(1, ({ safety }) => safety.emergencyStop === 'REMOTE');
  // A latching stop is acknowledged only after its latch has been saved.
  await gateway.kill('SIGKILL');
  await gateway.spawn();
  assert.equal((await gateway.cart(1)).safety.emergencyStop, 'REMOTE');
  assert.equal((await gateway.move(1, 100)).body.code, 'ESTOP_ACTIVE');
  await close(fixture);
});

test('an unreadable latch file is treated as a latched stop', async () => {
  const fixture = await open();
  const { gateway } = fixture;
  await gateway.kill('SIGTERM');
  await writeFile(`${gateway.dir}/data/estop.json`, '{"kind":');
  await gateway.spawn();
  const { safety } = await gateway.cart(1);
  assert.equal(safety.emergencyStop, 'REMOTE');
  assert.match(textOf(safety.stoppedBy ?? ''), /the record of the latched stop was unreadable/);
  await close(fixture);
});

if (hasSocat) test.run();
else process.stdout.write('\nSKIPPED: gateway and motor controller over a pty (socat is not installed)\n');
