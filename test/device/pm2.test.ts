import assert from 'node:assert/strict';
import { READY_MS } from './gateway-client.js';
import { poll } from './poll.js';
import { deviceSuite } from './vm.js';

const PROGRAM = '/packages/node_modules/pm2/bin/pm2';
/**
 * Returns a command that runs pm2 with the release in /mnt (see docs/operating.md) and a writable data
 * directory.
 */
const pm2 = (args: string): string =>
  `cd /mnt && export HOME=/root PM2_DISABLE_VERSION_CHECK=true CARTWRIGHT_DATA_DIR=/var/lib/carts \
     CARTWRIGHT_CONFIG=/etc/cartwright/config.json && ${PROGRAM} ${args}`;
const LIVEZ = 'curl -fsS http://127.0.0.1:3000/livez';
const GATEWAY_PIDS = `pgrep -f '^node .*dist/src/main.js'`;
const BEACON = {
  id: 'kept-by-pm2',
  description: 'before',
  longDescription: 'long',
  txPower: -59,
  lat: 0,
  long: 0,
};

await deviceSuite('pm2 at boot', (test, vms) => {
  test('pm2 starts exactly one gateway after a reboot and leaves no processes running when it is stopped', async () => {
    const container = await vms.container();
    await container.listenInside();
    await container.run(pm2('start ecosystem.config.js'));
    await container.run(`curl -fsS -H 'Content-Type: application/json' -d '${JSON.stringify(BEACON)}' \
      http://127.0.0.1:3000/beacon`);
    await container.run(`${pm2('save')} && ${PROGRAM} startup systemd -u root --hp /root`);
    await container.reboot();
    await poll('it is ready', READY_MS, () => container.run(LIVEZ));
    const stored = JSON.parse(
      await container.run(`curl -fsS 'http://127.0.0.1:3000/beacon?id=${BEACON.id}'`),
    );
    assert.equal(stored.description, BEACON.description);
    assert.equal((await container.run(GATEWAY_PIDS)).split('\n').length, 1);
    await container.run('systemctl stop pm2-root');
    assert.equal(await container.run(`${GATEWAY_PIDS} || echo none`), 'none');
  });
});
