import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { randomFrom, rounds, testSeed } from '../helpers/random.js';
import { type Container, INSTALL } from './container.js';
import { READY_MS } from './gateway-client.js';
import { poll } from './poll.js';
import { TestUpdates } from './test-updates.js';
import { deviceSuite, type VirtualMachines } from './vm.js';

const CRASHES = rounds(1, 12);
const SPOOL = '/var/lib/cartwright/updates';
const STATE = '/var/lib/cartwright-update';
/** A release may take this long to become ready in the container. */
const READY_S = 15;
const RESULT_MS = 240_000;

interface Progress {
  id: string;
  file: string | null;
  version: string | null;
  from: string | null;
  sha256: string | null;
  step: string;
  result: string | null;
  code: string | null;
  reason: string | null;
  failedChecks: string[];
  startedAt: number;
  updatedAt: number;
}

/** Everything that a rejected update leaves as it was. */
const STATE_OF_SYSTEM = `
  find /opt/cartwright /etc/cartwright /etc/systemd/system /etc/udev/rules.d /etc/sysusers.d -maxdepth 2 -printf '%p %y %m %U %l\\n' | sort
  find /opt/cartwright -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum
  find /var/lib/cartwright /var/lib/cartwright.* -mindepth 1 -maxdepth 1 ! -name '*.db*' ! -name commit-number -printf '%p %y\\n' 2>&1 | sort
  cat /var/lib/cartwright/variables.json
  systemctl show cartwright -p MainPID`;

class UpdateContainer {
  readonly container: Container;
  #lastId = '';

  private constructor(container: Container) {
    this.container = container;
  }

  /** Boots a container with an installed and running gateway. `prepare` runs before the installation. */
  static async create(vms: VirtualMachines, prepare = ':'): Promise<UpdateContainer> {
    const container = await vms.container();
    await container.listenInside();
    await container.run(`${prepare}
      mkdir -p /etc/systemd/system/cartwright-update.{service,path}.d
      printf '[Path]\\nTriggerLimitIntervalSec=0\\n' > /etc/systemd/system/cartwright-update.path.d/test.conf
      printf '[Service]\\nEnvironment=CARTWRIGHT_READY_S=${READY_S}\\n' > /etc/systemd/system/cartwright-update.service.d/test.conf`);
    await container.run(INSTALL);
    await container.run(`install -d -o cartwright -g cartwright -m 700 ${SPOOL}`);
    return new UpdateContainer(container);
  }

  run(script: string): Promise<string> {
    return this.container.run(script);
  }

  /** Puts the release and its signature into the spool. */
  async upload(archive: string): Promise<string> {
    TestUpdates.copy(archive, this.container.shared);
    const name = archive.slice(archive.lastIndexOf('/') + 1);
    await this.run(
      `cd ${SPOOL} && cp /shared/${name} /shared/${name}.sig . && chown -R cartwright: . && chmod 600 *`,
    );
    return name;
  }

  /** Writes the request as the gateway does. `content` is printed by a shell. */
  async request(content: string): Promise<Progress> {
    await this.start(content);
    return this.result();
  }

  async start(content: string): Promise<void> {
    await this.run(
      `cd ${SPOOL} && printf %s '${content}' > install.new && chown cartwright: install.new && mv install.new install`,
    );
  }

  /** Waits for the end of a run that has not been returned yet. */
  async result(): Promise<Progress> {
    const progress = await poll('the update ends', RESULT_MS, async () => {
      const found: Progress = JSON.parse(await this.run(`cat ${STATE}/progress.json`));
      return found.result !== null && found.id !== this.#lastId && found;
    });
    this.#lastId = progress.id;
    // Waits for the journal's removal too, because the result is written first.
    const left = `ls -d ${SPOOL}/install ${STATE}/journal 2> /dev/null || true`;
    await poll(
      'the request and the journal are removed',
      READY_MS,
      async () => (await this.run(left)) === '',
    );
    return progress;
  }

  systemState(): Promise<string> {
    return this.run(STATE_OF_SYSTEM);
  }

  /** Runs a script, then requests a release, which must be rejected. */
  async rejects(script: string, content: string, code: string, reason: RegExp): Promise<void> {
    await this.run(`cd ${SPOOL} && ${script}`);
    const progress = await this.request(content);
    const found = JSON.stringify(progress);
    assert.deepEqual([progress.result, progress.code], ['rejected', code], found);
    assert.match(progress.reason ?? '', reason, found);
  }

