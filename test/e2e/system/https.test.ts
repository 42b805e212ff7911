import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { suite } from 'uvu';
import { WebSocket } from 'ws';
import { GatewayProcess } from '../../helpers/gateway.js';
import {
  clockAt,
  HTTPS_ENVIRONMENT,
  HttpsGateway,
  logIn,
  send,
  tlsCommand,
} from '../../helpers/https-gateway.js';
import { until } from '../../helpers/until.js';

const test = suite("HTTPS with the gateway's own CA");
/** Headers that a browser sends when it opens a page. */
const BROWSER = { accept: 'text/html,*/*;q=0.8', 'upgrade-insecure-requests': '1' };

const withHttps = (run: (gateway: HttpsGateway) => Promise<void>) => async () => {
  const gateway = await HttpsGateway.start();
  try {
    await run(gateway);
  } finally {
    await gateway.close();
  }
};

/** Returns the serial number of the certificate that the server sends. */
async function servedSerial({ url, ca }: HttpsGateway): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

test(
  'serves the same pages and API over HTTPS without a restart, and still serves HTTP',
  withHttps(async (gateway) => {
    const { url, ca, process } = gateway;
    const { port } = new URL(url);
    for (const host of ['127.0.0.1', 'localhost']) {
      const { status, headers } = await send(`https://${host}:${port}/livez`, { ca });
      assert.equal(status, 200);
      assert.equal(headers['strict-transport-security'], undefined, 'a wrong clock must not lock anyone out');
    }
    await assert.rejects(send(`${url}/livez`, { ca: '' }), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    assert.equal((await send(`${process.url}/livez`)).status, 200);

    const cookie = await logIn(url, ca);
    assert.match(cookie, /^__Host-sessie=.*; HttpOnly; SameSite=Lax; Secure$/);
    const session = { cookie: cookie.split(';')[0] ?? '', origin: url };
    const stop = await send(`${url}/stop`, { method: 'POST', body: {}, headers: session, ca });
    assert.equal(stop.status, 200, stop.text);
    const page = await send(`${url}/system/tls`, { headers: { ...session, accept: 'text/html' }, ca });
    assert.equal(page.headers['strict-transport-security'], undefined);
    const download = new URL('/ca.crt', process.url).href.replace('127.0.0.1', '[^/:]+');
    assert.match(page.text.replaceAll('&#x2F;', '/'), new RegExp(`<code>${download}`));

    const socket = new WebSocket(`${url.replace('https', 'wss')}/drive`, { ca, headers: session });
    await once(socket, 'open');
    socket.close();
  }),
);

test(
  'offers the CA certificate to everyone, but the TLS settings only to administrators',
  withHttps(async ({ process, ca, asAdmin }) => {
    const { headers, text } = await send(`${process.url}/ca.crt`);
    assert.equal(headers['content-type'], 'application/x-x509-ca-cert');
    assert.equal(text, ca);
    assert.ok(!text.includes('PRIVATE KEY'));
    for (const method of ['GET', 'POST']) {
      assert.equal((await send(`${process.url}/system/tls`, { method })).status, 401, method);
    }
    const view = JSON.parse((await asAdmin.call({ process } as HttpsGateway, 'GET', '/system/tls')).text);
    assert.deepEqual([view.source, view.state, view.fault, view.redirect], ['local', 'valid', '', 'off']);
    assert.ok(view.names.includes('localhost') && view.names.includes(hostname().toLowerCase()));
    for (const name of ['ca.pem', 'gateway.pem']) {
      const { mode } = await stat(join(process.dir, 'data', 'tls', name));
      assert.equal(mode & 0o777, 0o600);
    }
  }),
);

test(
  'serves a new certificate without a restart and without closing connections',
  withHttps(async (gateway) => {
    const before = await servedSerial(gateway);
    const { url, ca } = gateway;
    const open = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca });
    await once(open, 'secureConnect');
    assert.equal((await gateway.asAdmin('POST', '/system/tls', {})).status, 201);
    assert.notEqual(await servedSerial(gateway), before);
    open.write('GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    const [data] = await once(open, 'data');
    assert.match(String(data), /^HTTP\/1\.1 200/);
    open.destroy();
  }),
);

test(
  'new connections use a renewed certificate, while an open drive socket keeps its lease and can still stop the cart',
  withHttps(async (gateway) => {
    const { url, ca } = gateway;
    const before = await servedSerial(gateway);
    const [cookie = ''] = (await logIn(url, ca)).split(';');
    const headers = { cookie, origin: url };
    const drive = new WebSocket(`${url.replace('https:', 'wss:')}/drive`, { ca, headers });
    const leases: number[] = [];
    drive.on('message', (data) => leases.push(JSON.parse(String(data)).lease));
    await once(drive, 'open');
    drive.send(JSON.stringify({ say: 'take' }));
    await until(() => (leases.at(-1) ?? 0) > 0);
    const lease = leases.at(-1);
    for (let renewals = 0; renewals < 3; renewals += 1) {
      assert.equal((await gateway.asAdmin('POST', '/system/tls', {})).status, 201);
    }
    assert.notEqual(await servedSerial(gateway), before);
    const received = leases.length;
    await until(() => leases.length > received + 5);
    assert.deepEqual([drive.readyState, leases.at(-1)], [WebSocket.OPEN, lease]);
    drive.send(JSON.stringify({ say: 'stop', kind: 'estop', cartID: 1 }));
    await until(async () => {
      const { text } = await send(`${url}/carts/1`, { ca, headers });
      return JSON.parse(text).safety.emergencyStop === 'REMOTE';
    });
    drive.terminate();
  }),
);

