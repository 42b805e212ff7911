import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CommandView } from '../../../../src/carts/command/model.js';
import { GatewayProcess } from '../../../helpers/gateway.js';

const test = suite('metrics and health');

let gateway: GatewayProcess;

test.before(async () => {
  gateway = await GatewayProcess.start();
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  await gateway.untilCart(2, ({ safety }) => safety.mayMove);
});
test.after(async () => void (await gateway.close()));

const hasReached = ({ timeline }: CommandView, stage: string): boolean =>
  timeline.some(({ state }) => state === stage.toUpperCase());

async function scrape(): Promise<Map<string, number>> {
  const res = await fetch(`${gateway.url}/metrics`);
  assert.equal(res.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  const lines = (await res.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.replace(/^.* /, ''))]));
}

test('counts each command once per stage, for both serial and MQTT', async () => {
  await gateway.moveToEnd(1, 20);
  await gateway.moveToEnd(2, 20);
  const { body: commands } = await gateway.call<CommandView[]>('GET', '/commands');
  const series = await scrape();
  for (const destination of ['serial', 'mqtt']) {
    // On a busy machine, a move may be repeated, so the count may exceed one.
    const count = (stage: string): number =>
      commands.filter((command) => command.destination === destination && hasReached(command, stage)).length;
    for (const stage of ['sent', 'acknowledged', 'finished']) {
      assert.ok(count(stage) > 0, stage);
      const labels = `stage="${stage}",destination="${destination}"`;
      assert.equal(series.get(`cartwright_command_stage_seconds_count{${labels}}`), count(stage), labels);
      const all = `cartwright_command_stage_seconds_bucket{${labels},le="+Inf"}`;
      assert.equal(series.get(all), count(stage), labels);
    }
    const end = `destination="${destination}",state="finished",reason=""`;
    assert.equal(series.get(`cartwright_commands_ended_total{${end}}`), count('finished'));
  }
});

test('counts beacon requests, whether served from the database or from the cache', async () => {
  await gateway.call('POST', '/beacon', { id: 'beacon-counted' });
  for (let i = 0; i < 3; i += 1) await gateway.call('GET', '/beacon?id=beacon-counted');
  const series = await scrape();
  assert.equal(series.get('cartwright_http_requests_total{method="GET",route="/beacon",status="200"}'), 3);
});

test('counts requests by route, and requests for unknown paths under the route "none"', async () => {
  for (const path of ['/beacon?id=unknown-1', '/beacon?id=unknown-2', '/made-up-1', '/made-up-2'])
    await (await fetch(`${gateway.url}${path}`)).text();
  const series = await scrape();
  assert.equal(series.get('cartwright_http_requests_total{method="GET",route="/beacon",status="404"}'), 2);
  assert.equal(series.get('cartwright_http_requests_total{method="GET",route="none",status="404"}'), 2);
});

test('the metrics count heartbeats, frames, messages and writes', async () => {
  await gateway.call('POST', '/beacon', { id: 'b1', lat: 1, lng: 2, txPower: -59 });
  const series = await scrape();
  const above = (name: string): boolean => (series.get(name) ?? 0) > 0;
  for (const name of [
    'cartwright_heartbeat_gap_seconds_count{cart="1"}',
    'cartwright_link_sent_frames_total{cart="1"}',
    'cartwright_link_received_frames_total{cart="1"}',
    'cartwright_mqtt_received_messages_total',
    'cartwright_mqtt_published_messages_total{outcome="taken"}',
    'cartwright_store_fsyncs_total',
    'cartwright_store_writes_total{outcome="saved"}',
    'process_resident_memory_bytes',
  ]) {
    assert.ok(above(name), name);
  }
  assert.equal(series.get('cartwright_mqtt_reconnects_total'), 0);
});

test('shows a latched stop and its reset in /safez and in the metrics', async () => {
  assert.deepEqual((await gateway.call('GET', '/safez')).body, {
    cartID: 1,
    mayMove: true,
    reasons: [],
    emergencyStop: 'NONE',
    moving: false,
    simulated: true,
  });
  await gateway.call('POST', '/estop', { cartID: 1 });
  const { status, body } = await gateway.call<{ reasons: { code: string }[] }>('GET', '/safez');
  assert.equal(status, 503);
  assert.deepEqual(
    body.reasons.map(({ code }) => code),
    ['ESTOP_ACTIVE'],
  );
  const stopped = await scrape();
  assert.equal(stopped.get('cartwright_estop_latched{cart="1"}'), 1);
  assert.equal(stopped.get('cartwright_may_move{cart="1"}'), 0);
  assert.equal(stopped.get('cartwright_fleet_carts{state="stopped"}'), 1);
  assert.equal(stopped.get('cartwright_safety_events_total{kind="estop.latched"}'), 1);
  assert.equal((await gateway.reset(1)).status, 200);
  assert.equal((await gateway.call('GET', '/safez')).status, 200);
});

test('/livez and /readyz respond, and /readyz reports SIMULATED', async () => {
  assert.deepEqual((await gateway.call('GET', '/livez')).body, { alive: true });
  const { status, body } = await gateway.call('GET', '/readyz');
  assert.deepEqual([status, body.ready, body.notice], [200, true, 'SIMULATED']);
});

test.run();
