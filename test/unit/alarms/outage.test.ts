import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { sendMail } from '../../../src/adapters/alarms/mail.js';
import { postWebhook } from '../../../src/adapters/alarms/webhook.js';
import type { Target } from '../../../src/alarms/alarm.js';
import type { Alarm } from '../../../src/shared/ports/alarms.js';
import { MailSink } from '../../helpers/mail-sink.js';
import { until } from '../../helpers/until.js';
import { WebhookSink } from '../../helpers/webhook-sink.js';
import { alarm, withOutbox } from './temp-outbox.js';

/** Tests the delivery of alarms to real servers that are down for the first ten minutes. */
const test = suite('alarms during an outage');

/** An address that no other program uses, so that a port stays free while nothing listens on it. */
const HOST = '127.77.10.10';
const EVENTS = 1000;
const OUTAGE_MS = 600_000;

test(
  'delivers each of 1,000 alarms once, or reports it as abandoned, when both servers are down for 10 minutes',
  withOutbox(async ({ clock, log, open, states }) => {
    const down = [await WebhookSink.listen({ host: HOST }), await MailSink.listen({ host: HOST })] as const;
    const [webhookPort, mailPort] = down.map(({ port }) => port) as [number, number];
    for (const sink of down) await sink.close();

    const server = { host: HOST, port: mailPort, tls: 'none', username: '', password: '' } as const;
    const outbox = await open({
      send: (raised, { channel, target }) =>
        channel === 'mail'
          ? sendMail({ ...server, sender: 'cart@example.com' }, target, raised)
          : postWebhook(target, { id: raised.id, body: JSON.stringify(raised), secret: '' }),
    });
    const targets: Target[] = [
      { channel: 'webhook', target: `http://${HOST}:${webhookPort}/alarms` },
      { channel: 'mail', target: 'anna@example.com' },
    ];
    // Each of the two targets has one timer while it waits for its next delivery attempt.
    const isWaiting = (): Promise<void> => until(() => clock.timers === targets.length);
    const raised: Alarm[] = [];
    for (let number = 1; number <= EVENTS; number += 1) {
      raised.push(alarm(number, clock.wallTime()));
      outbox.add(alarm(number, clock.wallTime()), targets);
      clock.advance(OUTAGE_MS / EVENTS);
      if (number % 20 === 0) await isWaiting();
    }
    assert.equal(states().delivered, undefined);

    const webhook = await WebhookSink.listen({ host: HOST, port: webhookPort });
    const mail = await MailSink.listen({ host: HOST, port: mailPort });
    clock.advance(60_000);
    await until(() => clock.timers === 0 && (states().waiting ?? 0) + (states().sending ?? 0) === 0);

    const mailed = mail.mails.map(({ source }) => /^Message-ID: <([^@]+)@/im.exec(source)?.[1] ?? '');
    const received = {
      webhook: webhook.posts.map(({ body }) => (JSON.parse(body) as Alarm).id),
      mail: mailed,
    };
    const failures = log.lines.filter(({ event }) => event === 'alarm.delivery_failed');
    for (const channel of ['webhook', 'mail'] as const) {
      const delivered = received[channel];
      const reported = failures
        .filter(({ fields }) => fields?.channel === channel)
        .map(({ fields }) => String(fields?.alarmId));
      assert.deepEqual([...delivered, ...reported].toSorted(), raised.map(({ id }) => id).toSorted());
      // The oldest alarms are abandoned after ten minutes; the alarms from at least the last nine minutes are
      // delivered.
      assert.ok(reported.length > 0 && reported.length <= EVENTS / 5, `${channel}: ${reported.length}`);
      assert.ok(delivered.length >= 800, `${channel}: ${delivered.length}`);
    }
    assert.deepEqual(states(), {
      delivered: received.webhook.length + mailed.length,
      given_up: failures.length,
    });
    await webhook.close();
    await mail.close();
  }),
);

test.run();
