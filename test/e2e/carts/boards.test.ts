import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CommandView } from '../../../src/carts/command/model.js';
import type { Snapshot } from '../../../src/simulator/controller/controller.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { hasSocat, openPtyPair, type PtyPair } from '../../helpers/pty.js';
import { repeatOnce } from '../../helpers/repeat-once.js';
import { SimulatorProcess } from '../../helpers/simulator-process.js';
import { untilAnswer } from '../../helpers/until.js';

/**
 * Tests a gateway that is connected through a pty to a simulated motor controller in another process. The
 * controller has no odometry.
 */
const BOARDS = {
  // The version string of the simulated RoboClaw identifies it as simulated. A Sabertooth sends no data, so
  // the gateway cannot detect that the board is simulated.
  roboclaw: { serial: { driver: 'roboclaw', baudRate: 38400 }, safety: {} },
  sabertooth: {
    serial: { driver: 'sabertooth', baudRate: 9600 },
    safety: { allowNoWatchdog: true, acceptNoEstop: true },
  },
} as const;

interface Fixture {
  line: PtyPair;
  simulator: SimulatorProcess;
  gateway: GatewayProcess;
}

/** Runs a test, then closes the fixture, which would otherwise keep the test process running. */
const withFixture =
  (board: keyof typeof BOARDS, run: (fixture: Fixture) => Promise<void>) => async (): Promise<void> => {
    const fixture = await open(board);
    try {
      await run(fixture);
    } finally {
      await close(fixture);
    }
  };

async function open(board: keyof typeof BOARDS): Promise<Fixture> {
  const { serial, safety } = BOARDS[board];
  const line = await openPtyPair();
  const simulator = new SimulatorProcess(line.far, board);
  // Waits until the simulator has opened the port, because a board that never responds counts as ready even
  // before that.
  await simulator.until(({ event }) => event === 'line.opened');
  const gateway = await GatewayProcess.start({ serial: { path: line.near, ...serial }, safety });
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  return { line, simulator, gateway };
}

async function close({ line, simulator, gateway }: Fixture): Promise<void> {
  await gateway.close();
  await simulator.close();
  await line.close();
}

/**
 * Sends a move and waits until the cart is faster than 250 mm/s. Returns the command and the start position
 * in mm. Repeats the move once after LOOP_LAG.
 */
async function driveFast({ gateway, simulator }: Fixture): Promise<{ body: CommandView; from: number }> {
  const drive = async () => {
    await gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
    const { x: from = 0 } = await simulator.snapshot();
    const { body } = await gateway.move(1, 5000);
    const { telemetry } = await gateway.untilCart(
      1,
      ({ telemetry, moving }) => !moving || (telemetry?.speedMmps ?? 0) > 250,
    );
    return { body, from, isFast: (telemetry?.speedMmps ?? 0) > 250 };
  };
  const driven = await repeatOnce(drive, ({ body, isFast }) =>
    isFast ? undefined : gateway.endCode(body.commandId),
  );
  const code = driven.isFast ? undefined : await gateway.endCode(driven.body.commandId);
  assert.ok(driven.isFast, `the cart does not reach 250 mm/s: ${code}`);
  return driven;
}

/** Drives the whole distance. Repeats the move once after LOOP_LAG. */
async function driveToTheEnd(
  { gateway, simulator }: Fixture,
  distanceMm: number,
): Promise<{ body: CommandView; from: number }> {
  const drive = async () => {
    await gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
    const { x: from = 0 } = await simulator.snapshot();
    const { body } = await gateway.move(1, distanceMm, {}, '?wait=done');
    return { body, from };
  };
  return repeatOnce(drive, ({ body }) => body.reason?.code);
}

/**
 * Polls the board until its state matches, because the gateway only calculates a ramp's duration and the
 * wheels may need one more simulation step.
 */
function untilBoard(
  { simulator }: Fixture,
  matches: (board: Partial<Snapshot>) => boolean,
): Promise<Partial<Snapshot>> {
  return untilAnswer(() => simulator.snapshot(), matches);
}

