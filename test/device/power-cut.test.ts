import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { randomFrom } from '../../src/simulator/physics/physics.js';
import { GatewayClient, READY_MS } from './gateway-client.js';
import type { Machine } from './machine.js';
import { poll } from './poll.js';
import { checkSettings, lostBeacons, nothing, type Promised, writeUntilCut } from './power-cut-work.js';
import { SerialLine } from './serial-line.js';
import { deviceSuite, type VirtualMachines } from './vm.js';

const CUTS = Number(process.env.CARTWRIGHT_CUTS || 20);
const SEED = Number(process.env.CARTWRIGHT_SEED || Date.now() % 1_000_000);
const FAR_MM = 5000;

/** One cart whose machine loses its power again and again; the controller and the disk stay. */
class Victim {
  readonly line = new SerialLine();
  readonly promised: Promised = nothing();
  readonly #lab: VirtualMachines;
  readonly #dir: string;

  private constructor(vms: VirtualMachines, dir: string) {
    this.#lab = vms;
    this.#dir = dir;
  }

  static async make(vms: VirtualMachines): Promise<Victim> {
    return new Victim(vms, await vms.volatileDisk());
  }

  /** Boots, does what `before` says, works, and loses its power after a random time. */
  async round(
    round: number,
    before: (gateway: GatewayClient, machine: Machine) => Promise<void>,
    { lies = false } = {},
  ): Promise<void> {
    const random = randomFrom(SEED + round);
    const { machine, disk } = await this.#lab.bootVolatile(this.#dir, this.line, lies);
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
      assert.ok(this.promised.acknowledged > 0, 'nothing was acknowledged before the cut');
    } finally {
      await machine.cut();
      // Every third time the disk is torn as well; half of what a lie has left out would be no file system.
      const isTorn = !lies && round % 3 === 2;
      await disk.cut(isTorn ? SEED + round : undefined);
    }
  }

  /** Boots a last time, for `look`. */
  async afterwards(look: (gateway: GatewayClient, machine: Machine) => Promise<void>): Promise<void> {
    const { machine, disk } = await this.#lab.bootVolatile(this.#dir, this.line);
    try {
      const gateway = new GatewayClient(machine.url);
      await gateway.ready();
      await look(gateway, machine);
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

/** What must hold after every cut. `motions`: those that had begun before it. */
async function check(
  victim: Victim,
  gateway: GatewayClient,
  machine: Machine,
  motions: number,
): Promise<void> {
  const { promised, line } = victim;
  assert.deepEqual(await lostBeacons(gateway, promised), [], 'acknowledged beacons are lost');
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
  assert.deepEqual({ speed, motions: now }, { speed: 0, motions }, `the cart moves again: ${state}`);
}

/** In turn: the power goes while the cart drives, and while it is stopped by an emergency stop. */
async function provoke(victim: Victim, round: number, gateway: GatewayClient): Promise<void> {
  const { promised, line } = victim;
  if (promised.latched) {
    await poll(
      'the stop is reset',
      READY_MS,
      async () => (await gateway.post('/estop/reset')).status === 200,
    );
    promised.latched = false;
  }
  if (round % 2 === 0) {
    await gateway.firstCommand(FAR_MM);
    await poll('the cart drives', READY_MS, async () => line.controller.snapshot().speed > 0);
  } else {
    await gateway.must(gateway.post('/estop'));
    promised.latched = true;
  }
}

/** The control of every test of this file: what a disk lost is found. */
async function seesTheLoss(victim: Victim, why: string): Promise<void> {
  await victim.afterwards(async (gateway) => {
    const lost = await lostBeacons(gateway, victim.promised);
    assert.ok(lost.length > 0, `nothing is lost: ${why}`);
    process.stdout.write(
      `${why}: ${lost.length} lost, ${victim.promised.acknowledged} acknowledged before that cut\n`,
    );
  });
}

await deviceSuite('power cuts', (test, vms) => {
  test(`${CUTS} cuts: what was acknowledged is there, a latch holds, nothing resumes; a disk that lies is found out`, async () => {
    process.stdout.write(`seed ${SEED} `);
    const victim = await Victim.make(vms);
    let total = 0;
    let motions = 0;
    const checked = (gateway: GatewayClient, machine: Machine): Promise<void> =>
      check(victim, gateway, machine, motions);
    try {
      for (let round = 0; round < CUTS; round += 1) {
        await victim.round(round, async (gateway, machine) => {
          if (round > 0) await checked(gateway, machine);
          await provoke(victim, round, gateway);
          motions = victim.line.controller.snapshot().motions;
        });
        total += victim.promised.acknowledged;
      }
      // One boot for two: the look after the last cut, and the disk that from then on only says that it has flushed.
      await victim.round(CUTS, checked, { lies: true });
      process.stdout.write(`${CUTS} cuts, ${total} acknowledged writes, none lost\n`);
      await seesTheLoss(victim, 'a disk that lies');
    } finally {
      victim.close();
    }
  });

  // One control is enough for a run with few cuts.
  const control = CUTS < 20 ? test.skip : test;
  control('the same test sees the loss of a database that does not sync', async () => {
    const victim = await Victim.make(vms);
    const files = `$(grep -rl 'synchronous = FULL' --include='*.js' /opt/cartwright/current/dist/src)`;
    try {
      await victim.round(0, async (gateway, machine) => {
        await machine.run(
          `sed -i "s/synchronous = FULL/synchronous = NORMAL/; s/level *!== *2/level !== 1/" ${files} && sync`,
        );
        await machine.run('systemctl restart cartwright');
        await gateway.ready();
      });
      await seesTheLoss(victim, 'synchronous=NORMAL');
    } finally {
      victim.close();
    }
  });
});
