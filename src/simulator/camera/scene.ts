import type { Wall } from '../field/plan.js';
import { CameraFaults, type CameraFaultVerb } from './faults.js';

/** Position in mm on the plan: x right, y up; heading in degrees from the x axis, positive left. */
export interface ScenePose {
  xMm: number;
  yMm: number;
  headingDeg: number;
}

/** A printed marker of the tag36h11 family on a vertical surface. */
export interface SceneMarker {
  id: number;
  /** Width of the black square. */
  sizeMm: number;
  xMm: number;
  yMm: number;
  /** Direction of the marker's normal. */
  headingDeg: number;
}

/** The surroundings that the simulated camera sees. */
export interface SceneState {
  /** Pose of the cart; null if it is unknown, for example for a real cart. */
  pose: ScenePose | null;
  /** Pose of the camera in the cart's frame: x forward, y left. */
  mount: ScenePose;
  walls: readonly Wall[];
  markers: readonly SceneMarker[];
  carts: readonly ScenePose[];
  /** The active faults with their arguments. */
  faults: Partial<Record<CameraFaultVerb, number>>;
}

interface SceneDeps {
  /** Returns the cart's true pose, which differs from the pose that it reports. */
  pose(): ScenePose | undefined;
  mount(): ScenePose;
  walls(): readonly Wall[];
  carts(): readonly ScenePose[];
}

/** Collects the surroundings that the simulated camera sees. */
export class CameraScene {
  readonly faults = new CameraFaults();
  /** The markers of the registry, which are in the scene while `markers` is undefined. */
  registeredMarkers: () => readonly SceneMarker[] = () => [];
  markers: readonly SceneMarker[] | undefined;
  readonly #deps: SceneDeps;

  constructor(deps: SceneDeps) {
    this.#deps = deps;
  }

  state(): SceneState {
    const { pose, mount, walls, carts } = this.#deps;
    return {
      pose: pose() ?? null,
      mount: mount(),
      walls: walls(),
      markers: this.markers ?? this.registeredMarkers(),
      carts: carts(),
      faults: Object.fromEntries(this.faults.list().map((verb) => [verb, this.faults.argument(verb)])),
    };
  }
}
