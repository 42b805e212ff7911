import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { Alarms, type AlarmsDeps } from '../../../src/alarms/alarms.js';
import { defaultSettings } from '../../../src/settings/schema/schema.js';
import { userActor } from '../../../src/shared/actor.js';
import { hasCode } from '../../helpers/has-code.js';
import { until } from '../../helpers/until.js';
import { type TempOutbox, withOutbox } from './temp-outbox.js';

const test = suite('alarm recipients');

const MAIL = { ...defaultSettings().alarms.mail, host: 'mail.example', sender: 'cart@example.com' };

/** Opens an alarms service that collects e-mails instead of sending them. */
async function openAlarms({ store, clock, log }: TempOutbox, more: Partial<AlarmsDeps> = {}) {
  const mails: string[] = [];
  const settings = { ...defaultSettings().alarms, mail: { ...MAIL, recipients: ['site@example.com'] } };
  const alarms = await Alarms.open({
    store,
    clock,
    log,
    hasUsers: true,
    settings: () => settings,
    source: () => ({ gateway: 'Cart 1', url: 'http://cart' }),
    sendMail: async (_server, recipient, { kind }) => {
      mails.push(`${kind} ${recipient}`);
      return { outcome: 'delivered' };
    },
    postWebhook: async () => ({ outcome: 'delivered' }),
    mqtt: {
      bus: {
        status: () => ({ connected: false, reason: '', url: '', embedded: true }),
        publish: async () => undefined,
      },
      topic: 'cart/v1/site1/1/alarm',
      payload: () => '',
    },
    ...more,
  });
  return { alarms, mails };
}

async function addUser({ store, clock }: TempOutbox, username: string, role: string): Promise<number> {
  const row = { username, usernameKey: username, passwordPhc: '', role, first: false };
  return await store.write<number>('access.addUser', { ...row, now: clock.wallTime() });
}

const event = { cartID: 1, detail: 'anna' } as const;

test(
  'an alarm is sent once to each configured address and to each operator subscribed to its kind',
  withOutbox(async (temp) => {
    const { alarms, mails } = await openAlarms(temp);
    const [ben, carol, site] = [
      await addUser(temp, 'ben', 'operator'),
      await addUser(temp, 'carol', 'customer'),
      await addUser(temp, 'site', 'admin'),
    ];
    await alarms.subscriptions.save(ben, { address: 'ben@example.com', kinds: ['estop'] });
    await alarms.subscriptions.save(carol, { address: 'carol@example.com', kinds: ['estop'] });
    await alarms.subscriptions.save(site, { address: 'site@example.com', kinds: ['estop', 'disk-low'] });
    alarms.raise({ ...event, kind: 'estop' });
    alarms.raise({ ...event, kind: 'disk-low' });
    await until(() => mails.length === 3);
    assert.deepEqual(mails.toSorted(), [
      'disk-low site@example.com',
      'estop ben@example.com',
      'estop site@example.com',
    ]);
    await alarms.close();
  }),
);

test(
  'an alarm is sent only to the configured addresses when logins are disabled',
  withOutbox(async (temp) => {
    const { alarms, mails } = await openAlarms(temp, { hasUsers: false });
    const ben = await addUser(temp, 'ben', 'operator');
    await alarms.subscriptions.save(ben, { address: 'ben@example.com', kinds: ['estop'] });
    alarms.raise({ ...event, kind: 'estop' });
    await until(() => temp.states().delivered === 1);
    assert.deepEqual(mails, ['estop site@example.com']);
    await alarms.close();
  }),
);

test(
  'an error while raising an alarm is logged, not thrown',
  withOutbox(async (temp) => {
    const source = (): never => {
      throw new Error('no address');
    };
    const { alarms } = await openAlarms(temp, { source });
    alarms.raise({ ...event, kind: 'estop' });
    assert.deepEqual(temp.log.events().slice(-1), ['alarm.raise_failed']);
    await alarms.close();
  }),
);

test(
  'a test alarm over MQTT fails while the broker is disconnected',
  withOutbox(async (temp) => {
    const settings = { ...defaultSettings().alarms, mqtt: true };
    const { alarms } = await openAlarms(temp, { settings: () => settings });
    const [target] = alarms.targets();
    assert.ok(target);
    const { ok } = await alarms.test(target, { cartID: 1, by: userActor('anna') });
    assert.equal(ok, false);
    await alarms.close();
  }),
);

test(
  'rejects a ninth test alarm while eight wait for the mail server',
  withOutbox(async (temp) => {
    const ends: (() => void)[] = [];
    const { alarms } = await openAlarms(temp, {
      sendMail: () =>
        new Promise((resolve) => {
          const end = () => resolve({ outcome: 'delivered' });
          // A ninth attempt would end immediately.
          if (ends.push(end) > 8) end();
        }),
    });
    const [target] = alarms.targets();
    assert.ok(target);
    const send = () => alarms.test(target, { cartID: 1, by: userActor('anna') });
    const running = Array.from({ length: 8 }, send);
    await assert.rejects(send(), hasCode('RATE'));
    for (const end of ends) end();
    assert.deepEqual(
      (await Promise.all(running)).map(({ ok }) => ok),
      Array(8).fill(true),
    );
    await alarms.close();
  }),
);

test.run();
