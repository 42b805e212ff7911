import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import type { ApproachView } from '../../../src/navigation/approach/view.js';
import type { Pose } from '../../../src/navigation/markers/model.js';
import { signedDegrees } from '../../../src/shared/angles.js';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { repeatOnce } from '../../helpers/repeat-once.js';
import { untilAnswer } from '../../helpers/until.js';

/** Tests driving to markers with the simulated cart, the simulated camera's images and the real detector. */
const test = suite('driving to markers with the simulated camera');
const MOUNT = { xMm: 150, yMm: 0, headingDeg: 0 };
const app = new BrowserSuite(test, {
  camera: { mode: 'simulated', width: 640, height: 480, framerate: 20 },
  navigation: { mount: MOUNT },
  simulation: { carts: [] },
});

interface Snapshot {
  x: number;
  y: number;
  heading: number;
  speed: number;
  faults: string[];
}

const RAD = Math.PI / 180;
/** Codes of drives that end because a slow machine delays images or the control loop. */
const SLOW = ['IMAGE_STALE', 'COMMAND_FAILED', 'MARKER_LOST'];

async function snapshot(): Promise<Snapshot> {
  return (await app.gateway.call<Snapshot>('GET', '/simulator')).body;
}

async function simulate(action: string, on: boolean, argument?: number): Promise<void> {
  const { status } = await app.gateway.call('POST', '/simulator', { action, on, argument });
  assert.equal(status, 200);
}

/** Registers a marker at this range, bearing and yaw, as seen from the cart's camera. */
async function placeMarker(rangeMm: number, bearingDeg = 0, yawDeg = 0): Promise<void> {
  const { x, y, heading } = await snapshot();
  const direction = (heading + bearingDeg) * RAD;
  const marker = {
    id: 12,
    sizeMm: 150,
    purpose: 'dock',
    xMm: Math.round(x + MOUNT.xMm * Math.cos(heading * RAD) + rangeMm * Math.cos(direction)),
    yMm: Math.round(y + MOUNT.xMm * Math.sin(heading * RAD) + rangeMm * Math.sin(direction)),
    headingDeg: signedDegrees(heading + 180 + yawDeg),
  };
  assert.equal((await app.gateway.call('PUT', '/markers/12', marker)).status, 200);
}

