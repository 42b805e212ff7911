import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { userActor } from '../../../src/shared/actor.js';
import { GatewayError } from '../../../src/shared/errors.js';
import { textOf } from '../../../src/shared/messages/message.js';
import { UpdateMonitor } from '../../../src/updates/monitor.js';
import { releaseKeyOf } from '../../../src/updates/release.js';
import { UpdateSpool } from '../../../src/updates/spool.js';
import { type SoftwareEvent, Updates } from '../../../src/updates/updates.js';
import { FakeClock } from '../../helpers/fake-clock.js';
import { hasCode } from '../../helpers/has-code.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { type SampleRelease, sampleRelease, signingKey } from '../../helpers/sample-release.js';
import { until } from '../../helpers/until.js';

const test = suite('updates of the gateway');
const KEY = signingKey();
const ANNA = userActor('anna');
const VERSION = '1.0.0';
const RELEASE = sampleRelease({ key: KEY, version: '2.0.0' });
const RUN = {
  id: 'a1',
  file: RELEASE.file,
  version: '2.0.0',
  from: VERSION,
  sha256: 'b'.repeat(64),
  step: 'done',
  result: 'installed',
  code: null,
  reason: null,
  failedChecks: [],
};

/** A gateway with a data directory and an update service whose files the test writes. */
class Harness {
  readonly root = mkdtempSync(join(tmpdir(), 'cartwright-updates-'));
  readonly dir = join(this.root, 'data');
  readonly stateDir = join(this.root, 'state');
  readonly clock = new FakeClock();
  readonly log = new RecordingLog();
  readonly events: SoftwareEvent[] = [];
  /** Thrown by the check whether the cart is parked. */
  obstacle: GatewayError | undefined;
  recordFailure: GatewayError | undefined;
  /** Delays the storage of an event in the history. */
  delay: () => Promise<void> = async () => undefined;
  /** Makes the backup before an update; undefined if there is no key for it. */
  backUp: (() => Promise<void>) | undefined;
  stops = 0;
  monitor!: UpdateMonitor;
  updates!: Updates;

  constructor() {
    mkdirSync(this.dir);
    mkdirSync(this.stateDir);
  }

  /** Starts the gateway, or starts it again. */
  async open({ version = VERSION, pem = KEY.pem, hasService = true } = {}): Promise<this> {
    await this.updates?.close();
    const { clock, dir, log, stateDir } = this;
    const base = { dir, clock, version, architecture: process.arch };
    this.monitor = await UpdateMonitor.open({ ...base, log, stateDir: hasService ? stateDir : undefined });
    this.updates = await Updates.open({
      ...base,
      log,
      monitor: this.monitor,
      spool: await UpdateSpool.open({ ...base, key: releaseKeyOf(pem), releaseDir: this.root }),
      requireParked: () => {
        if (this.obstacle) throw this.obstacle;
      },
      canBackUp: () => this.backUp !== undefined,
      backUp: async () => await this.backUp?.(),
      confirmStop: async () => {
        assert.notEqual(this.monitor.motionBlock, '', 'motion is blocked before the stop');
        this.stops += 1;
      },
      record: async (event) => {
        await this.delay();
        if (this.recordFailure) throw this.recordFailure;
        this.events.push(event);
      },
    });
    return this;
  }

  async upload({ file, archive, signature }: SampleRelease): Promise<void> {
    await this.put(`${file}.sig`, signature);
    await this.put(file, archive);
  }

  async put(name: string, bytes: Buffer, first = 0, last = bytes.length - 1) {
    async function* chunks(): AsyncGenerator<Buffer> {
      yield bytes.subarray(first, last + 1);
    }
    return await this.updates.upload(name, { first, last, total: bytes.length }, chunks(), ANNA);
  }

  /** Writes the file in which the update service reports its progress. */
  report(change: object): void {
    const at = this.clock.wallTime();
    const run = { ...RUN, startedAt: at, updatedAt: at, ...change };
    writeFileSync(join(this.stateDir, 'progress.json'), JSON.stringify(run));
  }

