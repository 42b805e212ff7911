import type { Markers } from '../../navigation/index.js';
import { CameraScene, type ScenePose } from '../../simulator/camera/scene.js';
import type { SimulatedController } from '../../simulator/controller/controller.js';
import type { AppContext } from '../context.js';

const ROW_MM = 1500;
const AHEAD_MM = 3000;

/** Returns a simulated cart's start pose. The carts form two rows facing the path of this gateway's cart. */
export function parkingPlace(index: number): ScenePose {
  const side = index % 2 === 0 ? 1 : -1;
  return { xMm: AHEAD_MM + ROW_MM * Math.floor(index / 2), yMm: side * ROW_MM, headingDeg: -90 * side };
}

/** Returns the true pose on the plan. This gateway's cart starts at the plan's origin. */
export function poseOf(controller: SimulatedController): ScenePose {
  const { x, y, heading } = controller.snapshot();
  return { xMm: x, yMm: y, headingDeg: heading };
}

interface SceneModules {
  line: { simulation: { controller: SimulatedController } };
  ownCart: { link: { readonly simulated: boolean } };
  simulatedCarts: readonly { pose(): ScenePose }[];
  positioning: { markers: Pick<Markers, 'list'> };
}

/** Opens the scene that the simulated camera sees: the simulated carts and the registered markers. */
export function openScene(
  { settings }: { settings: Pick<AppContext['settings'], 'current'> },
  { line, ownCart, simulatedCarts, positioning }: SceneModules,
): CameraScene {
  const { controller } = line.simulation;
  const scene = new CameraScene({
    pose: () => (ownCart.link.simulated ? poseOf(controller) : undefined),
    mount: () => settings.current.navigation.mount,
    walls: () => controller.snapshot().walls,
    carts: () => simulatedCarts.map((cart) => cart.pose()),
  });
  scene.registeredMarkers = () => positioning.markers.list().map(({ purpose: _, ...marker }) => marker);
  return scene;
}
