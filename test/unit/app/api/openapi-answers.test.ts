import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { APIS } from '../../../../src/app/api/apis.js';
import type { SafetyView } from '../../../../src/carts/command/model.js';
import { policyOf } from '../../../../src/http/guard/policy.js';
import {
  type ApiClients,
  type ApiRequest,
  type ApiResponse,
  openApiClients,
} from '../../../helpers/api-clients.js';
import { OpenApiValidator } from '../../../helpers/openapi-validator.js';
import { totpCode } from '../../../helpers/totp-code.js';
import { until } from '../../../helpers/until.js';
import { png } from '../../plan/images.js';
import { FOOTPRINT } from '../../site/site-setup.js';

/** Sends a successful request to each of a gateway's routes and compares the response with the document. */
const test = suite('successful responses for every route');

const validator = new OpenApiValidator();
const seen = new Set<string>();
let clients: ApiClients;

test.before(async () => {
  clients = await openApiClients();
  await untilSafety(({ mayMove }) => mayMove);
});
test.after(async () => {
  assert.equal(await clients.gateway.close(), 0);
});

async function send(
  method: string,
  path: string,
  expected: number,
  options: ApiRequest = {},
): Promise<ApiResponse> {
  const response = await clients.admin(method, path, options);
  assert.equal(response.status, expected, `${method} ${path}: ${response.text.slice(0, 500)}`);
  const type = response.headers['content-type'] ?? '';
  // ASVS 4.1.1
  if (/^text\/|[+/]xml/.test(type)) assert.match(type, /charset=utf-8/, `${method} ${path}`);
  const route = validator.routeOf(method, path.split('?')[0] ?? '');
  if (response.status < 400 && route) seen.add(`${route.method} ${route.path}`);
  return response;
}

const untilSafety = (isWanted: (safety: SafetyView) => boolean): Promise<void> =>
  until(async () => isWanted((await send('GET', '/carts/1', 200)).json.safety as SafetyView));

/** Stores, returns and confirms zones and places on a floor plan with a scale. */
async function sendSitePlan(): Promise<void> {
  const polygon = [
    [0, 0],
    [1000, 0],
    [0, 1000],
  ];
  const zones = [{ id: 'door', kind: 'BLOCKED', name: 'Door', polygon }];
  const places = [{ id: 'bay', name: 'Bay', purpose: 'PARK', xMm: 500, yMm: 500, headingDeg: 90 }];
  const current = String((await send('GET', '/zones', 200)).headers.etag);
  await send('PUT', '/zones', 409, { body: { zones }, headers: { 'if-match': current } });
  await send('POST', '/updateJson', 200, { body: { kinematics: { footprint: FOOTPRINT } } });
  for (const [path, body] of [
    ['/zones', { zones }],
    ['/places', { places }],
  ] as const) {
    const { etag } = (await send('GET', path, 200)).headers;
    const headers = { 'if-match': String(etag) };
    await send('PUT', path, 428, { body });
    await send('PUT', path, 200, { body, headers });
    await send('PUT', path, 412, { body, headers });
    const latest = (await send('GET', path, 200)).headers.etag;
    await send('PUT', path, 400, { body: {}, headers: { 'if-match': String(latest) } });
    await send('GET', path, 304, { headers: { 'if-none-match': String(latest) } });
    const accept = { accept: 'application/geo+json' };
    assert.equal((await send('GET', path, 200, { headers: accept })).json.type, 'FeatureCollection');
    await send('POST', '/site-plan/confirm', 428);
    await send('POST', '/site-plan/confirm', 200, { headers: { 'if-match': String(latest) } });
  }
  const measured = { frontMm: 400, rearMm: 100, leftMm: 250, rightMm: 250 };
  const footprint = { body: { step: 'footprint', outcome: 'passed', ...measured } };
  const refused = await clients.operator('POST', '/commissioning', footprint);
  assert.deepEqual([refused.status, refused.json.code], [403, 'FORBIDDEN']);
  await send('POST', '/commissioning', 200, footprint);
  // The position of the cart is unknown.
  await send('POST', '/', 409, { body: { cartID: 1, distanceID: 100, angleID: 0 } });
  await send('POST', '/site-plan/override', 200, { body: { reason: 'Test', seconds: 1 } });
  await send('POST', '/site-plan/override', 400, { body: { seconds: 61 } });
  await send('DELETE', '/site-plan/override', 200);
  const headers = { 'if-match': String((await send('GET', '/zones', 200)).headers.etag) };
  await send('PUT', '/zones', 200, { body: { zones: [] }, headers });
}

