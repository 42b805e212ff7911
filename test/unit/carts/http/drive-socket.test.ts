import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import { WebSocket } from 'ws';
import type { CommandView } from '../../../../src/carts/command/model.js';
import { DriveSocket } from '../../../../src/carts/http/drive-socket.js';
import type { DriveMessage, DriveState } from '../../../../src/carts/manual-drive/drive-messages.js';
import { fastExpress } from '../../../../src/http/server/fast-express.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { quietLog } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { GatewayProcess } from '../../../helpers/gateway.js';
import { handlersOf } from '../../../helpers/handlers-of.js';
import { repeatOnce } from '../../../helpers/repeat-once.js';
import { until } from '../../../helpers/until.js';

/** Tests a gateway's drive socket with a simulated cart, for pages and for unauthorised clients. */
const test = suite('drive socket');

const PASSWORD = 'correct horse battery';
const ADMIN = { CARTWRIGHT_ADMIN_USER: 'root', CARTWRIGHT_ADMIN_PASSWORD: PASSWORD };

let open: GatewayProcess;

test.before(async () => {
  open = await GatewayProcess.start();
  await open.untilCart(1, ({ safety }) => safety.mayMove);
});
test.after(async () => {
  assert.equal(await open.close(), 0);
});

class Client {
  readonly socket: WebSocket;
  readonly closed: Promise<{ code: number; reason: string }>;
  state: DriveState | undefined;
  stopToken: string | undefined;
  #looks = new Set<(state: DriveState) => void>();
  #seq = 0;

