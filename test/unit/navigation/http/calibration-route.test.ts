import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import { calibrationContext } from '../../../../src/console/calibration/context.js';
import { boardRoutes } from '../../../../src/console/calibration/routes.js';
import { templateDrawings } from '../../../../src/console/layout/drawings.js';
import { Pages } from '../../../../src/console/layout/pages.js';
import { errorHandler } from '../../../../src/http/errors.js';
import { useDrawings } from '../../../../src/http/pages.js';
import { fastExpress } from '../../../../src/http/server/fast-express.js';
import type { CalibrationView } from '../../../../src/navigation/calibration/model.js';
import { calibrationRoutes } from '../../../../src/navigation/http/calibration-routes.js';
import { calibrationPage } from '../../../../src/navigation/http/pages.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { handlersOf } from '../../../helpers/handlers-of.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { validateResponses } from '../../../helpers/response-validation.js';
import { until } from '../../../helpers/until.js';
import { layout } from '../../app/api/samples.js';
import {
  boardAt,
  CalibrationSetup,
  markerAt,
  TRUTH,
  variedPlacements,
} from '../calibration/calibration-setup.js';

const test = suite('calibration routes');

const PATH = '/navigation/calibration';
const pages = new Pages({ viewsDir: join(packageRoot(), 'views') });

interface TestApp {
  setup: CalibrationSetup;
  call(method: string, path: string, body?: object): Promise<Response>;
  form(path: string, fields?: Record<string, string>): Promise<Response>;
  page(path?: string, language?: string): Promise<string>;
  /** Waits until the calibration uses the detector. */
  untilBusy(): Promise<void>;
}