  /** Advances the clock to the next look at the update service. */
  async tick(ms = 1000): Promise<void> {
    // The timer's own tick does nothing, because it finds this tick in progress.
    for (let left = ms; left > 0; left -= 1000) {
      this.clock.stall(1000);
      await this.updates.tick();
    }
  }

  get request(): string | undefined {
    const path = join(this.dir, 'updates', 'install');
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }

  /** The update service takes the request. */
  takeRequest(): void {
    rmSync(join(this.dir, 'updates', 'install'));
  }

  kinds(): string[] {
    return this.events.map(({ kind }) => kind);
  }
}

function withHarness(run: (harness: Harness) => Promise<void>): () => Promise<void> {
  return async () => {
    const harness = new Harness();
    try {
      await run(await harness.open());
    } finally {
      await harness.updates.close();
      rmSync(harness.root, { recursive: true });
    }
  };
}

test(
  'shows an uploaded release with its notes and the key that signed it',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    const { available, blockedBy, installed, updates } = await harness.updates.view();
    assert.deepEqual([available, blockedBy], [true, '']);
    assert.deepEqual(installed, { version: VERSION, architecture: process.arch });
    assert.equal(updates.length, 1);
    const [release] = updates;
    assert.deepEqual(
      { ...release, sha256: undefined },
      {
        version: '2.0.0',
        file: RELEASE.file,
        architecture: process.arch,
        bytes: RELEASE.archive.length,
        sha256: undefined,
        signedBy: releaseKeyOf(KEY.pem)?.fingerprint,
        notes: '- New: a test',
        fits: true,
        installed: false,
      },
    );
  }),
);

const other = process.arch === 'arm64' ? 'arm' : 'arm64';
const UNFIT: readonly [what: string, code: string, release: SampleRelease, pem?: string][] = [
  ['is signed with another key', 'UPDATE_SIGNATURE', RELEASE, signingKey().pem],
  ['is checked without a key', 'UPDATE_SIGNATURE', RELEASE, ''],
  ['was changed after it was signed', 'UPDATE_DAMAGED', { ...RELEASE, archive: changed(RELEASE.archive) }],
  ['is incomplete', 'UPDATE_DAMAGED', { ...RELEASE, archive: RELEASE.archive.subarray(0, -1) }],
  ['is already installed', 'UPDATE_OLDER', sampleRelease({ key: KEY, version: VERSION })],
  ['is older', 'UPDATE_OLDER', sampleRelease({ key: KEY, version: '1.0.0-rc.1' })],
  ['is for another processor', 'UPDATE_PROCESSOR', sampleRelease({ key: KEY, architecture: other })],
  [
    'has the signature file of another version',
    'UPDATE_SIGNATURE',
    { ...RELEASE, signature: sampleRelease({ key: KEY, version: '2.0.1' }).signature },
  ],
  [
    'has a signature file with an invalid format',
    'UPDATE_SIGNATURE',
    sampleRelease({ key: KEY, change: (text) => text.replace('bytes: ', 'bytes:  ') }),
  ],
];
for (const [what, code, release, pem] of UNFIT) {
  test(
    `rejects the installation with ${code} if the release ${what}`,
    withHarness(async (harness) => {
      await harness.open(pem === undefined ? {} : { pem });
      await harness.upload(release);
      const [found] = (await harness.updates.view()).updates;
      assert.deepEqual([found?.fits, found?.problem?.code], [false, code]);
      await assert.rejects(harness.updates.install(found?.version ?? '', ANNA), hasCode(code));
      assert.equal(harness.request, undefined);
      assert.equal(harness.monitor.motionBlock, '');
      assert.deepEqual(harness.events, []);
    }),
  );
}

function changed(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[20] = (copy[20] ?? 0) ^ 1;
  return copy;
}

test(
  'reports which file of a release is missing',
  withHarness(async (harness) => {
    await harness.put(`${RELEASE.file}.sig`, RELEASE.signature);
    const missing = async () => textOf((await harness.updates.view()).updates[0]?.problem?.text ?? '');
    assert.match(await missing(), /archive .* has not been uploaded/);
    rmSync(join(harness.dir, 'updates', `${RELEASE.file}.sig`));
    await harness.put(RELEASE.file, RELEASE.archive);
    assert.match(await missing(), /signature file .* has not been uploaded/);
  }),
);