/** Sends conditional and range requests for a file. */
async function sendConditions(path: string): Promise<void> {
  const { headers } = await send('GET', path, 200);
  const part = await send('GET', path, 206, { headers: { range: 'bytes=-9' } });
  assert.match(part.headers['content-range'] ?? '', /^bytes \d+-\d+\/\d+$/);
  await send('GET', path, 304, { headers: { 'if-none-match': String(headers.etag) } });
  await send('GET', path, 412, { headers: { 'if-match': '"x"' } });
  for (const accept of ['application/json', 'text/html']) {
    const none = await send('GET', path, 416, { headers: { accept, range: 'bytes=999999999-' } });
    assert.match(none.headers['content-range'] ?? '', /^bytes \*\/\d+$/);
    assert.equal(none.headers['content-disposition'], undefined, 'an error is not a download');
  }
}

const HTML = { headers: { accept: 'text/html' } };
const textOf = (response: ApiResponse, name: string): string => String(response.json[name]);

test('cart routes return documented responses', async () => {
  const command = { cartID: 1, distanceID: 10, angleID: 0 };
  for (const path of ['/', '/carts', '/fleet', '/commands', '/history/commands', '/history/safety'])
    await send('GET', path, 200);
  for (const path of [
    '/history',
    '/history/statistics?days=30',
    '/history/statistics.csv?by=day',
    '/history.csv?outcome=stops',
  ])
    await send('GET', path, 200);
  await send('GET', '/history?outcome=lost', 400);
  const { json } = await send('POST', '/?wait=done', 200, { body: command });
  await send('GET', `/commands/${String(json.commandId)}`, 200);
  await send('POST', '/', 200, { body: command, headers: { accept: 'text/html' } });
  await send('POST', '/', 400, { body: { ...command, distanceID: 99_999 } });
  await send('POST', '/', 404, { body: { ...command, cartID: 4711 } });
  await send('POST', '/carts/1/stop', 200, { body: { kind: 'halt' } });
  await send('POST', '/carts/1/duplicate/clear', 200, { body: {} });
  await send('POST', '/carts/1/duplicate/clear', 303, { headers: { accept: 'text/html' } });
  await send('POST', '/carts/999/duplicate/clear', 404, { body: {} });
  await send('POST', '/stop', 200);
  await send('POST', '/stop', 303, { headers: { accept: 'text/html' } });
  await send('POST', '/stop/mine', 200, { body: { cartID: 1 } });
  await send('POST', '/stop/mine', 303, { headers: { accept: 'text/html' } });
  await send('POST', '/estop', 303, { headers: { accept: 'text/html' } });
  await send('POST', '/', 409, { body: command });
  await send('POST', '/estop', 200);
  await send('POST', '/estop/reset', 409, { body: { cartID: 1, stoppedAt: '2026-01-01T00:00:00.000Z' } });
  // Waits until the E-stop input has been healthy for a second.
  await untilSafety(({ resetNeeds }) => resetNeeds === '');
  await send('POST', '/estop/reset', 200, { body: { cartID: 1 } });
  await send('GET', '/commands/unknown', 404);
  await send('GET', '/carts/4711', 404);
  await send('GET', '/events', 200);
  await send('GET', '/drive', 426);
});

test('beacon and map routes return documented responses', async () => {
  const beacon = { id: 'dock-north-1', description: 'North', txPower: -59, lat: 52.37, long: 4.89 };
  await send('POST', '/beacon', 200, { body: beacon });
  await send('POST', '/beacon', 409, { body: { ...beacon, lat: 1 } });
  await send('PUT', '/beacon/dock-south-1', 200, { body: { lat: 52.3, long: 4.8 } });
  await send('GET', '/beacon?id=dock-north-1', 200);
  await send('GET', '/beacon?id=nothing-here', 404);
  const whole = await send('GET', '/beacons', 200);
  await send('GET', '/beacons', 304, { headers: { 'if-none-match': String(whole.headers.etag) } });
  for (const accept of ['text/csv', 'application/geo+json'])
    await send('GET', '/beacons', 200, { headers: { accept } });
  for (const query of ['near=52.37,4.89', 'bbox=4,52,5,53', 'limit=1'])
    await send('GET', `/beacons?${query}`, 200);
  await send('GET', '/beacons?near=nowhere', 400);
  await send('POST', '/beacons/import', 200, { body: [{ id: 'imported-1' }] });
  await send('POST', '/beacons/import', 400, { body: [{ id: 'x' }] });
  await send('POST', '/beacons/observed', 200, { body: [{ id: beacon.id, rssi: -60 }] });
  await send('DELETE', '/beacon?id=imported-1', 200);
  await send('GET', '/map', 200);
  await send('POST', '/map', 303, { body: 'id=from-a-form-1' });
  await send('POST', '/map', 400, { body: 'id=x' });
  await send('POST', '/map/delete', 303, { body: 'id=from-a-form-1' });
  for (const name of ['beacons.csv', 'beacons.json', 'beacons.geojson'])
    await send('GET', `/map/export/${name}`, 200);
  await send('GET', '/map/export/beacons.xls', 404);
});

