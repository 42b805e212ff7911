import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { suite } from 'uvu';
import type { Alarm } from '../../../src/shared/ports/alarms.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { MailSink } from '../../helpers/mail-sink.js';
import { until, untilAnswer } from '../../helpers/until.js';
import { WebhookSink } from '../../helpers/webhook-sink.js';

/** Tests alarms that a real gateway sends to a real mail server and a real web server. */
const test = suite('alarms');

const PASSWORD = 'correct horse battery';
const ENV = {
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_ADMIN_USER: 'anna',
  CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
};

interface Answer {
  status: number;
  text: string;
  json: Record<string, unknown>;
}
type Send = (method: string, path: string, body?: object | string) => Promise<Answer>;

let gateway: GatewayProcess;
let mail: MailSink;
let webhook: WebhookSink;
let respond: (response: ServerResponse) => void;
let asAnna: Send;
let asBo: Send;

/**
 * Logs in and returns a function that sends requests. An object is sent as JSON; a string is sent as a form,
 * and the response is a page.
 */
async function login(username: string): Promise<Send> {
  const send = async (method: string, path: string, body: object | string = {}, cookie = '') => {
    const isForm = typeof body === 'string';
    return await fetch(`${gateway.url}${path}`, {
      method,
      headers: {
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
        accept: isForm ? 'text/html' : 'application/json',
        origin: gateway.url,
        cookie,
      },
      ...(method === 'GET' ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
  };
  const res = await send('POST', '/login', { username, password: PASSWORD });
  assert.equal(res.status, 201);
  const cookie = res.headers.get('set-cookie')?.split(';')[0] ?? '';
  return async (method, path, body) => {
    const answer = await send(method, path, body, cookie);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json');
    return { status: answer.status, text, json: isJson ? JSON.parse(text) : {} };
  };
}

const hook = (): string => `http://127.0.0.1:${webhook.port}/alarms`;
const alarmsIn = (): Alarm[] => webhook.posts.map(({ body }) => JSON.parse(body));

async function reset(): Promise<void> {
  const press = () => asAnna('POST', '/estop/reset', { cartID: 1 });
  // The reset is rejected until the E-stop input has been healthy for a second.
  const { status } = await untilAnswer(press, ({ status }) => status !== 409);
  assert.equal(status, 200);
}

test.before(async () => {
  const accept = (response: ServerResponse): void => void response.writeHead(204).end();
  respond = accept;
  [gateway, mail, webhook] = await Promise.all([
    GatewayProcess.start({}, ENV),
    MailSink.listen(),
    WebhookSink.listen({}, (response) => respond(response)),
  ]);
  asAnna = await login('anna');
  const bo = { username: 'bo', password: PASSWORD, role: 'operator' };
  assert.equal((await asAnna('POST', '/users', bo)).status, 201);
  asBo = await login('bo');
});
test.after(async () => {
  await gateway?.close();
  await mail?.close();
  await webhook?.close();
});

test('the account page links administrators, but not operators, to the mail server settings', async () => {
  const link = /href="\/brokerSettings\?section=alarms#alarms"/;
  assert.match((await asAnna('GET', '/account', '')).text, link);
  const { text } = await asBo('GET', '/account', '');
  assert.match(text, /An administrator can add one in the settings/);
  assert.doesNotMatch(text, link);
});

test('only administrators can configure alarm targets', async () => {
  const alarms = {
    mail: { host: '127.0.0.1', port: mail.port, tls: 'none', sender: 'cart@example.com' },
    webhook: { urls: [hook()], secret: 'hush' },
  };
  const denied = await asBo('POST', '/updateJson', { alarms });
  assert.equal(denied.status, 403, denied.text);
  assert.doesNotMatch((await asBo('GET', '/brokerSettings', '')).text, /set-alarms-mail-host/);
  const saved = await asAnna('POST', '/updateJson', { alarms });
  assert.equal(saved.status, 200, saved.text);
  assert.match((await asAnna('GET', '/brokerSettings', '')).text, /set-alarms-mail-host/);
  const { json } = await asBo('GET', '/variables.json');
  assert.equal((json.alarms as typeof alarms).webhook.secret, '***');
  // An operator can save the complete settings document, because it does not change the `alarms` section.
  assert.equal((await asBo('POST', '/updateJson', json)).status, 200);
});

for (const [what, alarms] of [
  ['a webhook URL that contains credentials', { webhook: { urls: ['https://anna:secret@hooks.example/'] } }],
  ['a webhook URL that is not HTTP', { webhook: { urls: ['ftp://hooks.example/'] } }],
  ['a mail server without a sender', { mail: { host: 'mail.example', sender: '' } }],
  ['a mail user without a server', { mail: { username: 'cart' } }],
  ['a recipient with a display name', { mail: { recipients: ['Anna <anna@example.com>'] } }],
] as const) {
  test(`rejects ${what}`, async () => {
    const { status, text } = await asAnna('POST', '/updateJson', { alarms });
    assert.equal(status, 400, text);
  });
}

test('sends a test alarm to one target and returns the result', async () => {
  const body = { channel: 'webhook', target: hook() };
  assert.equal((await asBo('POST', '/alarms/test', body)).status, 403);
  const { json } = await asAnna('POST', '/alarms/test', body);
  assert.equal(json.ok, true);
  assert.match(alarmsIn().at(-1)?.text ?? '', /^Cart 1: test alarm requested by anna at /);
  assert.match(String(webhook.posts.at(-1)?.headers['x-cartwright-signature']), /^sha256=[0-9a-f]{64}$/);

  const other = await asAnna('POST', '/alarms/test', { ...body, target: 'http://127.0.0.1:9/' });
  assert.deepEqual(other.json, { ok: false, reason: 'this channel is not configured' });

  respond = (response) => void response.writeHead(503).end();
  const form = new URLSearchParams(body).toString();
  const page = await asAnna('POST', '/alarms/test', form);
  assert.match(page.text, /Test alarm not sent[\s\S]*the server responded with status 503/);
  respond = (response) => void response.writeHead(204).end();
});

test('users can subscribe to kinds of alarm and see their own subscriptions', async () => {
  const none = { address: '', kinds: [] };
  assert.deepEqual((await asBo('GET', '/account/alarms')).json, none);
  const rejected = await asBo('POST', '/account/alarms', 'address=&kinds=estop');
  assert.equal(rejected.status, 400);
  assert.match(rejected.text, /enter an e-mail address/);
  const saved = await asBo('POST', '/account/alarms', 'address=bo%40example.com&kinds=estop');
  assert.match(saved.text, /Alarm subscription saved[\s\S]*value="estop" checked/);
  assert.deepEqual((await asBo('GET', '/account/alarms')).json, {
    address: 'bo@example.com',
    kinds: ['estop'],
  });
  const anna = { address: 'anna@example.com', kinds: ['backup-failed'] };
  assert.equal((await asAnna('POST', '/account/alarms', anna)).status, 200);
  const wrong = await asAnna('POST', '/account/alarms', { address: 'anna', kinds: [] });
  assert.equal(wrong.status, 400);
});

test("the System page links to the user's own alarms and, for administrators, to the targets", async () => {
  const own = 'href="/account#alarms"';
  const settings = 'href="/brokerSettings?section=alarms&amp;view=advanced#alarms"';
  const forBo = (await asBo('GET', '/system', '')).text;
  assert.ok(forBo.includes(own) && !forBo.includes(settings));
  const forAnna = (await asAnna('GET', '/system', '')).text;
  assert.ok(forAnna.includes(own) && forAnna.includes(settings));
  assert.ok((await asAnna('GET', '/account', '')).text.includes('href="/system#alarms"'));
  assert.ok(!(await asBo('GET', '/account', '')).text.includes('href="/system#alarms"'));
});

test('users can send a test alarm to the address of their own subscription', async () => {
  const before = mail.mails.length;
  assert.equal((await asBo('POST', '/account/alarms/test')).json.ok, true);
  assert.deepEqual(
    mail.mails.slice(before).map(({ to }) => to),
    ['bo@example.com'],
  );
  await asAnna('POST', '/account/alarms', { address: '', kinds: [] });
  const none = await asAnna('POST', '/account/alarms/test');
  assert.deepEqual(none.json, { ok: false, reason: 'no alarms are selected' });
});

test('the Account page reports that no e-mail is sent when there is no mail server', async () => {
  await asAnna('POST', '/updateJson', { alarms: { mail: { host: '' } } });
  const saved = await asBo('POST', '/account/alarms', 'address=bo%40example.com&kinds=estop');
  assert.match(saved.text, /Alarm subscription saved[\s\S]*No e-mail is sent/);
  const tested = await asBo('POST', '/account/alarms/test');
  assert.deepEqual(tested.json, { ok: false, reason: 'no mail server is configured' });
  await asAnna('POST', '/updateJson', { alarms: { mail: { host: '127.0.0.1' } } });
});

test('an undelivered alarm needs attention on the System page until a test alarm is delivered', async () => {
  const needsAttention = async (): Promise<boolean> => {
    const { json } = await asBo('GET', '/system');
    const parts = json.parts as { key: string; reason: string }[];
    return parts.some(({ key, reason }) => key === 'alarms' && reason.includes('not yet delivered'));
  };
  await gateway.logged('link.changed', { state: 'READY' });
  respond = (response) => void response.writeHead(503).end();
  assert.equal((await asAnna('POST', '/estop')).status, 200);
  await gateway.logged('alarm.delivery_delayed', { channel: 'webhook' });
  assert.equal(await needsAttention(), true);
  respond = (response) => void response.writeHead(204).end();
  await asAnna('POST', '/alarms/test', { channel: 'webhook', target: hook() });
  assert.equal(await needsAttention(), false);
  await reset();
  // After a restart, the alarm about a newly latched stop is sent immediately, even within 60 s of the last one.
  await gateway.kill('SIGKILL');
  await gateway.spawn(ENV);
  [asAnna, asBo] = await Promise.all([login('anna'), login('bo')]);
  mail.mails.splice(0);
});

test('the alarm about a latched stop reaches the webhook and the users who subscribed to it', async () => {
  await gateway.logged('link.changed', { state: 'READY' });
  const before = webhook.posts.length;
  assert.equal((await asAnna('POST', '/estop')).status, 200);
  await until(() => webhook.posts.length > before && mail.mails.length > 0);
  const [{ kind, cartID, count, text, url } = {} as Alarm] = alarmsIn().slice(before);
  assert.deepEqual([kind, cartID, count], ['estop', 1, 1]);
  assert.match(text, /^Cart 1: stopped by anna at \d\d:\d\d:\d\d \S+$/);
  assert.match(url, /^http:\/\/\S+\/\?cart=1$/);
  assert.deepEqual(
    mail.mails.map(({ to }) => to),
    ['bo@example.com'],
  );
  await reset();
});

test('an alarm that was being sent when the gateway was killed is reported and not sent again', async () => {
  // After a restart, the alarm about a newly latched stop is sent immediately, even within 60 s of the last one.
  await gateway.kill('SIGKILL');
  await gateway.spawn(ENV);
  asAnna = await login('anna');
  respond = () => undefined;
  const before = webhook.posts.length;
  await gateway.logged('link.changed', { state: 'READY' });
  await asAnna('POST', '/estop');
  await until(() => webhook.posts.length > before);
  await gateway.kill('SIGKILL');
  respond = (response) => void response.writeHead(204).end();

  await gateway.spawn(ENV);
  const failure = await gateway.logged('alarm.delivery_failed', { channel: 'webhook' });
  assert.match(String(failure.reason), /may have been delivered/);
  asAnna = await login('anna');
  const { json } = await asAnna('GET', '/health');
  assert.match(JSON.stringify(json.faults), /Alarm not delivered to 127\.0\.0\.1:\d+/);
  assert.equal(webhook.posts.length, before + 1);

  await asAnna('POST', '/alarms/test', { channel: 'webhook', target: hook() });
  assert.equal(webhook.posts.length, before + 2);
});

test.run();