test(
  'receives a file in parts, and replaces the files of other releases',
  withHarness(async (harness) => {
    await harness.upload(sampleRelease({ key: KEY, version: '1.5.0' }));
    const { archive, file, signature } = RELEASE;
    assert.deepEqual(await harness.put(file, archive, 0, 9), { received: 10, bytes: archive.length });
    await assert.rejects(harness.put(file, archive, 20, 29), hasCode('CONFLICT'));
    assert.deepEqual(await harness.put(file, archive, 10), { file, bytes: archive.length });
    await harness.put(`${file}.sig`, signature);
    assert.deepEqual(readdirSync(join(harness.dir, 'updates')).toSorted(), [file, `${file}.sig`]);
    assert.equal((await harness.updates.view()).updates[0]?.fits, true);
  }),
);

test(
  'rejects files that are not part of a release',
  withHarness(async (harness) => {
    const { archive, file, signature } = RELEASE;
    await assert.rejects(harness.put('photo.jpg', archive), hasCode('INVALID_INPUT'));
    await assert.rejects(harness.put(file, Buffer.from('no archive')), hasCode('UPDATE_DAMAGED'));
    await assert.rejects(harness.put(`${file}.sig`, archive), hasCode('UPDATE_DAMAGED'));
    const long = Buffer.concat([signature, Buffer.alloc(70_000)]);
    await assert.rejects(harness.put(`${file}.sig`, long), hasCode('TOO_LARGE'));
    assert.deepEqual(readdirSync(join(harness.dir, 'updates')), []);
  }),
);

test(
  'closing deletes unfinished uploads',
  withHarness(async (harness) => {
    await harness.put(RELEASE.file, RELEASE.archive, 0, 9);
    await harness.put(`${RELEASE.file}.sig`, RELEASE.signature, 0, 99);
    await harness.updates.close();
    assert.deepEqual(readdirSync(join(harness.dir, 'updates')), []);
  }),
);

test(
  'deletes the files of an interrupted upload at the next start',
  withHarness(async (harness) => {
    mkdirSync(join(harness.dir, 'updates'));
    writeFileSync(join(harness.dir, 'updates', `${RELEASE.file}.part`), '');
    await harness.open();
    assert.deepEqual(readdirSync(join(harness.dir, 'updates')), []);
  }),
);

test(
  'requests an installation, and blocks motion until the update service has ended',
  withHarness(async (harness) => {
    const { updates } = harness;
    await harness.upload(RELEASE);
    await updates.install('2.0.0', ANNA);
    assert.equal(harness.request, `${RELEASE.file}\n`);
    assert.equal(harness.stops, 1);
    assert.equal(textOf(harness.monitor.motionBlock), 'an update of the gateway has been requested');
    assert.equal(updates.progress().state, 'requested');
    await assert.rejects(updates.install('2.0.0', ANNA), hasCode('UPDATE_RUNNING'));
    await assert.rejects(harness.put(RELEASE.file, RELEASE.archive), hasCode('UPDATE_RUNNING'));
    // The version is known only after the signature has been checked.
    harness.report({ step: 'copying', result: null, version: null });
    harness.takeRequest();
    await harness.tick();
    assert.equal(textOf(harness.monitor.motionBlock), 'the gateway is being updated');
    const { state, step, version } = updates.progress();
    assert.deepEqual([state, step, version], ['running', 'copying', '2.0.0']);
    harness.report({ result: 'rejected', code: 'DISK_FULL' });
    await harness.tick();
    assert.equal(harness.monitor.motionBlock, '');
    assert.deepEqual(harness.kinds(), ['software.update_requested', 'software.update_failed']);
    assert.equal(updates.progress().state, 'rejected');
    assert.equal(textOf(updates.progress().reason), 'there was not enough free space');
  }),
);

