import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { templateDrawings } from '../../../../src/console/layout/drawings.js';
import { Pages } from '../../../../src/console/layout/pages.js';
import { markersContext } from '../../../../src/console/markers/context.js';
import { markersPageRoutes } from '../../../../src/console/markers/routes.js';
import { errorHandler } from '../../../../src/http/errors.js';
import { useDrawings } from '../../../../src/http/pages.js';
import { fastExpress } from '../../../../src/http/server/fast-express.js';
import { markersPage } from '../../../../src/navigation/http/pages.js';
import { navigationRoutes } from '../../../../src/navigation/http/routes.js';
import { Markers } from '../../../../src/navigation/markers/registry.js';
import { systemClock } from '../../../../src/shared/clock.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { openStore } from '../../../../src/store/store.js';
import { handlersOf } from '../../../helpers/handlers-of.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { validateResponses } from '../../../helpers/response-validation.js';
import { layout } from '../../app/api/samples.js';
import { NO_ZONES } from '../../site/no-zones.js';
import { CalibrationSetup } from '../calibration/calibration-setup.js';

const test = suite('markers');

const WRITER = new URL('../../../../src/app/writer-worker.js', import.meta.url);
const pages = new Pages({ viewsDir: join(packageRoot(), 'views') });
const DOCK = { id: 12, sizeMm: 150, xMm: 4000, yMm: 0, headingDeg: 90, purpose: 'dock' };

/** Dependencies of the approach routes, which test/e2e/navigation/approach.test.ts tests. */
const UNUSED = {
  approach: { start: assert.fail, view: () => undefined, whenEnded: assert.fail },
  detector: { look: () => assert.fail(), state: assert.fail },
  imageSize: () => ({ width: 640, height: 480 }),
  senderOf: () => assert.fail(),
  clock: systemClock,
};

interface TestApp {
  markers: Markers;
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Response>;
  form(path: string, fields: Record<string, string>): Promise<Response>;
  page(path: string): Promise<string>;
  /** Opens the registry again, as after a restart. */
  reopen(): Markers;
}

