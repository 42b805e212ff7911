import assert from 'node:assert/strict';
import { READY_MS } from './gateway-client.js';
import { poll } from './poll.js';
import { deviceSuite } from './vm.js';

await deviceSuite('a cold boot', (test, vms) => {
  test('the service starts automatically after a cold boot and acknowledges the first command', async () => {
    const vm = await vms.coldBoot();
    const { machine, gateway, line } = vm;
    await gateway.firstCommand();
    const commandS = (performance.now() - machine.startedAtMs) / 1000;
    const unit = 'systemctl show cartwright --value';
    const readyS = Number(await machine.run(`${unit} -p ActiveEnterTimestampMonotonic`)) / 1e6;
    assert.equal(await machine.run(`${unit} -p ActiveState -p NRestarts`), '0\nactive');
    assert.equal(await machine.run('cat /proc/1/comm'), 'systemd');
    assert.ok(line.controller.snapshot().motions > 0);
    const rssKb = Number(await machine.run(`ps -o rss= -p "$(${unit} -p MainPID)"`));
    process.stdout.write(
      `kernel start to READY ${readyS.toFixed(1)} s, power-on to first acknowledged command ${commandS.toFixed(1)} s, ` +
        `${await machine.run('uname -m')}, resident memory of the gateway ${(rssKb / 1024).toFixed(0)} MB\n`,
    );
    await poll(
      'the cart reaches its target',
      READY_MS,
      async () => (await gateway.get('/carts/1')).body.moving === false,
    );
  });
});
