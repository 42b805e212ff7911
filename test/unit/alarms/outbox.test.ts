import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { Target } from '../../../src/alarms/alarm.js';
import { withLanguage } from '../../../src/i18n/language.js';
import { translated } from '../../../src/i18n/messages.js';
import { GatewayError } from '../../../src/shared/errors.js';
import { textOf } from '../../../src/shared/messages/message.js';
import { networkMessage } from '../../../src/shared/messages/messages.js';
import type { Alarm, SendResult } from '../../../src/shared/ports/alarms.js';
import type { Store } from '../../../src/shared/ports/store.js';
import { storeMessage } from '../../../src/store/messages.js';
import { until } from '../../helpers/until.js';
import { alarm, type TempOutbox, withOutbox } from './temp-outbox.js';

const test = suite('alarm outbox');

const WEBHOOK: Target = { channel: 'webhook', target: 'https://hooks.example/secret-path' };
const ANNA: Target = { channel: 'mail', target: 'anna@example.com' };
const BO: Target = { channel: 'mail', target: 'bo@example.com' };
const FAILED: SendResult = { outcome: 'failed', scope: 'channel', reason: 'connection refused' };
const DELIVERED: SendResult = { outcome: 'delivered' };
const UNKNOWN: SendResult = { outcome: 'unknown', reason: 'connection lost' };

/** A sender with scripted results that records the time of each attempt in ms since the start. */
function scripted({ clock }: TempOutbox, resultOf: (target: Target, attempt: number) => SendResult) {
  const startMs = clock.now();
  const attempts: { at: number; id: string; target: string }[] = [];
  const send = async ({ id }: Alarm, target: Target): Promise<SendResult> => {
    attempts.push({ at: clock.now() - startMs, id, target: target.target });
    return resultOf(target, attempts.length);
  };
  return { attempts, send };
}

const failures = ({ log }: TempOutbox) =>
  log.lines.filter(({ event }) => event === 'alarm.delivery_failed').map(({ fields }) => fields);

test(
  'retries after 5, 10, 20 and 40 s, then every 60 s, and gives up after 10 minutes',
  withOutbox(async (temp) => {
    const { clock, open, states } = temp;
    const { attempts, send } = scripted(temp, () => FAILED);
    const outbox = await open({ send });
    outbox.add(alarm(1, clock.wallTime()), [WEBHOOK]);
    // The outbox has one timer while it waits, and none after it has abandoned the delivery.
    await until(() => clock.timers === 1);
    while (states().given_up !== 1) {
      clock.advance(1000);
      await until(() => clock.timers === 1 || states().given_up === 1);
    }
    const expected = [0, 5, 15, 35, 75, 135, 195, 255, 315, 375, 435, 495, 555].map((s) => s * 1000);
    assert.deepEqual(
      attempts.map(({ at }) => at),
      expected,
    );
    const [failure] = failures(temp);
    assert.equal(failure?.attempts, expected.length);
    assert.match(String(failure?.reason), /^not delivered within 10 minutes: connection refused$/);
    assert.equal(failure?.target, 'hooks.example', 'the path may be a secret');
  }),
);

test(
  'reports a delivery failure until the next delivery to the same target succeeds',
  withOutbox(async (temp) => {
    const { clock, open } = temp;
    const { send } = scripted(temp, (_target, attempt) => (attempt === 1 ? UNKNOWN : DELIVERED));
    const outbox = await open({ send });
    outbox.add(alarm(1, clock.wallTime()), [WEBHOOK]);
    await until(() => outbox.faults.length === 1);
    assert.deepEqual(
      outbox.faults.map(({ text }) => textOf(text)),
      ['Alarm not delivered to hooks.example: connection lost'],
    );
    outbox.add(alarm(2, clock.wallTime()), [WEBHOOK]);
    await until(() => clock.timers === 1);
    clock.advance(5000);
    await until(() => outbox.faults.length === 0);
    const counts = outbox.results.rows('outcome', 'channel').map(([labels, n]) => ({ ...labels, n }));
    assert.deepEqual(counts, [
      { outcome: 'given_up', channel: 'webhook', n: 1 },
      { outcome: 'delivered', channel: 'webhook', n: 1 },
    ]);
  }),
);

