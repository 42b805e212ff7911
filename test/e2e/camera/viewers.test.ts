import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import type { CameraState } from '../../../src/camera/capture/camera.js';
import type { Photo } from '../../../src/camera/photos/gallery.js';
import { JpegSplitter } from '../../../src/camera/streaming/splitter.js';
import { textOf } from '../../../src/shared/messages/message.js';
import { hasFfmpeg } from '../../helpers/ffmpeg.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { untilAnswer } from '../../helpers/until.js';

const test = suite('camera viewers');

let gateway: GatewayProcess;
test.before(async () => {
  gateway = await GatewayProcess.start({ camera: { mode: 'simulated', width: 320, height: 240 } });
});
test.after(async () => {
  await gateway.close();
});

class Viewer {
  readonly numbers: number[] = [];
  readonly sizes = new Set<string>();
  readonly client: ClientRequest;
  ended = false;
  #text = '';
  #splitter = new JpegSplitter((jpeg) => this.sizes.add(sizeOf(jpeg)));
  #waiting = new Set<() => void>();

  constructor(query = '') {
    this.client = get(`${gateway.url}/camera/stream.mjpg${query}`, { agent: false }, (res) =>
      this.#read(res),
    );
    this.client.on('error', () => this.#wake());
  }

  /** Resolves when the condition becomes true. The condition is checked after each received chunk. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #read(res: IncomingMessage): void {
    res.on('data', (chunk: Buffer) => {
      this.#splitter.push(chunk);
      this.#text = `${this.#text.slice(-100)}${chunk.toString('latin1')}`;
      for (const [, number] of this.#text.matchAll(/X-Frame: (\d+)\r/g)) {
        if (Number(number) > (this.numbers.at(-1) ?? 0)) this.numbers.push(Number(number));
      }
      this.#wake();
    });
    res.on('error', () => undefined);
    res.on('close', () => {
      this.ended = true;
      this.#wake();
    });
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/** Returns the width and height from a baseline JPEG's SOF0 header. */
function sizeOf(jpeg: Buffer): string {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  return `${jpeg.readUInt16BE(at + 7)}x${jpeg.readUInt16BE(at + 5)}`;
}

const state = async (): Promise<CameraState> =>
  (await gateway.call<CameraState>('GET', '/camera/state.json')).body;

const runCamera = async (): Promise<string> => (await fetch(`${gateway.url}/runCamera`)).text();

function untilState(matches: (state: CameraState) => boolean): Promise<CameraState> {
  return untilAnswer(state, matches);
}

test("every viewer receives the camera's images in order, with no duplicates", async () => {
  const viewers = Array.from({ length: 10 }, () => new Viewer());
  for (const viewer of viewers) await viewer.until(() => viewer.numbers.length >= 20);
  for (const { numbers, client } of viewers) {
    assert.ok(numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0)));
    client.destroy();
  }
  await untilState(({ viewers }) => viewers === 0);
});

test("taking a photo does not interrupt a viewer's stream", async () => {
  const viewer = new Viewer();
  await viewer.until(() => viewer.numbers.length > 0);
  const { status, body } = await gateway.call<Photo>('POST', '/camera/photo');
  assert.equal(status, 201);
  const last = viewer.numbers.at(-1) ?? 0;
  await viewer.until(() => (viewer.numbers.at(-1) ?? 0) > last);
  assert.equal(viewer.ended, false);
  viewer.client.destroy();
  const photo = await fetch(`${gateway.url}/camera/photos/${body.name}`);
  assert.equal((await photo.arrayBuffer()).byteLength, body.bytes);
});

test('concurrent photo requests return the same photo', async () => {
  const before = (await gateway.call<{ photos: Photo[] }>('GET', '/camera/photos')).body.photos.length;
  const [first, ...others] = await Promise.all([
    ...[1, 2, 3].map(() => gateway.call<Photo>('POST', '/camera/photo')),
    gateway.call('GET', '/runCamera'),
  ]);
  assert.deepEqual(
    others.slice(0, 2).map(({ body }) => body),
    [first?.body, first?.body],
  );
  const after = (await gateway.call<{ photos: Photo[] }>('GET', '/camera/photos')).body.photos.length;
  // The number may be unchanged, because no photo is taken within one second of the previous test's photo.
  assert.ok(after - before <= 1);
});