  /** Requests a release whose `GET /readyz` has these members, and asserts that release 98.0.0 runs again. */
  async returns(name: string, members: object, code: string, failedChecks: string[]): Promise<void> {
    await this.readyzAs({ '98.0.0': PASSED, '99.0.0': members });
    const startMs = performance.now();
    const progress = await this.request(name);
    process.stdout.write(`return, ${code}, after ${READY_S} s: ${seconds(startMs)}\n`);
    assert.deepEqual([progress.result, progress.code], ['returned', code], JSON.stringify(progress));
    assert.deepEqual(progress.failedChecks, failedChecks);
    assert.match(progress.reason ?? '', /98\.0\.0 runs again$/);
    assert.equal((await this.readyz()).version, '98.0.0');
  }

  /**
   * Requests a release and kills every process after the delay. Asserts that the old or the new release serves
   * afterwards, as the result states. Returns its version.
   */
  async crashDuring(name: string, delayMs: number): Promise<string> {
    const from = (await this.readyz()).version;
    await this.start(name);
    await setTimeout(delayMs);
    const { step = 'none' } = JSON.parse(
      await this.run(`cat ${STATE}/progress.json 2> /dev/null || echo {}`),
    );
    await this.container.crash();
    const { result, code, version, reason } = await this.result();
    const served = (await this.readyz()).version;
    process.stdout.write(`crash while ${step}: ${result} ${code ?? ''}, ${served} serves\n`);
    assert.equal(served, result === 'installed' ? version : from, `${reason}`);
    return served;
  }

  readyz(): Promise<{ ready: boolean; version: string }> {
    return poll('the gateway is ready', READY_MS, async () => {
      const answer = JSON.parse(await this.run(`curl -fsS http://127.0.0.1:3000/readyz`));
      return answer.ready && answer;
    });
  }

  /** Sets the members of `GET /readyz` for each version of the releases of TestUpdates. */
  readyzAs(members: Record<string, object>): Promise<string> {
    return this.run(`echo '${JSON.stringify(members)}' > /etc/cartwright/readyz.json`);
  }
}

const BEACON = { id: 'update-1', longDescription: 'long', txPower: -59, lat: 0, long: 0 };
const putBeacon = (description: string): string =>
  `curl -fsS -X PUT -H 'Content-Type: application/json' -d '${JSON.stringify({ ...BEACON, description })}' http://127.0.0.1:3000/beacon/${BEACON.id}`;
const GET_BEACON = `curl -fsS 'http://127.0.0.1:3000/beacon?id=${BEACON.id}'`;
const PASSED = { parked: true, checks: { store: 'passed', camera: 'passed', broker: 'off' } };
const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