test(
  'withdraws a request that the update service does not accept within 30 s',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    await harness.updates.install('2.0.0', ANNA);
    await harness.tick(29_000);
    assert.notEqual(harness.request, undefined);
    await harness.tick();
    assert.equal(harness.request, undefined);
    await harness.tick(9000);
    assert.notEqual(harness.monitor.motionBlock, '');
    assert.equal(harness.updates.progress().state, 'requested');
    await harness.tick();
    assert.equal(harness.monitor.motionBlock, '');
    const { state, code } = harness.updates.progress();
    assert.deepEqual([state, code], ['failed', 'NOT_STARTED']);
    assert.deepEqual(harness.kinds(), ['software.update_requested', 'software.update_failed']);
    await harness.updates.install('2.0.0', ANNA);
    assert.equal(harness.updates.progress().state, 'requested');
  }),
);

test(
  'follows a run that the update service begins within 10 s of the withdrawal',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    await harness.updates.install('2.0.0', ANNA);
    await harness.tick(39_000);
    assert.equal(harness.request, undefined);
    harness.report({ step: 'checking', result: null });
    await harness.tick(5000);
    assert.equal(harness.updates.progress().state, 'running');
    assert.notEqual(harness.monitor.motionBlock, '');
    harness.report({});
    await harness.tick();
    assert.deepEqual(harness.kinds(), ['software.update_requested', 'software.installed']);
    assert.equal(harness.events[1]?.by.id, 'anna');
  }),
);

test(
  'shows a run that begins after its request was reported as not started',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    await harness.updates.install('2.0.0', ANNA);
    await harness.tick(40_000);
    assert.equal(harness.updates.progress().code, 'NOT_STARTED');
    harness.report({ step: 'checking', result: null });
    await harness.monitor.refresh();
    assert.equal(harness.updates.progress().state, 'running');
    harness.report({});
    await harness.monitor.refresh();
    assert.equal(harness.updates.progress().state, 'installed');
  }),
);

test(
  'follows only an update run that begins after the request',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    await harness.tick();
    harness.report({ id: 'c3', result: 'rejected', code: 'SIGNATURE' });
    await harness.updates.install('2.0.0', ANNA);
    await harness.tick(29_000);
    assert.equal(harness.updates.progress().state, 'requested');
    await harness.tick();
    assert.equal(harness.request, undefined);
    await harness.tick(10_000);
    assert.equal(harness.updates.progress().code, 'NOT_STARTED');
  }),
);

test(
  'withdraws a request from an earlier run of the gateway after 30 s',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    await harness.updates.install('2.0.0', ANNA);
    await harness.open();
    assert.notEqual(harness.monitor.motionBlock, '');
    await harness.tick(40_000);
    assert.equal(harness.request, undefined);
    assert.equal(harness.monitor.motionBlock, '');
    assert.deepEqual(harness.kinds(), ['software.update_requested', 'software.update_failed']);
  }),
);

for (const [what, change, silentMs, state] of [
  ['has been interrupted', { step: 'testing', result: null }, 600_000, 'failed'],
  ['has ended', { result: 'rejected', code: 'DISK_FULL' }, 0, 'rejected'],
] as const) {
  test(
    `withdraws a request that is left beside a run that ${what}`,
    withHarness(async (harness) => {
      mkdirSync(join(harness.dir, 'updates'));
      writeFileSync(join(harness.dir, 'updates', 'install'), `${RELEASE.file}\n`);
      harness.report(change);
      await harness.open();
      await harness.tick(silentMs + 29_000);
      assert.notEqual(harness.request, undefined);
      await harness.tick(12_000);
      assert.equal(harness.request, undefined);
      assert.equal(harness.monitor.motionBlock, '');
      assert.equal(harness.updates.progress().state, state);
      assert.ok(!harness.kinds().includes('software.update_requested'));
    }),
  );
}