test('marker and location routes return documented responses', async () => {
  const marker = { id: 12, sizeMm: 150, xMm: 4000, yMm: 0, headingDeg: 90, purpose: 'dock' };
  const created = await send('POST', '/markers', 200, { body: marker });
  await send('POST', '/markers', 409, { body: { ...marker, xMm: 1 } });
  await send('PUT', '/markers/13', 200, { body: { ...marker, id: 13 } });
  await send('PUT', '/markers/12', 412, { body: marker, headers: { 'if-match': '"other"' } });
  await send('PUT', '/markers/12', 200, {
    body: marker,
    headers: { 'if-match': String(created.headers.etag) },
  });
  const list = await send('GET', '/markers', 200);
  await send('GET', '/markers', 304, { headers: { 'if-none-match': String(list.headers.etag) } });
  await send('GET', '/markers/12', 200);
  await send('GET', '/markers/12/sheet.svg', 200);
  await send('GET', '/markers/14', 404);
  await send('DELETE', '/markers/13', 200);
  await send('POST', '/markers/save', 303, {
    body: 'id=14&sizeMm=150&xMm=0&yMm=0&headingDeg=0&purpose=reference',
  });
  await send('POST', '/markers/save', 400, { body: 'id=14' });
  await send('POST', '/markers/delete', 303, { body: 'id=14' });
  await send('PUT', '/navigation/location', 200, { body: { xMm: 1000, yMm: 500, headingDeg: 90 } });
  await send('PUT', '/navigation/location', 400, { body: { xMm: 1000 } });
  await send('POST', '/navigation/approach', 404, { body: { markerId: 14, standoffMm: 500 } });
  await send('POST', '/navigation/approach', 400, { body: { markerId: 12, standoffMm: 5 } });
  await send('POST', '/navigation/approach', 200, { body: { markerId: 12, standoffMm: 500 } });
  await send('GET', '/navigation/approach', 200);
  await send('POST', '/stop', 200, { body: {} });
});

test('calibration routes return documented responses', async () => {
  const path = '/navigation/calibration';
  await send('GET', path, 200);
  await send('GET', path, 200, HTML);
  await send('GET', `${path}/seen`, 200);
  await send('GET', `${path}/board.svg`, 200);
  await send('GET', `${path}/board.svg?firstId=9999`, 400);
  const { x, y, heading } = (await send('GET', '/simulator', 200)).json as Record<string, number>;
  const [cos, sin] = [
    Math.cos((Number(heading) * Math.PI) / 180),
    Math.sin((Number(heading) * Math.PI) / 180),
  ];
  const place = {
    xMm: Number(x) + 1000 * cos,
    yMm: Number(y) + 1000 * sin,
    headingDeg: (Number(heading) + 180) % 360,
  };
  const markers = [{ id: 30, sizeMm: 150, ...place }];
  await send('POST', '/simulator', 200, { body: { action: 'markers', markers } });
  await send('POST', `${path}/one-shot`, 400, { body: { id: 30 } });
  const { json } = await send('POST', `${path}/one-shot`, 200, { body: { id: 30, sizeMm: 150 } });
  const { changePercent } = json.result as { changePercent: number };
  assert.ok(Math.abs(changePercent) < 1, `${changePercent} %`);
  await send('POST', `${path}/save`, 303, { body: '', ...HTML });
  await send('POST', `${path}/save`, 409);
  await send('POST', `${path}/board/compute`, 409);
  await send('POST', `${path}/discard`, 200, { body: { what: 'result' } });
  await send('POST', `${path}/camera`, 303, {
    body: 'preset=module-3&xMm=250&yMm=0&headingDeg=0',
    ...HTML,
  });
  await send('POST', `${path}/camera`, 400, { body: 'preset=module-9&xMm=x&yMm=0&headingDeg=0', ...HTML });
  await send('DELETE', path, 200);
  await send('POST', '/simulator', 200, { body: { action: 'markers' } });
});

test('floor plan routes return documented responses', async () => {
  const corners = [
    { x: 10, y: 10, lat: 52.37, long: 4.89 },
    { x: 390, y: 290, lat: 52.3695, long: 4.8912 },
  ];
  await send('GET', '/map/plan', 200);
  await send('GET', '/map/plan/picture', 404);
  await send('PUT', '/map/plan', 415, { body: Buffer.from('no picture') });
  await send('PUT', '/map/plan', 200, { body: png(400, 300), headers: { 'content-type': 'image/png' } });
  await send('PUT', '/map/plan/line', 200, { body: { x1: 10, y1: 10, x2: 390, y2: 10, lengthM: 19 } });
  await send('POST', '/map/plan/line', 303, { body: 'x1=10&y1=10&x2=390&y2=10&lengthM=19' });
  await send('PUT', '/map/plan/points', 200, { body: { points: corners } });
  await send('GET', '/map/plan', 200);
  await sendSitePlan();
  await sendConditions('/map/plan/picture');
  await send('DELETE', '/map/plan', 200);
});