await deviceSuite('updates', (test, vms) => {
  const updates = new TestUpdates(vms.release);
  const [next, later] = [updates.archive('98.0.0'), updates.archive('99.0.0')];
  const arch = TestUpdates.nameOf('').includes('arm64') ? 'arm64' : 'x64';
  const other = arch === 'x64' ? 'arm64' : 'x64';
  test.after(() => updates.close());
  // These slow tests run only if several rounds are requested.
  const thorough = rounds(1, 2) > 1 ? test : test.skip;

  test('exactly one release runs, and the data is kept, after a crash, an installation and a failed check', async () => {
    const pi = await UpdateContainer.create(vms);
    await pi.run(putBeacon('before'));
    const name = await pi.upload(next);
    const from = (await pi.readyz()).version;
    const served = await pi.crashDuring(name, randomFrom(testSeed())() * 8000);
    assert.equal(JSON.parse(await pi.run(GET_BEACON)).description, 'before');
    const startMs = performance.now();
    const progress = await pi.request(name);
    assert.deepEqual(
      [progress.result, progress.code, progress.version, progress.from, progress.file, progress.step],
      ['installed', null, '98.0.0', served, name, 'done'],
    );
    const log = await pi.run('journalctl -u cartwright-update --output=cat | grep replaced');
    process.stdout.write(`update: ${seconds(startMs)}. ${log}\n`);
    assert.equal((await pi.readyz()).version, '98.0.0');
    assert.equal(JSON.parse(await pi.run(GET_BEACON)).description, 'before');
    const unit = 'systemctl show cartwright --value -p FragmentPath -p NeedDaemonReload';
    assert.equal(await pi.run(unit), '/etc/systemd/system/cartwright.service\nno');
    const states = 'systemctl is-active cartwright-update.service cartwright-update.path || true';
    assert.equal(await pi.run(states), 'inactive\nactive');

    const laterName = await pi.upload(later);
    await pi.readyzAs({ '98.0.0': { ...PASSED, parked: false } });
    await pi.rejects(':', laterName, 'NOT_PARKED', /the update needs a parked cart/);
    assert.equal(await pi.run('ls /opt/cartwright/releases'), `${from}\n98.0.0`);
    const failing = { ...PASSED, checks: { ...PASSED.checks, camera: 'failed' } };
    await pi.returns(laterName, failing, 'CHECKS', ['camera']);
    assert.equal(JSON.parse(await pi.run(GET_BEACON)).description, 'before');
  });

  thorough('the previous release runs again when the new one is not ready', async () => {
    const pi = await UpdateContainer.create(vms);
    const archive = `/shared/${await pi.upload(next)}`;
    await pi.run(`CARTWRIGHT_READY_S=180 /opt/cartwright/current/systemd/install.sh --release ${archive}`);
    await pi.run(putBeacon('before'));
    const name = await pi.upload(later);
    await pi.returns(name, { ...PASSED, ready: false }, 'NOT_READY', []);
    assert.equal(JSON.parse(await pi.run(GET_BEACON)).description, 'before');
    await pi.readyzAs({ '98.0.0': PASSED, '99.0.0': PASSED });
    assert.equal((await pi.request(name)).result, 'installed');
  });

  thorough('the daily check reports a changed file of the installed release', async () => {
    const pi = await UpdateContainer.create(vms);
    const verify = `systemctl start cartwright-integrity && cat ${STATE}/integrity.json`;
    const { version, problem } = JSON.parse(await pi.run(verify));
    assert.deepEqual([version, problem], [(await pi.readyz()).version, null]);
    await pi.run('echo >> /opt/cartwright/current/README.md');
    assert.match(JSON.parse(await pi.run(verify)).problem, /is damaged or was changed/);
  });

  test('a request for an untrusted release or from a manipulated spool directory is rejected and changes nothing', async () => {
    const pi = await UpdateContainer.create(vms);
    const before = await pi.systemState();
    const name = await pi.upload(next);
    const dummy = updates.dummy('98.1.0', {
      'package.json': '{\n  "version": "98.1.0",\n}\n',
      'dist/src/main.js': '',
    });
    const named = (version: string, processor = arch): string => `cartwright-${version}-${processor}.tar.gz`;
    const upload = async (
      version: string,
      options: { key?: string; arch?: string; as?: string } = {},
    ): Promise<string> => {
      const archive = updates.copyOf(dummy, named(options.as ?? version, options.arch));
      updates.sign(archive, version, options);
      return pi.upload(archive);
    };

    const foreign = await upload('98.2.0', { key: updates.foreignKey() });
    await pi.rejects(':', foreign, 'SIGNATURE', /is not signed with the key/);
    await pi.rejects(`rm ${foreign}.sig`, foreign, 'SIGNATURE', /has no signature/);
    await pi.rejects(
      ':',
      await upload('98.3.0', { as: '98.4.0' }),
      'SIGNATURE',
      /belongs to version 98\.3\.0/,
    );
    await pi.rejects(':', await upload('98.5.0'), 'SIGNATURE', /is not signed$/);
    await pi.rejects(':', await upload('0.0.1'), 'OLDER', /0\.0\.1 is older than the installed/);
    await pi.rejects(
      ':',
      await upload('98.6.0', { arch: other }),
      'PROCESSOR',
      new RegExp(`is for ${other}`),
    );
    const byte = `printf x | dd of=${name} bs=1 seek=1000000 conv=notrunc status=none`;
    await pi.rejects(byte, name, 'DAMAGED', /does not match its signature/);
    await pi.rejects(`truncate -s -1 ${name}`, name, 'DAMAGED', /does not match its signature/);
    await pi.rejects(`cp /shared/${name} ${name} && echo >> ${name}`, name, 'DAMAGED', /does not match/);
    await pi.rejects(`sed -i '/^- A test/d' ${name}.sig`, name, 'SIGNATURE', /is not signed with the key/);
    const signed = updates.dummy(
      '98.7.0',
      { 'package.json': '{\n  "version": "98.8.0",\n}\n', 'dist/src/main.js': '' },
      { isSigned: true },
    );
    await pi.rejects(':', await pi.upload(signed), 'DAMAGED', /another version than its signature/);

    const noName = /^the request does not name a release$/;
    for (const content of [
      '--allow-unsigned',
      `--key\n${name}`,
      `../updates/${name}`,
      `${name} --allow-downgrade`,
      '$(touch /root/run)',
      `cartwright-9;touch /root/run-${arch}.tar.gz`,
      `cartwright-${'9'.repeat(300)}-${arch}.tar.gz`,
      '',
    ])
      await pi.rejects(':', content, 'INTERNAL', noName);
    for (const make of [
      'ln -s /etc/shadow install',
      'mkfifo install',
      'mkdir install',
      'ln -s /dev/zero install',
    ]) {
      // Does not use `request`, because that would replace the file `install`.
      await pi.run(`cd ${SPOOL} && runuser -u cartwright -- ${make}`);
      const progress = await pi.result();
      assert.deepEqual([progress.result, progress.code], ['rejected', 'INTERNAL'], make);
      assert.match(progress.reason ?? '', noName, make);
    }
    // Root must not read more of the spool than the gateway's user can.
    await pi.run(`cp /shared/${name}.sig ${SPOOL}/`);
    const link = (target: string, at: string): string =>
      `rm -f ${at} && runuser -u cartwright -- ln -s ${target} ${at}`;
    await pi.run('echo secret > /root/secret && chmod 600 /root/secret');
    await pi.rejects(link('/root/secret', `${name}.sig`), name, 'SIGNATURE', /has no signature/);
    await pi.rejects(link('/dev/zero', `${name}.sig`), name, 'SIGNATURE', /larger than 64 KiB/);
    await pi.rejects(
      `rm ${name}.sig && runuser -u cartwright -- mkfifo ${name}.sig`,
      name,
      'SIGNATURE',
      /has no signature/,
    );
    const sig = `rm ${name}.sig && cp /shared/${name}.sig . && chown cartwright: ${name}.sig`;
    await pi.rejects(`${sig} && ${link('/dev/zero', name)}`, name, 'DAMAGED', /does not match its signature/);
    await pi.rejects(link('/root/secret', name), name, 'DAMAGED', /does not match its signature/);
    assert.equal(await pi.run('ls /root'), 'secret');
    assert.equal(await pi.systemState(), before);
  });

  thorough('a release that does not fit on the disk is rejected and changes nothing', async () => {
    const pi = await UpdateContainer.create(vms, 'mkdir -p /opt && mount -t tmpfs -o size=600M tmpfs /opt');
    const name = await pi.upload(next);
    const before = await pi.systemState();
    await pi.run('fallocate -l 300M /opt/filler');
    await pi.rejects(':', name, 'DISK_FULL', /^the update needs \d+ MB, and \d+ MB are free$/);
    await pi.run('rm /opt/filler');
    // The release is far larger than its archive, so only unpacking it shows that it does not fit.
    const bomb = updates.dummy('98.9.0', { 'dist/src/main.js': '' }, { fillerBytes: 600_000_000 });
    await pi.rejects(':', await pi.upload(bomb), 'DISK_FULL', /^the disk is full$/);
    assert.equal(await pi.systemState(), before);
  });

  thorough(
    `the old or the new release serves after each of ${CRASHES} crashes during an update`,
    async () => {
      const pi = await UpdateContainer.create(vms);
      const from = (await pi.readyz()).version;
      const name = await pi.upload(next);
      const random = randomFrom(testSeed());
      for (let crash = 0; crash < CRASHES; crash += 1) {
        await pi.run(putBeacon(`crash ${crash}`));
        const served = await pi.crashDuring(name, random() * 20_000);
        assert.equal(JSON.parse(await pi.run(GET_BEACON)).description, `crash ${crash}`);
        if (served !== from) {
          await pi.run(`CARTWRIGHT_READY_S=180 /mnt/systemd/install.sh --allow-downgrade`);
        }
      }
    },
  );
});
