import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { UserPrincipal } from '../../../src/access/sessions/sessions.js';
import { FakeClock } from '../../helpers/fake-clock.js';
import { totpCode } from '../../helpers/totp-code.js';
import { atRevokedPlace, type RevokedPlace, type Running } from '../access/revoked-place.js';
import { PASSWORD } from '../access/site.js';
import { coded } from '../store/place.js';

const IP = '::1';
const STEP_MS = 30_000;
const WRONG_CODE = coded('TOTP_INVALID');

/** The ways in which an older database comes back. */
const RETURNS = {
  'a restored backup': (place: RevokedPlace) => place.chooseBackup(),
  'recovery from a damaged file': async (place: RevokedPlace) => place.damage(),
} as const;

interface Scene {
  place: RevokedPlace;
  running: Running;
  clock: FakeClock;
  eve: UserPrincipal;
}

/** An authenticator app and the recovery codes of one enrolment. */
interface Factor {
  secret: string;
  recoveryCodes: string[];
}

/** Runs a test with `eve` logged in, and a clock of its own: no step of 30 s ends between making and checking a code. */
function atScene(run: (scene: Scene) => Promise<void>): () => Promise<void> {
  const clock = new FakeClock();
  return atRevokedPlace(async (place) => {
    const running = await place.open();
    await running.access.users.addFirst('anna', PASSWORD, 'test');
    await running.addUser('eve', 'operator');
    const eve = running.access.sessions.find(await running.login('eve'));
    assert.ok(eve);
    await run({ place, running, clock, eve });
  }, clock);
}

/** The code of the next time step: no code is accepted twice. */
function nextCode({ secret }: Factor, clock: FakeClock): string {
  clock.advance(STEP_MS);
  return totpCode(secret, clock.wallTime());
}

/** Turns the second factor of `eve` on, or replaces it with the code of the present one. */
async function enrol({ running, clock, eve }: Scene, code?: string): Promise<Factor> {
  const { totp } = running.access;
  const input = { currentPassword: PASSWORD, ...(code ? { code } : {}) };
  const { secret } = await totp.begin(eve, input, { ip: IP, host: 'cart.example' });
  const recoveryCodes = await totp.confirm(eve, { code: totpCode(secret, clock.wallTime()) }, IP);
  return { secret, recoveryCodes };
}

for (const [name, bringBack] of Object.entries(RETURNS)) {
  const after = async ({ place, running }: Scene): Promise<Running> => {
    await running.close();
    await bringBack(place);
    return place.open();
  };

  test(
    `a used recovery code stays used after ${name}`,
    atScene(async (scene) => {
      const { recoveryCodes } = await enrol(scene);
      await scene.running.store.backup();
      await scene.running.login('eve', PASSWORD, recoveryCodes[0]);
      const next = await after(scene);
      await assert.rejects(next.login('eve', PASSWORD, recoveryCodes[0]), WRONG_CODE);
      await next.login('eve', PASSWORD, recoveryCodes[1]);
      assert.equal(next.access.factor.stateOf(scene.eve.userId).recoveryCodesLeft, 8);
    }),
  );

  test(
    `replaced recovery codes stay invalid after ${name}, and the new ones are accepted`,
    atScene(async (scene) => {
      const { running, eve, clock } = scene;
      const factor = await enrol(scene);
      await running.store.backup();
      const input = { currentPassword: PASSWORD, code: nextCode(factor, clock) };
      const [code] = await running.access.totp.renewCodes(eve, input, IP);
      const next = await after(scene);
      await assert.rejects(next.login('eve', PASSWORD, factor.recoveryCodes[0]), WRONG_CODE);
      await next.login('eve', PASSWORD, code);
    }),
  );

  test(
    `a second factor that an administrator reset stays off after ${name}`,
    atScene(async (scene) => {
      const { running, eve } = scene;
      await enrol(scene);
      await running.store.backup();
      await running.access.totp.reset(eve.userId, { ...eve, userId: 1, username: 'anna' });
      const next = await after(scene);
      await next.login('eve');
      assert.deepEqual(next.access.factor.stateOf(eve.userId), { totp: false, recoveryCodesLeft: 0 });
    }),
  );

  test(
    `a replaced TOTP secret is refused after ${name}, and the present one is accepted`,
    atScene(async (scene) => {
      const { running, clock } = scene;
      const old = await enrol(scene);
      await running.store.backup();
      const present = await enrol(scene, nextCode(old, clock));
      const next = await after(scene);
      await assert.rejects(next.login('eve', PASSWORD, nextCode(old, clock)), WRONG_CODE);
      await assert.rejects(next.login('eve', PASSWORD, old.recoveryCodes[0]), WRONG_CODE);
      await next.login('eve', PASSWORD, nextCode(present, clock));
      await next.login('eve', PASSWORD, present.recoveryCodes[0]);
    }),
  );

  test(
    `a second factor that was turned on since is required after ${name}`,
    atScene(async (scene) => {
      await scene.running.store.backup();
      const factor = await enrol(scene);
      const next = await after(scene);
      await assert.rejects(next.login('eve'), coded('TOTP_REQUIRED'));
      await next.login('eve', PASSWORD, nextCode(factor, scene.clock));
    }),
  );

  test(
    `a second factor that did not change since is as it was after ${name}`,
    atScene(async (scene) => {
      const factor = await enrol(scene);
      await scene.running.store.backup();
      const next = await after(scene);
      await next.login('eve', PASSWORD, nextCode(factor, scene.clock));
      await next.login('eve', PASSWORD, factor.recoveryCodes[0]);
    }),
  );
}

test(
  'a code that was accepted before the backup is not accepted again after a change since is replayed',
  atScene(async (scene) => {
    const { place, running, clock } = scene;
    const factor = await enrol(scene);
    await running.login('eve', PASSWORD, factor.recoveryCodes[0]);
    const code = nextCode(factor, clock);
    await running.login('eve', PASSWORD, code);
    await running.store.backup();
    await running.login('eve', PASSWORD, factor.recoveryCodes[1]);
    await running.close();
    await place.chooseBackup();
    const next = await place.open();
    await assert.rejects(next.login('eve', PASSWORD, code), WRONG_CODE);
  }),
);

test(
  'the log records a second factor that was set as it was last',
  atScene(async (scene) => {
    const { place, running, eve } = scene;
    await running.store.backup();
    await enrol(scene);
    await running.close();
    await place.chooseBackup();
    place.log.lines.length = 0;
    const next = await place.open();
    const replayed = place.log.lines.filter(({ event }) => event === 'store.revocation_replayed');
    const fields = { what: 'second_factor_replayed', userId: eve.userId, username: 'eve', totp: true };
    assert.deepEqual(replayed.at(-1)?.fields, fields);
    assert.match(next.store.status().notices.join(' '), /second factor of eve/);
  }),
);

test.run();
