import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { Camera } from '../../../../src/camera/capture/camera.js';
import { cameraLiveRoutes, cameraPhotoRoutes } from '../../../../src/camera/http/routes.js';
import { drawPlaceholder } from '../../../../src/camera/streaming/placeholder.js';
import { cameraContext, cameraPage, cameraPageRoutes } from '../../../../src/console/camera/routes.js';
import { Pages } from '../../../../src/console/layout/pages.js';
import { settingsForm } from '../../../../src/console/settings/form.js';
import { errorHandler } from '../../../../src/http/errors.js';
import { Drawings, useDrawings } from '../../../../src/http/pages.js';
import { fastExpress } from '../../../../src/http/server/fast-express.js';
import type { SettingsService } from '../../../../src/settings/document/settings.js';
import { settingsSchema } from '../../../../src/settings/schema/schema.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { handlersOf } from '../../../helpers/handlers-of.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { validateResponses } from '../../../helpers/response-validation.js';
import { until } from '../../../helpers/until.js';
import { layout, maskedSettings } from '../../app/api/samples.js';
import { withThumbnail } from '../exif.js';
import { FakeSource } from '../fake-source.js';

const test = suite('camera HTTP routes');
const pages = new Pages({ viewsDir: join(packageRoot(), 'views') });

interface HttpResponse {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

interface TestApp {
  clock: FakeClock;
  source: FakeSource;
  camera: Camera;
  isAuthorised: boolean;
  open(method: string, path: string, headers?: Record<string, string>): ClientRequest;
  call(method: string, path: string, headers?: Record<string, string>): Promise<HttpResponse>;
}

function withTestApp(run: (testApp: TestApp) => Promise<void>): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'camera-site-'));
    const clock = new FakeClock();
    const source = new FakeSource(clock);
    const log = new RecordingLog();
    const camera = await Camera.open({ source, photosDir: join(dir, 'photos'), clock, log });
    const { app, server } = fastExpress();
    const form = settingsForm(settingsSchema, maskedSettings(), { sections: ['camera'] });
    const drawings = new Drawings();
    drawings.add(cameraPage, (_req, page) =>
      pages.render('camera/cameraSettings', cameraContext(layout(), page, form)),
    );
    useDrawings(app, drawings);
    app.use(handlersOf(cameraLiveRoutes({ camera, isAuthorised: () => testApp.isAuthorised, clock })));
    app.use(handlersOf(cameraPhotoRoutes(camera)));
    app.use(
      handlersOf(
        cameraPageRoutes({
          camera,
          settings: { trial: { view: () => undefined } } as SettingsService,
          isIdle: () => true,
        }),
      ),
    );
    app.use(errorHandler(log, (_req, { body }) => textOf(body.message)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const open: TestApp['open'] = (method, path, headers = {}) =>
      request({ host: '127.0.0.1', port, method, path, headers, agent: false }).end();
    const call: TestApp['call'] = async (method, path, headers) => {
      const [res] = (await once(open(method, path, headers), 'response')) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of res) chunks.push(chunk);
      return { status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) };
    };
    const testApp: TestApp = { clock, source, camera, isAuthorised: true, open, call };
    const undocumented = validateResponses(server);
    try {
      await run(testApp);
      assert.deepEqual(undocumented(), []);
    } finally {
      await camera.close();
      server.close();
      server.closeAllConnections();
      for (const path of [dir, source.dir]) rmSync(path, { recursive: true, force: true });
    }
  };
}

const json = ({ body }: HttpResponse): Record<string, unknown> => JSON.parse(String(body));

test(
  'the stream sends raw parts without a content length or chunked encoding',
  withTestApp(async ({ source, camera, open }) => {
    const first = source.publish();
    const client = open('GET', '/camera/stream.mjpg');
    const [res] = (await once(client, 'response')) as [IncomingMessage];
    assert.equal(res.headers['content-type'], 'multipart/x-mixed-replace;boundary=frame');
    assert.deepEqual(
      ['transfer-encoding', 'content-length', 'connection'].map((name) => res.headers[name]),
      [undefined, undefined, 'close'],
    );
    let text = '';
    res.on('data', (chunk) => (text += chunk));
    await until(() => text.includes(String(first.jpeg)));
    const second = source.publish();
    await until(() => text.endsWith(`${second.jpeg}\r\n--frame\r\n`));
    assert.match(text, /^--frame\r\nContent-Type: image\/jpeg\r\n/);
    client.destroy();
    await until(() => camera.broadcaster.viewers === 0);
    assert.equal(source.acquired, 0);
  }),
);