test('an image size saved while JavaScript is off takes effect in open streams', async () => {
  const viewer = new Viewer();
  await viewer.until(() => viewer.sizes.has('320x240'));
  const form = new URLSearchParams({ '/camera/width': '480', '/camera/height': '360' });
  const saved = await fetch(`${gateway.url}/cameraSettings`, { method: 'POST', body: form });
  assert.deepEqual([saved.status, /<h2>Saved<\/h2>/.test(await saved.text())], [200, true]);
  const last = viewer.numbers.at(-1) ?? 0;
  await viewer.until(() => viewer.sizes.has('480x360') && (viewer.numbers.at(-1) ?? 0) > last);
  assert.equal(viewer.ended, false);
  viewer.client.destroy();
});

test('an invalid value is reported beside its field, and nothing is saved', async () => {
  const form = new URLSearchParams({ '/camera/width': '7', '/camera/quality': '70' });
  const answer = await fetch(`${gateway.url}/cameraSettings`, { method: 'POST', body: form });
  const page = await answer.text();
  assert.equal(answer.status, 400);
  assert.match(page, /class="row bad"/);
  assert.match(page, /value="7"/);
  const { body } = await gateway.call<{ camera: { width: number } }>('GET', '/variables.json');
  assert.equal(body.camera.width, 480);
});

test('every route reports a missing camera program, and the stream shows the fault', async () => {
  await gateway.call('POST', '/updateJson', { camera: { mode: 'pi' } });
  const viewer = new Viewer();
  const { fault } = await untilState(({ phase, fault }) => phase === 'backoff' && fault !== null);
  await viewer.until(() => viewer.sizes.size > 0);
  const frame = await gateway.call('GET', '/camera/frame');
  assert.deepEqual([frame.status, frame.body.code], [503, 'CAMERA_DOWN']);
  assert.equal(String(frame.body.message).toLowerCase(), textOf(fault?.text ?? '').toLowerCase());
  const health = await gateway.call<{ faults: string[]; links: { camera: { text: string } } }>(
    'GET',
    '/health',
  );
  assert.equal(health.body.links.camera.text, 'no image');
  assert.ok(health.body.faults.includes(String(frame.body.message)));
  // Waits, because for one second after the last photo, the route returns that photo again.
  await untilAnswer(runCamera, (page) => page.includes('No photo taken'));
  await gateway.call('POST', '/updateJson', { camera: { mode: 'simulated' } });
  await gateway.call('POST', '/camera/retry');
  const last = viewer.numbers.at(-1) ?? 0;
  await viewer.until(() => (viewer.numbers.at(-1) ?? 0) > last);
  assert.equal(viewer.ended, false);
  viewer.client.destroy();
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (hasCurl) {
  test('curl reads complete JPEGs from the stream', async () => {
    const curl = spawn('curl', ['--silent', '--no-buffer', `${gateway.url}/camera/stream.mjpg?fps=20`]);
    let pictures = 0;
    const splitter = new JpegSplitter(() => (pictures += 1));
    const exit = once(curl, 'exit');
    for await (const chunk of curl.stdout) {
      splitter.push(chunk);
      if (pictures >= 10) break;
    }
    curl.kill();
    await exit;
    assert.ok(pictures >= 10);
  });
} else process.stdout.write('SKIPPED: curl reads the stream (curl is not installed)\n');

if (hasFfmpeg) {
  test('ffmpeg decodes the stream without errors', async () => {
    const url = `${gateway.url}/camera/stream.mjpg`;
    const twenty = ['-frames:v', '20', '-f', 'framecrc', '-'];
    const ffmpeg = spawn('ffmpeg', ['-v', 'error', '-xerror', '-f', 'mpjpeg', '-i', url, ...twenty]);
    let output = '';
    let errors = '';
    ffmpeg.stdout.on('data', (chunk) => (output += chunk));
    ffmpeg.stderr.on('data', (chunk) => (errors += chunk));
    const [code] = await once(ffmpeg, 'close');
    const pictures = output.split('\n').filter((line) => /^0,/.test(line));
    assert.deepEqual([code, errors, pictures.length], [0, '', 20]);
  });
} else process.stdout.write('SKIPPED: ffmpeg decodes the stream (ffmpeg is not installed)\n');

test('the gateway exits immediately on SIGTERM while viewers are connected', async () => {
  const viewer = new Viewer();
  await viewer.until(() => viewer.sizes.size > 0);
  const newest = await state();
  const poll = fetch(`${gateway.url}/camera/frame?after=${newest.newest + 1000}`).catch(() => undefined);
  assert.equal(await gateway.kill('SIGTERM'), 0);
  await viewer.until(() => viewer.ended);
  await poll;
});

test.run();
