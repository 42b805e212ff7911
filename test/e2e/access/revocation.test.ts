import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { CommandView } from '../../../src/carts/command/model.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { repeatOnce } from '../../helpers/repeat-once.js';
import { untilAnswer } from '../../helpers/until.js';

const PASSWORD = 'correct horse battery';
const ENV = {
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_ADMIN_USER: 'anna',
  CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
};

type Headers = Record<string, string>;

interface Entered {
  headers: Headers;
  revoke(): Promise<{ status: number }>;
}

class Fixture {
  readonly gateway: GatewayProcess;
  anna: Headers = {};

  constructor(gateway: GatewayProcess) {
    this.gateway = gateway;
  }

  async request<T = Record<string, unknown>>(method: string, path: string, headers: Headers, body?: object) {
    const answer = await fetch(`${this.gateway.url}${path}`, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const text = await answer.text();
    return { status: answer.status, cookie, body: (text ? JSON.parse(text) : {}) as T };
  }

  async logIn(username: string): Promise<Headers> {
    const { status, cookie } = await this.request('POST', '/login', {}, { username, password: PASSWORD });
    assert.equal(status, 201);
    return { cookie };
  }

  /** Starts a motion of about 30 s on carts 1 and 2. */
  async drive(headers: Headers): Promise<string[]> {
    const far = { distanceID: 10_000, angleID: 0 };
    for (const cartID of [1, 2]) await this.#untilReady(cartID);
    const ids: string[] = [];
    for (const cartID of [1, 2]) {
      const answer = await this.request<CommandView>('POST', '/', headers, { cartID, ...far });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      ids.push(answer.body.commandId);
    }
    return ids;
  }

  async endings(ids: string[]): Promise<string[]> {
    const endings: string[] = [];
    for (const id of ids) {
      const command = () => this.request<CommandView>('GET', `/commands/${id}`, this.anna);
      const { body } = await untilAnswer(command, ({ body }) =>
        ['FINISHED', 'FAILED', 'EXPIRED', 'CANCELLED', 'REJECTED'].includes(body.state),
      );
      endings.push(body.reason?.code ?? body.state);
    }
    return endings;
  }

  /**
   * Starts motions as the user or program that `enter` returns, revokes its access and returns how the motions end.
   * Repeats this once after LOOP_LAG.
   */
  async endingsAfter(enter: () => Promise<Entered>): Promise<string[]> {
    const attempt = async (): Promise<string[]> => {
      const { headers, revoke } = await enter();
      const ids = await this.drive(headers);
      assert.equal((await revoke()).status, 200);
      return this.endings(ids);
    };
    return repeatOnce(attempt, (endings) => endings.find((ending) => ending === 'LOOP_LAG'));
  }

  async #untilReady(cartID: number): Promise<void> {
    type Cart = { online: boolean; moving: boolean; safety: { mayMove: boolean } };
    const cart = () => this.request<Cart>('GET', `/carts/${cartID}`, this.anna);
    await untilAnswer(cart, ({ body }) => body.online && body.safety.mayMove && !body.moving);
  }
}

function withFixture(run: (fixture: Fixture) => Promise<void>): () => Promise<void> {
  return async () => {
    const gateway = await GatewayProcess.start({ simulation: { carts: [2] } }, ENV);
    try {
      const fixture = new Fixture(gateway);
      fixture.anna = await fixture.logIn('anna');
      await run(fixture);
    } finally {
      await gateway.close();
    }
  };
}

const ALL_REVOKED = ['REVOKED', 'REVOKED'];

test(
  "disabling or logging out a user ends that user's commands on every cart",
  withFixture(async (fixture) => {
    const { body: bo } = await fixture.request<{ userId: number }>('POST', '/users', fixture.anna, {
      username: 'bo',
      password: PASSWORD,
      role: 'operator',
    });
    const loggedOut = await fixture.endingsAfter(async () => {
      const headers = await fixture.logIn('bo');
      return { headers, revoke: () => fixture.request('POST', '/logout', headers) };
    });
    assert.deepEqual(loggedOut, ALL_REVOKED);

    const change = (disabled: boolean) =>
      fixture.request('PATCH', `/users/${bo.userId}`, fixture.anna, { disabled });
    const disabled = await fixture.endingsAfter(async () => {
      await change(false);
      return { headers: await fixture.logIn('bo'), revoke: () => change(true) };
    });
    assert.deepEqual(disabled, ALL_REVOKED);
  }),
);

test(
  'logging out of one session does not end the commands of another session',
  withFixture(async (fixture) => {
    const other = await fixture.logIn('anna');
    const [running = ''] = await fixture.drive(fixture.anna);
    assert.equal((await fixture.request('POST', '/logout', other)).status, 200);
    assert.equal((await fixture.request('POST', '/carts/1/stop', fixture.anna, {})).status, 200);
    assert.deepEqual(await fixture.endings([running]), ['STOPPED']);
  }),
);

test(
  'revoking an API key ends its commands',
  withFixture(async (fixture) => {
    const endings = await fixture.endingsAfter(async () => {
      const { body } = await fixture.request<{ keyId: number; key: string }>('POST', '/keys', fixture.anna, {
        name: 'warehouse',
        scopes: ['cart:control'],
      });
      const revoke = () => fixture.request('DELETE', `/keys/${body.keyId}`, fixture.anna);
      return { headers: { 'x-api-key': body.key }, revoke };
    });
    assert.deepEqual(endings, ALL_REVOKED);
  }),
);

test.run();
