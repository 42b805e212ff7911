import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'uvu';
import { clientAddress } from '../../../../src/http/guard/origin.js';
import { leaseHolderOf } from '../../../../src/http/guard/principal.js';
import { addressList } from '../../../../src/shared/addresses.js';
import { PASSWORD, type TestApp, withTestApp } from '../../access/test-app.js';

const PROXY = '127.0.0.1';
const BEHIND_PROXY = { trustedProxies: [PROXY, '::1', '10.0.0.5'] };
const isProxy = addressList(BEHIND_PROXY.trustedProxies);

for (const [what, peer, header, client] of [
  ['an untrusted peer that reports another address', '192.168.1.7', '10.1.2.3', '192.168.1.7'],
  ['an untrusted peer that reports a loopback address', '192.168.1.7', '127.0.0.1', '192.168.1.7'],
  ['an untrusted peer that reports a trusted proxy', '192.168.1.7', '10.0.0.5', '192.168.1.7'],
  ['a client that reports a loopback address', PROXY, '127.0.0.1, 203.0.113.9', '203.0.113.9'],
  ['a client behind two proxies', PROXY, '8.8.8.8, 203.0.113.9, 10.0.0.5', '203.0.113.9'],
  ['a client whose proxy has a mapped address', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['an address with a port', PROXY, '203.0.113.9:4711', '203.0.113.9'],
  ['a mapped address', PROXY, '::ffff:203.0.113.9', '203.0.113.9'],
  ['a mapped address in capitals', PROXY, '::FFFF:203.0.113.9', '203.0.113.9'],
  ['a mapped address in hexadecimal', PROXY, '::ffff:cb00:7109', '203.0.113.9'],
  ['an IPv6 address with brackets', PROXY, '[2001:db8::7]', '2001:db8::7'],
  ['an IPv6 address with a port', PROXY, '[2001:db8::7]:4711', '2001:db8::7'],
  ['an IPv6 address with zeros and capitals', PROXY, '2001:0DB8:0:0::0007', '2001:db8::7'],
  ['an IPv6 address with a zone ID', PROXY, 'fe80::7%eth0', 'fe80::7'],
  ['empty entries', PROXY, '203.0.113.9, , ', '203.0.113.9'],
  ['no entry', PROXY, '', PROXY],
  ['the text "unknown"', PROXY, 'unknown', PROXY],
  ['a name', PROXY, 'localhost', PROXY],
  ['an address that does not exist', PROXY, '999.1.1.1', PROXY],
  ['a shortened address', PROXY, '127.1', PROXY],
  ['a port that is not a number', PROXY, '203.0.113.9:http', PROXY],
  ['an RFC 7239 element', PROXY, 'for=203.0.113.9', PROXY],
  ['an address to the left of invalid text', PROXY, '203.0.113.9, unknown', PROXY],
  ['only trusted proxies', PROXY, '10.0.0.5, ::1', PROXY],
] as const) {
  test(`reads ${client} as the client's address for ${what}`, () => {
    const socket = { remoteAddress: peer };
    const req = { socket, headers: { 'x-forwarded-for': header } } as unknown as Parameters<
      typeof clientAddress
    >[0];
    assert.equal(clientAddress(req, isProxy), client);
  });
}

/** Every header by which a program reports a client's address, with this address. */
const forgeries = (address: string): Record<string, string>[] => [
  { 'x-forwarded-for': address },
  { 'x-forwarded-for': `${address}, ${address}` },
  { forwarded: `for=${address};proto=https;by=127.0.0.1` },
  { 'x-real-ip': address },
  { 'x-client-ip': address },
  { 'true-client-ip': address },
  { 'cf-connecting-ip': address },
];

/** Returns the statuses of logins with a wrong password, one for each set of headers. */
async function guess({ call }: TestApp, all: readonly Record<string, string>[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const headers of all) {
    const body = { username: 'anna', password: 'wrong password' };
    statuses.push((await call('POST', '/login', { body, headers })).status);
  }
  return statuses;
}

/** The addresses in the log of failed logins. */
const addressesOf = ({ log }: TestApp): unknown[] =>
  log.lines.flatMap(({ event, fields }) => (event === 'access.login_failed' ? [fields?.ip] : []));

test(
  'the login limit counts the address of the peer when an unlisted proxy reports other addresses',
  withTestApp(async (testApp) => {
    await testApp.addUser('anna', 'operator');
    const statuses = await guess(testApp, forgeries('10.0.0.7'));
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
    assert.deepEqual([...new Set(addressesOf(testApp))], ['127.0.0.1']);
  }),
);

for (const [what, spell] of [
  ['ports', (n: number) => `203.0.113.9:${4000 + n}`],
  ['forged addresses to the left', (n: number) => `10.0.0.${10 + n}, 203.0.113.9`],
  ['addresses of one IPv6 network', (n: number) => `2001:db8::${n}`],
  ['notations', (n: number) => ['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:cb00:7109'][n % 3] ?? ''],
  ['texts that are not addresses', (n: number) => `client-${n}`],
] as const) {
  test(
    `the login limit counts a client of a listed proxy only once even if its header contains different ${what}`,
    withTestApp(async (testApp) => {
      await testApp.addUser('anna', 'operator');
      const all = Array.from({ length: 6 }, (_, n) => ({ 'x-forwarded-for': spell(n) }));
      assert.deepEqual(await guess(testApp, all), [401, 401, 401, 401, 401, 429]);
      // Another client of the same proxy is not blocked.
      assert.deepEqual(await guess(testApp, [{ 'x-forwarded-for': '198.51.100.1' }]), [401]);
    }, BEHIND_PROXY),
  );
}

test(
  'the log of a failed login contains an address, never other text from the header',
  withTestApp(async (testApp) => {
    await testApp.addUser('anna', 'operator');
    await guess(testApp, [{ 'x-forwarded-for': 'x'.repeat(8000) }, { 'x-forwarded-for': '203.0.113.9:1' }]);
    assert.deepEqual(addressesOf(testApp), [PROXY, '203.0.113.9']);
  }, BEHIND_PROXY),
);

for (const [what, from, headers, isSecure] of [
  ['an unlisted proxy that reports HTTPS', '127.0.0.9', { 'x-forwarded-proto': 'https' }, false],
  ['an unlisted proxy that reports HTTPS in Forwarded', '127.0.0.9', { forwarded: 'proto=https' }, false],
  ['a listed proxy that reports HTTPS', PROXY, { 'x-forwarded-proto': 'https' }, true],
  ['a listed proxy that reports HTTP', PROXY, { 'x-forwarded-proto': 'http' }, false],
] as const) {
  test(
    `the session cookie is ${isSecure ? '' : 'not '}secure behind ${what}`,
    withTestApp(async ({ addUser, call }) => {
      await addUser('anna', 'operator');
      const body = { username: 'anna', password: PASSWORD };
      const { status, headers: answer } = await call('POST', '/login', { body, from, headers });
      assert.equal(status, 201);
      assert.equal(/; Secure/.test(answer['set-cookie']?.[0] ?? ''), isSecure);
    }, BEHIND_PROXY),
  );
}

for (const from of [PROXY, '127.0.0.9']) {
  for (const host of ['cart.example', 'localhost', '127.0.0.1']) {
    test(
      `X-Forwarded-Host ${host} from ${from} does not replace an unknown host name`,
      withTestApp(async ({ call }) => {
        const headers = { host: 'evil.example', 'x-forwarded-host': host, 'x-forwarded-server': host };
        assert.equal((await call('GET', '/login', { from, headers })).status, 421);
      }, BEHIND_PROXY),
    );
  }
}

test(
  'an authenticator app lists the account under the name in Host, not under the one in X-Forwarded-Host',
  withTestApp(async ({ addUser, login, call }) => {
    await addUser('anna', 'operator');
    const cookie = await login('anna');
    const headers = { host: 'cart.example', 'x-forwarded-host': 'evil.example' };
    const { status, text } = await call('POST', '/account/totp', {
      cookie,
      headers,
      body: { currentPassword: PASSWORD },
    });
    assert.equal(status, 200, text);
    assert.match(text, /cart\.example/);
    assert.doesNotMatch(text, /evil/);
  }, BEHIND_PROXY),
);

for (const address of ['127.0.0.1', '::1', '192.168.1.7', '::ffff:192.168.1.7', '10.0.0.5']) {
  test(
    `a trusted network does not extend to a client that an unlisted proxy reports as ${address}`,
    withTestApp(
      async ({ call }) => {
        // These headers contain the address of the proxy as well as that of the client; the other headers contain no
        // known local client.
        for (const headers of forgeries(address).slice(0, 4)) {
          assert.equal(
            (await call('GET', '/variables.json', { headers })).status,
            401,
            JSON.stringify(headers),
          );
        }
      },
      { mode: 'trusted-lan' },
    ),
  );
}

for (const [what, header, status] of [
  ['no address', undefined, 401],
  ['a loopback address', '127.0.0.1', 401],
  ['a mapped loopback address', '::ffff:127.0.0.1', 401],
  ['another loopback address', '127.9.9.9', 401],
  ['the address of a listed proxy', '10.0.0.5', 401],
  ['text that is not an address', 'unknown', 401],
  ['a private address to the left of a public one', '192.168.1.7, 203.0.113.9', 401],
  ['a private address to the left of text', '192.168.1.7, unknown', 401],
  ['a private address', '192.168.1.7', 200],
  ['a private address with a port', '192.168.1.7:4711', 200],
] as const) {
  test(
    `a trusted network ${status === 200 ? 'extends' : 'does not extend'} to a client of a listed proxy with ${what}`,
    withTestApp(
      async ({ call }) => {
        const headers: Record<string, string> = header === undefined ? {} : { 'x-forwarded-for': header };
        assert.equal((await call('GET', '/variables.json', { headers })).status, status);
      },
      { ...BEHIND_PROXY, mode: 'trusted-lan' },
    ),
  );
}

test(
  "uses the last address when the client's X-Forwarded-For precedes the one that its proxy adds",
  withTestApp(async (testApp) => {
    await testApp.addUser('anna', 'operator');
    const body = JSON.stringify({ username: 'anna', password: 'wrong password' });
    await new Promise<void>((resolve, reject) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: testApp.port,
          method: 'POST',
          path: '/login',
          agent: false,
          headers: { 'content-type': 'application/json', 'x-forwarded-for': ['10.1.1.1', '203.0.113.9'] },
        },
        (answer) => answer.resume().on('end', resolve),
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    assert.deepEqual(addressesOf(testApp), ['203.0.113.9']);
  }, BEHIND_PROXY),
);

test(
  'stream limits count the clients of a listed proxy separately',
  withTestApp(
    async ({ call }) => {
      const holder = async (from: string, client: string): Promise<string> =>
        (await call('GET', '/livez', { from, headers: { 'x-forwarded-for': client } })).text;
      assert.equal(await holder(PROXY, '203.0.113.9'), '203.0.113.9');
      assert.equal(await holder('127.0.0.9', '203.0.113.9'), '127.0.0.9');
    },
    {
      ...BEHIND_PROXY,
      routes: (app) => void app.get('/livez', (req, res) => void res.send(leaseHolderOf(req))),
    },
  ),
);

test.run();
