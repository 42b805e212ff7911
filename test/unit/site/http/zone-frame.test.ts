import assert from 'node:assert/strict';
import type { Request } from 'express';
import { suite } from 'uvu';
import type { Principal } from '../../../../src/http/guard/authenticator.js';
import { Markers } from '../../../../src/navigation/markers/registry.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { ZoneFrame } from '../../../../src/site/http/zone-frame.js';
import { hasCode } from '../../../helpers/has-code.js';
import { png } from '../../plan/images.js';
import { ANNA, DOOR, type SiteSetup, withSite } from '../site-setup.js';

const test = suite('changes of what the zones depend on');

const user = (username: string, role: 'operator' | 'admin'): Request =>
  ({ principal: { kind: 'user', username, role } as Principal }) as Request;
const ADMIN = user('anna', 'admin');
const OPERATOR = user('bert', 'operator');
const LAN = { principal: { kind: 'lan' } } as Request;
const MARKER = { id: 12, sizeMm: 150, xMm: 4000, yMm: 0, headingDeg: 90, purpose: 'dock' };
const POSE = { xMm: 2500, yMm: 1200, headingDeg: 90 };

interface FrameSetup extends SiteSetup {
  frame: ZoneFrame;
  markers: Markers;
  cart: { isBusy: boolean; pose: object | undefined };
  /** The changes in the history, newest last. */
  recorded: { by: string; path: string; from?: unknown; to?: unknown }[];
  drawZone(): Promise<unknown>;
}

const withFrame = (run: (setup: FrameSetup) => Promise<void>) =>
  withSite(async (site) => {
    const markers = new Markers(site.store);
    const cart: FrameSetup['cart'] = { isBusy: false, pose: undefined };
    const recorded: FrameSetup['recorded'] = [];
    const frame = new ZoneFrame({
      ...site,
      markers,
      location: () => undefined,
      isCartBusy: () => cart.isBusy,
      record: async ({ by, version, path, from, to }) => {
        assert.equal(version, site.sitePlan.current.version);
        recorded.push({ by: by.id, path, from, to });
      },
    });
    const drawZone = () =>
      site.sitePlan.putZones({ zones: [DOOR] }, { by: ANNA, basis: site.sitePlan.current.etag });
    await run({ ...site, frame, markers, cart, recorded, drawZone });
    markers.close();
  });

test(
  'only an administrator changes the floor plan while there are zones, and the history contains the change',
  withFrame(async ({ frame, floorPlan, recorded, drawZone }) => {
    const image = png(400, 300, () => 10);
    const changes = [
      () => floorPlan.replace(image),
      () => floorPlan.setLine({ x1: 0, y1: 0, x2: 400, y2: 0, lengthM: 20 }, { lat: 52, long: 4 }),
      () => floorPlan.remove(),
    ];
    await drawZone();
    for (const caller of [OPERATOR, LAN]) {
      for (const change of changes)
        await assert.rejects(
          frame.changePlan(caller, async () => void (await change())),
          (error) => {
            assert.ok(error instanceof GatewayError && error.info.hint);
            return error.code === 'FORBIDDEN';
          },
        );
    }
    assert.equal(recorded.length, 0);
    const before = floorPlan.current;
    for (const change of changes) await frame.changePlan(ADMIN, async () => void (await change()));
    assert.deepEqual(
      recorded.map(({ by, path }) => [by, path]),
      changes.map(() => ['anna', '/plan']),
    );
    assert.deepEqual(recorded[0]?.from, { version: before?.version, ...before?.placement });
    assert.equal(recorded.at(-1)?.to, undefined);
  }),
);

test(
  'markers are not changed while the cart moves, and the history contains each change',
  withFrame(async ({ frame, markers, cart, recorded, drawZone }) => {
    await drawZone();
    cart.isBusy = true;
    await assert.rejects(
      frame.changeMarker(OPERATOR, () => markers.create(MARKER)),
      hasCode('NOT_IDLE'),
    );
    cart.isBusy = false;
    await frame.changeMarker(OPERATOR, () => markers.create(MARKER));
    await frame.changeMarker(OPERATOR, () => markers.put('12', { ...MARKER, xMm: 4100 }));
    await frame.changeMarker(OPERATOR, () => markers.put('12', { ...MARKER, xMm: 4100 }));
    await frame.changeMarker(OPERATOR, () => markers.remove('12'));
    assert.deepEqual(recorded, [
      { by: 'bert', path: '/markers/12', from: undefined, to: MARKER },
      { by: 'bert', path: '/markers/12', from: MARKER, to: { ...MARKER, xMm: 4100 } },
      { by: 'bert', path: '/markers/12', from: { ...MARKER, xMm: 4100 }, to: undefined },
    ]);
  }),
);

test(
  'a position is recorded before it is used, and is rejected while the cart moves',
  withFrame(async ({ frame, cart, recorded, drawZone }) => {
    await drawZone();
    let recordedFirst: number | undefined;
    await frame.changePosition(LAN, POSE, () => {
      recordedFirst = recorded.length;
    });
    assert.equal(recordedFirst, 1);
    assert.deepEqual(recorded, [{ by: '', path: '/position', from: undefined, to: POSE }]);
    cart.isBusy = true;
    await assert.rejects(frame.changePosition(LAN, POSE, assert.fail), hasCode('NOT_IDLE'));
    assert.equal(recorded.length, 1);
  }),
);

test(
  'a position is not used if the cart has started while it was recorded',
  withFrame(async ({ frame, cart, drawZone }) => {
    await drawZone();
    const placed = frame.changePosition(LAN, POSE, assert.fail);
    cart.isBusy = true;
    await assert.rejects(placed, hasCode('NOT_IDLE'));
  }),
);

test(
  'without zones, nothing is forbidden or recorded',
  withFrame(async ({ frame, floorPlan, markers, cart, recorded }) => {
    cart.isBusy = true;
    await frame.changePlan(LAN, () => floorPlan.replace(png(400, 300, () => 10)));
    await frame.changeMarker(LAN, () => markers.create(MARKER));
    assert.equal(await frame.changePosition(LAN, POSE, () => 'placed'), 'placed');
    assert.deepEqual(recorded, []);
  }),
);

test.run();