test(
  'reports a delayed delivery after the first failed attempt, and logs the delay once',
  withOutbox(async (temp) => {
    const { clock, open, log } = temp;
    const { attempts, send } = scripted(temp, (_target, attempt) => (attempt < 3 ? FAILED : DELIVERED));
    const outbox = await open({ send });
    outbox.add(alarm(1, clock.wallTime()), [WEBHOOK]);
    await until(() => clock.timers === 1);
    assert.deepEqual(
      outbox.faults.map(({ text }) => textOf(text)),
      ['Alarm not yet delivered to hooks.example: connection refused'],
    );
    clock.advance(5000);
    await until(() => attempts.length === 2 && clock.timers === 1);
    clock.advance(10_000);
    await until(() => outbox.faults.length === 0);
    assert.equal(log.lines.filter(({ event }) => event === 'alarm.delivery_delayed').length, 1);
  }),
);

test(
  'does not resend a message whose result is unknown',
  withOutbox(async (temp) => {
    const { clock, open, states } = temp;
    const { attempts, send } = scripted(temp, () => UNKNOWN);
    const outbox = await open({ send });
    outbox.add(alarm(1, clock.wallTime()), [WEBHOOK]);
    await until(() => states().given_up === 1);
    clock.advance(600_000);
    assert.equal(attempts.length, 1);
    assert.equal(failures(temp).length, 1);
  }),
);

test(
  'delivers alarms to one recipient even if the server rejects another recipient',
  withOutbox(async (temp) => {
    const { clock, open, states } = temp;
    const rejected: SendResult = { outcome: 'failed', scope: 'message', reason: '550 no such user' };
    const { attempts, send } = scripted(temp, ({ target }) => (target === BO.target ? rejected : DELIVERED));
    const outbox = await open({ send });
    for (const number of [1, 2]) {
      outbox.add(alarm(number, clock.wallTime()), [BO, ANNA]);
      await until(() => states().delivered === number);
    }
    const annas = attempts.filter(({ target }) => target === ANNA.target);
    assert.deepEqual(
      annas.map(({ at }) => at),
      [0, 0],
    );
  }),
);

test(
  'reports messages that were being sent as abandoned after a crash, and sends waiting messages',
  withOutbox(async (temp) => {
    const { clock, open, states } = temp;
    const started: string[] = [];
    const crashing = await open({
      send: ({ id }) => {
        started.push(id);
        return new Promise(() => undefined);
      },
    });
    const alarms = Array.from({ length: 8 }, (_, at) => alarm(at + 1, clock.wallTime()));
    for (const raised of alarms) crashing.add(raised, [WEBHOOK]);
    await until(() => states().waiting !== undefined && states().sending !== undefined);
    await until(() => started.length === states().sending && started.length + (states().waiting ?? 0) === 8);

    const { attempts, send } = scripted(temp, () => DELIVERED);
    await open({ send });
    await until(() => states().delivered === 8 - started.length);
    assert.deepEqual(states(), { given_up: started.length, delivered: 8 - started.length });
    assert.deepEqual(
      failures(temp)
        .map((fields) => fields?.alarmId)
        .toSorted(),
      started.toSorted(),
    );
    assert.deepEqual(
      [...started, ...attempts.map(({ id }) => id)].toSorted(),
      alarms.map(({ id }) => id),
    );
  }),
);

test(
  "reports in the page's language why the last attempt before a restart failed",
  withOutbox(async (temp) => {
    const { clock, open } = temp;
    const refused: SendResult = { outcome: 'failed', scope: 'channel', reason: networkMessage('refused') };
    const { send } = scripted(temp, () => refused);
    const first = await open({ send });
    first.add(alarm(1, clock.wallTime()), [WEBHOOK]);
    await until(() => first.faults.length === 1 && clock.timers === 1);
    await first.close();
    clock.advance(600_000);
    const second = await open({ send });
    await until(() => second.faults.length === 1);
    const [fault] = second.faults;
    assert.match(textOf(fault?.text ?? ''), /connection refused: the server is not running/);
    assert.match(
      withLanguage('nl', () => translated(fault?.text ?? '')),
      /verbinding geweigerd: de server draait niet/,
    );
  }),
);

test(
  'gives up on a message that has been waiting for ten minutes after a restart',
  withOutbox(async (temp) => {
    const { clock, open, states } = temp;
    const first = await open({ send: async () => FAILED });
    first.add(alarm(1, clock.wallTime()), [WEBHOOK]);
    await until(() => clock.timers === 1);
    await first.close();
    clock.stall(600_000);
    const { attempts, send } = scripted(temp, () => DELIVERED);
    await open({ send });
    await until(() => states().given_up === 1);
    assert.deepEqual(attempts, []);
  }),
);

