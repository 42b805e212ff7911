import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { suite } from 'uvu';
import { sendMail } from '../../../../src/adapters/alarms/mail.js';
import type { Alarm, MailServer } from '../../../../src/shared/ports/alarms.js';
import { MailSink } from '../../../helpers/mail-sink.js';
import { plain } from '../../../helpers/plain.js';

const test = suite('alarm mail');

const ALARM: Alarm = {
  id: '3f0e0c52-6a0a-4c4d-8f7b-2f8a5f1c9e11',
  kind: 'estop',
  cartID: 2,
  count: 1,
  at: Date.UTC(2026, 4, 4, 12, 2, 11),
  text: 'Kar Zoë: stopped by Anna at 14:02:11 CEST',
  gateway: 'Kar Zoë',
  url: 'http://cart.local/?cart=2',
};
const server = ({ port }: { port: number }, more: Partial<MailServer> = {}): MailServer => ({
  host: '127.0.0.1',
  port,
  tls: 'none',
  username: '',
  password: '',
  sender: 'cart@example.com',
  ...more,
});

function withSink(options: Parameters<typeof MailSink.listen>[0], run: (sink: MailSink) => Promise<void>) {
  return async (): Promise<void> => {
    const sink = await MailSink.listen(options);
    try {
      await run(sink);
    } finally {
      await sink.close();
    }
  };
}

test(
  'sends the alarm message as the subject of the mail and the link in the body',
  withSink({}, async (sink) => {
    assert.deepEqual(await sendMail(server(sink), 'anna@example.com', ALARM), { outcome: 'delivered' });
    const [{ to, source } = { to: '', source: '' }] = sink.mails;
    assert.equal(to, 'anna@example.com');
    assert.match(source, /^Message-ID: <3f0e0c52-6a0a-4c4d-8f7b-2f8a5f1c9e11@example\.com>/im);
    assert.match(source, /^Subject: =\?UTF-8\?Q\?Kar_Zo=C3=AB/im);
    assert.match(source, /^Auto-Submitted: auto-generated/im);
    assert.match(source, /http:\/\/cart\.local\/\?cart=3?D?2/);
  }),
);

const LOGIN = { username: 'cart', password: 'secret' };
test(
  'the mail channel logs in to the mail server',
  withSink({ login: LOGIN }, async (sink) => {
    assert.equal((await sendMail(server(sink, LOGIN), 'anna@example.com', ALARM)).outcome, 'delivered');
    assert.equal(sink.mails[0]?.username, 'cart');
  }),
);

test(
  'the mail channel reports a wrong password as a channel failure',
  withSink({ login: LOGIN }, async (sink) => {
    const wrong = { ...LOGIN, password: 'wrong' };
    const result = await sendMail(server(sink, wrong), 'anna@example.com', ALARM);
    const reason = 'the mail server rejected the username or password';
    assert.deepEqual(plain(result), { outcome: 'failed', scope: 'channel', reason });
  }),
);

test(
  'the mail channel reports a rejected recipient as a message failure',
  withSink({ rejected: { 'bo@example.com': { code: 550, text: 'no such user' } } }, async (sink) => {
    const result = await sendMail(server(sink), 'bo@example.com', ALARM);
    assert.match(JSON.stringify(plain(result)), /"outcome":"failed","scope":"message".*no such user/);
  }),
);

test(
  'reports an unknown result when the connection ends before the server confirms the message',
  withSink({ dropsAfterData: true }, async (sink) => {
    const result = await sendMail(server(sink), 'anna@example.com', ALARM);
    assert.equal(result.outcome, 'unknown');
    assert.equal(sink.mails.length, 1);
  }),
);

test(
  'does not send mail in plain text when encryption is required',
  withSink({}, async (sink) => {
    const result = await sendMail(server(sink, { tls: 'starttls' }), 'anna@example.com', ALARM);
    assert.equal(result.outcome, 'failed');
    assert.equal(sink.mails.length, 0);
  }),
);

test('reports a server that is not listening as a channel failure', async () => {
  const sink = await MailSink.listen();
  await sink.close();
  const result = await sendMail(server(sink), 'anna@example.com', ALARM);
  const reason = 'no connection: connection refused: the server is not running, or the port is wrong';
  assert.deepEqual(plain(result), { outcome: 'failed', scope: 'channel', reason });
});

/** Sends an e-mail to a server that sends `greeting` and nothing else. */
async function sendToSilent(greeting: string, onData: () => void = () => {}) {
  const silent = createServer((socket) => {
    socket.on('error', () => undefined).on('data', onData);
    socket.write(greeting);
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  try {
    return await sendMail(server(silent.address() as AddressInfo), 'anna@example.com', ALARM);
  } finally {
    silent.close();
  }
}

const TIMEOUT = /"outcome":"failed","scope":"channel","reason":"no connection: /;

test('reports a channel failure when the server does not send a greeting within 10 s', async () => {
  const { setTimeout: startTimer } = globalThis;
  const { now } = Date;
  const at = now();
  const limitsMs: unknown[] = [];
  Date.now = () => at;
  // The first timer limits the connection, and the second one the greeting.
  globalThis.setTimeout = ((end: () => void, ms: number) => {
    limitsMs.push(ms);
    return startTimer(end, limitsMs.length === 2 ? 0 : ms);
  }) as typeof setTimeout;
  try {
    assert.match(JSON.stringify(plain(await sendToSilent(''))), TIMEOUT);
    assert.deepEqual(limitsMs.slice(0, 2), [10_000, 10_000]);
  } finally {
    Object.assign(globalThis, { setTimeout: startTimer });
    Date.now = now;
  }
});

test('reports a channel failure when the server sends nothing for 20 s', async () => {
  const { setTimeout: setLimit } = Socket.prototype;
  const limited: Socket[] = [];
  Socket.prototype.setTimeout = function (this: Socket, ms, ...rest) {
    if (ms === 20_000) limited.push(this);
    return setLimit.call(this, ms, ...rest);
  };
  try {
    const result = await sendToSilent('220 mail.example.com\r\n', () => limited[0]?.emit('timeout'));
    assert.match(JSON.stringify(plain(result)), TIMEOUT);
    assert.equal(limited.length, 1);
  } finally {
    Socket.prototype.setTimeout = setLimit;
  }
});

test.run();
