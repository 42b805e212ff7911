import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import { GatewayProcess } from '../../helpers/gateway.js';

const test = suite('the broker connection test');

let gateway: GatewayProcess;
test.before(async () => {
  gateway = await GatewayProcess.start();
});
test.after(async () => void (await gateway.close()));

async function reasonFor(mqtt: object): Promise<string> {
  const { status, body } = await gateway.call('POST', '/brokerSettings/test', { mqtt });
  assert.deepEqual([status, body.ok], [200, false], JSON.stringify(body));
  return String(body.reason);
}

test('returns the same reason for missing, unreadable and invalid TLS files', async () => {
  const junk = join(gateway.dir, 'junk');
  await writeFile(junk, 'root:x:0:0');
  const reasons = new Set<string>();
  for (const ca of [join(gateway.dir, 'none'), gateway.dir, junk, '/proc/1/mem', '/etc/shadow']) {
    for (const file of ['ca', 'cert', 'key']) {
      const tls = { ca: '', cert: '', key: '', servername: '', rejectUnauthorized: true, [file]: ca };
      reasons.add(
        await reasonFor({ broker: 'external', host: '127.0.0.1', port: 1, protocol: 'mqtts', tls }),
      );
    }
  }
  assert.deepEqual([...reasons], ['mqtts://127.0.0.1:1: a TLS file cannot be used']);
});

test('returns only generic reasons for a host or port other than the configured one', async () => {
  const reasons = new Set<string>();
  for (const banner of ['SSH-2.0-OpenSSH_9.2p1\r\n', 'HTTP/1.1 400 Bad Request\r\n\r\n', '']) {
    const server = createServer((socket) => void socket.on('error', () => undefined).end(banner));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    for (const protocol of ['mqtt', 'mqtts']) {
      reasons.add((await reasonFor({ host: '127.0.0.1', port, protocol })).replace(/^.*?:\d+: /, ''));
    }
    server.close();
  }
  assert.deepEqual(
    [...reasons],
    ['connected, but no MQTT session was established: check the port, the protocol and the TLS files'],
  );
  const closed = await reasonFor({ host: '127.0.0.1', port: 1, protocol: 'mqtt' });
  assert.equal(closed, 'mqtt://127.0.0.1:1: no connection: no response from this host and port');
});

test('reaches the embedded broker even if the protocol is mqtts', async () => {
  const port = Number(new URL(await gateway.untilBroker()).port);
  for (const mqtt of [{ port }, { port, protocol: 'mqtts' }]) {
    const { body } = await gateway.call('POST', '/brokerSettings/test', { mqtt });
    assert.equal(body.ok, true, JSON.stringify(body));
  }
});

test('does not accept the embedded broker as an external broker', async () => {
  const port = Number(new URL(await gateway.untilBroker()).port);
  for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '::1'])
    assert.match(await reasonFor({ broker: 'external', host, port }), /the broker in this gateway/, host);
});

test.run();
