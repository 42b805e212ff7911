import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CommandView } from '../../../src/carts/command/model.js';
import type { Snapshot } from '../../../src/simulator/controller/controller.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { hasSocat, layPtyPair, type PtyPair } from '../../helpers/pty.js';
import { SimulatorProcess } from '../../helpers/simulator-process.js';
import { untilAnswer } from '../../helpers/until.js';

/** The whole gateway as a process, on a real terminal line to a board that is another process and knows no distance. */
const BOARDS = {
  // It says in its version that it is simulated; a Sabertooth says nothing, so it counts as metal.
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

/** A test at a board, which leaves nothing behind that would keep the process from its end. */
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
  const line = await layPtyPair();
  const simulator = new SimulatorProcess(line.far, board);
  // A board that never answers would be taken for ready before it is there.
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
 * Has the cart drive fast; answers its command, and where it set out, in mm. A machine that is too busy stops it in
 * mid-move, as it should (LOOP_LAG): then it sets out again.
 */
async function driveFast({ gateway, simulator }: Fixture): Promise<{ body: CommandView; from: number }> {
  for (;;) {
    await gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
    const { x: from = 0 } = await simulator.snapshot();
    const { body } = await gateway.move(1, 5000);
    const { telemetry } = await gateway.untilCart(
      1,
      ({ telemetry, moving }) => !moving || (telemetry?.speedMmps ?? 0) > 250,
    );
    if ((telemetry?.speedMmps ?? 0) > 250) return { body, from };
  }
}

/** The same for a whole move. */
async function driveToTheEnd(
  { gateway, simulator }: Fixture,
  distanceMm: number,
): Promise<{ body: CommandView; from: number }> {
  for (;;) {
    await gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
    const { x: from = 0 } = await simulator.snapshot();
    const { body } = await gateway.move(1, distanceMm, {}, '?wait=done');
    if (body.reason?.code !== 'LOOP_LAG') return { body, from };
  }
}

/** Asks the board until it is as wanted. The gateway goes by the time that a ramp takes; the wheels may need a step more. */
function untilBoard(
  { simulator }: Fixture,
  wanted: (board: Partial<Snapshot>) => boolean,
): Promise<Partial<Snapshot>> {
  return untilAnswer(() => simulator.snapshot(), wanted);
}

for (const board of ['roboclaw', 'sabertooth'] as const) {
  const test = suite(`gateway and ${board} over a real pty`);

  test(
    'a command goes its way to the end, and is told as an estimate',
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
    'a stop in mid-move stands the cart, and the command says how far it came, about',
    withFixture(board, async (fixture) => {
      const { body, from } = await driveFast(fixture);
      assert.equal((await fixture.gateway.call('POST', '/carts/1/stop')).status, 200);
      await fixture.gateway.untilCart(1, ({ moving }) => !moving);
      const { x = 0 } = await untilBoard(fixture, ({ speed }) => speed === 0);
      const ended = await fixture.gateway.call('GET', `/commands/${body.commandId}`);
      assert.equal(ended.body.state, 'CANCELLED');
      const { distanceMm, estimated } = ended.body.result as { distanceMm: number; estimated: boolean };
      assert.equal(estimated, true);
      assert.ok(Math.abs(distanceMm - (x - from)) < 40, `${distanceMm} mm told, ${x - from} mm gone`);
    }),
  );

  test(
    'the gateway is killed in mid-move: the board stops by itself, and nothing resumes',
    withFixture(board, async (fixture) => {
      await driveFast(fixture);
      await fixture.gateway.kill('SIGKILL');
      const { x: killedAt = 0, motions } = await fixture.simulator.snapshot();
      const { x: stoppedAt = 0 } = await untilBoard(
        fixture,
        ({ state, speed }) => state === 'LINK_LOST' && speed === 0,
      );
      // 500 ms at 300 mm/s and a short ramp of the board's own.
      assert.ok(stoppedAt - killedAt <= 190, `${stoppedAt - killedAt} mm after the kill`);
      await fixture.gateway.spawn();
      await fixture.gateway.untilCart(1, ({ safety }) => safety.mayMove);
      assert.equal((await fixture.simulator.snapshot()).motions, motions);
    }),
  );

  test(
    'the cable is pulled in mid-move and put back: failed, refused, ready, and nothing resumes',
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
      const refused = await gateway.move(1, 100);
      assert.deepEqual([refused.status, refused.body.code], [503, 'SERIAL_DOWN']);
      await untilBoard(fixture, ({ state, speed }) => state === 'LINK_LOST' && speed === 0);
      await line.mend();
      await simulator.until(({ event }) => event === 'line.opened');
      await gateway.untilCart(1, ({ safety }) => safety.mayMove);
      const after = await simulator.snapshot();
      assert.deepEqual([after.motions, after.speed], [motions, 0]);
    }),
  );

  test(
    'an emergency stop from a page stands the wheels and refuses what comes after it',
    withFixture(board, async (fixture) => {
      await driveFast(fixture);
      assert.equal((await fixture.gateway.call('POST', '/estop', { cartID: 1 })).status, 200);
      await untilBoard(fixture, ({ speed }) => speed === 0);
      assert.equal((await fixture.gateway.move(1, 100)).body.code, 'ESTOP_ACTIVE');
    }),
  );

  if (hasSocat) test.run();
  else process.stdout.write(`SKIPPED: gateway and ${board} over a real pty needs socat\n`);
}

const test = suite('a roboclaw over a real pty');

test(
  'noise, wrong checksums and silence on the line stop the cart, and are over when they are over',
  withFixture('roboclaw', async (fixture) => {
    const { gateway, simulator } = fixture;
    for (const fault of ['noise on 10', 'corrupt on 1', 'mute on']) {
      const { body } = await driveFast(fixture);
      simulator.say(fault);
      await gateway.untilCart(1, ({ online }) => !online);
      const failed = await gateway.call('GET', `/commands/${body.commandId}`);
      assert.equal(failed.body.state, 'FAILED', fault);
      simulator.say(`${fault.split(' ')[0]} off`);
      await gateway.untilCart(1, ({ safety }) => safety.mayMove);
      // It was told to stand before the gateway was ready, and has a ramp of its own.
      await untilBoard(fixture, ({ speed }) => speed === 0);
    }
  }),
);

if (hasSocat) test.run();
else process.stdout.write('SKIPPED: a roboclaw over a real pty needs socat\n');
