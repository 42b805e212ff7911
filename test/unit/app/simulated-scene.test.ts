import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { openScene, parkingPlace } from '../../../src/app/simulation/scene.js';
import type { Marker } from '../../../src/navigation/index.js';
import { defaultSettings } from '../../../src/settings/schema/schema.js';
import { SimulatedController } from '../../../src/simulator/controller/controller.js';
import { BODY } from '../../../src/simulator/field/plan.js';
import { FakeClock } from '../../helpers/fake-clock.js';

const test = suite('simulated camera scene');

function sceneOf(simulated = true) {
  const physics = { xMm: 500, yMm: 100, headingDeg: 30 };
  const controller = new SimulatedController({ clock: new FakeClock(), dialect: 'cgw1', physics });
  const registered: Marker[] = [];
  const scene = openScene(
    { settings: { current: defaultSettings() } },
    {
      line: { simulation: { controller } },
      ownCart: { link: { simulated } },
      simulatedCarts: [{ pose: () => parkingPlace(0) }],
      positioning: { markers: { list: () => registered } },
    },
  );
  return { controller, scene, registered };
}

test("the scene contains the cart's true pose, the walls and the other carts", () => {
  const { controller, scene } = sceneOf();
  const wall = { x1: 1000, y1: -500, x2: 1000, y2: 500 };
  controller.setWalls([wall]);
  const { pose, walls, carts, markers, faults } = scene.state();
  assert.deepEqual([pose?.xMm, pose?.yMm, Math.round(pose?.headingDeg ?? 0)], [500, 100, 30]);
  assert.deepEqual([walls, carts, markers, faults], [[wall], [parkingPlace(0)], [], {}]);
});

test('the scene contains the registered markers unless other markers have been placed', () => {
  const { scene, registered } = sceneOf();
  const marker = { id: 5, sizeMm: 150, xMm: 1500, yMm: 0, headingDeg: 180 };
  registered.push({ ...marker, purpose: 'dock' });
  assert.deepEqual(scene.state().markers, [marker]);
  scene.markers = [];
  assert.deepEqual(scene.state().markers, []);
  scene.markers = undefined;
  assert.deepEqual(scene.state().markers, [marker]);
});

test('the scene does not contain a pose when the controller is real', () => {
  assert.equal(sceneOf(false).scene.state().pose, null);
});

test("simulated carts start apart from each other and not in the path ahead of the gateway's cart", () => {
  const places = Array.from({ length: 20 }, (_, index) => parkingPlace(index));
  for (const [index, place] of places.entries()) {
    assert.ok(Math.abs(place.yMm) > 3 * BODY.halfLengthMm);
    for (const other of places.slice(index + 1))
      assert.ok(Math.hypot(place.xMm - other.xMm, place.yMm - other.yMm) > 3 * BODY.halfLengthMm);
  }
});

test.run();
