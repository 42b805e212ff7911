import assert from 'node:assert/strict';
import { type Bench, deviceSuite } from './lab.js';

const INSTALL = 'CARTWRIGHT_READY_S=400 /mnt/systemd/install.sh';
const MOUNT = 'mountpoint -q /mnt || mount -o ro /dev/vdb /mnt';
const BEACON = { id: 'upgrade-1', description: 'before', longDescription: '', txPower: -59, lat: 0, long: 0 };
/** What an installation leaves behind, with rights and contents. */
const LEFT = `
  find /opt/cartwright /etc/cartwright /etc/systemd/system /etc/udev/rules.d /etc/sysusers.d -printf '%p %M %u %l\\n' | sort
  find /etc/systemd/system /etc/udev/rules.d /etc/cartwright -type f | sort | xargs sha256sum
  getent passwd cartwright; id cartwright`;

const pid = ({ machine }: Bench): Promise<string> =>
  machine.run('systemctl show cartwright --value -p MainPID');

await deviceSuite('install and upgrade', (test, lab) => {
  test('installing twice leaves the same, and the gateway that runs is not disturbed', async () => {
    const bench = await lab.warmBoot();
    const { machine } = bench;
    const [before, pidBefore] = [await machine.run(LEFT), await pid(bench)];
    await machine.run(`${MOUNT} && ${INSTALL}`);
    assert.equal(await machine.run(LEFT), before);
    assert.equal(await pid(bench), pidBefore);
  });

  test('a release that never becomes ready: the one before runs again, with its data', async () => {
    const bench = await lab.warmBoot();
    const { machine, site } = bench;
    await site.must(site.post('/beacon', BEACON));
    await machine.run(`${MOUNT} && cp -r /mnt /root/broken && cd /root/broken &&
      sed -i 's/"version": "[^"]*"/"version": "99.0.0"/' package.json &&
      echo 'throw new Error("this release is broken");' > dist/src/main.js`);
    const said = await machine.run(
      `CARTWRIGHT_READY_S=120 /mnt/systemd/install.sh --release /root/broken 2>&1; echo "ended with $?"`,
    );
    assert.match(said, /this release is broken/);
    assert.match(said, /runs again\nended with 1$/);
    assert.doesNotMatch(await machine.run('readlink /opt/cartwright/current'), /99/);
    await site.ready();
    assert.equal((await site.get(`/beacon?id=${BEACON.id}`)).body.description, BEACON.description);
    await site.firstCommand();
  });
});