test('shop routes return documented responses', async () => {
  const game = await send('POST', '/games', 201, { body: { title: 'Crane', price: 3.5, sku: 'CR-1' } });
  const id = Number(game.json.id);
  await send('POST', '/games', 409, { body: { title: 'Crane', price: 3.5, sku: 'CR-1' } });
  await send('GET', '/games', 200);
  await send('PATCH', `/games/${id}`, 200, { body: { price: 4 } });
  await send('POST', '/payments/cart/1', 200, { body: { game_id: id, quantity: 2 } });
  await send('GET', '/payments/cart/1', 200);
  await send('DELETE', '/payments/cart/1', 200);
  const payment = await send('POST', '/payments', 201, { body: { value: 19.99 } });
  const [transactionId, orderId] = [textOf(payment, 'transactionId'), textOf(payment, 'orderId')];
  await send('POST', '/payments', 400, { body: { value: 'much' } });
  await send('GET', `/payments/${transactionId}/status`, 200);
  await send('GET', `/payments/${transactionId}/checkout`, 303);
  await send('GET', '/payments/00000000-0000-4000-8000-000000000000/status', 404);
  await send('GET', `/payments/transaction/${orderId}`, 200);
  await send('GET', `/payments/${orderId}/transaction`, 200);
  await send('POST', '/payments/order', 201, { body: { orderId, userId: 1, game_id: id } });
  await send('POST', '/payments/order', 400, { body: { orderId } });
  await send('GET', '/payments', 200);
  await send('GET', '/orders/stats', 200);
  const { pathname } = new URL(textOf(payment, 'checkoutUrl'));
  await send('GET', pathname, 200);
  await send('POST', pathname, 303, { body: 'choice=pay' });
  await send('PATCH', `/payments/updateStatus/failed/${orderId}`, 200);
  await send('PATCH', `/payments/updateStatus/lost/${orderId}`, 400);
  await send('PATCH', '/payments/updateStatus/failed', 400);
  await send('PATCH', '/payments/updateStatus//o-1', 400);
  await send('PATCH', '/payments/updateStatus', 400);
  await send('POST', '/webhooks/stripe', 404, { body: {} });
  await send('GET', '/shop', 200);
  await send('GET', '/shop/admin', 200);
  const gameForm = 'title=Beacon+Hunt+2&price=8.5&active=true';
  await send('POST', `/shop/admin/games/${id}`, 303, { body: gameForm });
  await send('POST', '/shop/admin/games/999', 404, { body: gameForm });
  await send('POST', '/shop/basket', 303, { body: `game_id=${id}&quantity=1` });
  const nonce = '00000000-0000-4000-8000-000000000001';
  await send('POST', '/shop/checkout', 303, { body: `nonce=${nonce}` });
  await send('DELETE', `/games/${id}`, 200);
});

test('camera routes return documented responses', async () => {
  for (const path of ['/cameraSettings', '/camera/state.json', '/camera/photos'])
    await send('GET', path, 200);
  await send('POST', '/cameraSettings', 303, { body: '%2Fcamera%2Fquality=71', ...HTML });
  await send('POST', '/cameraSettings', 400, { body: '%2Fcamera%2Fquality=7100', ...HTML });
  const photo = await send('POST', '/camera/photo', 201);
  const name = textOf(photo, 'name');
  await send('GET', '/camera/photos', 200);
  await sendConditions(`/camera/photos/${name}`);
  await sendConditions(`/camera/photos/${name}/thumbnail`);
  const none = await send('GET', '/camera/photos/none.jpg?download=1', 404);
  assert.equal(none.headers['content-disposition'], undefined, 'an error is not a download');
  await send('GET', '/runCamera', 200);
  await send('GET', '/camera/frame', 200);
  await send('GET', '/camera/frame?after=no', 400);
  await send('GET', '/camera/snapshot.jpg', 200);
  await send('GET', '/camera/stream.mjpg', 200);
  await send('POST', '/camera/retry', 200);
  await send('POST', `/camera/photos/${name}/delete`, 303);
  // Within a second of the last photo, a request for a photo returns that photo again.
  let next = name;
  while (next === name) next = textOf(await send('POST', '/camera/photo', 201), 'name');
  await send('DELETE', `/camera/photos/${next}`, 200);
  await send('DELETE', `/camera/photos/${next}`, 404);
});

