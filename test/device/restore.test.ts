import assert from 'node:assert/strict';
import { type Container, INSTALL } from './container.js';
import { READY_MS } from './gateway-client.js';
import { poll } from './poll.js';
import { deviceSuite } from './vm.js';

const BEACON = {
  id: 'restore-1',
  description: 'before',
  longDescription: 'long',
  txPower: -59,
  lat: 0,
  long: 0,
};
const PASSPHRASE = 'correct horse battery staple';
const ANNA = { username: 'anna', password: 'correct horse battery' };

/** Sends a request from inside, with the cookies of the last login. Returns the response's JSON. */
async function send(
  container: Container,
  method: string,
  path: string,
  options = '',
  body?: object,
): Promise<Record<string, unknown>> {
  const json = body ? `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'` : '';
  return JSON.parse(
    await container.run(
      `curl -sS --fail-with-body -b /root/cookies -c /root/cookies -H 'Accept: application/json' -X ${method} ${json} ${options} 'http://127.0.0.1:3000${path}'`,
    ),
  );
}

const isReady = (container: Container): Promise<unknown> =>
  poll('the gateway is ready', READY_MS, async () => (await send(container, 'GET', '/readyz')).ready);

/** Backs up the gateway, deletes its data, and restores the backup with the new setup code. */
async function backUpAndRestore(container: Container): Promise<void> {
  const code = (): Promise<string> => container.run('cat /var/lib/cartwright/setup-code');
  await send(container, 'POST', '/setup', '', { ...ANNA, code: await code() });
  await send(container, 'POST', '/login', '', ANNA);
  await send(container, 'POST', '/beacon', '', BEACON);
  await send(container, 'POST', '/backups');
  const { name } = await send(container, 'POST', '/gateway-backups', '', { passphrase: PASSPHRASE });
  const backup = '/root/gateway.cwbackup';
  await container.run(
    `curl -fsS -b /root/cookies -o ${backup} 'http://127.0.0.1:3000/gateway-backups/${name}'
    systemctl stop cartwright && rm -rf /var/lib/cartwright/* && systemctl start cartwright && rm /root/cookies`,
  );
  await isReady(container);
  const [path, login] = [`/setup/gateway-backups/${name}`, { code: await code(), passphrase: PASSPHRASE }];
  const file = `-H 'Content-Type: application/octet-stream' -H 'X-Setup-Code: ${login.code}' --data-binary @${backup}`;
  await send(container, 'PUT', path, file);
  assert.deepEqual((await send(container, 'POST', `${path}/inspect`, '', login)).problems, []);
  assert.equal((await send(container, 'POST', `${path}/restore`, '', login)).restartsItself, true);
  await poll('the account of the backup can log in', READY_MS, () =>
    send(container, 'POST', '/login', '', ANNA),
  );
  const restored = await send(container, 'GET', `/beacon?id=${BEACON.id}`);
  assert.equal(restored.description, BEACON.description);
  await isReady(container);
}

await deviceSuite('backup and restore', (test, vms) => {
  test('a gateway that runs in its unit makes backups, and restores one on an empty disk', async () => {
    const container = await vms.container();
    await container.listenInside();
    await container.run(`sed -i '1s/{/{ "auth": "required",/' /etc/cartwright/config.json`);
    await container.run(INSTALL);
    const startMs = performance.now();
    await backUpAndRestore(container);
    process.stdout.write(`backup and restore: ${((performance.now() - startMs) / 1000).toFixed(1)} s\n`);
  });
});
