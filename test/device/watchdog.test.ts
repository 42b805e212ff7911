import assert from 'node:assert/strict';
import { READY_MS } from './gateway-client.js';
import { poll } from './poll.js';
import { deviceSuite, type TestMachine } from './vm.js';

const FAR_MM = 5000;
/** Duration of a freeze; longer than WatchdogSec plus the time that systemd gives the process to exit. */
const FROZEN_S = 30;

async function drive({ gateway, line }: TestMachine): Promise<void> {
  await gateway.firstCommand(FAR_MM);
  await poll('the cart drives', READY_MS, async () => line.controller.snapshot().speed > 0);
}

/** Saves a copy of gpio.json, from which the `ExecStopPost` programs read the pins in use. */
const SAVE_RECORD = `
  mkdir -p /run/systemd/system/cartwright.service.d
  printf '[Service]\\nExecStopPost=/bin/cp /run/cartwright/gpio.json /var/lib/cartwright/noted.json\\n' \\
    > /run/systemd/system/cartwright.service.d/note.conf
  systemctl daemon-reload`;

const unit = (vm: TestMachine, property: string): Promise<string> =>
  vm.machine.run(`systemctl show cartwright --value -p ${property}`);

/** Asserts that the service is running and connected to its controller, and that no motion has resumed. */
async function assertRestarted(vm: TestMachine, motions: number): Promise<void> {
  await poll('systemd restarts it', READY_MS, async () => Number(await unit(vm, 'NRestarts')) > 0);
  await vm.gateway.ready();
  await vm.gateway.health('the gateway has no faults left', ({ status }) => status === 'ok');
  const { speed, motions: now } = vm.line.controller.snapshot();
  assert.deepEqual({ speed, motions: now }, { speed: 0, motions });
}

await deviceSuite('systemd watchdog', (test, vms) => {
  test('systemd restarts a frozen gateway, and the controller stops the moving cart', async () => {
    const vm = await vms.warmBoot();
    const { machine, line } = vm;
    await machine.run(SAVE_RECORD);
    await drive(vm);
    const fromMs = performance.now();
    await machine.run('systemctl kill --signal=STOP cartwright');
    await poll(
      'the controller stops the cart',
      READY_MS,
      async () => line.controller.snapshot().state === 'LINK_LOST',
    );
    const deadmanMs = performance.now() - fromMs;
    await poll('the cart stands', READY_MS, async () => line.controller.snapshot().speed === 0);
    await assertRestarted(vm, line.controller.snapshot().motions);
    const journal = await machine.run('journalctl -u cartwright --no-pager -o cat');
    assert.match(journal, /Watchdog timeout/);
    const record = JSON.parse(await machine.run('cat /var/lib/cartwright/noted.json'));
    assert.equal(
      typeof record.gpio.enable.bcm,
      'number',
      'the pins in use were recorded before the motor enable was switched off',
    );
    process.stdout.write(
      `stop by the controller after ${(deadmanMs / 1000).toFixed(1)} s, running again after ${seconds(fromMs)} s `,
    );
  });

  test('systemd restarts a gateway whose disk hangs', async () => {
    const vm = await vms.warmBoot();
    const { machine, gateway, line } = vm;
    await gateway.firstCommand();
    const { motions } = line.controller.snapshot();
    const fromMs = performance.now();
    // The script unfreezes the disk itself, because a machine with a frozen disk accepts no commands.
    await machine.run(`(fsfreeze -f / && sleep ${FROZEN_S}; fsfreeze -u /) < /dev/null > /dev/null 2>&1 &`);
    const beacon = {
      id: 'frozen-1',
      description: 'never acknowledged',
      longDescription: 'long',
      txPower: -59,
      lat: 0,
      long: 0,
    };
    const { status } = await gateway.post('/beacon', beacon).catch(() => ({ status: 0 }));
    assert.notEqual(status, 200, 'an unstored write was acknowledged');
    await assertRestarted(vm, motions);
    assert.match(await machine.run('journalctl -u cartwright --no-pager -o cat'), /Watchdog timeout/);
    process.stdout.write(`running again after ${seconds(fromMs)} s, ${FROZEN_S} of them with a frozen disk `);
  });
});

const seconds = (fromMs: number): string => ((performance.now() - fromMs) / 1000).toFixed(1);
