import { CameraScene, type ScenePose } from '../../simulator/camera/scene.js';
import type { SimulatedController } from '../../simulator/controller/controller.js';

const ROW_MM = 1500;
const AHEAD_MM = 3000;

/** Returns a simulated cart's start pose. The carts form two rows facing the path of this gateway's cart. */
export function parkingPlace(index: number): ScenePose {
  const side = index % 2 === 0 ? 1 : -1;
  return { xMm: AHEAD_MM + ROW_MM * Math.floor(index / 2), yMm: side * ROW_MM, headingDeg: -90 * side };
}

/** The true pose on the plan. This gateway's cart starts at the plan's origin. */
export function poseOf(controller: SimulatedController): ScenePose {
  const { x, y, heading } = controller.snapshot();
  return { xMm: x, yMm: y, headingDeg: heading };
}

interface SceneParts {
  simulation: { controller: SimulatedController };
  link: { readonly simulated: boolean };
  others: readonly { pose(): ScenePose }[];
  /** Pose of the camera in the cart's frame. */
  mount: () => ScenePose;
}

/** Connects the simulated camera with the simulated carts. */
export function cameraScene({ simulation: { controller }, link, others, mount }: SceneParts): CameraScene {
  return new CameraScene({
    pose: () => (link.simulated ? poseOf(controller) : undefined),
    mount,
    walls: () => controller.snapshot().walls,
    carts: () => others.map((other) => other.pose()),
  });
}