test(
  'returns 400 for an fps value outside the range 1 to 30',
  withTestApp(async ({ camera, call }) => {
    for (const fps of ['0', '31', '-1', '1.5', 'ten', '', '9'.repeat(17)]) {
      const response = await call('GET', `/camera/stream.mjpg?fps=${fps}`);
      assert.deepEqual([response.status, json(response).field, json(response).limit], [400, 'fps', 30], fps);
    }
    assert.equal(camera.broadcaster.viewers, 0);
  }),
);

test(
  'returns the next image with its number and age, or 204 when there is no new image',
  withTestApp(async ({ clock, source, camera, call }) => {
    const { jpeg } = source.publish();
    clock.advance(40);
    const first = await call('GET', '/camera/frame');
    assert.deepEqual(
      [first.status, first.headers['x-frame'], first.headers['x-age-ms'], first.body],
      [200, '1', '40', jpeg],
    );
    assert.equal(first.headers['x-waited-ms'], '0');
    const second = call('GET', '/camera/frame?after=1');
    await until(() => camera.broadcaster.viewers === 1);
    clock.advance(300);
    source.publish();
    const { headers } = await second;
    assert.deepEqual([headers['x-age-ms'], headers['x-waited-ms']], ['0', '300']);
    const waiting = call('GET', '/camera/frame?after=2');
    await until(() => camera.broadcaster.viewers === 1);
    clock.advance(5000);
    assert.equal((await waiting).status, 204);
  }),
);

test(
  'a viewer whose request is aborted is removed',
  withTestApp(async ({ source, camera, open }) => {
    source.update({ phase: 'starting' });
    const client = open('GET', '/camera/frame');
    client.on('error', () => undefined);
    await until(() => camera.broadcaster.viewers === 1);
    client.destroy();
    await until(() => camera.broadcaster.viewers === 0);
  }),
);

test(
  'returns the fault and a hint when no camera is available',
  withTestApp(async ({ source, call }) => {
    const fault = { code: 'missing', text: 'no camera is connected', hint: 'Look at the cable.', lines: [] };
    source.update({ phase: 'backoff', fault });
    const response = await call('GET', '/camera/frame');
    const { code, message, hint } = json(response);
    assert.deepEqual(
      [response.status, code, message, hint],
      [503, 'CAMERA_DOWN', 'No camera is connected', fault.hint],
    );
    const state = json(await call('GET', '/camera/state.json'));
    assert.deepEqual([state.phase, state.text, state.fault], ['backoff', 'no image', fault]);
  }),
);

test(
  'the response to a poll that is rejected at the viewer limit has a Retry-After header',
  withTestApp(async ({ source, camera, call }) => {
    const { number } = source.publish();
    const sink = { write: () => undefined, destroy: () => undefined };
    const waiting = call('GET', `/camera/frame?after=${number}`);
    while (camera.broadcaster.viewers === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let nth = 0; nth < 32; nth++) camera.broadcaster.stream(sink, { holder: 'other' });
    for (let nth = 0; nth < 32; nth++) camera.broadcaster.stream(sink, { holder: '127.0.0.1' });
    const response = await waiting;
    assert.deepEqual([response.status, response.headers['retry-after']], [503, '5']);
    assert.match(String(response.headers['content-type']), /json/);
  }),
);

test(
  'HEAD requests and prefetches never start the camera',
  withTestApp(async ({ source, call }) => {
    source.update({ phase: 'idle' });
    const paths = ['/runCamera', '/camera/stream.mjpg', '/camera/frame', '/camera/snapshot.jpg'];
    for (const path of paths) assert.equal((await call('HEAD', path)).status, 200, path);
    const prefetches: Record<string, string>[] = [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'x-moz': 'prefetch' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
    ];
    for (const headers of prefetches) assert.equal((await call('GET', '/runCamera', headers)).status, 200);
    await call('GET', '/cameraSettings');
    assert.deepEqual([source.stills, source.acquired], [0, 0]);
  }),
);

test(
  'GET /runCamera takes one photo for concurrent requests and returns a page that shows it',
  withTestApp(async ({ source, camera, call }) => {
    const responses = await Promise.all([1, 2, 3].map(() => call('GET', '/runCamera')));
    const [photo, ...others] = await camera.gallery.list();
    assert.deepEqual([source.stills, others], [1, []]);
    for (const { status, headers, body } of responses) {
      assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
      assert.match(String(body), /<h2>Photo taken<\/h2>/);
      assert.ok(String(body).includes(`/camera/photos/${photo?.name}`));
    }
  }),
);

