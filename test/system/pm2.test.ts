import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CartView } from '../../src/carts/model.js';
import { SimulatorProcess } from '../support/simulator-process.js';
import { hasPm2, Pm2 } from './pm2.js';
import { hasSocat, layPtyPair, type PtyPair } from './pty.js';

/** The gateway under the real pm2, on a real line to a controller that outlives it. */
const test = suite('pm2');

interface Site {
  line: PtyPair;
  simulator: SimulatorProcess;
  pm2: Pm2;
}

/** A test with a pm2 of its own, whose daemon would outlive a test that fails. */
function onSite(act: (site: Site) => Promise<void>): () => Promise<void> {
  return async () => {
    const line = await layPtyPair();
    const simulator = new SimulatorProcess(line.far);
    const pm2 = await Pm2.lay({ serial: { path: line.near } });
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

async function untilCart(pm2: Pm2, wanted: (cart: CartView) => boolean): Promise<void> {
  const url = await pm2.url();
  for (;;) {
    const cart = (await (await fetch(`${url}/carts/1`)).json()) as CartView;
    if (wanted(cart)) return;
  }
}

/** Five metres, and the cart is on its way. */
async function drive(pm2: Pm2): Promise<void> {
  await untilCart(pm2, ({ safety }) => safety.mayMove);
  const body = JSON.stringify({ cartID: 1, distanceID: 5000, angleID: 0 });
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  assert.ok((await fetch(await pm2.url(), { method: 'POST', headers, body })).ok);
  await untilCart(pm2, ({ telemetry }) => (telemetry?.speedMmps ?? 0) > 250);
}

/** The cart stands, and has been told to move once. */
async function assertStopped({ simulator }: Site): Promise<void> {
  const { speed, state, motions } = await simulator.snapshot();
  assert.deepEqual([speed, motions], [0, 1]);
  assert.notEqual(state, 'RUNNING');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

if (!hasPm2 || !hasSocat) process.stdout.write('skipped: no pm2 or no socat on this machine\n');
const onPm2 = hasPm2 && hasSocat ? test : test.skip;

onPm2(
  'start comes back when the gateway serves; stop in mid-move ramps the cart down, and leaves no process behind',
  onSite(async (site) => {
    const { pid, status } = await site.pm2.app();
    assert.equal(status, 'online');
    assert.equal((await fetch(`${await site.pm2.url()}/readyz`)).status, 200);
    await drive(site.pm2);
    await site.pm2.run('stop', 'cartwright');
    assert.equal(isAlive(pid), false);
    await assertStopped(site);
    const events = (await site.pm2.log()).map(({ event }) => event);
    assert.equal(events.at(-1), 'gateway.stopped');
  }),
);

onPm2(
  'reload in mid-move: the old gateway has stopped the cart and is gone before the new one opens anything',
  onSite(async (site) => {
    const { pid } = await site.pm2.app();
    await drive(site.pm2);
    await site.pm2.run('reload', 'ecosystem.config.js');
    assert.equal(isAlive(pid), false);
    await assertStopped(site);
    await untilCart(site.pm2, ({ safety }) => safety.mayMove);
    const events = (await site.pm2.log()).map(({ event }) => String(event));
    const [stopped, opened] = [events.indexOf('gateway.stopped'), events.lastIndexOf('store.opened')];
    assert.ok(stopped >= 0 && stopped < opened, events.join(' '));
  }),
);

onPm2(
  'killed in mid-move: the controller stops the cart, pm2 starts the gateway again, and nothing resumes',
  onSite(async (site) => {
    const { pid } = await site.pm2.app();
    await drive(site.pm2);
    process.kill(pid, 'SIGKILL');
    await site.simulator.until(({ state }) => state === 'LINK_LOST');
    await site.simulator.until(({ enable }) => enable === false);
    const again = await site.pm2.until((app) => app.status === 'online' && app.pid !== pid);
    assert.equal(again.restarts, 1);
    await untilCart(site.pm2, ({ safety }) => safety.mayMove);
    await assertStopped(site);
  }),
);

onPm2(
  'the daemon of pm2 is killed in mid-move: the gateway stops the cart and itself, and no orphan drives on',
  onSite(async (site) => {
    const { pid } = await site.pm2.app();
    await drive(site.pm2);
    process.kill(await site.pm2.daemonPid(), 'SIGKILL');
    while (isAlive(pid)) await new Promise(setImmediate);
    await assertStopped(site);
  }),
);

test.run();
