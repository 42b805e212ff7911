import assert from 'node:assert/strict';
import { READY_MS } from './gateway-client.js';
import { poll } from './poll.js';
import { deviceSuite, type TestMachine } from './vm.js';

const BEACON = { description: 'one', longDescription: 'two', txPower: -59, lat: 0, long: 0 };

/** Changes settings, and starts the service anew. */
async function restart({ machine, gateway }: TestMachine, settings: object = {}): Promise<void> {
  // A machine that goes on from a snapshot has to find its network again.
  await gateway.ready();
  if (Object.keys(settings).length > 0) await gateway.must(gateway.post('/updateJson', settings));
  await machine.run('systemctl restart cartwright');
  await gateway.ready();
}

/** Resolves when one of the faults that health tells is as wanted. */
async function says({ gateway }: TestMachine, wanted: RegExp): Promise<void> {
  const { faults } = await gateway.health(`health says ${wanted}`, ({ faults }) =>
    wanted.test(String(faults)),
  );
  process.stdout.write(`\n    says: ${String((faults as string[]).find((fault) => wanted.test(fault)))}\n`);
}

await deviceSuite('what is missing or broken at the start', (test, vms) => {
  test('no controller, no camera, no broker: it starts, names all three, refuses to move, and moves when the plug is in', async () => {
    const vm = await vms.warmBoot();
    const { machine, gateway, line } = vm;
    await restart(vm, {
      serial: { path: '/dev/ttyUSB0' },
      camera: { mode: 'pi' },
      mqtt: { broker: 'external', host: '10.0.2.99' },
    });
    await says(vm, /ttyUSB0/);
    await says(vm, /10\.0\.2\.99/);
    // The camera is started by whoever looks.
    assert.equal((await gateway.get('/camera/snapshot.jpg')).status, 503);
    await says(vm, /camera/i);
    assert.equal((await gateway.move(20)).status, 503);
    const serial = { driver: 'usb-serial', chardev: 'usb', id: 'adapter', serial: 'CART1' };
    await machine.monitor.do('device_add', serial);
    // The adapter is in the machine as long as somebody holds the other end of its line.
    await line.plugIn(machine.socket('usb'));
    await gateway.firstCommand();
    line.unplug();
    await says(vm, /ttyUSB0/);
    assert.equal((await gateway.move(20)).status, 503);
  });

  test('a full disk: it starts, says so, takes no writes, and takes them again when there is room', async () => {
    const vm = await vms.warmBoot();
    const { machine, gateway } = vm;
    // As any program fills it: the last twentieth of an ext4 file system is root's.
    const fill = (file: string, block: string) =>
      `setpriv --reuid=nobody --clear-groups dd if=/dev/zero of=/var/tmp/${file} bs=${block} 2> /dev/null`;
    await machine.run(`${fill('filler', '1M')}; ${fill('filler2', '4k')}; sync`);
    await restart(vm);
    const refused = await poll('a write is refused', READY_MS, async () => {
      const answer = await gateway.put('/beacon/full-1', { ...BEACON, id: 'full-1' });
      return answer.status !== 200 && answer;
    });
    assert.equal(refused.status, 503, JSON.stringify(refused.body));
    await says(vm, /are free on the disk|the disk is full/);
    await machine.run('rm /var/tmp/filler /var/tmp/filler2 && sync');
    const saved = () => gateway.put('/beacon/full-2', { ...BEACON, id: 'full-2' });
    await poll('a write is taken', READY_MS, async () => (await saved()).status === 200);
    assert.equal((await gateway.get('/beacon?id=full-1')).status, 404);
  });

  test('a disk that root has filled to the last block: it starts, serves what was, moves nothing, and is itself again when there is room', async () => {
    const vm = await vms.warmBoot();
    const { machine, gateway } = vm;
    await gateway.ready();
    await gateway.must(gateway.put('/beacon/brim-1', { ...BEACON, id: 'brim-1' }));
    const fill =
      'cat /dev/zero > /var/tmp/filler 2> /dev/null; sync; cat /dev/zero >> /var/tmp/filler 2> /dev/null';
    await machine.run(`${fill}; true`);
    await restart(vm);
    await says(vm, /the disk was full when the gateway started/);
    assert.equal((await gateway.get('/beacon?id=brim-1')).status, 200);
    assert.equal((await gateway.put('/beacon/brim-2', { ...BEACON, id: 'brim-2' })).status, 503);
    const { status, body } = await gateway.move(20);
    assert.equal(status, 503, JSON.stringify(body));
    assert.match(String(body.message), /lost at the next start: the disk was full/);
    await machine.run('rm /var/tmp/filler && sync');
    await restart(vm);
    await gateway.must(gateway.put('/beacon/brim-2', { ...BEACON, id: 'brim-2' }));
    await gateway.firstCommand();
  });

  test('the clock says 1970: it starts, says that the clock is not set, and moves', async () => {
    const vm = await vms.warmBoot();
    // Linux lets no clock be earlier than the machine has been up.
    await vm.machine.run(
      'timedatectl set-ntp false 2> /dev/null; date --set="@$(( $(cut -d. -f1 /proc/uptime) + 60 ))" > /dev/null',
    );
    await restart(vm);
    const { clockSynced } = await vm.gateway.health('it is up', () => true);
    assert.notEqual(clockSynced, true);
    const { acceptedAt } = await vm.gateway.firstCommand();
    assert.match(String(acceptedAt), /^1970-/);
  });

  test('a read-only file system: nothing is saved, nothing moves any more, and after a restart it serves what was and says why', async () => {
    const vm = await vms.warmBoot();
    const { machine, gateway } = vm;
    await gateway.firstCommand();
    await gateway.must(gateway.put('/beacon/ro-card-0', { ...BEACON, id: 'ro-card-0' }));
    // Remounts every file system read-only, whoever writes to it: what a kernel does with a card that fails.
    await machine.run('echo u > /proc/sysrq-trigger');
    let count = 0;
    const refused = await poll('a write is refused', READY_MS, async () => {
      // What is there already as it is asked for needs no write.
      count += 1;
      const answer = await gateway.put('/beacon/ro-card-1', {
        ...BEACON,
        id: 'ro-card-1',
        description: `${count}`,
      });
      return answer.status !== 200 && answer;
    });
    assert.ok(refused.status >= 500, JSON.stringify(refused));
    await says(vm, /read-only|cannot|write/i);
    const forgotten = /lost at the next start: the file system is read-only/;
    const stands = await poll('it moves no more', READY_MS, async () => {
      const answer = await gateway.move(20);
      return answer.status === 503 && answer;
    });
    assert.match(String(stands.body.message), forgotten);
    await restart(vm);
    assert.equal((await gateway.get('/beacon?id=ro-card-0')).status, 200);
    assert.equal((await gateway.put('/beacon/ro-card-2', { ...BEACON, id: 'ro-card-2' })).status, 503);
    await says(vm, /read-only/);
    const { status, body } = await gateway.move(20);
    assert.equal(status, 503, JSON.stringify(body));
    assert.match(String(body.message), forgotten);
    const safe = await gateway.get('/safez');
    assert.deepEqual([safe.status, safe.body.mayMove], [503, false]);
  });
});
