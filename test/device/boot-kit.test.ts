import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { packageRoot } from '../../src/shared/package-root.js';
import { randomFrom, rounds, testSeed } from '../helpers/random.js';
import type { Container } from './container.js';
import { READY_MS } from './gateway-client.js';
import { poll } from './poll.js';
import { TestUpdates } from './test-updates.js';
import { deviceSuite, type VirtualMachines } from './vm.js';

const VERSION = '9.0.0';
const FORM = `host_name = cart-7
cart_number = 7
time_zone = Europe/Amsterdam
`;
const PROGRAM = join(packageRoot(), 'dist/src/cli/boot-kit.js');

/** A card with the kit, whose release is signed with a key that is only in the kit. */
class Card {
  readonly dir = mkdtempSync(join(tmpdir(), 'boot-partition-'));

  static write(updates: TestUpdates, vms: VirtualMachines): Card {
    const card = new Card();
    const [form, kit, key] = ['form', 'kit', 'key.pub'].map((name) =>
      join(card.dir, `../${name}-${Date.now()}`),
    ) as [string, string, string];
    writeFileSync(form, FORM);
    execFileSync('openssl', ['pkey', '-in', vms.release.key, '-pubout', '-out', key]);
    const archive = updates.archive(VERSION, { hasNode: true });
    execFileSync(process.execPath, [PROGRAM, '--key', key, form, archive, kit]);
    cpSync(kit, card.dir, { recursive: true });
    for (const path of [form, kit, key]) rmSync(path, { recursive: true });
    return card;
  }

  read(name: string): string {
    return readFileSync(join(this.dir, name), 'utf8');
  }
}

async function isInstalled(container: Container): Promise<boolean> {
  return (await container.run('test -e /var/lib/cartwright-first-boot && echo yes || true')) === 'yes';
}

async function call(container: Container, path: string, body?: object): Promise<Record<string, unknown>> {
  const data = body ? `-d '${JSON.stringify(body)}'` : '';
  return JSON.parse(
    await container.run(
      `curl -sS -H 'Content-Type: application/json' -H 'Accept: application/json' ${data} 'http://127.0.0.1:3000${path}'`,
    ),
  );
}

await deviceSuite('boot kit', (test, vms) => {
  test("the first boot installs the gateway without a network connection, using the kit's cart number and setup code", async () => {
    const card = Card.write(new TestUpdates(vms.release), vms);
    const container = await vms.cloudContainer(card.dir);
    await poll('the installation is complete', READY_MS, () => isInstalled(container));
    assert.match(
      card.read('cartwright/first-boot.log'),
      /Cartwright 9\.0\.0 is ready at http:\/\/cart-7\.local:3000$/m,
    );
    assert.equal((await call(container, '/readyz')).version, VERSION);
    assert.equal(
      await container.run('hostname; readlink /etc/localtime'),
      'cart-7\n/usr/share/zoneinfo/Europe/Amsterdam',
    );
    assert.equal(await container.run('command -v node || echo none'), 'none');
    const account = { username: 'anna', password: 'correct horse battery' };
    const wrong = await call(container, '/setup', { ...account, code: '0000-0000-0000-0000' });
    assert.equal(wrong.code, 'FORBIDDEN');
    const code = card.read('cartwright/setup-code.txt').trim();
    assert.equal((await call(container, '/setup', { ...account, code })).success, true);
    assert.equal((await call(container, '/safez')).cartID, 7);
    await container.reboot();
    await poll('the gateway is ready', READY_MS, () => call(container, '/readyz'));
    assert.equal(card.read('cartwright/first-boot.log').match(/is ready at/g)?.length, 1);
    rmSync(card.dir, { recursive: true });
  });

  const random = randomFrom(testSeed());
  for (let round = 1; round <= rounds(1, 10); round += 1) {
    test(`an installation killed at a random moment is completed at the next boot (round ${round})`, async () => {
      const card = Card.write(new TestUpdates(vms.release), vms);
      const container = await vms.cloudContainer(card.dir);
      await setTimeout(random() * 12_000);
      await container.crash();
      await poll('the installation is complete', READY_MS, () => isInstalled(container));
      assert.equal((await call(container, '/readyz')).version, VERSION);
      rmSync(card.dir, { recursive: true });
    });
  }

  test('a release that was changed after signing is not installed, and the log states the reason', async () => {
    const card = Card.write(new TestUpdates(vms.release), vms);
    const archive = join(card.dir, 'cartwright', TestUpdates.nameOf(VERSION));
    const bytes = readFileSync(archive);
    bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
    writeFileSync(archive, bytes);
    const container = await vms.cloudContainer(card.dir);
    await poll('the installation has failed', READY_MS, async () =>
      /failed/.test(await container.run('systemctl is-failed cartwright-first-boot || true')),
    );
    assert.match(card.read('cartwright/first-boot.log'), /install\.sh: .*(damaged|changed|match)/);
    assert.equal(await container.run('test -e /opt/cartwright/current || echo none'), 'none');
    rmSync(card.dir, { recursive: true });
  });
});
