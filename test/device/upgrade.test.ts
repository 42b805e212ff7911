import assert from 'node:assert/strict';
import { type Container, INSTALL } from './container.js';
import { READY_MS } from './gateway-client.js';
import { poll } from './poll.js';
import { deviceSuite } from './vm.js';

const BEACON = {
  id: 'upgrade-1',
  description: 'before',
  longDescription: 'long',
  txPower: -59,
  lat: 0,
  long: 0,
};
const INSTALLED_FILES = `
  find /opt/cartwright /etc/cartwright /etc/systemd/system /etc/udev/rules.d /etc/sysusers.d -printf '%p %M %u %l\\n' | sort
  find /etc/systemd/system /etc/udev/rules.d /etc/cartwright -type f | sort | xargs sha256sum
  getent passwd cartwright; id cartwright`;

const property = (container: Container, name: string): Promise<string> =>
  container.run(`systemctl show cartwright --value -p ${name}`);

const call = (path: string, body?: object): string =>
  `curl -fsS ${body ? `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'` : ''} 'http://127.0.0.1:3000${path}'`;

await deviceSuite('install and upgrade', (test, vms) => {
  test('a second installation changes nothing and does not disturb the running gateway', async () => {
    const container = await vms.container();
    await container.run(INSTALL);
    const [before, pid] = [await container.run(INSTALLED_FILES), await property(container, 'MainPID')];
    await container.run(INSTALL);
    assert.equal(await container.run(INSTALLED_FILES), before);
    assert.equal(await property(container, 'MainPID'), pid);
    assert.equal(await property(container, 'ActiveState'), 'active');
  });

  test('the next installation completes a first installation that was interrupted at any step', async () => {
    const container = await vms.container();
    await container.listenInside();
    const state = '/var/lib/cartwright-update';
    const journal = (phase: string, id: string): string =>
      `mkdir -p ${state} && printf '%s\\n' phase=${phase} id=${id} previous= is_new=true node=/usr/bin/node > ${state}/journal`;
    // The release is on the disk, but the links to it are missing.
    await container.run(`mkdir -p /opt/cartwright/releases && cp -r /mnt /opt/cartwright/releases/0.1.0`);
    await container.run(journal('placed', '0.1.0'));
    await container.run(INSTALL);
    const id = await container.run('ls /opt/cartwright/releases');
    assert.doesNotMatch(id, /0\.1\.0/);
    const unlink = `systemctl stop cartwright cartwright-update.path && cd /etc/systemd/system && rm -f cartwright.service cartwright-recover.service &&
      rm /opt/cartwright/current && systemctl daemon-reload`;
    await container.run(`${unlink} && ${journal('switched', id)}`);
    assert.match(await container.run(INSTALL), /is ready at/);
    assert.equal(await container.run(`test -e ${state}/journal && echo kept || true`), '');
    assert.equal(await property(container, 'ActiveState'), 'active');
  });

  test('the installer rolls back a release that never becomes ready and keeps the data', async () => {
    const container = await vms.container();
    await container.listenInside();
    await container.run(INSTALL);
    await container.run(call('/beacon', BEACON));
    const release = await container.run('readlink /opt/cartwright/current');
    await container.run(`cp -r /mnt /root/broken && cd /root/broken && rm SHA256SUMS.sig &&
      sed -i 's/"version": "[^"]*"/"version": "99.0.0"/' package.json &&
      echo 'throw new Error("this release is broken");' > dist/src/main.js`);
    const upgrade = 'CARTWRIGHT_READY_S=60 /mnt/systemd/install.sh --allow-unsigned --release /root/broken';
    const output = await container.run(`${upgrade}; echo "ended with $?"`);
    assert.match(output, /this release is broken/);
    assert.match(output, /runs again\nended with 1$/);
    assert.equal(await container.run('readlink /opt/cartwright/current'), release);
    const stored = JSON.parse(await container.run(call(`/beacon?id=${BEACON.id}`)));
    assert.equal(stored.description, BEACON.description);
  });

  test('systemd restarts a killed gateway, and uninstalling the gateway keeps the data', async () => {
    const container = await vms.container();
    await container.listenInside();
    await container.run(INSTALL);
    await container.run(call('/beacon', BEACON));
    await container.run('systemctl kill --signal=KILL cartwright');
    await poll('systemd restarts it', READY_MS, async () => (await property(container, 'NRestarts')) === '1');
    await poll('it is ready', READY_MS, () => container.run(call('/readyz')));
    await container.run('/mnt/systemd/install.sh --uninstall');
    assert.equal(await container.run('test -e /opt/cartwright || echo gone'), 'gone');
    await container.run(INSTALL);
    const stored = JSON.parse(await container.run(call(`/beacon?id=${BEACON.id}`)));
    assert.equal(stored.description, BEACON.description);
  });

  test('three consecutive kills put the gateway into stop-only mode, and a requested restart ends that mode', async () => {
    const container = await vms.container();
    await container.listenInside();
    await container.run(INSTALL);
    const mode = async (): Promise<string> => JSON.parse(await container.run(call('/health'))).mode;
    for (const kill of ['1', '2', '3']) {
      await container.run('systemctl kill --signal=KILL cartwright');
      await poll(
        'systemd restarts it',
        READY_MS,
        async () => (await property(container, 'NRestarts')) === kill,
      );
      await poll('it serves', READY_MS, () => container.run(call('/livez')));
    }
    assert.equal(await mode(), 'stop-only');
    assert.match(await property(container, 'StatusText'), /^Stop-only mode, listening on /);
    await container.run('systemctl restart cartwright');
    assert.equal(await mode(), 'full');
    assert.match(await property(container, 'StatusText'), /^Serving at /);
  });
});