async function approach(request: object, wait = 'done'): Promise<ApproachView> {
  const body = { markerId: 12, ...request };
  const answer = await app.gateway.call<ApproachView>('POST', `/navigation/approach?wait=${wait}`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Drives to a marker. Drives once more if a command ends with LOOP_LAG. */
function approachToEnd(request: object): Promise<ApproachView> {
  return repeatOnce(
    () => approach(request),
    async ({ code }) => {
      if (code !== 'COMMAND_FAILED') return undefined;
      const { commandId } = await app.gateway.cart(1);
      return commandId && app.gateway.endCode(commandId);
    },
  );
}

async function placed(): Promise<Pose> {
  return (await app.gateway.call<Pose>('GET', '/markers/12')).body;
}

/** Returns the true deviation of the cart from the goal in front of the marker. */
async function deviation(standoffMm: number): Promise<{ mm: number; deg: number }> {
  const { x, y, heading } = await snapshot();
  const marker = await placed();
  const normal = marker.headingDeg * RAD;
  const [dx, dy] = [
    x - marker.xMm - standoffMm * Math.cos(normal),
    y - marker.yMm - standoffMm * Math.sin(normal),
  ];
  return { mm: Math.hypot(dx, dy), deg: Math.abs(signedDegrees(heading + 180 - marker.headingDeg)) };
}

test.before(() => app.untilCartReady());
test.after.each(async () => {
  for (const fault of (await snapshot()).faults) await simulate(fault, false);
  await app.untilCartReady();
  await app.gateway.untilCart(1, ({ moving }) => !moving);
});

test('docks within 10 mm and 1 degree and undocks in reverse despite wheel slip and lost images', async () => {
  await simulate('wheelSlip', true, 0.02);
  await simulate('cameraDrops', true, 20);
  await simulate('cameraNoise', true, 4);
  await placeMarker(1500, 10, 25);
  const { phase, residual, code } = await approachToEnd({ standoffMm: 500 });
  assert.deepEqual([phase, typeof residual?.alongMm], ['FINISHED', 'number'], code);
  const docked = await deviation(500);
  assert.ok(docked.mm <= 10 && docked.deg <= 1, JSON.stringify(docked));
  const undocked = await approachToEnd({ standoffMm: 1000 });
  assert.equal(undocked.phase, 'FINISHED');
  assert.ok((await deviation(1000)).mm <= 20);
});

test('sends ordinary moves that GET /commands lists', async () => {
  const { body } = await app.gateway.call<{ kind: string; origin: { source: string } }[]>('GET', '/commands');
  assert.ok(body.length >= 2);
  assert.deepEqual([body[0]?.kind, body[0]?.origin.source], ['move', 'http']);
});

async function approachState(): Promise<ApproachView> {
  const { body } = await app.gateway.call<{ approach: ApproachView }>('GET', '/navigation/approach');
  return body.approach;
}

async function untilMoving(): Promise<void> {
  await untilAnswer(approachState, ({ phase }) => phase === 'MOVING' || phase === 'FAILED');
}

function untilFailed(): Promise<ApproachView> {
  return untilAnswer(approachState, ({ phase }) => phase === 'FAILED' || phase === 'FINISHED');
}

for (const [title, verb, argument, codes] of [
  ['the camera image freezes', 'cameraFrozen', undefined, ['MISMATCH', 'IMAGE_STALE']],
  ['the camera image is black', 'cameraBlack', undefined, ['MARKER_LOST', 'IMAGE_STALE']],
  ['the camera image is overexposed', 'cameraExposure', 8, ['MARKER_LOST', 'IMAGE_STALE']],
  ['the marker is covered', 'markerCovered', 12, ['MARKER_LOST', 'IMAGE_STALE']],
  ['the marker is turned upside down', 'markerUpsideDown', 12, ['MARKER_LOST', 'IMAGE_STALE']],
] as const) {
  // Fault cases 46, 49, 51
  test(`stops and fails during the approach when ${title}`, async () => {
    await placeMarker(1800);
    await approach({ standoffMm: 500 }, 'accept');
    await untilMoving();
    await simulate(verb, true, argument);
    const { phase, code = '' } = await untilFailed();
    assert.ok(phase === 'FAILED' && [...codes, ...SLOW].includes(code), `${phase} ${code}`);
    await app.gateway.untilCart(1, ({ moving }) => !moving);
  });
}

// Fault case 47
test('stops during the approach when the images are 400 ms late, and finishes only within 10 mm of the goal', async () => {
  await placeMarker(1800);
  await approach({ standoffMm: 500 }, 'accept');
  await untilMoving();
  await simulate('cameraDelay', true, 400);
  const { phase } = await untilFailed();
  const { body } = await app.gateway.call<{ state: string }[]>('GET', '/commands');
  assert.ok(phase === 'FAILED' || body.some(({ state }) => state === 'CANCELLED'));
  if (phase === 'FINISHED') assert.ok((await deviation(500)).mm <= 10);
});

// Fault case 50
test('does not move when two markers with the same ID are in view', async () => {
  await placeMarker(1500, 5);
  const { xMm, yMm, headingDeg } = await placed();
  const sideways = (headingDeg + 90) * RAD;
  const markers = [0, 400].map((mm) => ({
    id: 12,
    sizeMm: 150,
    headingDeg,
    xMm: xMm + mm * Math.cos(sideways),
    yMm: yMm + mm * Math.sin(sideways),
  }));
  await app.gateway.call('POST', '/simulator', { action: 'markers', markers });
  const before = await snapshot();
  const { phase, code, commands } = await approach({ standoffMm: 500 });
  await app.gateway.call('POST', '/simulator', { action: 'markers' });
  assert.ok(code === 'MARKER_LOST' || code === 'IMAGE_STALE', code);
  assert.deepEqual([phase, commands], ['FAILED', 0]);
  const { x, y } = await snapshot();
  assert.deepEqual([x, y], [before.x, before.y]);
});

// Fault case 52
test('fails when the marker is 25 % larger than its registered size', async () => {
  await placeMarker(1800);
  await simulate('markerSize', true, 1.25);
  const { phase, code = '' } = await approachToEnd({ standoffMm: 300 });
  assert.ok(phase === 'FAILED' && ['MISMATCH', ...SLOW].includes(code), `${phase} ${code}`);
});

test('ends the approach when a stop is sent, and the cart comes to rest', async () => {
  await placeMarker(1800);
  await approach({ standoffMm: 500 }, 'accept');
  await untilMoving();
  assert.equal((await app.gateway.call('POST', '/stop', {})).status, 200);
  const { phase, code } = await untilFailed();
  assert.equal(phase, 'FAILED');
  assert.ok(code === 'STOPPED' || SLOW.includes(code ?? ''));
  await app.gateway.untilCart(1, ({ moving }) => !moving);
});

for (const [width, height, locale] of [
  [360, 640, 'en-GB'],
  [360, 640, 'nl-NL'],
  [768, 1024, 'en-GB'],
  [900, 600, 'nl-NL'],
  [1024, 768, 'en-GB'],
  [1440, 900, 'en-GB'],
] as const) {
  test(`the marker form neither covers readings nor moves controls at ${width} by ${height} px in ${locale}`, async () => {
    await placeMarker(1200);
    const options = { viewport: { width, height }, locale };
    const show = async (page: Page): Promise<void> => {
      await page.locator('[data-pad]:not([aria-disabled="true"])').waitFor();
      const controls = '.cockpit-controls button, [data-pad], .full-screen';
      const places = () =>
        page.$$eval(controls, (elements) =>
          elements
            .filter((element) => element.checkVisibility({ visibilityProperty: true }))
            .map((element) => {
              const { x, y } = element.getBoundingClientRect();
              return [x, y + scrollY].map(Math.round).join();
            }),
        );
      const before = await places();
      await page.locator('[data-marker-toggle]').click();
      await page.locator('[data-choose="12"]').click();
      await page.locator('[data-marker-go]').waitFor();
      assert.deepEqual(await places(), before);
      assert.deepEqual(await violationsOf(page), []);
      const shown = `${controls}, .stops button, .readings > div, .meta span, [data-now] li, .swap, [data-marker-toggle], .last`;
      const covered = await page.$eval(
        '[data-marker-form]',
        (form, selector) => {
          const box = form.getBoundingClientRect();
          const elements = [...document.querySelectorAll(selector)].filter((element) => {
            const { left, top, right, bottom, width } = element.getBoundingClientRect();
            const isApart = right <= box.left || left >= box.right || bottom <= box.top || top >= box.bottom;
            return width > 1 && element.checkVisibility({ visibilityProperty: true }) && !isApart;
          });
          return elements.map(({ outerHTML }) => outerHTML.slice(0, 60));
        },
        shown,
      );
      assert.deepEqual(covered, []);
      const form = await page.locator('[data-marker-form]').boundingBox();
      assert.ok(form && form.x >= 0 && form.x + form.width <= width && form.y + form.height <= height);
      const image = await page.locator('.scene').boundingBox();
      assert.ok(image && image.height >= 100, `the image keeps ${image?.height} px`);
    };
    await app.visit('/', async ({ page }) => show(page), options);
  });
}

test('holding the button drives the cart to the tapped marker', async () => {
  await placeMarker(1000);
  await app.visit('/', async ({ page }) => {
    await page.locator('[data-marker-toggle]').click();
    await page.locator('[data-marker="12"]').click();
    assert.match(await page.locator('[data-marker-go]').innerText(), /^ ?Hold to send$/);
    await page.fill('[name="standoff"]', '0.8');
    const box = await page.locator('[data-marker-go]').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.locator('[data-marker-run]').waitFor();
    await page.mouse.up();
    await page.locator('[data-marker-run]', { hasText: /^Marker 12 (not )?reached: / }).waitFor();
  });
  const { phase, standoffMm } = await approachState();
  assert.ok(phase === 'FINISHED' || phase === 'FAILED');
  assert.equal(standoffMm, 800);
});

/** The gateway's response to the marker view while it drives to marker 12. */
const DRIVING = {
  ageMs: 10,
  width: 640,
  height: 480,
  sightings: [],
  fault: '',
  approach: { runId: 'a', phase: 'MOVING', markerId: 12, commands: 3 },
};

test("the marker form shows the drive's age when the gateway does not respond", async () => {
  await app.visit('/', async ({ page, pageErrors }) => {
    await page.route('**/navigation/sightings', (route) => route.fulfill({ json: DRIVING }));
    await page.locator('[data-marker-toggle]').click();
    const line = page.locator('[data-marker-run]');
    await line.filter({ hasText: /^Driving to marker 12, command 3$/ }).waitFor();
    await page.route('**/navigation/sightings', (route) => route.abort());
    await line.filter({ hasText: /^Driving to marker 12, command 3\. Status from \d+\.0 s ago$/ }).waitFor();
    await page.locator('[data-marker-form][data-stale]').waitFor();
    // After a restart, the gateway does not know about the drive.
    await page.route('**/navigation/sightings', (route) =>
      route.fulfill({ json: { ...DRIVING, approach: null } }),
    );
    await line.waitFor({ state: 'hidden' });
    await page.locator('[data-marker-form]:not([data-stale])').waitFor();
    pageErrors.splice(0);
  });
});

test('a reopened marker form does not show a drive until the gateway has responded', async () => {
  await app.visit('/', async ({ page }) => {
    await page.route('**/navigation/sightings', (route) => route.fulfill({ json: DRIVING }));
    const toggle = page.locator('[data-marker-toggle]');
    await toggle.click();
    const line = page.locator('[data-marker-run]');
    await line.filter({ hasText: /^Driving/ }).waitFor();
    // The page sends one request at a time, so all responses to earlier requests have arrived before this request.
    await new Promise<void>((resolve) => void page.route('**/navigation/sightings', () => resolve()));
    await toggle.click();
    await toggle.click();
    await page.locator('[data-marker-form]:not([hidden])').waitFor();
    assert.equal(await line.isVisible(), false);
    await page.locator('[data-marker-text]').filter({ hasText: 'No current image' }).waitFor();
    assert.equal(await line.isVisible(), false);
  });
});

/** Kills the simulated camera's program; the gateway then restarts it. */
function endCamera(): void {
  for (const pid of descendants(app.gateway.pid)) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (command.includes('simulate-camera')) process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already exited.
    }
  }
}

function descendants(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return [...children, ...children.flatMap(descendants)];
  } catch {
    return [];
  }
}

// Fault case 53
test('stops and fails when the camera is unplugged during the approach', async () => {
  await placeMarker(1800);
  await approach({ standoffMm: 500 }, 'accept');
  await untilMoving();
  const { phase, code = '' } = await untilAnswer(
    () => {
      endCamera();
      return approachState();
    },
    ({ phase }) => phase === 'FAILED' || phase === 'FINISHED',
  );
  assert.ok(phase === 'FAILED' && SLOW.includes(code), `${phase} ${code}`);
  await app.gateway.untilCart(1, ({ moving }) => !moving);
});

if (hasBrowser) test.run();