test(
  'GET /runCamera returns a page with the reason when the photo fails',
  withTestApp(async ({ source, call }) => {
    const hint = 'Look at the cable.';
    source.takeStill = () => Promise.reject(new GatewayError('CAMERA_MISSING', 'no <b> camera', { hint }));
    const { status, body } = await call('GET', '/runCamera');
    assert.equal(status, 200);
    for (const part of ['No photo taken', 'No &lt;b&gt; camera', hint])
      assert.ok(String(body).includes(part), part);
    const rejected = await call('POST', '/camera/photo');
    assert.deepEqual(
      [rejected.status, json(rejected).code, json(rejected).hint],
      [503, 'CAMERA_MISSING', hint],
    );
  }),
);

test(
  'lists, shows, downloads and deletes photos by name only',
  withTestApp(async ({ source, call }) => {
    const small = drawPlaceholder(['small'], 64, 64);
    const jpeg = withThumbnail(drawPlaceholder(['large'], 640, 480), small, 'II');
    source.takeStill = async () => source.file(jpeg);
    const taken = await call('POST', '/camera/photo');
    const { name } = json(taken);
    assert.equal(taken.status, 201);
    assert.deepEqual(json(await call('GET', '/camera/photos')), { photos: [json(taken)] });
    const shown = await call('GET', `/camera/photos/${name}`);
    assert.deepEqual([shown.headers['content-type'], shown.body], ['image/jpeg', jpeg]);
    const download = await call('GET', `/camera/photos/${name}?download=1`);
    assert.equal(download.headers['content-disposition'], `attachment; filename=${name}`);
    assert.deepEqual((await call('GET', `/camera/photos/${name}/thumbnail`)).body, small);
    for (const path of [`/camera/photos/${name}`, `/camera/photos/${name}/thumbnail`]) {
      const { headers } = await call('GET', path);
      for (const [header, value, status] of [
        ['range', 'bytes=-9', 206],
        ['range', 'bytes=99999999-', 416],
        ['if-match', '"x"', 412],
        ['if-none-match', headers.etag ?? '', 304],
      ] as const)
        assert.equal((await call('GET', path, { [header]: value })).status, status, `${path} ${header}`);
    }
    for (const bad of ['..%2f..%2fetc%2fpasswd', '%2e%2e', 'x.jpg', `${name}%00`, `..%5c${name}`]) {
      for (const [method, end] of [
        ['GET', ''],
        ['GET', '/thumbnail'],
        ['DELETE', ''],
        ['POST', '/delete'],
      ] as const) {
        assert.equal(
          (await call(method, `/camera/photos/${bad}${end}`)).status,
          404,
          `${method} ${bad}${end}`,
        );
      }
    }
    assert.deepEqual(json(await call('DELETE', `/camera/photos/${name}`)), { success: true });
    assert.equal((await call('GET', `/camera/photos/${name}`)).status, 404);
  }),
);

test(
  'the camera page shows a requested photo at full size, or reports that it was deleted',
  withTestApp(async ({ source, camera, call }) => {
    const { name } = await camera.gallery.add(source.file());
    const page = async (): Promise<string> =>
      String((await call('GET', `/cameraSettings?photo=${name}`)).body);
    assert.ok((await page()).includes(`<img src="/camera/photos/${name}"`));
    assert.ok(String((await call('GET', '/runCamera')).body).includes('class="panel shown-photo"'));
    await camera.gallery.remove(name);
    assert.ok((await page()).includes('This photo was deleted'));
    assert.ok(!String((await call('GET', '/cameraSettings')).body).includes('shown-photo'));
  }),
);

test(
  'deletes a photo with a form that does not require JavaScript',
  withTestApp(async ({ source, camera, call }) => {
    const { name } = await camera.gallery.add(source.file());
    const page = String((await call('GET', '/cameraSettings')).body);
    assert.ok(page.includes(`action="/camera/photos/${name}/delete"`));
    const response = await call('POST', `/camera/photos/${name}/delete`);
    assert.deepEqual([response.status, response.headers.location], [303, '/cameraSettings#photos']);
    assert.deepEqual(await camera.gallery.list(), []);
  }),
);

test(
  'a snapshot starts the idle camera and returns its first live image',
  withTestApp(async ({ source, camera, call }) => {
    source.update({ phase: 'idle' });
    const snapshot = call('GET', '/camera/snapshot.jpg');
    await until(() => camera.broadcaster.viewers === 1);
    source.update({ phase: 'streaming' });
    const { jpeg } = source.publish();
    const { status, headers, body } = await snapshot;
    assert.deepEqual([status, headers['content-type'], body], [200, 'image/jpeg', jpeg]);
    assert.equal(source.stills, 0);
  }),
);

