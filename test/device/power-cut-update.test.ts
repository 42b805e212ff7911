import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { randomFrom, rounds, testSeed } from '../helpers/random.js';
import { GatewayClient, READY_MS } from './gateway-client.js';
import type { Machine } from './machine.js';
import { poll } from './poll.js';
import { lostBeacons, nothing, writeUntilCut } from './power-cut-work.js';
import { SerialLine } from './serial-line.js';
import { TestUpdates } from './test-updates.js';
import { deviceSuite, type VirtualMachines } from './vm.js';

const CUTS = rounds(2, 20);
const STEPS = ['checking', 'copying', 'placing', 'stopping', 'starting', 'testing', 'done'];
const SPOOL = '/var/lib/cartwright/updates';
const NEW = '98.0.0';
const name = TestUpdates.nameOf(NEW);

const REQUEST = `mkdir -p /media/updates && mount -o ro /dev/vdb /media/updates
  install -d -o cartwright -g cartwright -m 700 ${SPOOL} && cp /media/updates/${name}* ${SPOOL}/
  printf ${name} > ${SPOOL}/install.new && chown cartwright: ${SPOOL}/* && sync && mv ${SPOOL}/install.new ${SPOOL}/install`;

interface Progress {
  step: string;
  result: string | null;
  code: string | null;
  reason: string | null;
}

const progressOf = async (machine: Machine): Promise<Progress> =>
  JSON.parse(await machine.run('cat /var/lib/cartwright-update/progress.json 2> /dev/null || echo {}'));

const versionAt = (gateway: GatewayClient): Promise<string> =>
  poll('the gateway is ready', READY_MS, async () => {
    const { body } = await gateway.get('/readyz');
    return body.ready === true && String(body.version);
  });

/** Resolves when the update has reached the step or a later one. */
const reaches = (machine: Machine, step: string): Promise<unknown> =>
  poll(`the update reaches ${step}`, READY_MS, async () => {
    const { step: now } = await progressOf(machine);
    return STEPS.indexOf(now) >= STEPS.indexOf(step);
  });

/** Cuts the power once during an update and, in one of three rounds, again while the machine recovers. */
async function cutDuringUpdate(vms: VirtualMachines, medium: string, round: number): Promise<void> {
  const random = randomFrom(testSeed() + round);
  const line = new SerialLine();
  const dir = await vms.volatileDisk();
  const promised = nothing();
  const tear = round % 3 === 2 ? testSeed() + round : undefined;
  const powered = async (
    work: (machine: Machine, gateway: GatewayClient) => Promise<void>,
  ): Promise<void> => {
    const { machine, disk } = await vms.bootVolatile(dir, line, { medium });
    try {
      await work(machine, new GatewayClient(machine.url));
    } finally {
      await machine.cut();
      await disk.cut(tear);
    }
  };
  try {
    const step = STEPS[Math.floor(random() * STEPS.length)] as string;
    let from = '';
    await powered(async (machine, gateway) => {
      from = await versionAt(gateway);
      const writes = writeUntilCut(gateway, round, promised);
      await poll('an acknowledgement', READY_MS, async () => promised.acknowledged > 0);
      await machine.run(REQUEST);
      await reaches(machine, step);
      await setTimeout(random() * 5000);
      await machine.cut();
      await writes;
    });
    const again = random() < 1 / 3;
    if (again) await powered(() => setTimeout(random() * 60_000));
    await powered(async (machine, gateway) => {
      const served = await versionAt(gateway);
      const { result, code, reason } = await poll('the update ends', READY_MS, async () => {
        // If a power cut undid the removal of a request, the request is handled again.
        const pending = `ls ${SPOOL}/install /var/lib/cartwright-update/journal 2> /dev/null || true`;
        const found = await progressOf(machine);
        return found.result !== null && (await machine.run(pending)) === '' && found;
      });
      // Before the update ended, either release may have been serving.
      assert.ok([from, NEW].includes(served), served);
      assert.equal(await versionAt(gateway), result === 'installed' ? NEW : from, `${code}: ${reason}`);
      assert.notEqual(result, 'failed', `${reason}`);
      assert.deepEqual(await lostBeacons(gateway, promised), [], 'acknowledged beacons are missing');
      process.stdout.write(
        `cut at ${step}${again ? ' and during the recovery' : ''}: ${result ?? 'no update'} ${code ?? ''}, ${promised.acknowledged} writes kept\n`,
      );
    });
    assert.equal(line.controller.snapshot().motions, 0);
  } finally {
    line.close();
    rmSync(dir, { recursive: true });
  }
}

await deviceSuite('power cuts during an update', (test, vms) => {
  test(`the old or the new release runs after each of ${CUTS} power cuts, and no acknowledged write is lost`, async () => {
    const updates = new TestUpdates(vms.release);
    try {
      const medium = updates.medium(updates.archive(NEW));
      for (let round = 0; round < CUTS; round += 1) await cutDuringUpdate(vms, medium, round);
    } finally {
      updates.close();
    }
  });
});
