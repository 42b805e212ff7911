import assert from 'node:assert/strict';
import { connectAsync, type MqttClient } from 'mqtt';
import { test } from 'uvu';
import type { CommandView } from '../../../src/carts/command/model.js';
import { openApiClients } from '../../helpers/api-clients.js';
import { untilAnswer } from '../../helpers/until.js';
import { commandMessage } from '../../unit/carts/mqtt/test-fleet.js';

const BASE = 'cart/v1/site1/1';

function nextMessage(client: MqttClient, name: string): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    const take = (topic: string, payload: Buffer): void => {
      if (topic !== `${BASE}/${name}`) return;
      client.off('message', take);
      resolve(JSON.parse(payload.toString()));
    };
    client.on('message', take);
  });
}

test('a command sent over MQTT has the API key as its origin and ends when the key is revoked', async () => {
  const { admin, gateway } = await openApiClients();
  const clients: MqttClient[] = [];
  try {
    await gateway.untilBroker();
    // `/health` shows addresses only to operators.
    const { json: health } = await admin('GET', '/health');
    const { url } = (health as { links: { broker: { url: string } } }).links.broker;
    const drive = async (name: string) => {
      const { json: key } = await admin('POST', '/keys', {
        body: { name, scopes: ['mqtt', 'mqtt:control'] },
      });
      const login = { username: name, password: String(key.key), reconnectPeriod: 0 };
      const client = await connectAsync(url, login, false);
      clients.push(client);
      const state = nextMessage(client, 'state');
      await client.subscribeAsync([`${BASE}/state`, `${BASE}/ack`]);
      const forged = { gatewayId: 'gw-1', origin: { gatewayId: 'gw-1', source: 'http', principal: 'anna' } };
      const move = { cartID: 1, distanceMm: 10_000, distanceID: 10_000, ...forged };
      const message = commandMessage(await state, move);
      const ack = nextMessage(client, 'ack');
      await client.publishAsync(`${BASE}/command`, JSON.stringify(message), { qos: 1 });
      await ack;
      const command = async () =>
        (await admin('GET', `/commands/${message.commandId}`)).json as unknown as CommandView;
      return { keyId: key.keyId, command };
    };
    const hall = await drive('hall');
    const { origin } = await hall.command();
    assert.deepEqual(origin, { source: 'mqtt', gatewayId: 'hall', principal: 'key hall' });
    await admin('DELETE', `/keys/${hall.keyId}`);
    const hasEnded = ({ reason, state }: CommandView) => Boolean(reason) || state === 'FINISHED';
    const ended = await untilAnswer(hall.command, hasEnded);
    assert.equal(ended.reason?.code, 'REVOKED');
  } finally {
    await Promise.all(clients.map((client) => client.endAsync(true)));
    await gateway.close();
  }
});

test.run();