/** Runs a test with a real server and store, but no access control. */
function withTestApp(run: (testApp: TestApp) => Promise<void>): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-markers-'));
    const log = new RecordingLog();
    const store = await openStore({ dir, writer: WRITER, clock: systemClock, log });
    const markers = new Markers(store);
    const localization = { suspicious: [4], place: () => undefined };
    const { app, server } = fastExpress();
    const { calibration } = new CalibrationSetup();
    const { drawings, add } = templateDrawings(pages, () => layout());
    add(markersPage, 'markers/markers', markersContext);
    useDrawings(app, drawings);
    app.use(handlersOf(navigationRoutes({ ...UNUSED, guard: NO_ZONES, markers, localization, calibration })));
    app.use(handlersOf(markersPageRoutes({ markers, localization, guard: NO_ZONES })));
    app.use(errorHandler(log, (_req, { body }) => JSON.stringify(body)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const undocumented = validateResponses(server);
    const call: TestApp['call'] = (method, path, body, headers = {}) =>
      fetch(url + path, {
        method,
        headers: {
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const form: TestApp['form'] = (path, fields) =>
      fetch(url + path, {
        method: 'POST',
        headers: { accept: 'text/html' },
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
    const page: TestApp['page'] = async (path) =>
      await (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
    try {
      await run({ markers, call, form, page, reopen: () => new Markers(store) });
      assert.deepEqual(undocumented(), []);
    } finally {
      server.close();
      server.closeAllConnections();
      markers.close();
      await store.close();
      rmSync(dir, { recursive: true });
    }
  };
}

async function failure(response: Response): Promise<Record<string, unknown>> {
  return { status: response.status, ...((await response.json()) as object) };
}

test(
  'POST stores a marker durably',
  withTestApp(async ({ call, reopen }) => {
    const response = await call('POST', '/markers', DOCK);
    assert.deepEqual([response.status, await response.json()], [200, DOCK]);
    assert.deepEqual(reopen().list(), [DOCK]);
  }),
);

test(
  'POST of an identical marker succeeds',
  withTestApp(async ({ call }) => {
    await call('POST', '/markers', DOCK);
    const { status } = await call('POST', '/markers', DOCK);
    assert.equal(status, 200);
  }),
);

test(
  'POST returns 409 when another marker has the ID',
  withTestApp(async ({ call, markers }) => {
    await call('POST', '/markers', DOCK);
    const { status, code, field } = await failure(await call('POST', '/markers', { ...DOCK, xMm: 1 }));
    assert.deepEqual([status, code, field], [409, 'CONFLICT', 'id']);
    assert.deepEqual(markers.list(), [DOCK]);
  }),
);

for (const [field, value, limit, unit] of [
  ['id', 587, 586, undefined],
  ['sizeMm', 10, 20, 'mm'],
  ['xMm', 2e6, 1e6, 'mm'],
  ['headingDeg', 400, 360, 'degrees'],
] as const) {
  test(
    `POST reports the field, limit and unit when ${field} is out of range`,
    withTestApp(async ({ call }) => {
      const refused = await failure(await call('POST', '/markers', { ...DOCK, [field]: value }));
      assert.deepEqual(
        [refused.status, refused.code, refused.field, refused.limit, refused.unit],
        [400, 'INVALID_INPUT', field, limit, unit],
      );
    }),
  );
}

test(
  'POST returns 400 when the purpose is unknown',
  withTestApp(async ({ call }) => {
    const { status, field } = await failure(await call('POST', '/markers', { ...DOCK, purpose: 'door' }));
    assert.deepEqual([status, field], [400, 'purpose']);
  }),
);

test(
  'PUT adds a marker, and a second PUT replaces it',
  withTestApp(async ({ call, markers }) => {
    const { id, ...rest } = DOCK;
    await call('PUT', `/markers/${id}`, rest);
    await call('PUT', `/markers/${id}`, { ...rest, xMm: 4100 });
    assert.deepEqual(markers.list(), [{ ...DOCK, xMm: 4100 }]);
  }),
);

test(
  'PUT returns 400 when the body contains a different ID',
  withTestApp(async ({ call }) => {
    const { status, field } = await failure(await call('PUT', '/markers/13', DOCK));
    assert.deepEqual([status, field], [400, 'id']);
  }),
);

test(
  'PUT returns 412 when the marker was changed after the client read it',
  withTestApp(async ({ call, markers }) => {
    await call('POST', '/markers', DOCK);
    const etag = (await call('GET', '/markers/12')).headers.get('etag') ?? '';
    await call('PUT', '/markers/12', { ...DOCK, xMm: 1 });
    const { status, code } = await failure(
      await call('PUT', '/markers/12', { ...DOCK, xMm: 2 }, { 'if-match': etag }),
    );
    assert.deepEqual([status, code, markers.find(12)?.xMm], [412, 'ETAG_MISMATCH', 1]);
  }),
);

test(
  'PUT saves the marker when the ETag matches',
  withTestApp(async ({ call, markers }) => {
    const etag = (await call('POST', '/markers', DOCK)).headers.get('etag') ?? '';
    const { status } = await call('PUT', '/markers/12', { ...DOCK, xMm: 2 }, { 'if-match': etag });
    assert.deepEqual([status, markers.find(12)?.xMm], [200, 2]);
  }),
);

test(
  'only one of two simultaneous changes with the same ETag succeeds',
  withTestApp(async ({ call }) => {
    const etag = (await call('POST', '/markers', DOCK)).headers.get('etag') ?? '';
    const change = (xMm: number) => call('PUT', '/markers/12', { ...DOCK, xMm }, { 'if-match': etag });
    const answers = await Promise.all([change(1), change(2)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412]);
  }),
);

test(
  'DELETE deletes a marker and returns it',
  withTestApp(async ({ call, markers }) => {
    await call('POST', '/markers', DOCK);
    const response = await call('DELETE', '/markers/12');
    assert.deepEqual([await response.json(), markers.list()], [DOCK, []]);
  }),
);

test(
  'DELETE returns 404 when the marker does not exist',
  withTestApp(async ({ call }) => {
    assert.equal((await call('DELETE', '/markers/12')).status, 404);
  }),
);

test(
  'GET returns the markers sorted by ID, and 304 for the same ETag',
  withTestApp(async ({ call }) => {
    for (const id of [30, 4, 200]) await call('POST', '/markers', { ...DOCK, id });
    const first = await call('GET', '/markers');
    const list = (await first.json()) as { id: number }[];
    assert.deepEqual(
      list.map(({ id }) => id),
      [4, 30, 200],
    );
    const etag = first.headers.get('etag') ?? '';
    assert.equal((await call('GET', '/markers', undefined, { 'if-none-match': etag })).status, 304);
    await call('DELETE', '/markers/4');
    assert.equal((await call('GET', '/markers', undefined, { 'if-none-match': etag })).status, 200);
  }),
);

for (const id of ['587', 'x', '1.5', '-1']) {
  test(
    `GET returns 400 for the ID ${id}`,
    withTestApp(async ({ call }) => {
      assert.equal((await call('GET', `/markers/${id}`)).status, 400);
    }),
  );
}

test(
  'the form adds a marker with a decimal comma',
  withTestApp(async ({ form, markers }) => {
    const fields = { id: '3', sizeMm: '149,5', xMm: '−20', yMm: '10', headingDeg: '0', purpose: 'reference' };
    const response = await form('/markers/save', fields);
    assert.deepEqual([response.status, response.headers.get('location')], [303, '/markers?saved=3']);
    const { sizeMm, xMm } = markers.find(3) ?? {};
    assert.deepEqual([sizeMm, xMm], [149.5, -20]);
  }),
);

test(
  'the form keeps the input and marks the field with the error',
  withTestApp(async ({ form, markers }) => {
    const fields = { id: '3', sizeMm: '5', xMm: '17', yMm: '0', headingDeg: '0', purpose: 'reference' };
    const response = await form('/markers/save', fields);
    const html = await response.text();
    assert.deepEqual([response.status, markers.list()], [400, []]);
    assert.match(html, /id="marker-sizeMm"[^>]*value="5"[^>]*aria-invalid="true"/);
    assert.match(html, /id="marker-xMm"[^>]*value="17"/);
  }),
);

test(
  'the form does not replace an existing marker that was not opened for editing',
  withTestApp(async ({ call, form, markers }) => {
    await call('POST', '/markers', DOCK);
    const fields = { id: '12', sizeMm: '50', xMm: '1', yMm: '0', headingDeg: '0', purpose: 'dock' };
    assert.equal((await form('/markers/save', fields)).status, 409);
    assert.deepEqual(markers.list(), [DOCK]);
    assert.equal((await form('/markers/save', { ...fields, editing: '12' })).status, 303);
    assert.equal(markers.find(12)?.sizeMm, 50);
  }),
);

test(
  'the form deletes a marker',
  withTestApp(async ({ call, form, markers }) => {
    await call('POST', '/markers', DOCK);
    assert.equal((await form('/markers/delete', { id: '12' })).status, 303);
    assert.deepEqual(markers.list(), []);
  }),
);

test(
  'the page lists the markers and opens one of them in the form',
  withTestApp(async ({ call, page }) => {
    await call('POST', '/markers', DOCK);
    const html = await page('/markers?edit=12');
    assert.match(html, /href="\/markers\/12\/sheet\.svg"/);
    assert.match(html, /id="marker-xMm"[^>]*value="4000"/);
  }),
);

test(
  'the page shows positions in the unit of its form, and states their origin',
  withTestApp(async ({ call, page }) => {
    await call('POST', '/markers', { ...DOCK, xMm: 12_345, yMm: -600.5 });
    const html = await page('/markers?edit=12');
    assert.match(html, /<span>Position<\/span> 12345, −600\.5 mm</);
    assert.match(html, /id="marker-xMm"[^>]*value="12345"/);
    assert.match(html, /from the lower left corner of the floor plan\. <a href="\/map">/);
  }),
);

test(
  'the page lists a marker that contradicts the others',
  withTestApp(async ({ call, page }) => {
    for (const id of [4, 5]) await call('POST', '/markers', { ...DOCK, id });
    assert.equal((await page('/markers')).match(/Contradicts other markers/g)?.length, 1);
  }),
);

test(
  'the sheet shows the marker at its true size',
  withTestApp(async ({ call }) => {
    await call('POST', '/markers', DOCK);
    const response = await call('GET', '/markers/12/sheet.svg');
    const svg = await response.text();
    assert.match(response.headers.get('content-type') ?? '', /^image\/svg\+xml/);
    // The outer edge of the black border is 150 mm long and spans 8 cells.
    assert.match(svg, /scale\(18\.75\)/);
  }),
);

test(
  'the page explains how to drive to a marker when a marker exists',
  withTestApp(async ({ call, page }) => {
    assert.match(await page('/markers'), /Add a marker first\./);
    await call('POST', '/markers', DOCK);
    const text = await page('/markers');
    assert.match(
      text,
      /On the Drive page, press Markers in the camera image, tap a marker, then press and hold/,
    );
    assert.match(text, /<a href="\/navigation\/calibration">/);
    assert.doesNotMatch(text, /Add a marker first/);
  }),
);

test(
  'an older form replaces only the fields that its user has edited',
  withTestApp(async ({ call, form, markers }) => {
    await call('POST', '/markers', DOCK);
    const opened = JSON.stringify({ sizeMm: 150, xMm: 4000, yMm: 0, headingDeg: 90, purpose: 'dock' });
    const shown = { id: '12', editing: '12', sizeMm: '150', xMm: '4000', yMm: '0', headingDeg: '90' };
    await call('PUT', '/markers/12', { ...DOCK, xMm: 4100, yMm: 20 });
    const saved = await form('/markers/save', { ...shown, purpose: 'dock', opened, headingDeg: '80' });
    assert.equal(saved.status, 303);
    assert.deepEqual(markers.list(), [{ ...DOCK, xMm: 4100, yMm: 20, headingDeg: 80 }]);

    const refused = await form('/markers/save', { ...shown, purpose: 'dock', opened, xMm: '3900' });
    const html = await refused.text();
    assert.equal(refused.status, 412);
    assert.match(
      html,
      /id="marker-xMm-error" class="error">Was changed to &quot;4100&quot; in the meantime;/,
    );
    assert.match(html, /id="marker-xMm"[^>]* value="3900"/);
    assert.match(html, /id="marker-yMm"[^>]* value="20"/);
    assert.equal(markers.find(12)?.xMm, 4100);
  }),
);

test(
  'the page contains the values with which its form was opened',
  withTestApp(async ({ call, page }) => {
    await call('POST', '/markers', DOCK);
    assert.match(await page('/markers?edit=12'), /name="opened" value="{&quot;sizeMm&quot;:150,/);
  }),
);

test(
  'an older form does not silently restore a deleted marker',
  withTestApp(async ({ form, markers }) => {
    const refused = await form('/markers/save', {
      id: '12',
      editing: '12',
      sizeMm: '150',
      xMm: '4000',
      yMm: '0',
      headingDeg: '90',
      purpose: 'dock',
      opened: '{"sizeMm":150}',
    });
    const html = await refused.text();
    assert.equal(refused.status, 412);
    assert.match(html, /Marker 12 was deleted in the meantime\./);
    assert.doesNotMatch(html, /name="editing"/);
    assert.deepEqual(markers.list(), []);
  }),
);

test.run();