test('settings routes return documented responses', async () => {
  const { headers, text } = await send('GET', '/variables.json', 200);
  await send('GET', '/settings/schema.json', 200);
  await send('GET', '/brokerSettings', 200);
  const body = { beacons: { maxRangeM: 51 } };
  await send('POST', '/updateJson', 200, { body });
  await send('POST', '/updateJson', 412, { body, headers: { 'if-match': String(headers.etag) } });
  const review = await send('POST', '/brokerSettings', 200, { body: '%2Fbeacons%2FmaxRangeM=52', ...HTML });
  const proposal = `proposal=${/name="proposal" value="(\w+)"/.exec(review.text)?.[1]}`;
  await send('POST', '/brokerSettings/edit', 200, { body: proposal, ...HTML });
  await send('POST', '/brokerSettings/edit', 409, { body: 'proposal=none' });
  const again = await send('POST', '/brokerSettings', 200, { body: '%2Fbeacons%2FmaxRangeM=53', ...HTML });
  const second = `proposal=${/name="proposal" value="(\w+)"/.exec(again.text)?.[1]}`;
  await send('POST', '/brokerSettings/apply', 303, { body: second, ...HTML });
  await send('GET', '/brokerSettings/history', 200);
  await send('GET', '/brokerSettings/history', 200, HTML);
  await send('POST', '/brokerSettings/history/1', 200, HTML);
  await send('POST', '/brokerSettings/import', 200, { body: { document: text }, ...HTML });
  await send('POST', '/brokerSettings/test', 200, {
    body: { mqtt: { broker: 'external', host: '127.0.0.1', port: 1 } },
  });
  for (const end of ['confirm', 'rollback']) {
    const change = { limits: { maxSpeedMmps: end === 'confirm' ? 310 : 320 } };
    const tried = await send('POST', '/updateJson?trial=1', 200, { body: change });
    await send('POST', `/brokerSettings/${end}`, 200, { body: { id: tried.headers['x-trial'] } });
    await send('POST', `/brokerSettings/${end}`, 409, { body: { id: 'none' } });
  }
});

test('alarm routes return documented responses', async () => {
  const none = { channel: 'webhook', target: 'http://127.0.0.1:9/' };
  await send('POST', '/alarms/test', 200, { body: none });
  await send('POST', '/alarms/test', 200, { body: new URLSearchParams(none).toString(), ...HTML });
  await send('POST', '/alarms/test', 400, { body: { channel: 'fax', target: '' } });
  await send('GET', '/account/alarms', 200);
  await send('POST', '/account/alarms', 200, { body: { address: 'anna@example.com', kinds: ['estop'] } });
  await send('POST', '/account/alarms', 200, { body: 'address=', ...HTML });
  await send('POST', '/account/alarms', 400, { body: { address: 'anna', kinds: ['estop'] } });
  await send('POST', '/account/alarms/test', 200);
  await send('POST', '/account/alarms/test', 200, HTML);
});

test('health and system routes return documented responses', async () => {
  for (const path of ['/livez', '/readyz', '/safez', '/health', '/metrics']) await send('GET', path, 200);
  for (const path of ['/system', '/system/log', '/system/trend', '/black-boxes', '/commissioning'])
    await send('GET', path, 200);
  await send('GET', '/system', 200, HTML);
  await send('GET', '/system/log?level=loud', 400);
  await send('POST', '/first-run/hide', 200);
  await send('POST', '/commissioning', 200, { body: { step: 'wheels', outcome: 'passed', note: 'turned' } });
  const brake = { step: 'brake', outcome: 'passed', speedMmps: 300, distanceMm: 200, load: '80 kg' };
  await send('POST', '/commissioning', 200, { body: brake });
  const { brakeTests } = (await send('GET', '/commissioning', 200)).json;
  const [{ at } = { at: 0 }] = brakeTests as { at: number }[];
  await send('POST', '/commissioning/brake-tests/withdraw', 200, { body: { at } });
  await send('GET', '/commissioning', 200);
  const { json } = await send('GET', '/black-boxes', 200);
  const [{ name: box } = { name: '' }] = json.boxes as { name: string }[];
  await sendConditions(`/black-boxes/${box}`);
  await send('GET', '/black-boxes/none.zip', 404);
  for (const change of ['pin', 'unpin']) {
    await send('POST', `/black-boxes/${box}/${change}`, 200);
    await send('POST', `/black-boxes/${box}/${change}`, 200, HTML);
    await send('POST', `/black-boxes/none.zip/${change}`, 404);
  }
  await send('GET', '/simulator', 200);
  await send('POST', '/simulator', 200, { body: { action: 'button', on: false } });
  await send('GET', '/.well-known/security.txt', 404);
  await send('GET', '/ca.crt', 404);
  await send('POST', '/system/tls', 201);
  await send('POST', '/system/tls', 201, HTML);
  await send('POST', '/system/tls/redirect', 200, { body: { redirect: 'off' } });
  await send('POST', '/system/tls/redirect', 409, { body: { redirect: 'on' } });
  // The controller is simulated, so an update is refused.
  const update = { board: 'uno', wheelsUp: true };
  await send('POST', '/controller/firmware', 409, { body: update });
  await send('POST', '/controller/firmware', 409, { body: 'board=uno&wheelsUp=true', ...HTML });
  await send('POST', '/controller/firmware', 400, { body: { ...update, wheelsUp: false } });
  await send('POST', '/controller/firmware', 400, { body: { ...update, board: 'due' } });
  await send('GET', '/controller/firmware', 200, HTML);
  await send('POST', '/backups', 201);
  const { json: list } = await send('GET', '/backups', 200);
  const [{ name } = { name: '' }] = list.backups as { name: string }[];
  await sendConditions(`/backups/${name}`);
  await uploadBackup(readFileSync(join(clients.gateway.dir, 'data/backups', name)));
  await send('POST', `/backups/${name}/verify`, 200);
  await send('POST', `/backups/${name}/restore`, 200);
  await send('GET', '/backups', 200);
  await send('POST', '/backups/cancel-restore', 200);
  await send('POST', '/backups/acknowledge-loss', 404);
  await send('POST', '/backups/confirm-payments', 404);
  await send('GET', '/system?done=payments-confirmed', 200, HTML);
  await send('GET', '/system?done=other', 400, HTML);
  await send('GET', '/backups/none.db', 404);
});