test(
  'a snapshot that is requested at the same time as a photo waits for the next live image',
  withTestApp(async ({ source, camera, clock, call }) => {
    source.publish();
    source.update({ phase: 'capturing' });
    const snapshot = call('GET', '/camera/snapshot.jpg');
    await until(() => camera.broadcaster.viewers === 1);
    clock.advance(5000);
    await until(() => camera.broadcaster.viewers === 1);
    source.update({ phase: 'streaming' });
    const { jpeg } = source.publish();
    assert.deepEqual((await snapshot).body, jpeg);
    assert.equal(source.stills, 0);
  }),
);

test(
  'a snapshot fails with 504 when the camera does not deliver an image within 12 s',
  withTestApp(async ({ source, camera, clock, call }) => {
    source.update({ phase: 'starting' });
    const snapshot = call('GET', '/camera/snapshot.jpg');
    await until(() => camera.broadcaster.viewers === 1);
    clock.advance(12_000);
    const response = await snapshot;
    assert.deepEqual([response.status, json(response).code], [504, 'CAMERA_SLOW']);
  }),
);

test(
  'a snapshot waits for a camera restart that is due within 1 s',
  withTestApp(async ({ source, camera, clock, call }) => {
    const fault = { code: 'crashed', text: 'the camera program crashed', lines: [] };
    const timers = clock.timers;
    source.update({ phase: 'backoff', fault, retryAtMs: clock.now() + 500 });
    const snapshot = call('GET', '/camera/snapshot.jpg');
    // The three new timers are for the snapshot, the use of the camera and the wait.
    await until(() => clock.timers === timers + 3);
    source.update({ phase: 'starting' });
    clock.advance(500);
    await until(() => camera.broadcaster.viewers === 1);
    source.update({ phase: 'streaming' });
    const { jpeg } = source.publish();
    assert.deepEqual((await snapshot).body, jpeg);
  }),
);

test(
  'a snapshot fails with 503 and the reason when the camera repeats old images',
  withTestApp(async ({ source, call }) => {
    source.publish();
    source.update({ fault: { code: 'frozen', text: 'the camera repeats old images', lines: [] } });
    const response = await call('GET', '/camera/snapshot.jpg');
    assert.deepEqual([response.status, json(response).message], [503, 'The camera repeats old images']);
  }),
);

test(
  'takes a photo for a snapshot at full resolution, without storing the photo',
  withTestApp(async ({ source, camera, call }) => {
    const { status, headers, body } = await call('GET', '/camera/snapshot.jpg?full=1');
    assert.deepEqual([status, headers['content-type']], [200, 'image/jpeg']);
    assert.deepEqual(body, drawPlaceholder(['still'], 64, 64));
    assert.deepEqual([readdirSync(source.dir), await camera.gallery.list()], [[], []]);
  }),
);

test(
  'a stream ends when its session ends',
  withTestApp(async (testApp) => {
    const client = testApp.open('GET', '/camera/stream.mjpg');
    client.on('error', () => undefined);
    const [res] = (await once(client, 'response')) as [IncomingMessage];
    res.on('error', () => undefined).resume();
    testApp.clock.advance(2000);
    assert.equal(testApp.camera.broadcaster.viewers, 1);
    testApp.isAuthorised = false;
    testApp.clock.advance(2000);
    await until(() => testApp.camera.broadcaster.viewers === 0);
  }),
);

test(
  'closing the camera ends streams and rejects polls with 503',
  withTestApp(async ({ camera, open, call }) => {
    const client = open('GET', '/camera/stream.mjpg');
    client.on('error', () => undefined);
    const [res] = (await once(client, 'response')) as [IncomingMessage];
    res.on('error', () => undefined).resume();
    const waiting = call('GET', '/camera/frame');
    await until(() => camera.broadcaster.viewers === 2);
    const ended = once(res, 'close');
    await camera.close();
    await ended;
    assert.deepEqual([(await waiting).status, camera.broadcaster.viewers], [503, 0]);
  }),
);

test(
  'the Camera page links to the camera calibration',
  withTestApp(async ({ call }) => {
    const { body } = await call('GET', '/cameraSettings');
    assert.match(String(body), /<a href="\/navigation\/calibration">Camera calibration<\/a>/);
  }),
);

test.run();
