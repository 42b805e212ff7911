import assert from 'node:assert/strict';
import { READY_MS } from './gateway-client.js';
import { poll } from './poll.js';
import { deviceSuite, type TestMachine } from './vm.js';

const BEACON = { description: 'one', longDescription: 'two', txPower: -59, lat: 0, long: 0 };

async function restart({ machine, gateway }: TestMachine, settings: object = {}): Promise<void> {
  // Waits, because a machine that was resumed from a snapshot must first reconnect to its network.
  await gateway.ready();
  if (Object.keys(settings).length > 0) await gateway.must(gateway.post('/updateJson', settings));
  await machine.run('systemctl restart cartwright');
  await gateway.ready();
}

async function untilFault({ gateway }: TestMachine, pattern: RegExp): Promise<void> {
  const { faults } = await gateway.health(`health reports ${pattern}`, ({ faults }) =>
    pattern.test(String(faults)),
  );
  process.stdout.write(
    `\n    health reports: ${String((faults as string[]).find((fault) => pattern.test(fault)))}\n`,
  );
}

await deviceSuite('missing or broken components at startup', (test, vms) => {
  test('the gateway starts without a controller, camera or broker, reports each fault and rejects motion', async () => {
    const vm = await vms.warmBoot();
    const { machine, gateway, line } = vm;
    await restart(vm, {
      serial: { path: '/dev/ttyUSB0' },
      camera: { mode: 'pi' },
      mqtt: { broker: 'external', host: '10.0.2.99' },
    });
    await untilFault(vm, /ttyUSB0/);
    await untilFault(vm, /10\.0\.2\.99/);
    assert.equal((await gateway.get('/camera/snapshot.jpg')).status, 503);
    await untilFault(vm, /camera/i);
    assert.equal((await gateway.move(20)).status, 503);
    const serial = { driver: 'usb-serial', chardev: 'usb', id: 'adapter', serial: 'CART1' };
    await machine.monitor.do('device_add', serial);
    // The machine detects the USB adapter only while the adapter's serial end is connected.
    await line.plugIn(machine.socket('usb'));
    await gateway.firstCommand();
    line.unplug();
    await untilFault(vm, /ttyUSB0/);
    assert.equal((await gateway.move(20)).status, 503);
  });

  test('the gateway starts with a full disk, reports the fault and rejects writes until space is free', async () => {
    const vm = await vms.warmBoot();
    const { machine, gateway } = vm;
    // An unprivileged user fills the disk, because ext4 reserves the last 5 % for root.
    const fill = (file: string, block: string) =>
      `setpriv --reuid=nobody --clear-groups dd if=/dev/zero of=/var/tmp/${file} bs=${block} 2> /dev/null`;
    await machine.run(`${fill('filler', '1M')}; ${fill('filler2', '4k')}; sync`);
    await restart(vm);
    const rejected = await poll('a write is rejected', READY_MS, async () => {
      const answer = await gateway.put('/beacon/full-1', { ...BEACON, id: 'full-1' });
      return answer.status !== 200 && answer;
    });
    assert.equal(rejected.status, 503, JSON.stringify(rejected.body));
    await untilFault(vm, /of disk space is free|the disk is full/);
    await machine.run('rm /var/tmp/filler /var/tmp/filler2 && sync');
    const saved = () => gateway.put('/beacon/full-2', { ...BEACON, id: 'full-2' });
    await poll('a write is taken', READY_MS, async () => (await saved()).status === 200);
    assert.equal((await gateway.get('/beacon?id=full-1')).status, 404);
  });

  test('the gateway serves stored data but rejects motion when no disk space is left, not even the space reserved for root', async () => {
    const vm = await vms.warmBoot();
    const { machine, gateway } = vm;
    await gateway.ready();
    await gateway.must(gateway.put('/beacon/brim-1', { ...BEACON, id: 'brim-1' }));
    const fill =
      'cat /dev/zero > /var/tmp/filler 2> /dev/null; sync; cat /dev/zero >> /var/tmp/filler 2> /dev/null';
    await machine.run(`${fill}; true`);
    await restart(vm);
    await untilFault(vm, /the disk was full when the gateway started/);
    assert.equal((await gateway.get('/beacon?id=brim-1')).status, 200);
    assert.equal((await gateway.put('/beacon/brim-2', { ...BEACON, id: 'brim-2' })).status, 503);
    const { status, body } = await gateway.move(20);
    assert.equal(status, 503, JSON.stringify(body));
    assert.match(String(body.message), /would be lost in a restart: the disk was full/);
    await machine.run('rm /var/tmp/filler && sync');
    await restart(vm);
    await gateway.must(gateway.put('/beacon/brim-2', { ...BEACON, id: 'brim-2' }));
    await gateway.firstCommand();
  });

  test('the gateway reports at startup that the clock is not set, and allows motion', async () => {
    const vm = await vms.warmBoot();
    // Linux rejects a time that would place the boot before 1970.
    await vm.machine.run(
      'timedatectl set-ntp false 2> /dev/null; date --set="@$(( $(cut -d. -f1 /proc/uptime) + 60 ))" > /dev/null',
    );
    await restart(vm);
    const { clockSynced } = await vm.gateway.health('it is up', () => true);
    assert.notEqual(clockSynced, true);
    const { acceptedAt } = await vm.gateway.firstCommand();
    assert.match(String(acceptedAt), /^1970-/);
  });

  test('the gateway rejects writes and motion but serves data after a restart on a read-only file system', async () => {
    const vm = await vms.warmBoot();
    const { machine, gateway } = vm;
    await gateway.firstCommand();
    await gateway.must(gateway.put('/beacon/ro-card-0', { ...BEACON, id: 'ro-card-0' }));
    // Remounts every file system read-only despite open files, as the kernel does when an SD card fails.
    await machine.run('echo u > /proc/sysrq-trigger');
    let count = 0;
    const rejected = await poll('a write is rejected', READY_MS, async () => {
      // The value changes with each attempt, because storing an unchanged value causes no write.
      count += 1;
      const answer = await gateway.put('/beacon/ro-card-1', {
        ...BEACON,
        id: 'ro-card-1',
        description: `${count}`,
      });
      return answer.status !== 200 && answer;
    });
    assert.ok(rejected.status >= 500, JSON.stringify(rejected));
    await untilFault(vm, /read-only|cannot|write/i);
    const forgotten = /would be lost in a restart: the file system is read-only/;
    const stands = await poll('it moves no more', READY_MS, async () => {
      const answer = await gateway.move(20);
      return answer.status === 503 && answer;
    });
    assert.match(String(stands.body.message), forgotten);
    await restart(vm);
    assert.equal((await gateway.get('/beacon?id=ro-card-0')).status, 200);
    assert.equal((await gateway.put('/beacon/ro-card-2', { ...BEACON, id: 'ro-card-2' })).status, 503);
    await untilFault(vm, /read-only/);
    const { status, body } = await gateway.move(20);
    assert.equal(status, 503, JSON.stringify(body));
    assert.match(String(body.message), forgotten);
    const safe = await gateway.get('/safez');
    assert.deepEqual([safe.status, safe.body.mayMove], [503, false]);
  });
});
