import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { test } from 'uvu';
import { type Call, PASSWORD, type TestApp, withTestApp } from '../access/test-app.js';

const CONNECTIONS = 24;
const LOGINS = 30;
const COST = { ln: 9, r: 8, p: 1 };
const OPERATOR = '127.0.2.1';

/** Returns the statuses of 30 operator logins while a customer logs in continuously over 24 connections. */
async function underFlood(testApp: TestApp, flood: { from: string; password: string }): Promise<number[]> {
  await testApp.addUser('carl');
  await testApp.addUser('olga', 'operator');
  let isOver = false;
  const logIn = (username: string, password: string, call: Pick<Call, 'from' | 'agent'>) =>
    testApp.call('POST', '/login', { body: { username, password }, ...call });
  // Connections are kept open: if an address constantly opened new ones, the gateway would reset the connections of all
  // users at this address.
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const loops = Array.from({ length: CONNECTIONS }, async () => {
    while (!isOver) await logIn('carl', flood.password, { from: flood.from, agent });
  });
  const statuses: number[] = [];
  try {
    for (let n = 0; n < LOGINS; n += 1)
      statuses.push((await logIn('olga', PASSWORD, { from: OPERATOR })).status);
  } finally {
    isOver = true;
    await Promise.all(loops);
    agent.destroy();
  }
  return statuses;
}

for (const [where, from] of Object.entries({ 'the same': OPERATOR, another: '127.0.2.2' })) {
  for (const [kind, password] of Object.entries({ right: PASSWORD, wrong: 'not the password' })) {
    test(
      `an operator can log in while one customer logs in over 24 connections from ${where} address with the ${kind} password`,
      withTestApp(
        async (testApp) => {
          const statuses = await underFlood(testApp, { from, password });
          assert.deepEqual(statuses, Array(LOGINS).fill(201));
        },
        { hashCost: COST },
      ),
    );
  }
}

test(
  'failed logins block a user for at most 10 s, unless the user has already logged in from the same address',
  withTestApp(async ({ call, addUser, clock }) => {
    await addUser('olga', 'operator');
    await addUser('ben', 'operator');
    const logIn = (username: string, password: string) =>
      call('POST', '/login', { body: { username, password } });
    assert.equal((await logIn('olga', PASSWORD)).status, 201);
    for (let n = 0; n < 30; n += 1) assert.equal((await logIn(`user ${n}`, 'wrong')).status, 401);
    const refused = await logIn('user 31', 'wrong');
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '10']);
    assert.equal((await logIn('olga', PASSWORD)).status, 201);
    assert.equal((await logIn('ben', PASSWORD)).status, 429);
    clock.advance(10_000);
    assert.equal((await logIn('ben', PASSWORD)).status, 201);
  }),
);

test(
  'limits an address to 30 login attempts, and then to one every 10 s',
  withTestApp(async ({ call, clock }) => {
    let tried = 0;
    for (let n = 0; n < 360; n += 1) {
      const body = { username: `user ${n % 200}`, password: 'wrong' };
      if ((await call('POST', '/login', { body })).status === 401) tried += 1;
      clock.advance(1000);
    }
    assert.ok(tried <= 30 + 36, `${tried} tries`);
  }),
);

test(
  'limits successful logins per account and address',
  withTestApp(async ({ call, addUser, clock }) => {
    await addUser('anna');
    const logIn = (from: string) =>
      call('POST', '/login', { body: { username: 'anna', password: PASSWORD }, from });
    for (let n = 0; n < 60; n += 1) assert.equal((await logIn('127.0.2.3')).status, 201);
    const refused = await logIn('127.0.2.3');
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '15']);
    assert.equal((await logIn('127.0.2.4')).status, 201);
    clock.advance(15_000);
    assert.equal((await logIn('127.0.2.3')).status, 201);
  }),
);

test.run();