test(
  'redirects only browsers that open a page when the redirect is enabled',
  withHttps(async (gateway) => {
    const { process } = gateway;
    const { port } = new URL(gateway.url);
    const open = (path: string, headers: Record<string, string> = BROWSER) =>
      send(`${process.url}${path}`, { headers });
    assert.equal((await open('/login')).status, 200);
    const refused = await gateway.asAdmin('POST', '/system/tls/redirect', { redirect: 'on' });
    assert.deepEqual([refused.status, JSON.parse(refused.text).code], [409, 'CONFLICT'], 'over HTTP');
    await gateway.setRedirect('on');

    const { status, headers } = await open('/brokerSettings?cart=1');
    assert.deepEqual(
      [status, headers.location, headers.vary, headers['cache-control']],
      [
        307,
        `https://127.0.0.1:${port}/brokerSettings?cart=1`,
        'upgrade-insecure-requests, Accept',
        'no-store',
      ],
    );
    for (const path of ['/', '/login', '/cameraSettings', '/runCamera', '/shop']) {
      assert.equal((await open(path)).status, 307, path);
    }
    for (const path of ['/ca.crt', '/health', '/livez', '/beacons', '/metrics', '/openapi.json', '/events']) {
      assert.notEqual((await open(path)).status, 307, path);
    }
    assert.notEqual((await open('/system/tls')).headers.location?.startsWith('https:'), true);
    // Requests from a program, requests from a page's script, and requests for a host that is not in the
    // certificate are not redirected.
    assert.equal((await open('/login', { accept: 'text/html' })).status, 200);
    assert.equal((await open('/login', { accept: '*/*' })).status, 200);
    assert.equal((await open('/login', { ...BROWSER, host: '192.0.2.7' })).status, 200);
    const stop = await gateway.asAdmin('POST', '/stop', {});
    assert.equal(stop.status, 200);
    const off = await gateway.asAdmin('POST', '/system/tls/redirect', { redirect: 'off' });
    assert.deepEqual([off.status, JSON.parse(off.text).redirect], [200, 'off']);
    assert.equal((await open('/login')).status, 200);
  }),
);

for (const time of ['1970-01-01T00:01:00Z', '2038-01-19T03:14:08Z']) {
  test(`does not create a certificate while the clock shows ${time}, and reports what to do`, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'tls-'));
    const { code, stderr } = await tlsCommand(dir, ['init'], clockAt(time));
    await rm(dir, { recursive: true });
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`shows ${time.slice(0, 10)} .*cannot be right.*set the clock`));
  });

  test(
    `keeps serving HTTPS, does not redirect and reports an incorrect clock while the clock shows ${time}`,
    withHttps(async (gateway) => {
      const { process, ca } = gateway;
      await gateway.setRedirect('on');
      await process.kill('SIGTERM');
      await process.spawn(clockAt(time));
      await gateway.findPort();
      const { level, reason } = await process.logged('tls.fault_detected');
      assert.equal(level, 'warn');
      assert.match(String(reason), /set the clock/);
      // The client's clock is correct, so the client accepts the certificate.
      assert.equal((await send(`${gateway.url}/livez`, { ca })).status, 200);
      assert.equal((await send(`${process.url}/login`, { headers: BROWSER })).status, 200);

      assert.deepEqual(JSON.parse((await send(`${process.url}/health`)).text).faults.includes('https'), true);
      const created = await gateway.asAdmin('POST', '/system/tls', {});
      assert.deepEqual([created.status, JSON.parse(created.text).code], [503, 'CLOCK_UNSET']);
      const health = JSON.parse((await gateway.asAdmin('GET', '/health')).text);
      assert.ok(health.faults.some((fault: string) => /gateway's clock shows.*set the clock/.test(fault)));
      const system = JSON.parse((await gateway.asAdmin('GET', '/system')).text);
      const part = system.parts.find(({ key }: { key: string }) => key === 'https');
      assert.deepEqual([part.tone, part.text], ['warn', 'needs attention']);
      assert.match(part.reason, /set the clock/);
    }),
  );
}

test('the gateway serves the certificate that `npm run tls init` created', async () => {
  const gateway = await GatewayProcess.start({}, HTTPS_ENVIRONMENT);
  try {
    const data = join(gateway.dir, 'data');
    assert.match((await tlsCommand(data, ['status'])).stdout, /no certificate yet/);
    await gateway.kill('SIGTERM');
    const init = await tlsCommand(data, ['init']);
    assert.equal(init.code, 0, init.stderr);
    assert.match(init.stdout, /certificate {3}valid/);
    await gateway.spawn(HTTPS_ENVIRONMENT);
    const { port } = await gateway.logged('tls.listening');
    const { stdout: ca } = await tlsCommand(data, ['ca']);
    assert.equal((await send(`https://localhost:${port}/livez`, { ca })).status, 200);
    assert.equal((await tlsCommand(data, ['destroy'])).code, 1);
  } finally {
    await gateway.close();
  }
});

test(
  'accepts stops over HTTPS in stop-only mode',
  withHttps(async (gateway) => {
    const { process, ca } = gateway;
    const runtime = await mkdtemp(join(tmpdir(), 'stop-only-'));
    const env = { ...HTTPS_ENVIRONMENT, RUNTIME_DIRECTORY: runtime };
    await process.kill('SIGTERM');
    for (let kills = 0; kills < 3; kills += 1) {
      await process.spawn(env);
      await process.kill('SIGKILL');
    }
    await process.spawn(env);
    await gateway.findPort();
    const origin = gateway.url;
    const [cookie = ''] = (await logIn(origin, ca)).split(';');
    const options = { method: 'POST', body: {}, headers: { cookie, origin }, ca };
    assert.equal((await send(`${origin}/stop`, options)).status, 200);
    await process.kill('SIGKILL');
    await rm(runtime, { recursive: true });
  }),
);

test.run();
