import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { GatewayProcess } from '../../helpers/gateway.js';

const test = suite('public health routes');

const PASSWORD = 'correct horse battery';
const ENV = {
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_ADMIN_USER: 'anna',
  CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
};

test('responses contain states, codes and numbers, but no names, addresses or paths', async () => {
  const gateway = await GatewayProcess.start({ gateway: { name: 'Hall Zeven', fleet: 'zevenfleet' } }, ENV);
  try {
    const origin = { origin: gateway.url, 'content-type': 'application/json' };
    const body = JSON.stringify({ username: 'anna', password: PASSWORD });
    const login = await fetch(`${gateway.url}/login`, { method: 'POST', headers: origin, body });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    await fetch(`${gateway.url}/estop`, {
      method: 'POST',
      headers: { ...origin, cookie },
      body: '{"cartID":1}',
    });
    const request = async (path: string, headers: Record<string, string> = {}) => {
      const res = await fetch(`${gateway.url}${path}`, { headers });
      return { status: res.status, text: await res.text() };
    };
    const secrets = /anna|Hall Zeven|zevenfleet|127\.0\.0\.1|mqtt:|\/tmp|\.db|\.json/;
    for (const path of ['/livez', '/readyz', '/safez', '/health']) {
      const anonymous = await request(path);
      assert.doesNotMatch(anonymous.text, secrets, path);
      assert.equal((await request(path, { cookie })).status, anonymous.status, path);
    }
    const safe = JSON.parse((await request('/safez')).text);
    assert.deepEqual([safe.mayMove, safe.emergencyStop, safe.reasons.length], [false, 'REMOTE', 1]);
    assert.ok(safe.reasons[0].code);
    const [open, full] = [await request('/health'), await request('/health', { cookie })].map(({ text }) =>
      JSON.parse(text),
    );
    assert.deepEqual(Object.keys(open).toSorted(), Object.keys(full).toSorted());
    assert.deepEqual([open.cartID, open.version, open.status], [full.cartID, full.version, full.status]);
    assert.equal(open.links.broker.connected, full.links.broker.connected);
    assert.deepEqual([full.name, full.safety[1].stoppedBy], ['Hall Zeven', 'anna']);
    assert.match(full.links.broker.url, /^mqtt:/);
  } finally {
    await gateway.close();
  }
});

test.run();