test('gateway backup routes return documented responses', async () => {
  const passphrase = 'correct horse battery';
  const made = await send('POST', '/gateway-backups', 201, { body: { passphrase, include: ['tls'] } });
  const form = `passphrase=${passphrase}&repeat=${passphrase}&include=photos`.replaceAll(' ', '+');
  await send('POST', '/gateway-backups', 303, { body: form, ...HTML });
  await send('POST', '/gateway-backups', 400, { body: `passphrase=${passphrase}&repeat=`, ...HTML });
  await send('POST', '/gateway-backups', 422, { body: {} });
  await send('POST', '/gateway-backups', 400, { body: { passphrase: 'short' } });
  await send('GET', '/gateway-backups', 200);
  const name = String(made.json.name);
  await sendConditions(`/gateway-backups/${name}`);
  const bytes = readFileSync(join(clients.gateway.dir, 'data/gateway-backups', name));
  await send('DELETE', `/gateway-backups/${name}`, 200);
  await send('DELETE', `/gateway-backups/${name}`, 404);
  const put = (status: number, body: Buffer, range: Record<string, string> = {}) =>
    send('PUT', `/gateway-backups/${name}`, status, {
      body,
      headers: { 'content-type': 'application/octet-stream', ...range },
    });
  const size = bytes.length;
  await put(202, bytes.subarray(0, 100), { 'content-range': `bytes 0-99/${size}` });
  await put(201, bytes.subarray(100), { 'content-range': `bytes 100-${size - 1}/${size}` });
  await put(409, bytes.subarray(100), { 'content-range': `bytes 100-${size - 1}/${size}` });
  await put(422, Buffer.from('not a backup of a gateway'));
  await send('POST', `/gateway-backups/${name}/inspect`, 200, { body: { passphrase } });
  await send('POST', `/gateway-backups/${name}/inspect`, 200, { body: `passphrase=${passphrase}`, ...HTML });
  await send('POST', `/gateway-backups/${name}/inspect`, 422, { body: { passphrase: 'incorrect horse' } });
  await send('POST', '/gateway-backups/none/inspect', 404, { body: { passphrase } });
  await send('POST', `/gateway-backups/${name}/restore`, 422, { body: { passphrase: 'incorrect horse' } });
  await send('POST', `/gateway-backups/${name}/restore`, 202, { body: { passphrase } });
  await send('POST', `/gateway-backups/${name}/restore`, 409, { body: { passphrase } });
  await send('GET', '/gateway-backups', 200);
  await send('POST', '/gateway-backups/confirm', 409);
  await send('POST', '/gateway-backups/cancel-restore', 202);
  await send('POST', `/gateway-backups/${name}/restore`, 202, { body: `passphrase=${passphrase}`, ...HTML });
  await send('POST', '/gateway-backups/cancel-restore', 202, HTML);
  await send('POST', '/gateway-backups/cancel-restore', 404);
  await send('POST', '/gateway-backups/confirm', 404, HTML);
  await send('GET', '/gateway-backups/none', 404);
  await send('POST', `/gateway-backups/${name}/delete`, 303, HTML);
  await send('POST', `/gateway-backups/${name}/delete`, 404);

  const schedule = '/gateway-backups-schedule';
  await send('GET', schedule, 200);
  await send('DELETE', schedule, 404);
  await send('PUT', schedule, 422, { body: { every: 'day' } });
  await send('PUT', schedule, 400, { body: { passphrase } });
  await send('PUT', schedule, 200, { body: { every: 'week', passphrase, include: ['tls'] } });
  await send('GET', schedule, 200);
  await send('DELETE', schedule, 200);
  await send('POST', schedule, 303, { body: `every=day&${form}`, ...HTML });
  await send('POST', schedule, 400, { body: `every=day&passphrase=${passphrase}&repeat=`, ...HTML });
  await send('POST', `${schedule}/off`, 303, HTML);
  await send('POST', `${schedule}/off`, 404, HTML);
});

