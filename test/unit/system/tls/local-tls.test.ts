import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { issue } from '../../../../src/adapters/x509/issue.js';
import { userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { CaRequest, LeafRequest } from '../../../../src/shared/ports/certificates.js';
import { isIssuedBy } from '../../../../src/system/tls/certificate.js';
import { LocalTls } from '../../../../src/system/tls/local-tls.js';
import { TlsFiles } from '../../../../src/system/tls/tls-files.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { hasCode } from '../../../helpers/has-code.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const test = suite('certificates of the gateway');
const DAY_MS = 86_400_000;
const by = userActor('anna');

/** The data directory, clock and addresses of a gateway under test. */
class Site {
  readonly dir = mkdtempSync(join(tmpdir(), 'tls-'));
  readonly clock = new FakeClock();
  readonly log = new RecordingLog();
  readonly requests: (CaRequest | LeafRequest)['kind'][] = [];
  addresses = ['192.168.1.20'];
  /** Error message with which the next requests fail; if empty, the requests succeed. */
  failure = '';

  async open(): Promise<LocalTls> {
    const { clock, log } = this;
    return await LocalTls.open({
      clock,
      log,
      files: new TlsFiles(this.dir),
      issue: async (request) => {
        this.requests.push(request.kind);
        if (this.failure) throw new Error(this.failure);
        return issue(request);
      },
      wanted: () => ({ dns: ['cart.local', 'localhost'], ip: ['::1', ...this.addresses] }),
      caName: () => 'Cartwright CA Cart 1',
      permittedDns: ['local', 'localhost'],
    });
  }

  setWallTime(iso: string): void {
    this.clock.stepWallTime(Date.parse(iso) - this.clock.wallTime());
  }

  path(name: string): string {
    return join(this.dir, 'tls', name);
  }
}

const withSite = (run: (site: Site) => Promise<void>) => async () => {
  const site = new Site();
  try {
    await run(site);
  } finally {
    rmSync(site.dir, { recursive: true });
  }
};

test(
  'creates a CA for 10 years and a certificate for at most 397 days, readable only by the gateway',
  withSite(async (site) => {
    const tls = await site.open();
    assert.throws(() => tls.caPem(), hasCode('NOT_FOUND'));
    await tls.create({ by });
    assert.ok(tls.ca && tls.leaf);
    const { ca, leaf } = tls;
    assert.ok(isIssuedBy(leaf.pem, ca.pem));
    assert.deepEqual(leaf.facts.names, { dns: ['cart.local', 'localhost'], ip: ['::1', '192.168.1.20'] });
    assert.equal((leaf.facts.notAfter - leaf.facts.notBefore) / DAY_MS, 397);
    assert.equal(Math.round((ca.facts.notAfter - ca.facts.notBefore) / (365.25 * DAY_MS)), 10);
    for (const name of ['ca.pem', 'gateway.pem']) assert.equal(statSync(site.path(name)).mode & 0o777, 0o600);
    assert.ok(!tls.caPem().includes('PRIVATE KEY'));
    assert.equal(tls.fault(), '');
    const again = await site.open();
    assert.equal(again.leaf?.pem, leaf.pem);
    assert.deepEqual(site.requests, ['ca', 'leaf']);
  }),
);

test(
  'reuses the CA for a second certificate, and replaces the CA on request',
  withSite(async (site) => {
    const tls = await site.open();
    await tls.create({ by });
    const [ca, leaf] = [tls.ca?.pem, tls.leaf?.pem];
    await tls.create({ by });
    assert.equal(tls.ca?.pem, ca);
    assert.notEqual(tls.leaf?.pem, leaf);
    await tls.create({ by, replaceCa: true });
    assert.notEqual(tls.ca?.pem, ca);
    assert.ok(tls.ca && tls.leaf && isIssuedBy(tls.leaf.pem, tls.ca.pem));
  }),
);

test(
  'renews the certificate 30 days before it expires, not earlier',
  withSite(async (site) => {
    const tls = await site.open();
    await tls.create({ by });
    const first = tls.leaf;
    assert.ok(first);
    site.clock.stepWallTime(first.facts.notAfter - 31 * DAY_MS - site.clock.wallTime());
    await tls.check();
    assert.equal(tls.leaf?.pem, first.pem);
    site.clock.stepWallTime(2 * DAY_MS);
    await tls.check();
    assert.notEqual(tls.leaf?.pem, first.pem);
    assert.equal(site.requests.filter((kind) => kind === 'ca').length, 1);
  }),
);

test(
  'renews the certificate once when the gateway receives a new address, but not when it loses one',
  withSite(async (site) => {
    const tls = await site.open();
    await tls.create({ by });
    site.addresses = ['10.0.0.7'];
    await tls.check();
    assert.deepEqual(tls.leaf?.facts.names.ip, ['::1', '10.0.0.7']);
    site.addresses = [];
    await tls.check();
    await tls.check();
    assert.deepEqual(site.requests, ['ca', 'leaf', 'leaf']);
  }),
);

test(
  'requests a certificate only once for a name that the CA does not permit',
  withSite(async (site) => {
    const tls = await site.open();
    await tls.create({ by });
    site.addresses = ['192.168.1.20'];
    const wanted = { dns: ['cart.local', 'carts.example.org'], ip: ['192.168.1.20'] };
    const other = await LocalTls.open({
      clock: site.clock,
      log: site.log,
      files: new TlsFiles(site.dir),
      wanted: () => wanted,
      issue: async (request) => {
        site.requests.push(request.kind);
        return issue(request);
      },
      caName: () => '',
      permittedDns: [],
    });
    for (let check = 0; check < 3; check += 1) await other.check();
    assert.deepEqual(other.leaf?.facts.names.dns, ['cart.local']);
    assert.deepEqual(site.requests, ['ca', 'leaf', 'leaf']);
  }),
);

test(
  'reports a fault and keeps the certificate when a renewal fails, and clears the fault after a successful renewal',
  withSite(async (site) => {
    const tls = await site.open();
    await tls.create({ by });
    const first = tls.leaf?.pem;
    site.failure = 'no entropy';
    site.addresses = ['10.0.0.7'];
    await tls.check();
    await tls.check();
    assert.equal(tls.leaf?.pem, first);
    assert.match(textOf(tls.fault()), /not renewed \(no entropy\)/);
    assert.equal(site.log.events().filter((event) => event === 'tls.fault_detected').length, 1);
    site.failure = '';
    await tls.check();
    assert.notEqual(tls.leaf?.pem, first);
    assert.equal(tls.fault(), '');
    assert.equal(site.log.events().at(-1), 'tls.fault_cleared');
  }),
);

for (const time of ['1970-01-01T00:00:20Z', '2025-12-31T23:59:00Z', '2038-01-19T03:14:00Z']) {
  test(
    `does not create a certificate while the clock shows ${time}, and reports what to do`,
    withSite(async (site) => {
      const tls = await site.open();
      site.setWallTime(time);
      await assert.rejects(tls.create({ by }), (error: Error) => {
        assert.ok(hasCode('CLOCK_UNSET')(error));
        const shown = time.slice(0, 16).replace('T', ' ');
        assert.ok(error.message.includes(shown), error.message);
        assert.match(error.message, /set the clock/);
        return true;
      });
      await assert.rejects(tls.create({ by, replaceCa: true }), hasCode('CLOCK_UNSET'));
      await tls.check();
      assert.deepEqual(site.requests, []);
      assert.equal(tls.fault(), '', 'without a CA nothing is wrong');
    }),
  );

  test(
    `keeps the certificate without renewing it while the clock shows ${time}, and reports that the clock is wrong`,
    withSite(async (site) => {
      const tls = await site.open();
      await tls.create({ by });
      const first = tls.leaf?.pem;
      site.setWallTime(time);
      site.addresses = ['10.0.0.7'];
      await tls.check();
      assert.equal(tls.leaf?.pem, first);
      assert.match(textOf(tls.fault()), /cannot be right/);
      const { level, fields } = site.log.lines.findLast(({ event }) => event === 'tls.fault_detected') ?? {};
      assert.equal(level, 'warn');
      assert.match(String(fields?.reason), /set the clock/);
    }),
  );
}

test(
  'replaces a certificate dated in the future after the clock is corrected',
  withSite(async (site) => {
    const tls = await site.open();
    await tls.create({ by });
    const { ca } = tls;
    site.setWallTime('2030-06-01T12:00:00Z');
    await tls.check();
    site.setWallTime('2026-02-01T12:00:00Z');
    assert.match(textOf(tls.fault()), /not valid before 2030-05-31; check the gateway's clock/);
    await tls.check();
    assert.equal(tls.fault(), '');
    assert.equal(tls.ca?.pem, ca?.pem);
  }),
);

test(
  'reports a CA dated in the future, and replaces it only on request',
  withSite(async (site) => {
    const tls = await site.open();
    site.setWallTime('2030-06-01T12:00:00Z');
    await tls.create({ by });
    site.setWallTime('2026-02-01T12:00:00Z');
    await tls.check();
    assert.match(textOf(tls.fault()), /its CA is not valid before 2030-05-31.*replace the CA/);
    await assert.rejects(tls.create({ by }), hasCode('CLOCK_UNSET'));
    await tls.create({ by, replaceCa: true });
    assert.equal(tls.fault(), '');
  }),
);

test(
  "limits the certificate's validity to that of the CA, and reports an expired CA",
  withSite(async (site) => {
    const tls = await site.open();
    site.setWallTime('2026-01-02T00:00:00Z');
    await tls.create({ by });
    assert.ok(tls.ca);
    const end = tls.ca.facts.notAfter;
    site.clock.stepWallTime(end - 20 * DAY_MS - site.clock.wallTime());
    await tls.check();
    const last = tls.leaf;
    assert.equal(last?.facts.notAfter, end);
    await tls.check();
    assert.equal(tls.leaf?.pem, last?.pem, 'a renewal would not extend it');
    site.clock.stepWallTime(21 * DAY_MS);
    await tls.check();
    assert.match(textOf(tls.fault()), /the gateway's CA expired on 2036-01-01/);
    assert.equal(tls.leaf?.pem, last?.pem);
    await tls.create({ by });
    assert.equal(tls.fault(), '');
  }),
);

test(
  'reports damaged files, continues to use the certificate in memory, and replaces the files on request',
  withSite(async (site) => {
    const tls = await site.open();
    await tls.create({ by });
    const first = tls.leaf?.pem;
    const half = readFileSync(site.path('ca.pem'), 'utf8').slice(0, 300);
    writeFileSync(site.path('ca.pem'), half);
    await tls.check();
    assert.equal(tls.leaf?.pem, first);
    assert.match(textOf(tls.fault()), /ca\.pem is damaged\); create a certificate/);
    const ca = tls.ca?.pem;
    const restarted = await site.open();
    assert.match(textOf(restarted.fault()), /ca\.pem is damaged/);
    await tls.create({ by });
    assert.equal((await site.open()).ca?.pem, ca, 'repaired from memory');
    writeFileSync(site.path('ca.pem'), half);
    await restarted.create({ by });
    assert.equal(restarted.fault(), '');
    assert.notEqual(restarted.ca?.pem, ca);
  }),
);

test(
  'uses a certificate that was written by another program',
  withSite(async (site) => {
    const tls = await site.open();
    const other = await site.open();
    await other.create({ by });
    await tls.check();
    assert.equal(tls.leaf?.pem, other.leaf?.pem);
  }),
);

test(
  'keeps the HTTPS redirect setting across a restart',
  withSite(async (site) => {
    const tls = await site.open();
    assert.equal(existsSync(join(site.dir, 'tls')), false, 'opening creates nothing');
    for (const isOn of [true, false]) {
      await tls.setRedirect(isOn, by);
      assert.equal((await site.open()).redirect, isOn);
    }
  }),
);

test(
  'checks the certificate every minute until close() is called',
  withSite(async (site) => {
    const tls = await site.open();
    await tls.create({ by });
    let checks = 0;
    let wake = (): void => undefined;
    tls.start(() => {
      checks += 1;
      wake();
    });
    for (const expected of [1, 2]) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (checks === expected) resolve();
      });
      assert.equal(checks, expected);
      site.clock.advance(60_000);
    }
    await tls.close();
    assert.equal(site.clock.timers, 0);
  }),
);

test.run();