test(
  'withdraws a request that appears beside a run that has ended',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    await harness.updates.install('2.0.0', ANNA);
    // Simulates an update service that could not remove the request.
    harness.report({});
    await harness.tick();
    await harness.tick(39_000);
    assert.notEqual(harness.monitor.motionBlock, '');
    await harness.tick(2000);
    assert.equal(harness.request, undefined);
    assert.equal(harness.monitor.motionBlock, '');
    assert.equal(harness.updates.progress().state, 'installed');
    assert.deepEqual(harness.kinds(), ['software.update_requested', 'software.installed']);
  }),
);

test(
  'records the end of a request that neither exists nor was taken after a restart of the gateway',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    await harness.updates.install('2.0.0', ANNA);
    harness.takeRequest();
    await harness.open();
    await harness.tick(9000);
    assert.notEqual(harness.monitor.motionBlock, '');
    await harness.tick();
    assert.equal(harness.monitor.motionBlock, '');
    assert.deepEqual(harness.kinds(), ['software.update_requested', 'software.update_failed']);
  }),
);

test(
  'records the failure of a request that could not be written as soon as the history can store it',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    harness.backUp = async () => rmSync(join(harness.dir, 'updates'), { recursive: true });
    await assert.rejects(harness.updates.install('2.0.0', ANNA), hasCode('STORE_FAILED'));
    assert.notEqual(harness.monitor.motionBlock, '', 'the update service may have read the request');
    harness.recordFailure = new GatewayError('STORE_FULL', 'full');
    await harness.tick(10_000);
    assert.equal(harness.monitor.motionBlock, '');
    const { state, version, reason } = harness.updates.progress();
    assert.deepEqual([state, version], ['failed', '2.0.0']);
    assert.match(textOf(reason), /could not be requested/);
    assert.deepEqual(harness.kinds(), ['software.update_requested']);
    harness.recordFailure = undefined;
    await harness.tick();
    const [, failed] = harness.events;
    assert.deepEqual(
      [failed?.kind, failed?.by.id, failed?.software.code],
      ['software.update_failed', 'anna', 'NOT_STARTED'],
    );
    await harness.open();
    await harness.tick();
    assert.equal(harness.events.length, 2);
  }),
);

for (const code of ['NOT_IDLE', 'UPDATE_BATTERY', 'CONFLICT'] as const) {
  test(
    `rejects an installation with ${code} if the gateway cannot be updated now`,
    withHarness(async (harness) => {
      await harness.upload(RELEASE);
      harness.obstacle = new GatewayError(code, 'the cart moves');
      assert.equal((await harness.updates.view()).blockedBy, 'the cart moves');
      await assert.rejects(harness.updates.install('2.0.0', ANNA), hasCode(code));
      assert.equal(harness.request, undefined);
      assert.equal(harness.monitor.motionBlock, '');
    }),
  );
}

test(
  'makes a backup before the request, and does not send the request if the backup fails or the cart has moved since',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    assert.equal((await harness.updates.view()).makesBackup, false);
    harness.backUp = async () => {
      assert.equal(harness.request, undefined);
      assert.equal(harness.monitor.motionBlock, '', 'motion is possible during the backup');
      await assert.rejects(harness.updates.install('2.0.0', ANNA), hasCode('UPDATE_RUNNING'));
      throw new GatewayError('STORE_FULL', 'full');
    };
    assert.equal((await harness.updates.view()).makesBackup, true);
    await assert.rejects(harness.updates.install('2.0.0', ANNA), hasCode('STORE_FULL'));
    harness.backUp = async () => {
      harness.obstacle = new GatewayError('NOT_IDLE', 'the cart moves');
    };
    await assert.rejects(harness.updates.install('2.0.0', ANNA), hasCode('NOT_IDLE'));
    assert.equal(harness.request, undefined);
    assert.deepEqual(harness.events, []);
    harness.obstacle = undefined;
    let made = 0;
    harness.backUp = async () => {
      made += 1;
    };
    await harness.updates.install('2.0.0', ANNA);
    assert.equal(made, 1);
    assert.notEqual(harness.request, undefined);
  }),
);

