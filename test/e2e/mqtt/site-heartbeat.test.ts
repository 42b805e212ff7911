import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CommandView } from '../../../src/carts/command/model.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { repeatOnce } from '../../helpers/repeat-once.js';
import { untilAnswer } from '../../helpers/until.js';
import { withCleanup } from '../../unit/carts/mqtt/test-bus.js';
import { hasMosquitto, startMosquitto } from './mosquitto.js';

/**
 * Tests two gateways on one mosquitto broker: gateway 1 sends a command to gateway 2's cart and is frozen
 * while the cart is moving.
 */
const test = suite('site heartbeat');

const ENV = { CARTWRIGHT_SITE_KEY: 'a test key with more than 32 characters' };

/**
 * Sends a move to cart 2, freezes the sending gateway during the move, and returns the command in its final
 * state.
 */
async function endOfMove(limits: object): Promise<CommandView> {
  let ended: CommandView | undefined;
  await withCleanup(async (later) => {
    const broker = await startMosquitto();
    later(() => broker.close());
    const open = async (cartID: number, settings: object): Promise<GatewayProcess> => {
      const mqtt = { broker: 'external', host: '127.0.0.1', port: broker.port };
      const common = { gateway: { cartID, announce: false }, mqtt, simulation: { carts: [] } };
      const gateway = await GatewayProcess.start({ ...common, ...settings }, ENV);
      later(() => gateway.close());
      return gateway;
    };
    const cart = await open(2, { limits });
    const site = await open(1, { carts: [{ cartID: 2, name: 'Cart 2' }] });
    later(() => process.kill(site.pid, 'SIGCONT'));
    const attempt = async (): Promise<{ status: number; body: CommandView }> => {
      process.kill(site.pid, 'SIGCONT');
      await cart.untilCart(2, ({ safety, moving }) => safety.mayMove && !moving);
      await site.untilCart(2, ({ online, safety }) => online && safety.mayMove);
      const { body } = await site.move(2, 2000);
      await cart.untilCart(2, ({ telemetry }) => (telemetry?.speedMmps ?? 0) > 250);
      process.kill(site.pid, 'SIGSTOP');
      const request = () => cart.call<CommandView>('GET', `/commands/${body.commandId}`);
      return untilAnswer(request, ({ body: command }) => ['FINISHED', 'FAILED'].includes(command.state));
    };
    ended = (await repeatOnce(attempt, ({ body }) => body.reason?.code)).body;
    await cart.untilCart(2, ({ telemetry, safety }) => telemetry?.speedMmps === 0 && safety.mayMove);
  });
  assert.ok(ended);
  return ended;
}

test('a moving cart stops when the gateway that sent the command freezes', async () => {
  const { state, reason } = await endOfMove({ remoteHeartbeatMs: 1000 });
  assert.deepEqual([state, reason?.code], ['FAILED', 'HEARTBEAT_LOST']);
});

test('a move whose sender freezes still finishes when the site heartbeat limit is disabled', async () => {
  const { state, result } = await endOfMove({});
  assert.equal(state, 'FINISHED');
  assert.ok(Math.abs((result?.distanceMm ?? 0) - 2000) < 50);
});

if (hasMosquitto) test.run();
else process.stdout.write('SKIPPED: site heartbeat (mosquitto is not installed)\n');
