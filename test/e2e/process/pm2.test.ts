import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CartView, CommandView } from '../../../src/carts/command/model.js';
import { hasSocat, openPtyPair, type PtyPair } from '../../helpers/pty.js';
import { repeatOnce } from '../../helpers/repeat-once.js';
import { SimulatorProcess } from '../../helpers/simulator-process.js';
import { until, untilAnswer } from '../../helpers/until.js';
import { hasPm2, Pm2 } from './pm2.js';

/** Tests the gateway under pm2, connected by a pty to a simulated controller that outlives the gateway. */
const test = suite('pm2');

interface Fixture {
  line: PtyPair;
  simulator: SimulatorProcess;
  pm2: Pm2;
}

/** Runs a test with its own pm2 daemon, which is stopped afterwards even if the test fails. */
function withFixture(act: (fixture: Fixture) => Promise<void>): () => Promise<void> {
  return async () => {
    const line = await openPtyPair();
    const simulator = new SimulatorProcess(line.far);
    const pm2 = await Pm2.create({ serial: { path: line.near } });
    try {
      await pm2.start();
      await act({ line, simulator, pm2 });
    } finally {
      await pm2.close();
      await simulator.close();
      await line.close();
    }
  };
}

async function untilCart(pm2: Pm2, matches: (cart: CartView) => boolean): Promise<CartView> {
  const url = await pm2.url();
  return untilAnswer(async () => (await (await fetch(`${url}/carts/1`)).json()) as CartView, matches);
}

const isFast = ({ telemetry }: CartView): boolean => (telemetry?.speedMmps ?? 0) > 250;

/** Drives until the cart reaches a high speed. Repeats the move once after LOOP_LAG. Returns the number of moves. */
async function drive(pm2: Pm2): Promise<number> {
  let moves = 0;
  const attempt = async (): Promise<string | undefined> => {
    moves += 1;
    await untilCart(pm2, ({ safety, moving }) => safety.mayMove && !moving);
    const body = JSON.stringify({ cartID: 1, distanceID: 5000, angleID: 0 });
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const answer = await fetch(await pm2.url(), { method: 'POST', headers, body });
    assert.ok(answer.ok);
    if (isFast(await untilCart(pm2, (cart) => isFast(cart) || !cart.moving))) return undefined;
    const { commandId } = (await answer.json()) as CommandView;
    const ended = await fetch(`${await pm2.url()}/commands/${commandId}`);
    return ((await ended.json()) as CommandView).reason?.code ?? 'slow';
  };
  assert.equal(await repeatOnce(attempt, (code) => code), undefined, 'the cart does not reach 250 mm/s');
  return moves;
}

async function assertStopped({ simulator }: Fixture, moves: number): Promise<void> {
  const { speed, state, motions } = await simulator.snapshot();
  assert.deepEqual([speed, motions], [0, moves]);
  assert.notEqual(state, 'RUNNING');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

if (!hasPm2 || !hasSocat) process.stdout.write('skipped: pm2 or socat is not installed\n');
const pm2Test = hasPm2 && hasSocat ? test : test.skip;

pm2Test(
  'pm2 start waits until the gateway is ready, and pm2 stop brings the cart to rest and leaves no processes running',
  withFixture(async (fixture) => {
    const { pid, status } = await fixture.pm2.app();
    assert.equal(status, 'online');
    assert.equal((await fetch(`${await fixture.pm2.url()}/readyz`)).status, 200);
    const moves = await drive(fixture.pm2);
    await fixture.pm2.run('stop', 'cartwright');
    assert.equal(isAlive(pid), false);
    await assertStopped(fixture, moves);
    const events = (await fixture.pm2.log()).map(({ event }) => event);
    assert.equal(events.at(-1), 'gateway.stopped');
  }),
);

pm2Test(
  'pm2 reload during a move stops the cart and ends the old gateway before the new gateway starts',
  withFixture(async (fixture) => {
    const { pid } = await fixture.pm2.app();
    const moves = await drive(fixture.pm2);
    await fixture.pm2.run('reload', 'ecosystem.config.js');
    assert.equal(isAlive(pid), false);
    await assertStopped(fixture, moves);
    await untilCart(fixture.pm2, ({ safety }) => safety.mayMove);
    const events = (await fixture.pm2.log()).map(({ event }) => String(event));
    const [stopped, opened] = [events.indexOf('gateway.stopped'), events.lastIndexOf('store.opened')];
    assert.ok(stopped >= 0 && stopped < opened, events.join(' '));
  }),
);

pm2Test(
  'when the gateway is killed during a move, the cart stops, pm2 restarts the gateway, and the motion does not resume',
  withFixture(async (fixture) => {
    const { pid } = await fixture.pm2.app();
    const moves = await drive(fixture.pm2);
    process.kill(pid, 'SIGKILL');
    await fixture.simulator.until(({ state }) => state === 'LINK_LOST');
    await fixture.simulator.until(({ enable }) => enable === false);
    const again = await fixture.pm2.until((app) => app.status === 'online' && app.pid !== pid);
    assert.equal(again.restarts, 1);
    await untilCart(fixture.pm2, ({ safety }) => safety.mayMove);
    await assertStopped(fixture, moves);
  }),
);

pm2Test(
  'killing the pm2 daemon during a move stops the cart and the gateway',
  withFixture(async (fixture) => {
    const { pid } = await fixture.pm2.app();
    const moves = await drive(fixture.pm2);
    process.kill(await fixture.pm2.daemonPid(), 'SIGKILL');
    await until(() => !isAlive(pid));
    await assertStopped(fixture, moves);
  }),
);

test.run();