/** Runs a test with a real server and a fake detector, but no access control. */
function withTestApp(run: (testApp: TestApp) => Promise<void>): () => Promise<void> {
  return async () => {
    const setup = new CalibrationSetup();
    const log = new RecordingLog();
    const { app, server } = fastExpress();
    const { drawings, add } = templateDrawings(pages, () => layout());
    add(calibrationPage, 'calibration/calibration', calibrationContext);
    useDrawings(app, drawings);
    app.use(handlersOf(calibrationRoutes(setup)), handlersOf(boardRoutes(setup)));
    app.use(errorHandler(log, (_req, { body }) => JSON.stringify(body)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
    const undocumented = validateResponses(server);
    const call: TestApp['call'] = (method, path, body) =>
      fetch(url + path, {
        method,
        headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const form: TestApp['form'] = (path, fields = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { accept: 'text/html' },
        redirect: 'manual',
        body: new URLSearchParams(fields),
      });
    const page: TestApp['page'] = async (path = '', language = 'en') =>
      await (
        await fetch(url + path, { headers: { accept: 'text/html', 'accept-language': language } })
      ).text();
    const untilBusy = () => until(async () => setup.calibration.status().isBusy);
    try {
      await run({ setup, call, form, page, untilBusy });
      assert.deepEqual(undocumented(), []);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  };
}

const viewIn = async (response: Response): Promise<CalibrationView> =>
  (await response.json()) as CalibrationView;

async function failure(response: Response): Promise<unknown[]> {
  const { code, field, hint } = (await response.json()) as Record<string, unknown>;
  return [response.status, code, field, typeof hint];
}

test(
  'GET returns the camera model in use and an empty session',
  withTestApp(async ({ call }) => {
    const { camera, status, board, result } = await viewIn(await call('GET', ''));
    assert.deepEqual([camera.preset, camera.width, camera.height], ['module-3', 1280, 720]);
    assert.ok(Math.abs(camera.fieldOfViewDeg - 66) < 0.01);
    assert.deepEqual([status.method, status.quality, board.firstId, result], ['preset', 'poor', 563, null]);
  }),
);

test(
  'POST one-shot returns the result, and POST save stores it',
  withTestApp(async ({ setup, call, untilBusy }) => {
    const answer = call('POST', '/one-shot', { id: 12 });
    await untilBusy();
    setup.detectTimes(10, markerAt(12));
    const { result } = await viewIn(await answer);
    assert.ok(result && Math.abs(result.fPx / TRUTH.fPx - 1) < 1e-4);
    assert.deepEqual(setup.saved, []);
    const { status } = await viewIn(await call('POST', '/save'));
    assert.deepEqual([status.method, setup.saved.length], ['one-shot', 1]);
    assert.deepEqual(await failure(await call('POST', '/save')), [409, 'CONFLICT', undefined, 'string']);
  }),
);

test(
  'POST one-shot reports the name of an invalid field',
  withTestApp(async ({ call }) => {
    const refused = async (body: object) =>
      (await failure(await call('POST', '/one-shot', body))).slice(0, 3);
    assert.deepEqual(await refused({ id: 587 }), [400, 'INVALID_INPUT', 'id']);
    assert.deepEqual(await refused({ id: 12, sizeMm: 5 }), [400, 'INVALID_INPUT', 'sizeMm']);
    assert.deepEqual(await refused({ id: 30 }), [400, 'INVALID_INPUT', 'sizeMm']);
    assert.deepEqual(await refused({ id: 12, range: 2 }), [400, 'INVALID_INPUT', 'range']);
  }),
);

test(
  'POST one-shot returns 503 while the camera is off',
  withTestApp(async ({ setup, call }) => {
    setup.camera = { phase: 'disabled' };
    const refused = await failure(await call('POST', '/one-shot', { id: 12 }));
    assert.deepEqual(refused, [503, 'CAMERA_NO_IMAGE', undefined, 'string']);
  }),
);

test(
  'images of the board are taken one at a time, used for a calibration and discarded',
  withTestApp(async ({ setup, call, untilBusy }) => {
    let images = 0;
    for (const placement of variedPlacements(10)) {
      const answer = call('POST', '/board/images', {});
      await untilBusy();
      setup.detectTimes(2, ...boardAt(placement));
      images = (await viewIn(await answer)).board.images;
    }
    assert.equal(images, 10);
    const { result } = await viewIn(await call('POST', '/board/compute'));
    assert.equal(result?.method, 'full');
    assert.equal((await viewIn(await call('POST', '/discard', { what: 'last-image' }))).board.images, 9);
    const { board, result: none } = await viewIn(await call('DELETE', ''));
    assert.deepEqual([board.images, none], [0, null]);
  }),
);

test(
  'POST compute returns 409 with a hint when there are too few images',
  withTestApp(async ({ call }) => {
    const refused = await failure(await call('POST', '/board/compute'));
    assert.deepEqual(refused, [409, 'CONFLICT', undefined, 'string']);
  }),
);

test(
  'POST discard returns 400 for an unknown part',
  withTestApp(async ({ call }) => {
    const refused = await failure(await call('POST', '/discard', { what: 'camera' }));
    assert.deepEqual(refused.slice(0, 3), [400, 'INVALID_INPUT', 'what']);
  }),
);

test(
  'GET board.svg returns a board, and 409 if it contains a registered marker',
  withTestApp(async ({ call }) => {
    const response = await call('GET', '/board.svg');
    assert.match(response.headers.get('content-type') ?? '', /^image\/svg\+xml/);
    assert.match(await response.text(), /563/);
    assert.match(await (await call('GET', '/board.svg?firstId=100')).text(), /100/);
    assert.equal((await call('GET', '/board.svg?firstId=5')).status, 409);
    assert.equal((await call('GET', '/board.svg?firstId=564')).status, 400);
  }),
);

test(
  'GET seen returns the markers in view',
  withTestApp(async ({ setup, call }) => {
    const seen = async () => (await (await call('GET', '/seen')).json()) as Record<string, unknown>;
    assert.deepEqual((await seen()).ids, []);
    setup.detect(markerAt(12));
    assert.deepEqual((await seen()).ids, [12]);
  }),
);

test(
  'the form shows the result after a redirect, and can save the result',
  withTestApp(async ({ setup, form, page, untilBusy }) => {
    assert.doesNotMatch(await page(), /id="result"/);
    const answer = form('/one-shot', { id: '12', sizeMm: '' });
    await untilBusy();
    setup.detectTimes(10, markerAt(12));
    const { status, headers } = await answer;
    assert.deepEqual([status, headers.get('location')], [303, `${PATH}#result`]);
    assert.match(await page(), /id="result"[\s\S]*1043\.0 px/);
    const saved = await form('/save');
    assert.deepEqual([saved.status, saved.headers.get('location')], [303, `${PATH}?saved=calibration`]);
    assert.equal(setup.settings.calibration.method, 'one-shot');
  }),
);

test(
  'the form keeps the input and marks the field with the error',
  withTestApp(async ({ form }) => {
    const response = await form('/one-shot', { id: '30', sizeMm: '' });
    assert.equal(response.status, 400);
    const html = await response.text();
    assert.match(html, /name="id" value="30"/);
    assert.match(html, /name="sizeMm"[^>]*aria-invalid="true"/);
  }),
);

test(
  'the form accepts a decimal comma',
  withTestApp(async ({ setup, form, untilBusy }) => {
    const answer = form('/one-shot', { id: '30', sizeMm: '99,5' });
    await untilBusy();
    setup.detectTimes(10, markerAt(30, { x: 0, z: 1000 }, 99.5));
    assert.equal((await answer).status, 303);
    const { fPx = 0 } = setup.calibration.status().result ?? {};
    assert.ok(Math.abs(fPx / TRUTH.fPx - 1) < 1e-4);
  }),
);

test(
  "the form saves the camera's model and position",
  withTestApp(async ({ setup, form }) => {
    const fields = { preset: 'module-2', xMm: '250', yMm: '−20', headingDeg: '1,5' };
    assert.equal((await form('/camera', fields)).status, 303);
    const mount = { xMm: 250, yMm: -20, headingDeg: 1.5 };
    assert.deepEqual(setup.saved[0]?.[0], { preset: 'module-2', mount });
  }),
);

test(
  'the page shows both image sizes when the calibration is stale',
  withTestApp(async ({ setup, page }) => {
    const stored = { ...setup.settings.calibration, method: 'full' as const, cameraId: 'auto', fPx: 1000 };
    setup.settings = { ...setup.settings, calibration: { ...stored, width: 1920, height: 1080 } };
    assert.match(await page(), /1920 × 1080[^<]*1280 × 720/);
    assert.match(await page('', 'nl'), /1920 × 1080[^<]*1280 × 720/);
  }),
);

test.run();
