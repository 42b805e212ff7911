import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { UserPrincipal } from '../../../src/http/guard/authenticator.js';
import { userActor } from '../../../src/shared/actor.js';
import { FakeClock } from '../../helpers/fake-clock.js';
import { totpCode } from '../../helpers/totp-code.js';
import { type OpenAccess, type TempAccess, withTempAccess } from '../access/temp-access.js';
import { PASSWORD } from '../access/test-app.js';
import { hasErrorCode } from '../store/temp-store.js';

const IP = '::1';
const STEP_MS = 30_000;
const WRONG_CODE = hasErrorCode('TOTP_INVALID');

/** Events that replace the database with an older one. */
const RETURNS = {
  'a restored backup': (temp: TempAccess) => temp.chooseBackup(),
  'recovery from a damaged file': async (temp: TempAccess) => temp.damage(),
} as const;

interface Fixture {
  temp: TempAccess;
  running: OpenAccess;
  clock: FakeClock;
  eve: UserPrincipal;
}

interface Factor {
  secret: string;
  recoveryCodes: string[];
}

/**
 * Runs a test with the user `eve` logged in. The clock is fake, so that no 30 s time step ends between the
 * creation of a code and its check.
 */
function withFixture(run: (fixture: Fixture) => Promise<void>): () => Promise<void> {
  const clock = new FakeClock();
  return withTempAccess(async (temp) => {
    const running = await temp.open();
    await running.access.users.addFirst('anna', PASSWORD, userActor('test'));
    await running.addUser('eve', 'operator');
    const eve = running.access.sessions.find(await running.login('eve'));
    assert.ok(eve);
    await run({ temp, running, clock, eve });
  }, clock);
}

/** Advances the clock by one time step and returns the new code, because no code is accepted twice. */
function nextCode({ secret }: Factor, clock: FakeClock): string {
  clock.advance(STEP_MS);
  return totpCode(secret, clock.wallTime());
}

/** Enables eve's second factor, or replaces it if `code` is a code from the current one. */
async function enrol({ running, clock, eve }: Fixture, code?: string): Promise<Factor> {
  const { totp } = running.access;
  const input = { currentPassword: PASSWORD, ...(code ? { code } : {}) };
  const { secret } = await totp.begin(eve, input, { ip: IP, host: 'cart.example' });
  const recoveryCodes = await totp.confirm(eve, { code: totpCode(secret, clock.wallTime()) }, IP);
  return { secret, recoveryCodes };
}

for (const [name, bringBack] of Object.entries(RETURNS)) {
  const after = async ({ temp, running }: Fixture): Promise<OpenAccess> => {
    await running.close();
    await bringBack(temp);
    return temp.open();
  };

  test(
    `a used recovery code remains invalid after ${name}`,
    withFixture(async (fixture) => {
      const { recoveryCodes } = await enrol(fixture);
      await fixture.running.store.backup();
      await fixture.running.login('eve', PASSWORD, recoveryCodes[0]);
      const next = await after(fixture);
      await assert.rejects(next.login('eve', PASSWORD, recoveryCodes[0]), WRONG_CODE);
      await next.login('eve', PASSWORD, recoveryCodes[1]);
      assert.equal(next.access.factor.stateOf(fixture.eve.userId).recoveryCodesLeft, 8);
    }),
  );

  test(
    `replaced recovery codes remain invalid after ${name}, and the new codes are accepted`,
    withFixture(async (fixture) => {
      const { running, eve, clock } = fixture;
      const factor = await enrol(fixture);
      await running.store.backup();
      const input = { currentPassword: PASSWORD, code: nextCode(factor, clock) };
      const [code] = await running.access.totp.renewCodes(eve, input, IP);
      const next = await after(fixture);
      await assert.rejects(next.login('eve', PASSWORD, factor.recoveryCodes[0]), WRONG_CODE);
      await next.login('eve', PASSWORD, code);
    }),
  );

  test(
    `a second factor that an administrator reset stays disabled after ${name}`,
    withFixture(async (fixture) => {
      const { running, eve } = fixture;
      await enrol(fixture);
      await running.store.backup();
      await running.access.totp.reset(eve.userId, { ...eve, userId: 1, username: 'anna' });
      const next = await after(fixture);
      await next.login('eve');
      assert.deepEqual(next.access.factor.stateOf(eve.userId), { totp: false, recoveryCodesLeft: 0 });
    }),
  );

  test(
    `a replaced TOTP secret is rejected after ${name}, and the current secret is accepted`,
    withFixture(async (fixture) => {
      const { running, clock } = fixture;
      const old = await enrol(fixture);
      await running.store.backup();
      const present = await enrol(fixture, nextCode(old, clock));
      const next = await after(fixture);
      await assert.rejects(next.login('eve', PASSWORD, nextCode(old, clock)), WRONG_CODE);
      await assert.rejects(next.login('eve', PASSWORD, old.recoveryCodes[0]), WRONG_CODE);
      await next.login('eve', PASSWORD, nextCode(present, clock));
      await next.login('eve', PASSWORD, present.recoveryCodes[0]);
    }),
  );

  test(
    `a second factor that was enabled after the backup is still required after ${name}`,
    withFixture(async (fixture) => {
      await fixture.running.store.backup();
      const factor = await enrol(fixture);
      const next = await after(fixture);
      await assert.rejects(next.login('eve'), hasErrorCode('TOTP_REQUIRED'));
      await next.login('eve', PASSWORD, nextCode(factor, fixture.clock));
    }),
  );

  test(
    `an unchanged second factor remains valid after ${name}`,
    withFixture(async (fixture) => {
      const factor = await enrol(fixture);
      await fixture.running.store.backup();
      const next = await after(fixture);
      await next.login('eve', PASSWORD, nextCode(factor, fixture.clock));
      await next.login('eve', PASSWORD, factor.recoveryCodes[0]);
    }),
  );
}

test(
  'a code used before the backup is still rejected after a later change is replayed',
  withFixture(async (fixture) => {
    const { temp, running, clock } = fixture;
    const factor = await enrol(fixture);
    await running.login('eve', PASSWORD, factor.recoveryCodes[0]);
    const code = nextCode(factor, clock);
    await running.login('eve', PASSWORD, code);
    await running.store.backup();
    await running.login('eve', PASSWORD, factor.recoveryCodes[1]);
    await running.close();
    await temp.chooseBackup();
    const next = await temp.open();
    await assert.rejects(next.login('eve', PASSWORD, code), WRONG_CODE);
  }),
);

test(
  'logs that the second factor was restored to its latest state',
  withFixture(async (fixture) => {
    const { temp, running, eve } = fixture;
    await running.store.backup();
    await enrol(fixture);
    await running.close();
    await temp.chooseBackup();
    temp.log.lines.length = 0;
    const next = await temp.open();
    const replayed = temp.log.lines.filter(({ event }) => event === 'store.revocation_replayed');
    const fields = { what: 'second_factor_replayed', userId: eve.userId, username: 'eve', totp: true };
    assert.deepEqual(replayed.at(-1)?.fields, fields);
    assert.match(
      next.store.status().information.join(' '),
      /second factor restored to its latest state for user eve/,
    );
  }),
);

test.run();