for (const board of ['roboclaw', 'sabertooth'] as const) {
  const test = suite(`gateway and ${board} over a pty`);

  test(
    'a command finishes with an estimated distance',
    withFixture(board, async (fixture) => {
      const { body, from } = await driveToTheEnd(fixture, 400);
      assert.deepEqual([body.state, body.result?.estimated], ['FINISHED', true]);
      assert.equal(
        body.timeline.some(({ state }) => state === 'ACKNOWLEDGED'),
        board === 'roboclaw',
      );
      const { x = 0 } = await untilBoard(fixture, ({ speed }) => speed === 0);
      assert.ok(Math.abs(x - from - 400) < 20, `${x - from} mm`);
      const { link, pose } = await fixture.gateway.cart(1);
      assert.equal(link?.delivery, board === 'roboclaw' ? 'confirmed' : 'unconfirmed');
      assert.equal(pose, undefined);
    }),
  );

  test(
    'a stop ends the move, and the command reports the estimated distance',
    withFixture(board, async (fixture) => {
      const { body, from } = await driveFast(fixture);
      assert.equal((await fixture.gateway.call('POST', '/carts/1/stop')).status, 200);
      await fixture.gateway.untilCart(1, ({ moving }) => !moving);
      const { x = 0 } = await untilBoard(fixture, ({ speed }) => speed === 0);
      const ended = await fixture.gateway.call('GET', `/commands/${body.commandId}`);
      assert.equal(ended.body.state, 'CANCELLED');
      const { distanceMm, estimated } = ended.body.result as { distanceMm: number; estimated: boolean };
      assert.equal(estimated, true);
      assert.ok(Math.abs(distanceMm - (x - from)) < 40, `${distanceMm} mm reported, ${x - from} mm driven`);
    }),
  );

  test(
    'the board stops a moving cart when the gateway is killed, and the motion does not resume',
    withFixture(board, async (fixture) => {
      await driveFast(fixture);
      await fixture.gateway.kill('SIGKILL');
      const { x: killedAt = 0, motions } = await fixture.simulator.snapshot();
      const { x: stoppedAt = 0 } = await untilBoard(
        fixture,
        ({ state, speed }) => state === 'LINK_LOST' && speed === 0,
      );
      // The limit is the distance covered in 500 ms at 300 mm/s, plus the board's short ramp.
      assert.ok(stoppedAt - killedAt <= 190, `${stoppedAt - killedAt} mm after the kill`);
      await fixture.gateway.spawn();
      await fixture.gateway.untilCart(1, ({ safety }) => safety.mayMove);
      assert.equal((await fixture.simulator.snapshot()).motions, motions);
    }),
  );

  test(
    'the command fails when the cable is unplugged, and the motion does not resume when the cable is reconnected',
    withFixture(board, async (fixture) => {
      const { gateway, simulator, line } = fixture;
      const { body } = await driveFast(fixture);
      const { motions } = await simulator.snapshot();
      await line.cut();
      await gateway.untilCart(1, ({ online }) => !online);
      const failed = await gateway.call('GET', `/commands/${body.commandId}`);
      assert.deepEqual(
        [failed.body.state, (failed.body.reason as { code: string }).code],
        ['FAILED', 'SERIAL_LOST'],
      );
      const rejected = await gateway.move(1, 100);
      assert.deepEqual([rejected.status, rejected.body.code], [503, 'SERIAL_DOWN']);
      await untilBoard(fixture, ({ state, speed }) => state === 'LINK_LOST' && speed === 0);
      await line.restore();
      await simulator.until(({ event }) => event === 'line.opened');
      await gateway.untilCart(1, ({ safety }) => safety.mayMove);
      const after = await simulator.snapshot();
      assert.deepEqual([after.motions, after.speed], [motions, 0]);
    }),
  );

  test(
    'a latching stop stops the wheels, and later commands are rejected',
    withFixture(board, async (fixture) => {
      await driveFast(fixture);
      const { status } = await fixture.gateway.call('POST', '/estop', { cartID: 1 });
      assert.equal(status, 200);
      await untilBoard(fixture, ({ speed }) => speed === 0);
      assert.equal((await fixture.gateway.move(1, 100)).body.code, 'ESTOP_ACTIVE');
    }),
  );

  if (hasSocat) test.run();
  else process.stdout.write(`SKIPPED: gateway and ${board} over a pty (socat is not installed)\n`);
}

const test = suite('a RoboClaw over a pty');

test(
  'noise, wrong checksums or silence on the line stops the cart until the line recovers',
  withFixture('roboclaw', async (fixture) => {
    const { gateway, simulator } = fixture;
    for (const fault of ['noise on 10', 'corrupt on 1', 'mute on']) {
      const { body } = await driveFast(fixture);
      simulator.send(fault);
      await gateway.untilCart(1, ({ online }) => !online);
      const failed = await gateway.call('GET', `/commands/${body.commandId}`);
      assert.equal(failed.body.state, 'FAILED', fault);
      simulator.send(`${fault.split(' ')[0]} off`);
      await gateway.untilCart(1, ({ safety }) => safety.mayMove);
      // The board may still be decelerating on its own ramp.
      await untilBoard(fixture, ({ speed }) => speed === 0);
    }
  }),
);

if (hasSocat) test.run();
else process.stdout.write('SKIPPED: a roboclaw over a real pty needs socat\n');