  constructor(gateway: GatewayProcess, headers: Record<string, string> = {}) {
    const { host } = new URL(gateway.url);
    this.socket = new WebSocket(`ws://${host}/drive`, { headers: { origin: gateway.url, ...headers } });
    this.socket.on('message', (data) => {
      const state = JSON.parse(String(data)) as DriveState;
      if (!this.state) this.stopToken = state.stopToken;
      else assert.equal(state.stopToken, undefined);
      this.state = state;
      for (const look of this.#looks) look(state);
    });
    this.closed = once(this.socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
  }

  /**
   * Resolves with the first state that meets the condition, possibly the current one; rejects if the socket
   * closes first.
   */
  until(wanted: (state: DriveState) => boolean): Promise<DriveState> {
    return new Promise((resolve, reject) => {
      const look = (state: DriveState): void => {
        if (!wanted(state)) return;
        this.#looks.delete(look);
        resolve(state);
      };
      this.#looks.add(look);
      this.closed.then(({ code }) => reject(new Error(`closed with ${code} before it was as wanted`)));
      if (this.state) look(this.state);
    });
  }

  say(word: DriveMessage): void {
    this.socket.send(JSON.stringify(word));
  }

  async take(): Promise<void> {
    await this.until(() => true);
    this.say({ say: 'take' });
    await this.until(({ lease }) => lease > 0);
  }

  /**
   * Responds to every state with a `drive` message until `until` resolves. Takes control again if the lease
   * ended because the machine is overloaded.
   */
  async hold(speed: number, until: () => Promise<unknown>): Promise<void> {
    const drive = (): void => {
      const { lease = 0, n: heard = 1, ended } = this.state ?? {};
      // Each `take` without a session gets an immediate response, so repeating it would exceed the message rate.
      if (ended?.code === 'NOT_LOGGED_IN') return;
      this.#seq += 1;
      this.say(lease > 0 ? { say: 'drive', lease, seq: this.#seq, speed, turn: 0, heard } : { say: 'take' });
    };
    drive();
    this.socket.on('message', drive);
    await until();
    this.socket.off('message', drive);
  }
}

async function refused(
  gateway: GatewayProcess,
  headers: Record<string, string>,
): Promise<{ status: number; code: unknown }> {
  const { host } = new URL(gateway.url);
  const socket = new WebSocket(`ws://${host}/drive`, { headers });
  socket.on('error', () => undefined);
  const [, res] = await once(socket, 'unexpected-response');
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk);
  return { status: res.statusCode, code: JSON.parse(Buffer.concat(chunks).toString()).code };
}

const isStill = ({ moving, telemetry }: { moving: boolean; telemetry?: { speedMmps: number } }): boolean =>
  !moving && telemetry?.speedMmps === 0;

/** Drives until `letGo` releases the controls. Returns the command. Repeats the drive once after LOOP_LAG. */
async function driven(letGo: (client: Client) => void): Promise<CommandView> {
  const attempt = async (): Promise<CommandView> => {
    const client = new Client(open);
    await client.take();
    await client.hold(100, async () => {
      await open.untilCart(1, ({ telemetry }) => (telemetry?.speedMmps ?? 0) > 50);
      await client.until(({ seq }) => seq > 3);
    });
    letGo(client);
    const { commandId = '' } = await open.untilCart(1, isStill);
    const { body } = await open.call<CommandView>('GET', `/commands/${commandId}`);
    client.socket.close();
    await client.closed;
    return body;
  };
  return repeatOnce(attempt, ({ reason }) => reason?.code);
}

test('holding a control drives the cart and measures the round-trip time, and releasing the control finishes the command', async () => {
  const { kind, state, reason } = await driven((client) =>
    client.say({ say: 'let-go', lease: client.state?.lease ?? 0, why: 'released' }),
  );
  assert.deepEqual([kind, state], ['jog', 'FINISHED'], textOf(reason?.text ?? ''));
});

test('stops the cart when the connection is lost while a control is held', async () => {
  const { reason } = await driven((client) => client.socket.terminate());
  assert.equal(reason?.code, 'CONNECTION_LOST');
});

/**
 * Drives until the client stops sending messages. Returns the reason code for the end of control. Repeats the
 * drive once after LOOP_LAG.
 */
async function silentDrive(): Promise<string | undefined> {
  const attempt = async (): Promise<string | undefined> => {
    const client = new Client(open);
    await client.take();
    await client.hold(100, () => open.untilCart(1, ({ telemetry }) => (telemetry?.speedMmps ?? 0) > 50));
    const { ended } = await client.until(({ lease }) => lease === 0);
    await open.untilCart(1, isStill);
    client.socket.close();
    await client.closed;
    return ended?.code;
  };
  return repeatOnce(attempt, (code) => code);
}

test('stops the cart when the client does not send messages while a control is held, and then reports the reason', async () => {
  assert.equal(await silentDrive(), 'LEASE_ENDED');
});

for (const [what, data, code] of [
  ['text that is not JSON', 'forward', 1008],
  ['an unknown message type', '{"say":"fly"}', 1008],
  [
    'a speed that is not an integer',
    '{"say":"drive","lease":1,"seq":1,"speed":"5","turn":0,"heard":1}',
    1008,
  ],
  ['binary data', Buffer.from([1, 2, 3]), 1003],
  ['text that is too long', `"${'x'.repeat(600)}"`, 1009],
] as const) {
  test(`closes the socket after receiving ${what}`, async () => {
    const client = new Client(open);
    await client.until(() => true);
    client.socket.send(data);
    assert.equal((await client.closed).code, code);
  });
}

test('closes the socket after more than 50 messages in one second', async () => {
  const client = new Client(open);
  await client.until(() => true);
  for (let word = 0; word < 60; word += 1) client.say({ say: 'leave' });
  const { code, reason } = await client.closed;
  assert.equal(code, 1008);
  assert.match(reason, /50 messages in one second/);
});

test('rejects requests from a different origin and requests for an unknown host name', async () => {
  assert.deepEqual(await refused(open, { origin: 'https://elsewhere.example' }), {
    status: 403,
    code: 'FORBIDDEN',
  });
  assert.deepEqual(await refused(open, { origin: open.url, host: 'elsewhere.example' }), {
    status: 421,
    code: 'MISDIRECTED',
  });
});

test('GET /drive without an Upgrade header returns 426', async () => {
  const { status, body } = await open.call<{ code: string }>('GET', '/drive');
  assert.deepEqual([status, body.code], [426, 'UPGRADE_REQUIRED']);
});

test("an upgrade request for another route receives that route's response, and the connection closes", async () => {
  const { port, host } = new URL(open.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    `GET /livez HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${open.url}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  let text = '';
  for await (const chunk of socket) text += chunk;
  assert.match(text, /^HTTP\/1\.1 200 /);
});

test('customers can watch and operators can drive until their access ends when logins are enabled', async () => {
  const gateway = await GatewayProcess.start({}, { ...ADMIN, CARTWRIGHT_AUTH: 'required' });
  try {
    const root = await login(gateway, 'root');
    for (const [username, role] of [
      ['anna', 'operator'],
      ['bea', 'operator'],
      ['dora', 'operator'],
      ['carl', 'customer'],
    ])
      await send(gateway, 'POST', '/users', root, { username, password: PASSWORD, role });
    assert.deepEqual(await refused(gateway, { origin: gateway.url }), { status: 401, code: 'NOT_LOGGED_IN' });

    const watcher = new Client(gateway, { cookie: await login(gateway, 'carl') });
    await watcher.until(() => true);
    const stop = await fetch(`${gateway.url}/carts/1/stop`, {
      method: 'POST',
      headers: { accept: 'application/json', 'x-stop-token': watcher.stopToken ?? '' },
    });
    assert.equal(stop.status, 200, 'the first state has a token that stops without a session');
    assert.equal((await watcher.until(() => true)).mayDrive, false);
    watcher.say({ say: 'take' });
    await watcher.until(({ ended }) => ended?.code === 'FORBIDDEN');

    const users = (await send(gateway, 'GET', '/users', root)) as { userId: number; username: string }[];
    await untilItMayMove(gateway, root);
    const change = (name: string, patch: object) => (): Promise<unknown> => {
      const { userId } = users.find(({ username }) => username === name) ?? { userId: 0 };
      return send(gateway, 'PATCH', `/users/${userId}`, root, patch);
    };
    const elsewhere = await login(gateway, 'dora');
    for (const [name, end] of [
      ['anna', change('anna', { disabled: true })],
      ['bea', change('bea', { role: 'customer' })],
      ['dora', () => send(gateway, 'POST', '/account/sessions/revoke-others', elsewhere)],
    ] as const) {
      const cookie = await login(gateway, name);
      const stream = await fetch(`${gateway.url}/events`, { headers: { cookie } });
      const driver = new Client(gateway, { cookie });
      await driver.take();
      await watcher.until(({ driver }) => driver?.name === name);
      await driver.hold(100, async () => {
        await watcher.until(({ driver }) => driver?.isDriving === true);
        // The listener is registered first, because the connection closes soon after this state is sent.
        const ended = driver.until(({ ended }) => ended?.code === 'NOT_LOGGED_IN');
        await Promise.all([ended, end()]);
      });
      assert.equal((await driver.closed).code, 4401);
      await watcher.until(({ driver }) => driver === null);
      // Reads until the gateway ends the stream.
      await stream.text();
    }
    watcher.socket.close();
    await watcher.closed;
  } finally {
    assert.equal(await gateway.close(), 0);
  }
});

async function send(
  gateway: GatewayProcess,
  method: string,
  path: string,
  cookie: string,
  body?: object,
): Promise<unknown> {
  const res = await fetch(`${gateway.url}${path}`, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json', cookie },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await res.text();
  assert.ok(res.ok, `${method} ${path}: ${res.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

async function login(gateway: GatewayProcess, username: string): Promise<string> {
  const res = await fetch(`${gateway.url}/login`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  assert.equal(res.status, 201);
  return res.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function untilItMayMove(gateway: GatewayProcess, cookie: string): Promise<void> {
  await until(async () => {
    const cart = (await send(gateway, 'GET', '/carts/1', cookie)) as { safety: { mayMove: boolean } };
    return cart.safety.mayMove;
  });
}

test('closes the connection of a client that does not read the states', async () => {
  const { app, server } = fastExpress();
  let send = (_state: DriveState): void => undefined;
  const socket = new DriveSocket({
    drive: {
      join: (member: { send: (state: DriveState) => void }) => {
        send = member.send;
        return { receive: () => undefined, leave: () => undefined };
      },
    },
    access: { stopTokens: { issue: () => undefined } },
    clock: new FakeClock(),
    log: quietLog,
  } as unknown as ConstructorParameters<typeof DriveSocket>[0]);
  app.use(handlersOf(socket.router()));
  socket.serve(server);
  const connected: Promise<Socket[]> = once(server, 'connection') as Promise<Socket[]>;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}/drive`);
  const [[ofServer]] = await Promise.all([connected, once(client, 'open')]);
  assert.ok(ofServer);
  // The client reads nothing during this loop, which runs in one iteration of the event loop.
  const state = { text: 'x'.repeat(1000) } as unknown as DriveState;
  let unread = 0;
  for (let sent = 0; sent < 100_000 && !ofServer.destroyed; sent += 1) {
    send(state);
    unread = Math.max(unread, ofServer.writableLength);
  }
  assert.ok(ofServer.destroyed);
  assert.ok(unread > 8 * 1024 && unread < 10 * 1024, `${unread} bytes waited`);
  client.terminate();
  server.close();
  socket.close();
});

test.run();
