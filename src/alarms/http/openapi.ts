import * as t from '../../http/openapi/schema-helpers.js';
import type { Alarm } from '../../shared/ports/alarms.js';
import { ALARM_KINDS, CHANNELS } from '../alarm.js';
import { type Subscription, subscriptionSchema } from '../subscriptions.js';

const own = t.access({ need: 'operator', lan: false });
const kinds = t.oneOf(ALARM_KINDS);
const subscription = t.record<Subscription>({ address: t.text, kinds: t.listOf(kinds) });
const example: Subscription = { address: 'anna@example.com', kinds: ['estop', 'controller-lost'] };
const tested = {
  anyOf: [t.exact({ ok: t.yes, ms: t.ms }), t.exact({ ok: { const: false }, reason: t.text })],
};

/** An alarm over MQTT, without the header. Webhooks also contain `time`. */
export const alarmMessageSchema = {
  ...t.record<Alarm>({
    id: t.uuid,
    kind: t.oneOf([...ALARM_KINDS, 'test']),
    cartID: t.whole,
    at: t.since1970,
    count: t.whole,
    ...t.each(t.text, 'text', 'gateway', 'url'),
  }),
  additionalProperties: true,
};

const alarmChapter = {
  name: 'Alarms',
  description:
    'Notifications by e-mail, webhook and MQTT; an administrator configures them in the `alarms` section of the settings.',
};
export const alarmApi = t.api(alarmChapter, {
  'GET /account/alarms': own('Returns the alarms that the caller receives by e-mail', {
    ok: t.json(subscription, example),
  }),
  'POST /account/alarms': own(
    'Sets the alarms that the caller receives by e-mail; an empty list unsubscribes the caller',
    {
      body: t.formBody(subscriptionSchema, example),
      ok: t.jsonOrPage(subscription, example),
    },
  ),
  'POST /account/alarms/test': own(
    "Sends a test alarm to the address in the caller's subscription and returns the result",
    { ok: t.jsonOrPage(tested, { ok: true, ms: 120 }), fails: [429] },
  ),
  'POST /alarms/test': t.admin('Sends a test alarm to a configured target and returns the result', {
    body: t.formBody(t.exact({ channel: t.oneOf(CHANNELS), target: t.text }), {
      channel: 'mail',
      target: 'anna@example.com',
    }),
    ok: t.jsonOrPage(tested, { ok: true, ms: 120 }),
    fails: [429],
  }),
});
