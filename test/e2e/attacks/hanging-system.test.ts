import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { packageRoot } from '../../../src/shared/package-root.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { serviceEnvironment } from '../../helpers/service-environment.js';
import { until } from '../../helpers/until.js';
import { openBroker, withCleanup } from '../../unit/carts/mqtt/test-bus.js';

const PASSWORD = 'correct horse battery';
const ADMINISTRATOR = { CARTWRIGHT_ADMIN_USER: 'anna', CARTWRIGHT_ADMIN_PASSWORD: PASSWORD };
const hasCompiler = spawnSync('cc', ['--version']).status === 0;

type Later = Parameters<Parameters<typeof withCleanup>[0]>[0];

/** System calls of a gateway that hang while a file exists; see `test/helpers/hanging-system.c`. */
class HangingSystem {
  readonly #dir = mkdtempSync(join(tmpdir(), 'hanging-'));

  constructor(later: Later) {
    later(() => rmSync(this.#dir, { recursive: true, force: true }));
    const source = join(packageRoot(), 'test', 'helpers', 'hanging-system.c');
    const options = ['-shared', '-fPIC', '-O1', '-o', this.#shim, source, '-ldl'];
    const built = spawnSync('cc', options, { encoding: 'utf8' });
    assert.equal(built.status, 0, built.stderr);
  }

  get env(): NodeJS.ProcessEnv {
    return { LD_PRELOAD: this.#shim, HANG_DIR: this.#dir };
  }

  hang(call: 'fsync' | 'dns'): void {
    writeFileSync(join(this.#dir, call), '');
  }

  release(call: 'fsync' | 'dns'): void {
    rmSync(join(this.#dir, call), { force: true });
  }

  /** Names whose lookups have started. */
  lookups(): string[] {
    const path = join(this.#dir, 'lookups');
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  }

  get #shim(): string {
    return join(this.#dir, 'hanging-system.so');
  }
}

async function startGateway(
  later: Later,
  system: HangingSystem,
  settings: object = {},
): Promise<GatewayProcess> {
  const gateway = await GatewayProcess.start(settings, {
    ...(await serviceEnvironment()),
    ...system.env,
    ...ADMINISTRATOR,
  });
  later(async () => {
    system.release('fsync');
    system.release('dns');
    await gateway.close();
  });
  return gateway;
}

/** Starts requests whose responses wait for the disk. Returns a function that counts those without a response. */
function saveBeacons(
  gateway: GatewayProcess,
  count: number,
): { waiting: () => number; saved: Promise<number[]> } {
  let waiting = count;
  const saved = Array.from({ length: count }, async (_, n) => {
    const { status } = await gateway.call('POST', '/beacon', { id: `beacon-${n}` });
    waiting -= 1;
    return status;
  });
  return { waiting: () => waiting, saved: Promise.all(saved) };
}

const latchOf = (gateway: GatewayProcess): { kind: string } =>
  JSON.parse(readFileSync(join(gateway.dir, 'data', 'estop.json'), 'utf8'));

const withShim = hasCompiler ? test : test.skip;

withShim(
  'a stop and a latching stop are confirmed while the disk does not respond, and the latch is saved afterwards',
  () =>
    withCleanup(async (later) => {
      const system = new HangingSystem(later);
      const gateway = await startGateway(later, system);
      await gateway.untilCart(1, ({ safety }) => safety.mayMove);
      system.hang('fsync');
      const beacons = saveBeacons(gateway, 8);
      assert.equal((await gateway.call('POST', '/carts/1/stop')).status, 200);
      assert.equal((await gateway.call('POST', '/estop', { cartID: 1 })).status, 200);
      const { safety } = await gateway.cart(1);
      assert.equal(safety.emergencyStop, 'REMOTE');
      const health = await gateway.call('GET', '/health');
      assert.match(String(health.body.faults), /has not been saved yet, because the disk does not respond/);
      for (const path of ['/', '/fleet', '/carts', '/health']) {
        assert.equal((await gateway.call('GET', path)).status, 200, path);
      }
      assert.equal(beacons.waiting(), 8);

      system.release('fsync');
      assert.deepEqual(await beacons.saved, Array(8).fill(200));
      await until(() => latchOf(gateway).kind === 'REMOTE');
      await gateway.kill('SIGKILL');
      await gateway.spawn(system.env);
      assert.equal((await gateway.cart(1)).safety.emergencyStop, 'REMOTE');
    }),
);

withShim(
  'DNS lookups that never end do not delay file access, password hashing or a new broker connection',
  () =>
    withCleanup(async (later) => {
      const system = new HangingSystem(later);
      system.hang('dns');
      const broker = await openBroker();
      later(() => broker.close());
      const urls = Array.from({ length: 5 }, (_, n) => `http://hook-${n}.hang.test/`);
      const gateway = await startGateway(later, system, {
        mqtt: { broker: 'external', host: 'broker.hang.test', port: 1883 },
        alarms: {
          webhook: { urls },
          mail: { host: 'mail.hang.test', sender: 'a@b.test', recipients: ['a@b.test'] },
        },
      });
      await until(() => system.lookups().includes('broker.hang.test'));
      assert.equal((await gateway.call('POST', '/estop', { cartID: 1 })).status, 200);
      await until(() => system.lookups().length >= 2);

      await until(() => latchOf(gateway).kind === 'REMOTE');
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ username: 'anna', password: PASSWORD });
      assert.equal((await fetch(`${gateway.url}/login`, { method: 'POST', headers, body })).status, 201);

      const change = await gateway.call('POST', '/updateJson', {
        mqtt: { host: 'localhost', port: broker.port },
      });
      assert.equal(change.status, 200);
      assert.match(await gateway.untilBroker(), /localhost/);
      // Two lookups have started and neither has ended: one for the broker and one for an alarm.
      assert.equal(system.lookups().length, 2);
    }),
);

test.run();