test(
  'does not request an installation if the history cannot record the request',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    harness.recordFailure = new GatewayError('STORE_FULL', 'full');
    await assert.rejects(harness.updates.install('2.0.0', ANNA), hasCode('STORE_FULL'));
    assert.equal(harness.request, undefined);
    assert.equal(harness.monitor.motionBlock, '');
    harness.recordFailure = undefined;
    await harness.open();
    await harness.tick(40_000);
    assert.deepEqual(harness.events, []);
  }),
);

test(
  'rejects an installation of a version that was not uploaded, or without an update service',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    await assert.rejects(harness.updates.install('3.0.0', ANNA), hasCode('NOT_FOUND'));
    await harness.open({ hasService: false });
    const { available, reason } = await harness.updates.view();
    assert.equal(available, false);
    assert.match(textOf(reason ?? ''), /systemd service/);
    await assert.rejects(harness.updates.install('2.0.0', ANNA), hasCode('UPDATE_UNAVAILABLE'));
    await assert.rejects(harness.put(RELEASE.file, RELEASE.archive), hasCode('UPDATE_UNAVAILABLE'));
  }),
);

test(
  'records an installation once, with the administrator who requested it',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    await harness.updates.install('2.0.0', ANNA);
    harness.takeRequest();
    harness.report({ step: 'testing', result: null });
    await harness.open({ version: '2.0.0' });
    assert.equal(textOf(harness.monitor.motionBlock), 'the gateway is being updated');
    await harness.tick();
    assert.deepEqual(harness.kinds(), ['software.update_requested']);
    harness.report({});
    await harness.tick();
    const [, installed] = harness.events;
    assert.equal(installed?.kind, 'software.installed');
    assert.equal(installed?.by.id, 'anna');
    const { version, from, sha256 } = installed?.software ?? {};
    assert.deepEqual({ version, from, sha256 }, { version: '2.0.0', from: VERSION, sha256: RUN.sha256 });
    await harness.open({ version: '2.0.0' });
    await harness.tick();
    assert.equal(harness.events.length, 2);
  }),
);

test(
  'records a rollback to the previous version with the failed checks',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    await harness.updates.install('2.0.0', ANNA);
    harness.takeRequest();
    harness.report({ result: 'returned', code: 'CHECKS', failedChecks: ['camera', 'future'] });
    await harness.open();
    await harness.tick();
    const [, returned] = harness.events;
    assert.deepEqual(
      [returned?.kind, returned?.by.id, returned?.software.failedChecks],
      ['software.returned', 'anna', ['camera', 'future']],
    );
    const { state, reason } = harness.updates.progress();
    assert.equal(state, 'returned');
    assert.equal(textOf(reason), 'these checks no longer passed after the update: camera, future');
  }),
);

test(
  'records a version that was installed without the update service',
  withHarness(async (harness) => {
    await harness.open({ version: '1.1.0' });
    await harness.tick();
    await harness.open({ version: '1.1.0' });
    await harness.tick();
    assert.deepEqual(harness.kinds(), ['software.installed']);
    assert.deepEqual(
      [harness.events[0]?.software.from, harness.events[0]?.software.version],
      [VERSION, '1.1.0'],
    );
  }),
);

test(
  'records a version that was installed by a run without a result when the run counts as interrupted',
  withHarness(async (harness) => {
    harness.report({ step: 'testing', result: null });
    await harness.open({ version: '1.1.0' });
    await harness.tick(599_000);
    assert.deepEqual(harness.kinds(), []);
    await harness.tick(61_000);
    assert.deepEqual(harness.kinds(), ['software.installed']);
    assert.equal(harness.events[0]?.software.version, '1.1.0');
  }),
);

test(
  'records a result again if the history could not store it',
  withHarness(async (harness) => {
    harness.report({ result: 'returned', code: 'NOT_READY' });
    harness.recordFailure = new GatewayError('STORE_FULL', 'full');
    await harness.tick();
    await harness.tick();
    assert.deepEqual(harness.events, []);
    assert.equal(harness.log.events().filter((event) => event === 'update.record_failed').length, 1);
    harness.recordFailure = undefined;
    await harness.tick();
    assert.deepEqual(harness.kinds(), ['software.returned']);
  }),
);