test('update routes return documented responses', async () => {
  await send('GET', '/updates', 200);
  await send('GET', '/updates', 200, HTML);
  await send('GET', '/updates/progress', 200);
  // This gateway has no update service.
  await send('PUT', '/updates/cartwright-9.0.0-arm64.tar.gz', 409, {
    body: Buffer.from('archive'),
    headers: { 'content-type': 'application/octet-stream' },
  });
  await send('POST', '/updates/9.0.0/install', 409);
  await send('POST', '/updates/9.0.0/install', 409, HTML);
});

/** Uploads a backup in one request and in two, and sends bodies that are rejected. */
async function uploadBackup(bytes: Buffer): Promise<void> {
  const put = (status: number, body: Buffer | string, headers: Record<string, string> = {}) =>
    send('PUT', '/backups/upload', status, {
      body,
      headers: { 'content-type': 'application/octet-stream', ...headers },
    });
  const size = bytes.length;
  assert.match(String((await put(201, bytes)).json.name), /^uploaded-/);
  await put(202, bytes.subarray(0, 5000), { 'content-range': `bytes 0-4999/${size}` });
  await put(201, bytes.subarray(5000), { 'content-range': `bytes 5000-${size - 1}/${size}` });
  await put(409, bytes.subarray(5000), { 'content-range': `bytes 5000-${size - 1}/${size}` });
  await put(400, bytes, { 'content-range': `bytes 0-9/${size}` });
  await put(400, bytes, { 'content-range': 'half' });
  await put(413, Buffer.alloc(4 * 1024 * 1024 + 1));
  await put(422, Buffer.from('not a database'));
}

test('API documents and page assets return documented responses', async () => {
  for (const path of ['/docs', '/openapi.json', '/asyncapi.json']) await send('GET', path, 200);
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) await sendConditions(`/docs/${file}`);
  await send('GET', '/docs/package.json', 404);
  for (const name of ['app.css', 'favicon.svg', 'js/docs.js']) await sendConditions(`/assets/${name}`);
  await send('GET', '/assets/none.js', 404);
});

test('GET routes without parameters return documented responses', async () => {
  const plain = policyOf(APIS).filter(({ method, path }) => method === 'GET' && !/[:{]/.test(path));
  const left = plain.filter(({ method, path }) => !seen.has(`${method} ${path}`));
  const others = ['/login', '/setup', '/account', '/account/sessions', '/users', '/keys'];
  const isElsewhere = (path: string) => others.includes(path) || ELSEWHERE.includes(`GET ${path}`);
  for (const { path } of left) if (!isElsewhere(path)) await send('GET', path, 200);
});

test('every GET route without parameters responds to HEAD and does not keep a stream open', async () => {
  const plain = policyOf(APIS).filter(({ method, path }) => method === 'GET' && !/[:{]/.test(path));
  for (const { path } of plain) {
    const { text } = await clients.admin('HEAD', path);
    assert.equal(text, '', path);
  }
  const { text } = await send('GET', '/metrics', 200);
  assert.match(text, /^cartwright_event_streams 0$/m);
  assert.match(text, /^cartwright_camera_viewers 0$/m);
});

/**
 * Enables a second factor, uses it, renews its recovery codes and disables it; then resets another user's
 * second factor.
 */
async function secondFactor(): Promise<void> {
  const currentPassword = 'correct horse battery';
  const begun = await send('POST', '/account/totp', 200, { body: { currentPassword } });
  const code = totpCode(textOf(begun, 'secret'), Date.now());
  await send('POST', '/account/totp/confirm', 401, { body: { code: 'no code' } });
  const { json } = await send('POST', '/account/totp/confirm', 200, { body: { code } });
  const [first, second, third] = json.recoveryCodes as string[];
  const login = { username: 'anna', password: currentPassword };
  await send('POST', '/login', 401, { body: login });
  const page = await send('POST', '/login', 401, { body: new URLSearchParams(login).toString(), ...HTML });
  const [, token = ''] = /name="login" value="([^"]+)"/.exec(page.text) ?? [];
  await send('POST', '/login/code', 401, { body: { login: 'unknown', code: first } });
  await clients.anonymous('POST', '/login/code', { body: { login: token, code: 'wrong' } });
  const response = await clients.anonymous('POST', '/login/code', { body: { login: token, code: first } });
  assert.equal(response.status, 201, response.text);
  seen.add('POST /login/code');
  const renewed = await send('POST', '/account/totp/recovery-codes', 200, {
    body: { currentPassword, code: second },
  });
  await send('POST', '/account/totp/remove', 401, { body: { currentPassword, code: third } });
  const [last] = renewed.json.recoveryCodes as string[];
  await send('POST', '/account/totp/remove', 200, { body: { currentPassword, code: last } });
  await send('POST', '/account/totp/remove', 404, { body: { currentPassword, code: last } });
  const { json: bo } = await clients.operator('POST', '/account/totp', { body: { currentPassword } });
  const boCode = totpCode(String(bo.secret), Date.now());
  await clients.operator('POST', '/account/totp/confirm', { body: { code: boCode } });
  await send('POST', '/users/2/totp/reset', 200);
  await send('POST', '/users/2/totp/reset', 404, HTML);
}