test(
  'gives up on a delivery when sending throws, and continues with the next delivery',
  withOutbox(async (temp) => {
    const { clock, open, states } = temp;
    let isBroken = true;
    const outbox = await open({
      send: async () => {
        if (isBroken) throw new Error('a fault in the program');
        return DELIVERED;
      },
    });
    outbox.add(alarm(1, clock.wallTime()), [WEBHOOK]);
    await until(() => states().given_up === 1);
    isBroken = false;
    outbox.add(alarm(2, clock.wallTime()), [WEBHOOK]);
    await until(() => clock.timers === 1);
    clock.advance(5000);
    await until(() => states().delivered === 1);
  }),
);

/** A store whose writes fail with an error while `isFailing()` returns true. */
function faulty(
  store: Store,
  error: GatewayError,
  isFailing: () => boolean,
): Pick<Store, 'write' | 'status'> {
  return {
    status: () => store.status(),
    write: async (name, args) => {
      if (isFailing()) throw error;
      return await store.write(name, args);
    },
  };
}

const FAULT = { reason: storeMessage('disk-fault', { code: 'SQLITE_IOERR_WRITE' }) };

for (const error of [
  new GatewayError('STORE_FULL', 'the disk is full'),
  new GatewayError('STORE_FAILED', storeMessage('nothing-saved', FAULT)),
]) {
  test(
    `sends new alarms from memory after ${error.code}, but delays saved alarms until the store accepts writes`,
    withOutbox(async (temp) => {
      const { clock, store, open, states } = temp;
      let isFailing = false;
      let isDown = true;
      const { attempts, send } = scripted(temp, () => (isDown ? FAILED : DELIVERED));
      const outbox = await open({ send, store: faulty(store, error, () => isFailing) });
      outbox.add(alarm(1, clock.wallTime()), [WEBHOOK]);
      await until(() => clock.timers === 1);
      isFailing = true;
      isDown = false;
      outbox.add(alarm(2, clock.wallTime()), [ANNA]);
      await until(() => attempts.some(({ target }) => target === ANNA.target));
      clock.advance(5000);
      await until(() => attempts.length === 2 && clock.timers >= 1);
      assert.equal(states().delivered, undefined);
      isFailing = false;
      clock.advance(10_000);
      await until(() => states().delivered === 2);
      assert.deepEqual(
        attempts.map(({ target }) => target),
        [WEBHOOK.target, ANNA.target, WEBHOOK.target],
      );
    }),
  );
}

test(
  'does not send an alarm while it is not known whether the alarm was saved',
  withOutbox(async (temp) => {
    const { clock, store, open, states } = temp;
    let isFailing = true;
    const { attempts, send } = scripted(temp, () => DELIVERED);
    const error = new GatewayError('STORE_FAILED', storeMessage('not-known', FAULT));
    const outbox = await open({ send, store: faulty(store, error, () => isFailing) });
    outbox.add(alarm(1, clock.wallTime()), [ANNA]);
    await until(() => clock.timers === 1);
    assert.equal(attempts.length, 0);
    isFailing = false;
    clock.advance(5000);
    await until(() => states().delivered === 1);
    assert.equal(attempts.length, 1);
  }),
);

test(
  'reports further alarms as abandoned when 5,000 deliveries are waiting',
  withOutbox(async (temp) => {
    const { clock, open } = temp;
    const outbox = await open({ send: async () => FAILED });
    for (let number = 1; number <= 5001; number += 1) outbox.add(alarm(number, clock.wallTime()), [WEBHOOK]);
    assert.deepEqual(
      failures(temp).map((fields) => [fields?.alarmId, String(fields?.reason)]),
      [[alarm(5001, 0).id, 'too many alarms are waiting for delivery']],
    );
  }),
);

test(
  'gives up on deliveries to a target that is no longer configured',
  withOutbox(async (temp) => {
    const { clock, open, states } = temp;
    const { attempts, send } = scripted(temp, () => DELIVERED);
    const outbox = await open({ send, isConfigured: (_alarm, { target }) => target !== BO.target });
    outbox.add(alarm(1, clock.wallTime()), [ANNA, BO]);
    await until(() => states().delivered === 1 && states().given_up === 1);
    assert.deepEqual(
      attempts.map(({ target }) => target),
      [ANNA.target],
    );
  }),
);

test.run();