test(
  'keeps a request that is made while an earlier result is being recorded',
  withHarness(async (harness) => {
    await harness.upload(RELEASE);
    harness.report({ result: 'rejected', code: 'SIGNATURE' });
    let store: (() => void) | undefined;
    const delay = new Promise<void>((resolve) => {
      harness.delay = () => {
        store = resolve;
        return delay;
      };
    });
    const tick = harness.tick();
    await until(() => store !== undefined);
    const installed = harness.updates.install('2.0.0', ANNA);
    await until(() => harness.stops === 1);
    // Leaves enough time for a request to be recorded, in case it does not wait for the result.
    for (let n = 0; n < 20; n += 1) await harness.monitor.refresh();
    store?.();
    await Promise.all([tick, installed]);
    harness.takeRequest();
    harness.report({ id: 'b2' });
    await harness.tick();
    assert.deepEqual(harness.kinds(), [
      'software.update_failed',
      'software.update_requested',
      'software.installed',
    ]);
    assert.deepEqual(harness.events[2]?.by, ANNA);
  }),
);

test(
  'does not record the result of an update from before the data directory was created',
  withHarness(async (harness) => {
    harness.report({});
    rmSync(join(harness.dir, 'software.json'));
    await harness.open();
    await harness.tick();
    assert.deepEqual(harness.events, []);
  }),
);

test(
  'permits motion again after 10 minutes without progress, even if the wall clock was stepped',
  withHarness(async (harness) => {
    harness.report({ step: 'testing', result: null });
    await harness.open();
    harness.clock.stepWallTime(365 * 86_400_000);
    assert.notEqual(harness.monitor.motionBlock, '');
    await harness.tick(599_000);
    assert.notEqual(harness.monitor.motionBlock, '');
    await harness.tick();
    assert.equal(harness.monitor.motionBlock, '');
    const { state, code } = harness.updates.progress();
    assert.deepEqual([state, code], ['failed', 'INTERRUPTED']);
  }),
);

test(
  'blocks motion for ten minutes after a start if an update run has no result, even if the wall clock was stepped',
  withHarness(async (harness) => {
    harness.report({ step: 'testing', result: null });
    harness.clock.stepWallTime(86_400_000);
    await harness.open();
    assert.notEqual(harness.monitor.motionBlock, '');
    harness.clock.advance(600_000);
    assert.equal(harness.monitor.motionBlock, '');
  }),
);

for (const [what, content] of [
  ['text that is not JSON', '{'],
  ['an unknown result', JSON.stringify({ ...RUN, result: 'won', startedAt: 1, updatedAt: 1 })],
  [
    'a reason that is too long',
    JSON.stringify({ ...RUN, reason: 'x'.repeat(301), startedAt: 1, updatedAt: 1 }),
  ],
  [
    'a check that is not a name',
    JSON.stringify({ ...RUN, failedChecks: ['<b>'], startedAt: 1, updatedAt: 1 }),
  ],
  ['no time', JSON.stringify(RUN)],
] as const) {
  test(
    `ignores progress with ${what}, and logs this once`,
    withHarness(async (harness) => {
      writeFileSync(join(harness.stateDir, 'progress.json'), content);
      await harness.monitor.refresh();
      await harness.monitor.refresh();
      assert.equal(harness.updates.progress().state, 'none');
      assert.equal(harness.log.events().filter((event) => event === 'update.state_unreadable').length, 1);
    }),
  );
}

test(
  'reports only changed files of the running version',
  withHarness(async (harness) => {
    const report = async (version: string, problem: string | null): Promise<string> => {
      const content = JSON.stringify({ checkedAt: 1, version, problem });
      writeFileSync(join(harness.stateDir, 'integrity.json'), content);
      await harness.monitor.refresh();
      return textOf(harness.monitor.problemOf(VERSION));
    };
    assert.equal(await report(VERSION, null), '');
    assert.equal(
      await report(VERSION, 'dist/src/main.js differs'),
      'files of the installed release were changed: dist/src/main.js differs',
    );
    assert.equal(await report('0.9.0', 'dist/src/main.js differs'), '');
  }),
);

test.run();