test('user, key and session routes return documented responses', async () => {
  const password = 'staple of the field';
  for (const path of ['/account', '/account/sessions', '/users', '/keys']) await send('GET', path, 200);
  for (const path of ['/account', '/users', '/keys']) await send('GET', path, 200, HTML);
  const { json } = await send('POST', '/users', 201, { body: { username: 'dirk', password } });
  const id = String(json.userId);
  await send('POST', '/users', 409, { body: { username: 'dirk', password } });
  await send('PATCH', `/users/${id}`, 200, { body: { role: 'operator' } });
  await send('POST', `/users/${id}`, 303, { body: 'disabled=true', ...HTML });
  await send('PATCH', '/users/4711', 404, { body: { role: 'operator' } });
  const keys = [1, 2].map((n) =>
    send('POST', '/keys', 201, { body: { name: `key ${n}`, scopes: ['orders:read'] } }),
  );
  const [first, second] = (await Promise.all(keys)).map(({ json }) => String(json.keyId));
  await send('DELETE', `/keys/${first}`, 200);
  await send('POST', `/keys/${second}/revoke`, 200);
  const login = { body: { username: 'anna', password: 'correct horse battery' } };
  for (let others = 0; others < 2; others += 1) await clients.anonymous('POST', '/login', login);
  const { json: sessions } = await send('GET', '/account/sessions', 200);
  const [one, other] = (sessions as unknown as { id: string; current: boolean }[]).filter((s) => !s.current);
  await send('DELETE', `/account/sessions/${one?.id}`, 200);
  await send('POST', `/account/sessions/${other?.id}/revoke`, 303, { body: '', ...HTML });
  await send('DELETE', '/account/sessions/0000', 404);
  await send('POST', '/account/sessions/0000/revoke', 404, { body: '', ...HTML });
  await send('POST', '/account/sessions/revoke-others', 200);
  await send('GET', '/login', 200);
  await send('GET', '/setup', 303);
  await send('POST', '/setup', 409, { body: { code: 'x', username: 'eve', password } });
  await send('POST', '/login', 401, { body: { username: 'anna', password: 'wrong' } });
  await send('POST', '/language', 303, { body: 'language=en' });
  await secondFactor();
  await send('POST', '/account/password', 200, {
    body: { currentPassword: 'correct horse battery', newPassword: password },
  });
  await send('POST', '/logout/everywhere', 200);
  await send('POST', '/logout', 200);
  await send('POST', '/login', 201, { body: { username: 'anna', password } });
});

/**
 * Routes that cannot succeed in this test: the WebSocket, the setup (already completed), webhooks from
 * external providers, incomplete paths, the calibration board, which the simulated camera cannot see, the reports of
 * lost writes and of a restore, which an intact database does not have, a restore that waits for its confirmation, updates of
 * a gateway that has no update service, and the contact for vulnerabilities, which the owner adds before the first release.
 */
const ELSEWHERE = [
  ...['images', 'compute'].map((rest) => `POST /navigation/calibration/board/${rest}`),
  'GET /drive',
  'POST /setup',
  'POST /controller/firmware',
  'POST /webhooks/:provider',
  'POST /backups/acknowledge-loss',
  'POST /backups/confirm-payments',
  'POST /gateway-backups/confirm',
  'PUT /setup/gateway-backups/:name',
  'POST /setup/gateway-backups',
  'POST /setup/gateway-backups/:name/inspect',
  'POST /setup/gateway-backups/:name/restore',
  'GET /.well-known/security.txt',
  'PUT /routes/:id',
  'DELETE /routes/:id',
  'POST /routes/:id/check',
  'POST /teaching',
  'POST /teaching/finish',
  'DELETE /teaching',
  'POST /runs',
  'GET /runs/:runId',
  ...['pause', 'resume', 'cancel'].map((act) => `POST /runs/:runId/${act}`),
  'PUT /updates/:file',
  'POST /updates/:version/install',
  ...['', '/:status', '//:orderId'].map((rest) => `PATCH /payments/updateStatus${rest}`),
];

test('every route has been tested with a successful response', () => {
  const routes = policyOf(APIS).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(
    routes.filter((route) => !seen.has(route)),
    ELSEWHERE.toSorted((a, b) => routes.indexOf(a) - routes.indexOf(b)),
  );
});

test.run();
