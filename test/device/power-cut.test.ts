import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { randomFrom, rounds, testSeed } from '../helpers/random.js';
import { GatewayClient, READY_MS } from './gateway-client.js';
import type { Machine } from './machine.js';
import { poll } from './poll.js';
import { type Acknowledged, checkSettings, lostBeacons, nothing, writeUntilCut } from './power-cut-work.js';
import { SerialLine } from './serial-line.js';
import { deviceSuite, type VirtualMachines } from './vm.js';

const CUTS = rounds(3, 20);
const FAR_MM = 5000;

/** A machine that loses power repeatedly. The controller stays powered, and the disk is reused. */
class CutMachine {
  readonly line = new SerialLine();
  readonly promised: Acknowledged = nothing();
  readonly #lab: VirtualMachines;
  readonly #dir: string;

  private constructor(vms: VirtualMachines, dir: string) {
    this.#lab = vms;
    this.#dir = dir;
  }

  static async create(vms: VirtualMachines): Promise<CutMachine> {
    return new CutMachine(vms, await vms.volatileDisk());
  }

  async round(
    round: number,
    before: (gateway: GatewayClient, machine: Machine) => Promise<void>,
    { lies = false } = {},
  ): Promise<void> {
    const random = randomFrom(testSeed() + round);
    const { machine, disk } = await this.#lab.bootVolatile(this.#dir, this.line, { lies });
    const gateway = new GatewayClient(machine.url);
    try {
      await gateway.ready();
      await before(gateway, machine);
      this.promised.acknowledged = 0;
      const work = writeUntilCut(gateway, round, this.promised);
      const acknowledged = poll('an acknowledgement', READY_MS, async () => this.promised.acknowledged > 0);
      await Promise.race([acknowledged, work]);
      await setTimeout(random() * 4000);
      await machine.cut();
      await work;
      assert.ok(this.promised.acknowledged > 0, 'no write was acknowledged before the cut');
    } finally {
      await machine.cut();
      // Every third cut also tears writes. On a disk that ignores flushes, torn writes would leave no usable
      // file system.
      const isTorn = !lies && round % 3 === 2;
      await disk.cut(isTorn ? testSeed() + round : undefined);
    }
  }

  async afterwards(assertIntact: (gateway: GatewayClient, machine: Machine) => Promise<void>): Promise<void> {
    const { machine, disk } = await this.#lab.bootVolatile(this.#dir, this.line);
    try {
      const gateway = new GatewayClient(machine.url);
      await gateway.ready();
      await assertIntact(gateway, machine);
    } finally {
      await machine.cut();
      await disk.cut();
    }
  }

  close(): void {
    this.line.close();
    rmSync(this.#dir, { recursive: true });
  }
}

/**
 * Asserts that no data was lost and no motion has resumed. `motions` is the number of motions before the
 * power cut.
 */
async function assertIntact(
  cutMachine: CutMachine,
  gateway: GatewayClient,
  machine: Machine,
  motions: number,
): Promise<void> {
  const { promised, line } = cutMachine;
  assert.deepEqual(await lostBeacons(gateway, promised), [], 'acknowledged beacons are missing');
  await checkSettings(machine, promised);
  const ready = (body: Record<string, unknown>) =>
    (body as { link?: { state: string } }).link?.state === 'READY';
  const cart = await poll('the controller is back', READY_MS, async () => {
    const { body } = await gateway.get('/carts/1');
    return ready(body) && (body as { moving: boolean; safety: { emergencyStop: string } });
  });
  assert.equal(cart.safety.emergencyStop, promised.latched ? 'REMOTE' : 'NONE');
  assert.equal(cart.moving, false);
  const { state, speed, motions: now } = line.controller.snapshot();
  assert.deepEqual({ speed, motions: now }, { speed: 0, motions }, `the cart is moving: ${state}`);
}

/** Resets a latched stop, then starts a motion (even rounds) or latches a stop (odd rounds). */
async function prepareRound(cutMachine: CutMachine, round: number, gateway: GatewayClient): Promise<void> {
  const { promised, line } = cutMachine;
  if (promised.latched) {
    await poll(
      'the E-stop is reset',
      READY_MS,
      async () => (await gateway.post('/estop/reset')).status === 200,
    );
    promised.latched = false;
  }
  if (round % 2 === 0) {
    await gateway.firstCommand(FAR_MM);
    await poll('the cart drives', READY_MS, async () => line.controller.snapshot().speed > 0);
  } else {
    // Retried, because the request fails if the gateway closes the connection at the same moment.
    await poll('the E-stop is latched', READY_MS, async () => (await gateway.post('/estop')).status === 200);
    promised.latched = true;
  }
}

/** Control test: asserts that the loss of data on the disk is detected. */
async function assertLossDetected(cutMachine: CutMachine, why: string): Promise<void> {
  await cutMachine.afterwards(async (gateway) => {
    const lost = await lostBeacons(gateway, cutMachine.promised);
    assert.ok(lost.length > 0, `no loss detected: ${why}`);
    process.stdout.write(
      `${why}: ${lost.length} lost, ${cutMachine.promised.acknowledged} acknowledged before that cut\n`,
    );
  });
}

await deviceSuite('power cuts', (test, vms) => {
  test(`every acknowledged write and latched stop survives ${CUTS} power cuts, and no motion resumes`, async () => {
    const cutMachine = await CutMachine.create(vms);
    let total = 0;
    let motions = 0;
    const checked = (gateway: GatewayClient, machine: Machine): Promise<void> =>
      assertIntact(cutMachine, gateway, machine, motions);
    try {
      for (let round = 0; round < CUTS; round += 1) {
        await cutMachine.round(round, async (gateway, machine) => {
          if (round > 0) await checked(gateway, machine);
          await prepareRound(cutMachine, round, gateway);
          motions = cutMachine.line.controller.snapshot().motions;
        });
        total += cutMachine.promised.acknowledged;
      }
      // This boot checks the result of the last cut and starts a run in which the disk acknowledges flushes
      // without performing them.
      await cutMachine.round(CUTS, checked, { lies: true });
      process.stdout.write(`${CUTS} cuts, ${total} acknowledged writes, none lost\n`);
      await assertLossDetected(cutMachine, 'a disk that lies');
    } finally {
      cutMachine.close();
    }
  });

  // With fewer than 20 power cuts, the control run on a disk that ignores flushes is sufficient.
  const control = CUTS < 20 ? test.skip : test;
  control(
    'control: the power-cut test detects lost writes when the database does not sync every commit',
    async () => {
      const cutMachine = await CutMachine.create(vms);
      const files = `$(grep -rl 'synchronous = FULL' --include='*.js' /opt/cartwright/current/dist/src)`;
      try {
        await cutMachine.round(0, async (gateway, machine) => {
          await machine.run(
            `sed -i "s/synchronous = FULL/synchronous = NORMAL/; s/level *!== *2/level !== 1/" ${files} && sync`,
          );
          await machine.run('systemctl restart cartwright');
          await gateway.ready();
        });
        await assertLossDetected(cutMachine, 'synchronous=NORMAL');
      } finally {
        cutMachine.close();
      }
    },
  );
});
